import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../invocation.js";
import { withOtherTexts } from "./other-texts.js";

function invocation(input: string, ...words: readonly string[]): Invocation {
  return {
    program: "/p/prog",
    arguments: words.map((word) => Buffer.from(word)),
    environment: [],
    workingDirectory: "/p",
    umask: 0o022,
    stdin: { kind: "bytes", bytes: Buffer.from(input, "latin1"), regularFile: false },
    tree: [],
  };
}

function shown({ stdin, arguments: words }: Invocation): string {
  const input = stdin.kind === "bytes" ? Buffer.from(stdin.bytes).toString("latin1") : "";
  return [input, ...words.map((word) => Buffer.from(word).toString("latin1"))].join("|");
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

test("the first argument is a part like every other, and a program may have none", () => {
  const both = [text("a", "cc"), text("b", "d")];
  assert.deepEqual([...withOtherTexts(invocation("", "a", "b"), both)].map(shown), ["|cc|b", "|a|d", "|cc|d"]);
  assert.deepEqual([...withOtherTexts(invocation("a b"), both)].map(shown), ["cc b", "a d", "cc d"]);
});

test("literals keep their size, and nothing else of such a test changes", () => {
  const literals = [
    { name: "literal:/p/test.c:3", bytes: Buffer.from("a=bb") },
    { name: "literal:/p/test.c:4", bytes: Buffer.from("b") },
  ];
  const made = [
    ...withOtherTexts({ ...invocation("a=bb", "a=bb"), literals }, [text("bb", "b"), text("a=bb", "a=bbb")]),
  ];
  const shownLiterals = made.map((one) => one.literals?.map(({ bytes }) => Buffer.from(bytes).toString("latin1")));
  assert.deepEqual(shownLiterals, [
    ["a=b\0", "b"],
    ["a=b\0", "b"],
  ]);
  assert.deepEqual(made.map(shown), ["a=bb|a=bb", "a=bb|a=bb"]);
});

test("a literal with room may be longer, up to its most, and is never shorter than in its source", () => {
  const literals = [{ name: "literal:/p/test.c:3", bytes: Buffer.from("ab"), least: 2, most: 5 }];
  const made = [
    ...withOtherTexts({ ...invocation(""), literals }, [text("b", "bcd"), text("ab", "abcdef"), text("ab", "")]),
  ];
  const shownLiterals = made.map((one) => one.literals?.map(({ bytes }) => Buffer.from(bytes).toString("latin1")));
  assert.deepEqual(shownLiterals.slice(0, 2), [["abcd"], ["\0\0"]]);
  assert.ok(made.every(({ literals: all }) => all?.[0].most === 5));
});
