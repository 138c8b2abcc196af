import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExploreExpectations } from "./explore-expectations.js";

test("explore expectations: options, arguments, files and counts are read from the head of a program", () => {
  const parsed = parseExploreExpectations(
    [
      "// run: explore --sym-stdin 2 -- a b",
      "// run: explore --search dfs",
      "// twin: -DFIXED -DN=2",
      '// file: seed.bin "a;\\x00b"',
      "// paths: 5",
      "// output: one\\n",
      "// output: two\\n",
      "// covers: all",
      "return 1; // never",
    ].join("\n"),
  );
  assert.deepEqual(parsed.runs, [
    { options: ["--sym-stdin", "2"], args: ["a", "b"] },
    { options: ["--search", "dfs"], args: [] },
  ]);
  assert.deepEqual(parsed.twin, ["-DFIXED", "-DN=2"]);
  assert.deepEqual(parsed.files, [{ kind: "file", name: "seed.bin", bytes: "a;\0b" }]);
  assert.equal(parsed.paths, 5);
  assert.deepEqual(parsed.outputs, ["one\n", "two\n"]);
  assert.equal(parsed.coversAll, true);
  assert.deepEqual(parsed.never, [9]);
  assert.equal(parsed.limited, false);
});

test("explore expectations: a witness is pieces of input, numbers being little-endian", () => {
  const parsed = parseExploreExpectations('// witness: object x i16 -2; arg "a;b"; stdin "\\r\\x41"');
  assert.deepEqual(parsed.witness, [
    { kind: "object", name: "x", bytes: "\xfe\xff" },
    { kind: "arg", name: "", bytes: "a;b" },
    { kind: "stdin", name: "", bytes: "\rA" },
  ]);
});

test("explore expectations: each marked line is a finding, with alternatives, and a function may stand for all its lines", () => {
  const parsed = parseExploreExpectations(
    ["x(); // expect: wild-access read|abort", "int f(void) // expect-function: no-progress", "{", "}", ""].join("\n"),
  );
  assert.deepEqual(parsed.findings, [
    {
      alternatives: [
        { kind: "wild-access", access: "read" },
        { kind: "abort", access: null },
      ],
      firstLine: 1,
      lastLine: 1,
    },
    { alternatives: [{ kind: "no-progress", access: null }], firstLine: 2, lastLine: 4 },
  ]);
});
