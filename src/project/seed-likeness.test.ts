import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BlobStore } from "./blob-store.js";
import { ProjectFolder } from "./project-folder.js";
import type { Seed, SeedEntry } from "./seed.js";
import { AlikeSeeds, likenessOf } from "./seed-likeness.js";
import { type SeedContent, seedId } from "./seed-store.js";

const root = mkdtempSync(join(tmpdir(), "tangent-like-"));
after(() => rmSync(root, { recursive: true, force: true }));
const blobs = new BlobStore(new ProjectFolder(root));
const ROOT = "/home/u/proj";

function content(change: Partial<SeedContent>): SeedContent {
  return {
    ...{ program: `${ROOT}/prog`, programContent: "c", arguments: ["./prog"], environment: [], umask: 0o022 },
    ...{ workingDirectory: ROOT, stdin: { kind: "empty" }, files: [], end: { kind: "exit", code: 0 } },
    ...change,
  };
}
const entry = (path: string, change: Partial<SeedEntry> = {}): SeedEntry => ({
  ...{ kind: "file", path, mode: 0o644, size: 3, links: 1, seconds: 5, nanoseconds: 0 },
  ...change,
});
const file = (path: string, text = "abc") => ({ path, content: blobs.put(Buffer.from(text)), mode: 0o644 });
const like = (change: Partial<SeedContent>): string => likenessOf(content(change), blobs, ROOT, "/scratch/");
const isSame = (one: Partial<SeedContent>, other: Partial<SeedContent>): boolean => like(one) === like(other);

test("seed likeness: directories of mktemp, and what is in them, are the same each time", () => {
  const made = (name: string): Partial<SeedContent> => ({
    arguments: ["./prog", `-o/tmp/${name}/out`, `--in=/tmp/${name}/in`],
    environment: [`WORK=/tmp/${name}`],
    files: [file(`/tmp/${name}/in`, `include /tmp/${name}/more\n`)],
    tree: [entry(`/tmp/${name}`, { kind: "directory", size: name.length }), entry(`/tmp/${name}/in`)],
  });
  assert.ok(isSame(made("tmp.oYwdBWMExH"), made("tmp.K2a")));
  assert.ok(isSame({ workingDirectory: "/scratch/a1/x" }, { workingDirectory: "/scratch/b/x" }));
});

test("seed likeness: in which directory of the suite's a test runs makes no other test, what lies in it does", () => {
  const run = (name: string, text = "abc"): Partial<SeedContent> => ({
    workingDirectory: `${ROOT}/${name}`,
    environment: [`PWD=${ROOT}/${name}`],
    arguments: ["./prog", "in", `${ROOT}/${name}/in`],
    files: [file(`${ROOT}/${name}/in`, text)],
    tree: [entry(`${ROOT}/${name}`, { kind: "directory" }), entry(`${ROOT}/${name}/in`)],
  });
  assert.ok(isSame(run("gt-first.sh.aBcD"), run("gt-second.sh.dEf0")));
  assert.ok(!isSame(run("gt-first.sh.aBcD"), run("gt-first.sh.aBcD", "abd")));
  // Another one's directory is a name like any other.
  const other = { ...run("one"), arguments: ["./prog", "in", `${ROOT}/two/in`] };
  assert.ok(!isSame(run("one"), other));
  assert.ok(!isSame({ workingDirectory: "/etc/x" }, { workingDirectory: "/etc/y" }));
  // `in` is not in `one`, though the names begin alike.
  const beside = { ...run("one"), files: [file(`${ROOT}/one-in`)], tree: [] };
  assert.ok(!isSame({ ...run("one"), tree: [] }, beside));
});

test("seed likeness: gnulib's suites put four letters behind the names of their directories", () => {
  const remove = (name: string): Partial<SeedContent> => ({
    arguments: ["./prog", `${ROOT}/${name}`],
    tree: [entry(`${ROOT}/${name}`, { kind: "directory", isWhole: true })],
  });
  assert.ok(isSame(remove("gt-t36.sh.9DFc"), remove("gt-t36.sh.q2Vf")));
  assert.ok(!isSame(remove("gt-t36.sh.9DFc"), remove("gt-t37.sh.9DFc")));
});

test("seed likeness: numbers of processes in names of files are, numbers by themselves are not", () => {
  const made = (pid: string, word = "7"): Partial<SeedContent> => ({
    arguments: ["./prog", "-n", word, `./in.${pid}`, `lock-${pid}`],
    files: [file(`${ROOT}/in.${pid}`)],
    tree: [entry(`${ROOT}/in.${pid}`), entry(`${ROOT}/lock-${pid}`, { kind: "missing", size: 0 })],
  });
  assert.ok(isSame(made("15690"), made("733")));
  assert.ok(!isSame(made("15690", "1000"), made("15690", "2000")));
  assert.ok(!isSame({ arguments: ["./prog", "1000"] }, { arguments: ["./prog", "2000"] }));
});

test("seed likeness: a name is the same name in all places", () => {
  const copy = (from: string, to: string): Partial<SeedContent> => ({
    arguments: ["./prog", `/tmp/${from}`, `/tmp/${to}`],
    files: [file(`/tmp/${from}`)],
  });
  assert.ok(isSame(copy("a", "b"), copy("x", "y")));
  assert.ok(!isSame(copy("a", "b"), copy("a", "a")));
});

test("seed likeness: the order of a tree is that of names which vary", () => {
  const two = (one: string, other: string): Partial<SeedContent> => ({
    arguments: ["./prog", `/tmp/${one}/f`, `/tmp/${other}/g`],
    tree: [one, other].sort().map((name) => entry(`/tmp/${name}/${name === one ? "f" : "g"}`)),
  });
  assert.ok(isSame(two("aaa", "bbb"), two("zzz", "bbb")));
});

test("seed likeness: the copy that was built is the project", () => {
  const copy = `${ROOT}/.tangent/build`;
  assert.ok(isSame({ program: `${copy}/prog`, workingDirectory: `${copy}/t` }, { workingDirectory: `${ROOT}/t` }));
  assert.ok(!isSame({ workingDirectory: `${ROOT}2` }, { workingDirectory: ROOT }));
});

test("seed likeness: what the program reads, and how it ends, makes another test", () => {
  const base = { arguments: ["./prog", "/tmp/a"], files: [file("/tmp/a")] };
  assert.ok(!isSame(base, { ...base, files: [file("/tmp/a", "abd")] }));
  assert.ok(!isSame(base, { ...base, end: { kind: "exit", code: 1 } }));
  assert.ok(!isSame(base, { ...base, stdin: { kind: "closed" } }));
  assert.ok(!isSame(base, { ...base, programContent: "d" }));
  assert.ok(!isSame(base, { ...base, environment: ["A=1"] }));
  assert.ok(isSame(base, { ...base, environment: ["_=./x", "SHLVL=3"] }));
});

test("seed likeness: a seed that comes again is the known one, with its id and the new time", () => {
  const seed = (name: string, at: string, seconds: number): Seed => {
    const all = content({
      arguments: ["./prog", `/tmp/${name}`],
      files: [file(`/tmp/${name}`)],
      tree: [entry(`/tmp/${name}`, { seconds }), entry(`${ROOT}/old`, { seconds: 5 })],
    });
    return { id: seedId(all), ...all, recorded: { at, milliseconds: 1, times: 1 } };
  };
  const first = seed("one", "2026-01-01T00:00:10.000Z", Date.UTC(2026, 0, 1) / 1000);
  const alike = new AlikeSeeds([first], blobs, ROOT, "");
  const again = alike.asKnown(seed("two", "2026-01-02T00:00:10.000Z", Date.UTC(2026, 0, 2) / 1000));
  assert.equal(again.id, first.id);
  assert.equal(seedId(again), first.id);
  assert.deepEqual(again.arguments, first.arguments);
  assert.equal(again.recorded.at, "2026-01-02T00:00:10.000Z");
  assert.deepEqual(
    again.tree?.map(({ seconds }) => seconds),
    [Date.UTC(2026, 0, 2) / 1000, 5],
  );
  const other = seed("three", "2026-01-02T00:00:10.000Z", 5);
  const ended: Seed = { ...other, end: { kind: "signal", signal: 11 } };
  assert.equal(alike.asKnown(ended), ended);
});
