import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputValue } from "../inputs/input-value.js";
import { NO_INPUTS, type SymbolicInputs } from "../inputs/symbolic-inputs.js";
import { fromKlee, toKlee } from "./klee-objects.js";
import { decodeKTest, encodeKTest } from "./ktest.js";

const PROGRAM = Buffer.from("prog");
const FULL: SymbolicInputs = {
  words: [
    { kind: "symbolic", length: 2 },
    { kind: "fixed", bytes: Buffer.from("-x") },
    { kind: "several", least: 0, most: 3, length: 1 },
    { kind: "symbolic", length: 1 },
  ],
  stdin: 3,
  files: [{ name: "A", size: 4 }],
  environment: [{ name: "HOME", length: 2 }],
};
const OBJECTS: InputValue[] = [
  { name: "arg0", occurrence: 0, bytes: Buffer.from("-a") },
  { name: "n_args", occurrence: 0, bytes: Uint8Array.of(2, 0, 0, 0) },
  { name: "arg1", occurrence: 0, bytes: Buffer.from("p") },
  { name: "arg2", occurrence: 0, bytes: Buffer.from("q") },
  { name: "arg4", occurrence: 0, bytes: Buffer.from("z") },
  { name: "file:A", occurrence: 0, bytes: Buffer.from("data") },
  { name: "stdin", occurrence: 0, bytes: Buffer.from("in\n") },
  { name: "env:HOME", occurrence: 0, bytes: Buffer.from("/r") },
  { name: "x", occurrence: 0, bytes: Uint8Array.of(1, 2, 3, 4) },
  { name: "x", occurrence: 1, bytes: Uint8Array.of(5, 6, 7, 8) },
];

test("klee objects: order, names and sizes are those that klee-replay's start-up code asks for", () => {
  const { args, objects } = toKlee(PROGRAM, FULL, OBJECTS);
  assert.deepEqual(
    args.map((arg) => Buffer.from(arg).toString()),
    "prog --sym-files 1 4 --sym-stdin 3 --sym-arg 2 -x --sym-args 0 3 1 --sym-arg 1".split(" "),
  );
  assert.deepEqual(
    objects.map(({ name, bytes }) => `${name}:${bytes.length}`),
    [
      "arg00:3",
      "n_args:4",
      "arg01:2",
      "arg02:2",
      "arg03:2",
      "A_data:4",
      "A_data_stat:144",
      "stdin:3",
      "stdin_stat:144",
      "model_version:4",
      "x:4",
      "x_1:4",
      "env:HOME:2",
    ],
  );
  assert.deepEqual([...objects[0].bytes], [0x2d, 0x61, 0]);
  // st_mode and st_size, where klee-replay's file creation looks.
  const stat = Buffer.from(objects[6].bytes);
  assert.equal(stat.readUInt32LE(24), 0o100644);
  assert.equal(stat.readUInt32LE(48), 4);
});

test("klee objects: through a file and back, every object is what it was", () => {
  const { args, objects } = toKlee(PROGRAM, FULL, OBJECTS);
  const decoded = decodeKTest(encodeKTest(args, objects));
  assert.ok(decoded.kind === "ktest");
  if (decoded.kind !== "ktest") return;
  const back = fromKlee(decoded.ktest);
  assert.ok(back.kind === "inputs");
  if (back.kind !== "inputs") return;
  assert.deepEqual(back.inputs.environment, FULL.environment);
  assert.equal(back.inputs.stdin, 3);
  const plain = (list: readonly InputValue[]): string[] =>
    list.map(({ name, occurrence, bytes }) => `${name}.${occurrence}=${Buffer.from(bytes).toString("hex")}`).sort();
  assert.deepEqual(plain(back.objects), plain(OBJECTS));
});

test("klee objects: without symbolic surroundings there are only the program's own objects", () => {
  const { args, objects } = toKlee(PROGRAM, NO_INPUTS, [{ name: "a", occurrence: 0, bytes: Uint8Array.of(9) }]);
  assert.deepEqual(args, [PROGRAM]);
  assert.deepEqual(objects, [{ name: "a", bytes: Uint8Array.of(9) }]);
});

test("klee objects: files written by KLEE 2 are understood", () => {
  const back = fromKlee({
    version: 3,
    args: ["p.bc", "-sym-files", "1", "2", "-sym-arg", "2"].map((word) => Buffer.from(word)),
    symArgvs: 0,
    symArgvLen: 0,
    objects: [
      { name: "arg0", bytes: Buffer.from("hi\0") },
      { name: "A-data", bytes: Buffer.from("ab") },
      { name: "A-data-stat", bytes: new Uint8Array(144) },
      { name: "model_version", bytes: Uint8Array.of(1, 0, 0, 0) },
    ],
  });
  assert.ok(back.kind === "inputs");
  if (back.kind !== "inputs") return;
  assert.deepEqual(
    back.objects.map(({ name, bytes }) => `${name}=${Buffer.from(bytes)}`),
    ["arg0=hi", "file:A=ab"],
  );
});

test("klee objects: files of recorded tests keep their names and sizes; a name that leads elsewhere is not taken", () => {
  const files = [
    { name: "in.txt", size: 2 },
    { name: "list", size: 3 },
  ];
  const objects = files.map(({ name, size }) => ({
    name: `file:${name}`,
    occurrence: 0,
    bytes: Buffer.from(name.slice(0, size)),
  }));
  const { args, objects: written } = toKlee(PROGRAM, { ...NO_INPUTS, files }, objects);
  const read = fromKlee({ version: 3, symArgvs: 0, symArgvLen: 0, args, objects: written });
  assert.ok(read.kind === "inputs");
  assert.deepEqual(read.inputs.files, files);
  assert.deepEqual(read.objects.map(({ name }) => name).sort(), ["file:in.txt", "file:list"]);
  const elsewhere = written.map((object) => ({ ...object, name: object.name.replace("in.txt", "../x") }));
  const refused = fromKlee({ version: 3, symArgvs: 0, symArgvLen: 0, args, objects: elsewhere });
  assert.ok(refused.kind === "inputs");
  assert.deepEqual(
    refused.inputs.files.map(({ name }) => name),
    ["A", "B"],
  );
});
