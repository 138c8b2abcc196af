import assert from "node:assert/strict";
import { test } from "node:test";
import { fileObjectName, NO_INPUTS } from "../../src/inputs/symbolic-inputs.js";
import { toKlee } from "../../src/report/klee-objects.js";
import { inputsOf } from "./gcov.js";

test("gcov: standard input and files of a test are found by the names under which we write them", () => {
  const inputs = { ...NO_INPUTS, files: [{ name: "A", size: 2 }], stdin: 1 };
  const written = toKlee(Buffer.from("prog"), inputs, [
    { name: "stdin", occurrence: 0, bytes: Uint8Array.of(7) },
    { name: fileObjectName("A"), occurrence: 0, bytes: Uint8Array.of(8, 9) },
    { name: "planted", occurrence: 0, bytes: Uint8Array.of(1) },
  ]);
  const { stdin, made } = inputsOf(written.objects);
  assert.deepEqual([...stdin], [7]);
  assert.deepEqual([...made].map(([name, bytes]) => [name, ...bytes]), [["A", 8, 9]]); // biome-ignore format: short
});
