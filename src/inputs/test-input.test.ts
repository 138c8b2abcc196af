import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_INPUTS } from "./symbolic-inputs.js";
import { ownObjects, runOptionsOf, surroundingsOf, type TestInput, withValues } from "./test-input.js";

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const value = (name: string, text: string, occurrence = 0): TestInput["values"][number] => ({
  name,
  occurrence,
  bytes: bytes(text),
});
const TEST: TestInput = {
  program: "./tool",
  workingDirectory: "/there",
  environment: ["HOME=/root", "MODE=old"],
  inputs: {
    words: [
      { kind: "fixed", bytes: bytes("-v") },
      { kind: "symbolic", length: 3 },
    ],
    stdin: 4,
    files: [
      { name: "A", size: 2 },
      { name: "/elsewhere/B", size: 1 },
    ],
    environment: [{ name: "MODE", length: 3 }],
  },
  values: [value("arg0", "one"), value("stdin", "text"), value("file:A", "aa"), value("env:MODE", "new")],
  given: { files: [{ path: "/etc/x", bytes: bytes("x") }], umask: 0o77 },
};

test("test input: a run gets the test's own bytes, and what else was given", () => {
  const options = runOptionsOf(TEST);
  assert.deepEqual(options.arguments, ["./tool", bytes("-v"), bytes("one")]);
  assert.deepEqual(
    options.environment.map((variable) => Buffer.from(variable).toString()),
    ["HOME=/root", "MODE=new"],
  );
  assert.deepEqual(options.stdin, bytes("text"));
  assert.deepEqual(options.files, [
    { path: "/etc/x", bytes: bytes("x") },
    { path: "/there/A", bytes: bytes("aa") },
    { path: "/elsewhere/B", bytes: bytes("\0") },
  ]);
  assert.equal(options.umask, 0o77);
  assert.equal(options.workingDirectory, "/there");
});

test("test input: a witness's bytes go before the test's, object by object", () => {
  const options = runOptionsOf(TEST, [value("stdin", "ex"), value("arg0", "tw\0")]);
  assert.deepEqual(options.arguments[2], bytes("tw"), "an argument ends at its first zero");
  assert.deepEqual(options.stdin, bytes("ex\0\0"), "an object that is too short is filled with zeros");
  assert.deepEqual(options.files?.[1].bytes, bytes("aa"));
});

test("test input: objects that the program makes itself are passed on, every one of a name", () => {
  const own = [value("x", "1"), value("x", "2", 1)];
  assert.deepEqual(runOptionsOf(TEST, own).objects, own);
  const again = withValues({ ...TEST, inputs: NO_INPUTS, values: own }, [value("x", "3", 1)]);
  assert.deepEqual(
    ownObjects(again).map(({ bytes: [first] }) => String.fromCharCode(first)),
    ["1", "3"],
    "in the order in which they are made",
  );
  assert.equal(surroundingsOf(again).stdin, null);
});
