import assert from "node:assert/strict";
import { test } from "node:test";
import type { LocationInfo } from "../jit/image.js";
import { NO_VALUES, tinyImage } from "../vm/tiny-module.js";
import { renderLcov } from "./lcov.js";

const at = (functionName: string, line: number, inlinedAt = -1): LocationInfo => ({
  functionName,
  origin: "program",
  file: "/src/a.c",
  line,
  column: 1,
  inlinedAt,
});

test("lcov: a line is executed if any block with it was entered, a function if any of its lines was", () => {
  const image = tinyImage([{ name: "main", signature: NO_VALUES, body: [] }], {
    functions: [
      { name: "main", origin: "program", file: "/src/a.c", line: 10 },
      { name: "helper", origin: "program", file: "/src/a.c", line: 3 },
      { name: "unused", origin: "program", file: "/src/a.c", line: 20 },
      { name: "strlen", origin: "libc", file: "strlen.c", line: 1 },
    ],
    locations: [at("main", 11), at("helper", 4, 0), at("main", 12), at("unused", 21)],
    coverage: [
      { functionIndex: 0, locations: [0, 1], instructions: 1, successors: [], calls: [], choices: [] },
      { functionIndex: 0, locations: [0, 2], instructions: 1, successors: [], calls: [], choices: [] },
      { functionIndex: 2, locations: [3], instructions: 1, successors: [], calls: [], choices: [] },
    ],
  });
  assert.equal(
    renderLcov(image, Uint8Array.of(1, 0, 0)),
    [
      "TN:",
      "SF:/src/a.c",
      "FN:3,helper",
      "FN:10,main",
      "FN:20,unused",
      "FNDA:1,helper",
      "FNDA:1,main",
      "FNDA:0,unused",
      "FNF:3",
      "FNH:2",
      "DA:4,1",
      "DA:11,1",
      "DA:12,0",
      "DA:21,0",
      "LF:4",
      "LH:2",
      "end_of_record",
      "",
    ].join("\n"),
  );
});
