import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../../support/random.js";
import type { Invocation, TreeEntry } from "../invocation.js";
import { contentGrowths } from "./content-growth.js";
import { argumentGrowths, environmentGrowths, fileGrowths, type Growth, stdinGrowths } from "./growth.js";
import { problemOf } from "./invocation-key.js";
import { contextOf, poolOf } from "./pool.js";
import { bytesOf, textOf } from "./shown-text.js";

const FILE: TreeEntry = { kind: "file", path: "/home/test/a.txt", bytes: bytesOf("one 1\ntwo 2\n"), mode: 0o644 };

function test(words: readonly string[], stdin: string | null = null): Invocation {
  return {
    program: "tool",
    arguments: words.map(bytesOf),
    environment: ["HOME=/home/test", "PATH=/bin", "LC_ALL=C", "LEVEL=3"],
    workingDirectory: "/home/test",
    umask: 0o22,
    stdin: stdin === null ? { kind: "empty" } : { kind: "bytes", bytes: bytesOf(stdin), regularFile: false },
    tree: [FILE],
  };
}

const contextFor = (from: Invocation) =>
  contextOf(from, poolOf({ words: [], others: [], preferred: [], random: new Random(1) }));
const byKey = (growths: Iterable<Growth>, key: string): Growth => {
  const found = [...growths].find((growth) => growth.key === key);
  assert.ok(found, key);
  return found;
};
const wordsOf = (made: Invocation | null): string[] => (made?.arguments ?? []).map(textOf);

describe("growths", () => {
  it("an argument grows by its last byte, or by itself behind what stands between its parts, and shrinks to nothing", () => {
    const growths = [...argumentGrowths(contextFor(test(["12", "a:b"])))];
    const longer = byKey(growths, "argument 0, its last byte");
    assert.deepEqual(wordsOf(longer.make(3)), ["12222", "a:b"]);
    assert.equal(longer.step(3), "`12` longer by 3 bytes");
    assert.deepEqual(wordsOf(byKey(growths, "argument 0, again behind ,").make(2)), ["12,12,12", "a:b"]);
    assert.deepEqual(wordsOf(byKey(growths, "argument 1, again behind :").make(1)), ["12", "a:b:a:b"]);
    const shorter = byKey(growths, "argument 1, shorter");
    assert.deepEqual(shorter.rungs, [1, 3]);
    assert.deepEqual(wordsOf(shorter.make(3)), ["12", ""]);
    assert.equal(shorter.step(3), "`a:b` made empty");
  });

  it("no argument grows beyond what a program can be given", () => {
    const from = test(["12"]);
    const longer = byKey(argumentGrowths(contextFor(from)), "argument 0, its last byte");
    assert.equal(longer.make(1_000_000), null);
    for (const amount of longer.rungs) assert.equal(problemOf(longer.make(amount) ?? from, from), null);
  });

  it("options stay what they are, but their joined values grow", () => {
    const growths = [...argumentGrowths(contextFor(test(["-n", "--", "--size=4"])))];
    assert.deepEqual(
      growths.map(({ key }) => key),
      ["argument 2, its last byte"],
    );
    assert.deepEqual(wordsOf(growths[0].make(2)), ["-n", "--", "--size=444"]);
  });

  it("where an operand names a file, the file is there under its longer name", () => {
    const growth = byKey(argumentGrowths(contextFor(test(["a.txt"]))), "argument 0, a file's name");
    const made = growth.make(4);
    assert.deepEqual(wordsOf(made), ["a.txtnnnn"]);
    assert.ok(made?.tree.some(({ path }) => path === "/home/test/a.txtnnnn"));
    assert.equal(growth.rungs.at(-1), 250, "the longest name there is");
    assert.equal(growth.make(251), null);
  });

  it("a variable grows, also one that no test sets; what decides what is executed does not", () => {
    const growths = [...environmentGrowths(contextFor(test([])), ["EDITOR_NAME", "LD_PRELOAD", "NODE_OPTIONS"])];
    assert.deepEqual(
      growths.map(({ variable }) => variable),
      ["EDITOR_NAME", "HOME", "LEVEL"],
    );
    const level = growths[2].make(2);
    assert.ok(level?.environment.includes("LEVEL=333"));
    assert.ok(!level?.environment.includes("LEVEL=3"));
    assert.ok(growths[0].make(2)?.environment.includes("EDITOR_NAME=aa"));
  });

  it("standard input and files grow by lines, longer lines and fields", () => {
    const from = test(["a.txt"], "x;y\nz;w\n");
    const stdin = [...stdinGrowths(contextFor(from))];
    const read = (key: string, amount: number): string => {
      const made = byKey(stdin, `standard input, ${key}`).make(amount);
      return made?.stdin.kind === "bytes" ? textOf(made.stdin.bytes) : "";
    };
    assert.equal(read("more lines", 2), "x;y\nz;w\nz;w\nz;w\n");
    assert.equal(read("line last longer", 3), "x;y\nz;wwww\n");
    assert.equal(read("line 0 with more fields", 2), "x;y;y;y\nz;w\n");
    assert.equal(read("shorter", 8), "");
    const files = [...fileGrowths(contextFor(from))];
    const entry = byKey(files, "file 0, more lines")
      .make(1)
      ?.tree.find(({ path }) => path === FILE.path);
    assert.equal(entry?.kind === "file" ? textOf(entry.bytes) : "", "one 1\ntwo 2\ntwo 2\n");
    assert.equal(byKey(files, "file 0, more lines").step(1), "the last line of `a.txt` written once more");
  });

  it("what is no text grows at its end, by bytes and by records; nothing grows to a line", () => {
    const growths = [...contentGrowths(bytesOf("AB\0\x01\x02\x03\x04\x05"))];
    const made = (key: string, amount: number): string =>
      textOf(growths.find((growth) => growth.key === key)?.make(amount) ?? new Uint8Array());
    assert.equal(made("its last 4 bytes", 1), "AB\0\x01\x02\x03\x04\x05\x02\x03\x04\x05");
    assert.equal(made("zeros", 2), "AB\0\x01\x02\x03\x04\x05\0\0");
    const [line] = [...contentGrowths(new Uint8Array(0))];
    assert.equal(textOf(line.make(3)), "aaa\n");
  });

  it("rungs ascend, so that the first failing amount has a harmless one below it", () => {
    const from = test(["12", "a.txt"], "x y\n");
    const context = contextFor(from);
    const all = [...argumentGrowths(context), ...stdinGrowths(context), ...fileGrowths(context)];
    for (const { key, rungs } of [...all, ...environmentGrowths(context, [])]) {
      assert.deepEqual(
        [...rungs],
        [...new Set(rungs)].sort((a, b) => a - b),
        key,
      );
      assert.ok(
        rungs.every((amount) => amount > 0),
        key,
      );
    }
  });
});
