import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExpectations, splitArguments } from "./corpus-expectations.js";

test("expectations: arguments are split at blanks, and quotes keep blanks, escapes and emptiness", () => {
  assert.deepEqual(splitArguments('one "two words" "" a\\tb "q\\"q" \\x41'), [
    "one",
    "two words",
    "",
    "a\tb",
    'q"q',
    "A",
  ]);
});

test("expectations: a program states input, output, options and the erroneous line", () => {
  const source = [
    "// A comment.",
    "// args: 1 2",
    "// stdin: a\\n",
    "// stdin: b\\n",
    "// options: --ubsan",
    "// environment: NAME=a value",
    "// stdout: first",
    "// stdout:",
    "// exit: 3",
    "int main(void)",
    "{",
    "    return f(); // expect: heap-buffer-overflow|wild-access read",
    "}",
  ].join("\n");
  assert.deepEqual(parseExpectations(source), {
    args: ["1", "2"],
    stdin: "a\nb\n",
    options: ["--ubsan"],
    environment: ["NAME=a value"],
    nativeUnseen: null,
    stdout: "first\n\n",
    exit: 3,
    signal: null,
    finding: { kinds: ["heap-buffer-overflow", "wild-access"], access: "read", lines: [12] },
  });
});

test("expectations: a finding expected of a function may stand at any of the function's lines", () => {
  const source = "int f(void) // expect-function: stack-overflow\n{\n  return f() + 1;\n}\nint g;\n";
  assert.deepEqual(parseExpectations(source).finding, { kinds: ["stack-overflow"], access: null, lines: [1, 2, 3, 4] });
});
