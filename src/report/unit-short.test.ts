import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding } from "../findings/finding.js";
import { argumentsInRoom, failureInLine } from "./unit-short.js";

describe("arguments on a terminal", () => {
  it("are all there where they are short", () => {
    assert.equal(argumentsInRoom([]), "none");
    const two = [
      { words: "n", value: "5" },
      { words: "text", value: '"ab"' },
    ];
    assert.equal(argumentsInRoom(two), 'n = 5, text = "ab"');
  });

  it("have some two hundred characters, however large or many they are; what is left out is counted", () => {
    const large = { words: "grid", value: "x".repeat(2700) };
    const one = argumentsInRoom([large, { words: "n", value: "5" }]);
    assert.match(one, /^grid = x{193}\.\.\. 2,507 more characters, see --json, \.\.\. 1 more, see --json$/);
    const many = argumentsInRoom(Array.from({ length: 300 }, (_, n) => ({ words: `a${n}`, value: "1" })));
    assert.ok(many.length < 300, many);
    assert.match(many, /a0 = 1, .*, \.\.\. \d+ more, see --json$/);
  });
});

describe("one of many failures", () => {
  it("is a line with its place and how the function was started", () => {
    const frame = { functionName: "look", file: "/w/p/a.c", line: 7, column: 3, origin: "program" };
    const finding = { kind: "division-by-zero", stack: [frame], userFrame: 0 } as unknown as Finding;
    const start = { realism: "types", at: null } as const;
    assert.equal(
      failureInLine({ finding }, start, "/w/p"),
      "==tangent== ERROR: division-by-zero at a.c:7 in look (made by its types)\n",
    );
    assert.match(failureInLine({ finding }, null, null), /at \/w\/p\/a\.c:7 in look\n$/);
  });
});
