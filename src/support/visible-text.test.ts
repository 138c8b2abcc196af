import assert from "node:assert/strict";
import { test } from "node:test";
import {
  coloured,
  ERASE_LINE,
  eraseFrom,
  isVisible,
  safeOutput,
  visible,
  visibleJson,
  visibleLines,
} from "./visible-text.js";

test("visible: one line stays one, whatever is in it", () => {
  assert.equal(visible("a\n::warning::x\r\x1b[31m\x07\x9b"), "a\\n::warning::x\\r\\u001b[31m\\u0007\\u009b");
  assert.equal(visible("a\tb ä € 漢"), "a\tb ä € 漢");
  assert.equal(visible("\u202eabc\u2066\u2028"), "\\u202eabc\\u2066\\u2028");
});

test("visible lines: our own colours stay, what looks like them does not", () => {
  assert.equal(
    safeOutput(visibleLines([`${coloured("1;31", "red\x1b[32m")}\x1b]0;t\x07`, "b\nc"])),
    "\x1b[1;31mred\\u001b[32m\x1b[0m\\u001b]0;t\\u0007\nb\\nc\n",
  );
});

test("safe output: lines, our own colours and redrawing pass, nothing else does", () => {
  const ours = `${ERASE_LINE}tangent: 3 of 4\n${eraseFrom(2)}${coloured("1", "x")}\n`;
  const printed = "\x1b[G\x1b[Ktangent: 3 of 4\n\x1b[2A\x1b[G\x1b[J\x1b[1mx\x1b[0m\n";
  assert.equal(safeOutput(ours), printed);
  assert.equal(isVisible(safeOutput(printed).replaceAll("\n", "")), true, "seen once, they are still nobody else's");
  assert.equal(safeOutput("50 %\r100 %"), "50 %\\r100 %");
  assert.equal(safeOutput("\x1b]0;title\x07\x1b[2J"), "\\u001b]0;title\\u0007\\u001b[2J");
  assert.equal(safeOutput("\x1b[1;1Hx\x1bc"), "\\u001b[1;1Hx\\u001bc");
});

test("safe output: no line begins with what a CI system takes for a command", () => {
  assert.equal(
    safeOutput("a\n  ::error::x\n::set-env name=A::b\n##[error]"),
    "a\n  | ::error::x\n| ::set-env name=A::b\n# #[error]",
  );
  assert.equal(safeOutput("\u3000\u00a0\ufeff::add-mask::x"), "\u3000\u00a0\ufeff| ::add-mask::x");
  assert.equal(safeOutput("std::string"), "std::string");
});

test("safe output: commands that count in the middle of a line do not", () => {
  assert.equal(safeOutput("in a ##[add-mask]x at ###[error]"), "in a # #[add-mask]x at ## #[error]");
  assert.equal(safeOutput("##vso[task.setvariable variable=A]b"), "# #vso[task.setvariable variable=A]b");
  assert.equal(safeOutput("# one ## two a##b"), "# one ## two a##b");
});

test("safe output: a JSON document with odd characters stays one, with the same meaning", () => {
  const value = { name: "\x7f\x9b\u2028\u202e\x1b[1A" };
  assert.deepEqual(JSON.parse(safeOutput(JSON.stringify(value))), value);
  const text = visibleJson({ ...value, half: "\ud800" }, 1);
  assert.equal(isVisible(text.replaceAll("\n", "")), true);
  assert.deepEqual(JSON.parse(text), { ...value, half: "\ud800" });
});
