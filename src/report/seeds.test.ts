import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import { encodeKTest } from "./ktest.js";
import { inputsOfSeeds, readSeeds, valuesOfSeed } from "./seeds.js";

const base = mkdtempSync(join(tmpdir(), "tangent-seeds-"));
after(() => rmSync(base, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(base, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
const ktest = encodeKTest(
  [Buffer.from("p"), Buffer.from("--sym-stdin"), Buffer.from("2")],
  [{ name: "stdin", bytes: Buffer.from("ok") }],
);

test("seeds: a raw file is standard input, or the first symbolic file where there is one", () => {
  const { seeds } = readSeeds([file("raw", "hello")]);
  assert.equal(inputsOfSeeds(seeds).stdin, 5);
  const stdin = valuesOfSeed(seeds[0], { ...NO_INPUTS, stdin: 8 });
  assert.deepEqual(stdin, [{ name: "stdin", occurrence: 0, bytes: Buffer.from("hello") }]);
  const files = [{ name: "A", size: 3 }];
  assert.equal(valuesOfSeed(seeds[0], { ...NO_INPUTS, stdin: 8, files })?.[0].name, "file:A");
  assert.equal(valuesOfSeed(seeds[0], NO_INPUTS), null);
});

test("seeds: a .ktest brings its objects and what they are", () => {
  const { seeds } = readSeeds([file("t.ktest", ktest)]);
  assert.equal(inputsOfSeeds(seeds).stdin, 2);
  assert.deepEqual(
    valuesOfSeed(seeds[0], NO_INPUTS)?.map(({ name }) => name),
    ["stdin"],
  );
});

test("seeds: folders of tests, corpora of libFuzzer, and AFL's queue", () => {
  file("run/test000001.ktest", ktest);
  file("run/statistics.json", "{}");
  file("corpus/0a1b", "x");
  file("corpus/2c3d", "y");
  file("corpus/.hidden", "z");
  file("afl/default/queue/id:000000,orig:a", "1");
  file("afl/default/queue/.state/x", "");
  file("afl/default/crashes/README.txt", "text");
  const names = (folder: string): string[] =>
    readSeeds([join(base, folder)]).seeds.map(({ path }) => path.slice(base.length + 1));
  file("found/002-x/input.ktest", ktest);
  file("found/001-y/input.ktest", ktest);
  file("found/001-y/stdin", "ok");
  assert.deepEqual(names("found"), ["found/001-y/input.ktest", "found/002-x/input.ktest"]);
  assert.deepEqual(names("run"), ["run/test000001.ktest"]);
  assert.deepEqual(names("corpus"), ["corpus/0a1b", "corpus/2c3d"]);
  assert.deepEqual(names("afl"), ["afl/default/queue/id:000000,orig:a"]);
  assert.deepEqual(names("afl/default/queue"), ["afl/default/queue/id:000000,orig:a"]);
});

test("seeds: what cannot be used is told by name, and the others are used", () => {
  const { seeds, problems } = readSeeds([
    file("bad.ktest", ktest.subarray(0, 20)),
    file("good", "g"),
    join(base, "missing"),
    file("large", new Uint8Array((1 << 20) + 1)),
  ]);
  assert.equal(seeds.length, 1);
  assert.equal(problems.length, 3);
  assert.match(problems[0], /bad\.ktest: at byte \d+/);
  assert.match(problems[1], /missing: there is no such file/);
  assert.match(problems[2], /too many/);
});
