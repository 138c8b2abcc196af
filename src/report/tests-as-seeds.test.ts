import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import { slotsOf } from "../inputs/symbolic-inputs.js";
import { testsAsSeeds } from "./tests-as-seeds.js";

function invocation(words: readonly string[], stdin: string | null, files: Record<string, string> = {}): Invocation {
  return {
    program: "./prog",
    arguments: words.map((word) => Buffer.from(word)),
    environment: [],
    workingDirectory: "/w",
    umask: 0o22,
    stdin: stdin === null ? { kind: "empty" } : { kind: "bytes", bytes: Buffer.from(stdin), regularFile: false },
    tree: Object.entries(files).map(([path, text]) => ({ kind: "file", path, bytes: Buffer.from(text), mode: 0o644 })),
  };
}
const named = (...tests: readonly Invocation[]) => tests.map((test, n) => ({ id: `t${n}`, invocation: test }));

describe("tests as seeds", () => {
  it("have one description that holds each of them", () => {
    const { seeds, left } = testsAsSeeds(
      named(
        invocation(["-n", "abc"], "hello"),
        invocation(["file"], null, { "/w/file": "12345", "/etc/passwd": "root" }),
        invocation([], "hi"),
      ),
    );
    assert.equal(left, 0);
    const contents = seeds.map(({ content }) => (content.kind === "ktest" ? content : assert.fail()));
    for (const { inputs } of contents) assert.deepEqual(inputs, contents[0].inputs);
    assert.deepEqual(contents[0].inputs, {
      words: [{ kind: "several", least: 0, most: 2, length: 4 }],
      stdin: 5,
      files: [{ name: "file", size: 5 }],
      environment: [],
    });
    const slots = slotsOf(contents[0].inputs).map(({ name, size }) => [name, size]);
    for (const { objects } of contents) {
      assert.deepEqual(
        new Map(objects.map(({ name, bytes }) => [name, bytes.length])),
        new Map(slots as [string, number][]),
      );
    }
    const values = contents.map(({ objects }) =>
      Object.fromEntries(objects.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")])),
    );
    assert.deepEqual(values[0], {
      n_args: "\x02\0\0\0",
      arg0: "-n\0\0",
      arg1: "abc\0",
      "file:file": "\0\0\0\0\0",
      stdin: "hello",
    });
    assert.deepEqual(values[1], {
      n_args: "\x01\0\0\0",
      arg0: "file",
      arg1: "\0\0\0\0",
      "file:file": "12345",
      stdin: "\0\0\0\0\0",
    });
    assert.equal(values[2].stdin, "hi\0\0\0");
  });

  it("the number of arguments is no input if all have the same", () => {
    const { seeds } = testsAsSeeds(named(invocation(["a"], null), invocation(["b"], null)));
    const names = seeds.flatMap(({ content }) =>
      content.kind === "ktest" ? content.objects.map(({ name }) => name) : [],
    );
    assert.deepEqual(names, ["arg0", "arg0"]);
  });

  it("one that is too large for the others is left out", () => {
    const large = invocation(["x".repeat(1000)], null);
    const { seeds, left } = testsAsSeeds(named(invocation(["a"], null), large));
    assert.equal(seeds.length, 1);
    assert.equal(left, 1);
  });

  it("none are none", () => {
    assert.deepEqual(testsAsSeeds([]), { seeds: [], left: 0 });
  });
});
