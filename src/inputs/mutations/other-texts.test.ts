import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../invocation.js";
import { withOtherTexts } from "./other-texts.js";

function invocation(input: string, ...words: readonly string[]): Invocation {
  return {
    program: "/p/prog",
    arguments: ["prog", ...words].map((word) => Buffer.from(word)),
    environment: [],
    workingDirectory: "/p",
    umask: 0o022,
    stdin: { kind: "bytes", bytes: Buffer.from(input, "latin1"), regularFile: false },
    tree: [],
  };
}

function shown({ stdin, arguments: words }: Invocation): string {
  const input = stdin.kind === "bytes" ? Buffer.from(stdin.bytes).toString("latin1") : "";
  return [input, ...words.slice(1).map((word) => Buffer.from(word).toString("latin1"))].join("|");
}

const text = (was: string, is: string) => ({ was: [...Buffer.from(was)], is: [...Buffer.from(is)] });

test("a text is exchanged at each place where it stands, then at all of them", () => {
  const made = [...withOtherTexts(invocation("x=a.b; y=a.b", "-a.b"), [text("a.b", "a...b")])].map(shown);
  assert.deepEqual(made, [
    "x=a...b; y=a.b|-a.b",
    "x=a.b; y=a...b|-a.b",
    "x=a...b; y=a...b|-a.b",
    "x=a.b; y=a.b|-a...b",
  ]);
});

test("of two texts each, and both together", () => {
  const made = [...withOtherTexts(invocation("a=b"), [text("a", "cc"), text("b", "")])].map(shown);
  assert.deepEqual(made, ["cc=b", "a=", "cc="]);
});

test("nothing comes of a text that is not there, nor of an empty one", () => {
  assert.deepEqual([...withOtherTexts(invocation("a=b"), [text("x", "y"), text("", "y")])].map(shown), ["a=b"]);
  assert.deepEqual([...withOtherTexts(invocation("a=b"), [text("x", "y")])], []);
});
