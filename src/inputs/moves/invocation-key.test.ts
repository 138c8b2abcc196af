import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Invocation, TreeEntry } from "../invocation.js";
import { invocationKey, problemOf } from "./invocation-key.js";
import { bytesOf } from "./shown-text.js";

const A: TreeEntry = { kind: "file", path: "/w/a", bytes: bytesOf("a\n"), mode: 0o644 };
const B: TreeEntry = { kind: "link", path: "/w/b", to: "a" };
const TEST: Invocation = {
  program: "tool",
  arguments: [bytesOf("-x"), bytesOf("a")],
  environment: ["A=1", "B=2"],
  workingDirectory: "/w",
  umask: 0o22,
  stdin: { kind: "empty" },
  tree: [A, B],
};

describe("what an invocation is", () => {
  it("the order of the tree and of the environment does not matter, everything else does", () => {
    const key = invocationKey(TEST);
    assert.equal(invocationKey({ ...TEST, tree: [B, A], environment: ["B=2", "A=1"] }), key);
    assert.equal(invocationKey(structuredClone(TEST)), key);
    const others: Partial<Invocation>[] = [
      { arguments: [bytesOf("-x"), bytesOf("b")] },
      { arguments: [bytesOf("-xa")] },
      { environment: ["A=1"] },
      { stdin: { kind: "closed" } },
      { stdin: { kind: "bytes", bytes: new Uint8Array(0), regularFile: false } },
      { stdin: { kind: "bytes", bytes: new Uint8Array(0), regularFile: true } },
      { tree: [A] },
      { tree: [{ ...A, mode: 0o600 }, B] },
      { tree: [{ ...A, modified: 0 }, B] },
      { tree: [{ ...A, bytes: bytesOf("b\n") }, B] },
      { tree: [A, { ...B, to: "c" }] },
      { tree: [A, B, { kind: "missing", path: "/w/c" }] },
      { tree: [A, B, { kind: "fifo", path: "/w/c", mode: 0 }] },
      { umask: 0 },
    ];
    const keys = new Set(others.map((other) => invocationKey({ ...TEST, ...other })));
    assert.equal(keys.size, others.length);
    assert.ok(!keys.has(key));
  });

  it("what cannot be run is said, unless the test it was made from had it already", () => {
    const problem = (more: Partial<Invocation>, from = TEST): string | null => problemOf({ ...from, ...more }, from);
    assert.equal(problem({}), null);
    assert.equal(problem({ arguments: [bytesOf("a\0b")] }), "an argument with a zero byte");
    assert.equal(problem({ arguments: Array.from({ length: 65 }, () => bytesOf("a")) }), "too many arguments");
    assert.equal(problem({ environment: ["no value"] }), "a malformed variable");
    const odd = { ...TEST, environment: ["no value"] };
    assert.equal(problem({ arguments: [] }, odd), null);
    const file = (path: string, size = 1): TreeEntry => ({ kind: "file", path, bytes: new Uint8Array(size), mode: 0 });
    assert.equal(problem({ tree: [file("w/c")] }), "a path that is not absolute");
    assert.equal(problem({ tree: [file("/w/../c")] }), "a path that is not absolute");
    assert.equal(problem({ tree: [A, file("/w/a/c")] }), "a file inside of no directory");
    assert.equal(problem({ tree: [file("/w/c", 0x10_0001)] }), "a long file");
    const large = { ...TEST, tree: [file("/w/c", 0x10_0001)] };
    assert.equal(problem({ arguments: [] }, large), null);
  });
});
