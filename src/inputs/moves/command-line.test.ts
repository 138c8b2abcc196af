import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Invocation } from "../invocation.js";
import { type CommandLine, readCommandLine, valuesGiven } from "./command-line.js";
import type { MoveWord } from "./move.js";
import { bytesOf } from "./shown-text.js";

const WORDS: readonly MoveWord[] = [
  { kind: "short-option", text: "a", argument: "none" },
  { kind: "short-option", text: "b", argument: "none" },
  { kind: "short-option", text: "n", argument: "required" },
  { kind: "long-option", text: "width", argument: "required" },
  { kind: "table", text: "exec", argument: "unknown" },
];

function read(words: string): CommandLine {
  const invocation: Invocation = {
    program: "tool",
    arguments: words.split(" ").map(bytesOf),
    environment: [],
    workingDirectory: "/",
    umask: 0,
    stdin: { kind: "empty" },
    tree: [],
  };
  return readCommandLine(invocation, WORDS);
}

describe("reading a command line", () => {
  it("operands are what is neither an option nor the value of one", () => {
    assert.deepEqual(read("-ab -n 3 x --width 4 -- -y -").operands, [3, 7, 8]);
    assert.deepEqual(read("-n3 --width=4 x -a y").operands, [2, 4]);
    assert.deepEqual(read("-a").operands, []);
  });

  it("options stand before the first operand and before --", () => {
    assert.equal(read("-a x y").beforeOperands, 1);
    assert.equal(read("-a -- x").beforeOperands, 1);
    assert.equal(read("-a -b").beforeOperands, 2);
    assert.equal(read("-").beforeOperands, 0);
  });

  it("groups are letters that take no argument", () => {
    assert.deepEqual(read("-ab -a -an -n 1 --ab").groups, [0, 1]);
  });

  it("values that others give a word", () => {
    const lines = ["-n 5 x", "-n7", "--width=9 --width 8", ". -exec echo {} ; -exec true", "-n"].map((line) =>
      line.split(" "),
    );
    assert.deepEqual(valuesGiven(WORDS[2], lines), [["5"], ["7"]]);
    assert.deepEqual(valuesGiven(WORDS[3], lines), [["9"], ["8"]]);
    assert.deepEqual(valuesGiven(WORDS[4], lines), [["echo", "{}", ";"], ["true"]]);
  });
});
