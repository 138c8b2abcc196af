import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../findings/finding.js";
import { safeOutput } from "../support/visible-text.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import { excerpt } from "./excerpt.js";
import { PLAIN_TEXT, renderEnd, renderFinding } from "./text.js";

const frame = (functionName: string, line: number, origin: SourceFrame["origin"] = "program"): SourceFrame => ({
  functionName,
  origin,
  file: "/src/a.c",
  line,
  column: 5,
});

const finding: Finding = {
  kind: "heap-buffer-overflow",
  access: "write",
  size: 4,
  address: 0x2230_0008,
  firstBadAddress: 0x2230_000a,
  stack: [frame("strcpy", 9, "libc"), frame("fill", 2), frame("main", 4)],
  userFrame: 1,
  object: {
    kind: "heap",
    name: null,
    address: 0x2230_0000,
    size: 10,
    offset: 8,
    file: null,
    line: 0,
    functionName: null,
    allocationStack: [frame("malloc", 0, "trusted"), frame("main", 3)],
    freeStack: null,
  },
  message: "write of 4 bytes at 0x22300008, 0 bytes after 10-byte heap block",
  check: null,
  confirmed: true,
};

test("text: a finding is shown with its stack, its line of source, its object and where that came from", () => {
  const source = "int main(void) {\n    a[i] = 1;\n}\n";
  const text = renderFinding(finding, { ...PLAIN_TEXT, relativeTo: "/src", readSource: () => source });
  assert.equal(
    text,
    [
      "==tangent== ERROR: heap-buffer-overflow: write of 4 bytes at 0x22300008",
      "    #0 strcpy a.c:9:5",
      "    #1 fill a.c:2:5",
      "    #2 main a.c:4:5",
      "    1 | int main(void) {",
      "    2 |     a[i] = 1;",
      "      |     ^",
      "0x2230000a is 0 bytes after 10-byte heap block [0x22300000, 0x2230000a)",
      "allocated at",
      "    #0 malloc a.c",
      "    #1 main a.c:3:5",
      "The program touched memory next to a block from malloc that it does not own. (CWE-122)",
      "",
    ].join("\n"),
  );
});

test("text: colours change nothing but the colour", () => {
  const plain = renderFinding(finding, { ...PLAIN_TEXT, readSource: () => null });
  const coloured = safeOutput(renderFinding(finding, { ...PLAIN_TEXT, colour: true, readSource: () => null }));
  assert.notEqual(coloured, plain);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
  assert.equal(coloured.replace(/\x1b\[[0-9;]*m/g, ""), plain);
});

test("text: frames of a recursion are shown once, with their number", () => {
  const stack = [...Array.from({ length: 200 }, () => frame("f", 7)), frame("main", 9)];
  const text = renderFinding({ ...finding, kind: "stack-overflow", object: null, stack, userFrame: 0 });
  assert.match(text, / {4}#0 f \/src\/a.c:7:5 \(200 times\)\n {4}#200 main \/src\/a.c:9:5\n/);
});

test("text: a finding that did not happen again says so", () => {
  assert.match(renderFinding({ ...finding, confirmed: false }), /did not happen again/);
});

test("excerpt: tabs stay tabs, so that the caret stands under its column", () => {
  assert.deepEqual(excerpt("\tx = y;", 1, 6), ["1 | \tx = y;", "  | \t    ^"]);
  assert.deepEqual(excerpt("\tx =\ty;", 1, 6, 2, 4), ["1 |     x = y;", "  |         ^"]);
  assert.deepEqual(excerpt("\tx =\ty;", 1, 6, 2, 8), ["1 |         x =     y;", "  |                 ^"]);
  assert.deepEqual(excerpt("one line", 7, 1), []);
});

test("end: ordinary ends need no words, others say what happened", () => {
  assert.equal(renderEnd({ kind: "exit", code: 3 }, null), null);
  assert.match(renderEnd({ kind: "signal", signal: 15 }, null) ?? "", /SIGTERM/);
  assert.match(renderEnd({ kind: "limit", limit: "time", trace: [] }, "main") ?? "", /time limit .* in main/);
});
