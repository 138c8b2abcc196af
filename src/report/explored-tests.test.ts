import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { InputValue } from "../inputs/input-value.js";
import type { SymbolicInputs } from "../inputs/symbolic-inputs.js";
import { exploredTests } from "./explored-tests.js";
import { toKlee } from "./klee-objects.js";
import { encodeKTest } from "./ktest.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-explored-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const INPUTS: SymbolicInputs = {
  words: [
    { kind: "fixed", bytes: Buffer.from("-f") },
    { kind: "several", least: 0, most: 2, length: 3 },
  ],
  stdin: 2,
  files: [{ name: "in.txt", size: 4 }],
  environment: [{ name: "MODE", length: 3 }],
};

function write(name: string, word: string, own: readonly InputValue[] = []): void {
  const object = (of: string, text: string): InputValue => ({ name: of, occurrence: 0, bytes: Buffer.from(text) });
  const values = [
    { name: "n_args", occurrence: 0, bytes: Uint8Array.of(1, 0, 0, 0) },
    object("arg0", word),
    object("file:in.txt", "data"),
    object("stdin", "ab"),
    object("env:MODE", "on\0"),
    ...own,
  ];
  const { args, objects } = toKlee(Buffer.from("./prog"), INPUTS, values);
  writeFileSync(join(folder, `${name}.ktest`), encodeKTest(args, objects));
}

test("explored tests: those that are new or fail are commands, with files, variables and arguments as they were", () => {
  write("test000001", "one");
  write("test000002", "two");
  write("test000003", "bad");
  write("test000004", "own", [{ name: "x", occurrence: 0, bytes: Uint8Array.of(1) }]);
  writeFileSync(
    join(folder, "tests.csv"),
    "test,end,covers_new,instructions,seconds\ntest000001,exit 0,1,10,0.1\ntest000002,exit 0,0,10,0.1\n" +
      "test000003,null-dereference,0,10,0.1\ntest000004,exit 0,1,10,0.1\n",
  );
  const place = { program: "./prog", workingDirectory: "/w", environment: ["HOME=/h", "MODE=off"] };
  const { invocations, left, problems } = exploredTests(folder, place);
  assert.deepEqual(problems, []);
  assert.equal(left, 1);
  const words = invocations.map((one) => one.arguments.map((word) => Buffer.from(word).toString()));
  assert.deepEqual(words, [
    ["-f", "one"],
    ["-f", "bad"],
  ]);
  const [first] = invocations;
  assert.deepEqual(first.environment, ["HOME=/h", "MODE=on"]);
  assert.deepEqual(first.varied, ["MODE"]);
  assert.ok(first.stdin.kind === "bytes" && Buffer.from(first.stdin.bytes).toString() === "ab");
  const [file] = first.tree;
  assert.ok(file.kind === "file" && file.path === "/w/in.txt" && Buffer.from(file.bytes).toString() === "data");
});

test("explored tests: without a table nothing is known to be new", () => {
  rmSync(join(folder, "tests.csv"));
  assert.deepEqual(exploredTests(folder, { program: "p", workingDirectory: "/w", environment: [] }).invocations, []);
});
