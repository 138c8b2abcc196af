import assert from "node:assert/strict";
import { test } from "node:test";
import { HOST_FUNCTIONS } from "../jit/boundary.js";
import type { LocationInfo } from "../jit/image.js";
import { sourceFrames, wasmFrames } from "./stack-trace.js";
import { NO_VALUES, tinyImage } from "./tiny-module.js";

const IMPORTS = Object.keys(HOST_FUNCTIONS).length;

function at(functionName: string, line: number, inlinedAt = -1): LocationInfo {
  return { functionName, origin: "program", file: "a.c", line, column: 1, inlinedAt };
}

const image = tinyImage(
  [
    { name: "main", signature: NO_VALUES, body: [] },
    { name: "other", signature: NO_VALUES, body: [] },
  ],
  {
    locations: [at("main", 10), at("inlined", 20, 0), at("innermost", 30, 1), at("other", 40)],
    codeOffsets: Uint32Array.of(100, 110, 120, 200),
    codeLocations: Uint32Array.of(0, 2, 0, 3),
  },
);

test("stack trace: frames of generated code are read from V8's text, innermost first", () => {
  const error = new Error("x");
  error.stack = [
    "Error: x",
    "    at fault (file:///work/machine.js:3:4)",
    "    at wasm://wasm/a1b2c3d4:wasm-function[12]:0x1f0",
    "    at main (wasm://wasm/a1b2c3d4:wasm-function[7]:0x64)",
  ].join("\n");
  assert.deepEqual(wasmFrames(error), [
    { functionIndex: 12, offset: 0x1f0 },
    { functionIndex: 7, offset: 0x64 },
  ]);
});

test("stack trace: the last entry at or before an offset names its line, and inlined calls are unfolded", () => {
  const lines = (offset: number): string[] =>
    sourceFrames(image, [{ functionIndex: IMPORTS, offset }]).map(
      ({ functionName, line }) => `${functionName}:${line}`,
    );
  assert.deepEqual(lines(100), ["main:10"]);
  assert.deepEqual(lines(109), ["main:10"]);
  assert.deepEqual(lines(110), ["innermost:30", "inlined:20", "main:10"]);
  assert.deepEqual(lines(150), ["main:10"]);
});

test("stack trace: a function without any position is named all the same", () => {
  const [frame] = sourceFrames(image, [{ functionIndex: IMPORTS + 1, offset: 3 }]);
  assert.equal(frame.functionName, "other");
  assert.equal(frame.line, 0);
});
