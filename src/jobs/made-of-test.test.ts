import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Seed } from "../project/seed.js";
import { madeOfTest } from "./made-of-test.js";

const SEED: Seed = {
  ...{ id: "5eed", program: "/p/prog", programContent: "prog", arguments: ["./prog", "-f", "a.txt"], environment: [] },
  ...{ workingDirectory: "/p", umask: 0, stdin: { kind: "empty" }, end: { kind: "exit", code: 0 } },
  files: [{ path: "/p/a.txt", content: "hello world", mode: 0 }],
  recorded: { at: "", milliseconds: 1, times: 1 },
};
const file = (content: string | null): Seed["files"] => [{ path: "/p/a.txt", content, mode: 0 }];
/** In these tests a content is its name. */
const contentOf = (name: string): Uint8Array => Buffer.from(name);
const stepsOf = (made: Seed, tests: readonly Seed[] = [SEED]) => madeOfTest(made, tests, contentOf)?.steps;

describe("an input that was made, beside the nearest test", () => {
  it("says which bytes of which file, argument or standard input are others", () => {
    assert.deepEqual(stepsOf({ ...SEED, files: file("hello\nwild") }), [
      'file a.txt changed at byte 5: " wor" -> "\\nwi"',
    ]);
    const input = { kind: "bytes", content: "x\n" } as const;
    assert.deepEqual(stepsOf({ ...SEED, arguments: ["./prog", "-q", "a.txt", ""], stdin: input }), [
      'argument 1 changed at byte 1: "f" -> "q"',
      'argument 3 added: ""',
      'standard input added: "x\\n"',
    ]);
    assert.deepEqual(stepsOf({ ...SEED, arguments: ["./prog", "-f"] }), ["argument 2 left out"]);
    assert.deepEqual(stepsOf({ ...SEED, files: file("y".repeat(99)) }), [
      `file a.txt changed at byte 0: "hello world" -> "${"y".repeat(24)}"... 75 more bytes`,
    ]);
  });

  it("takes the test of the program in which the least is different", () => {
    const near = { ...SEED, id: "near", files: file("hello wo") };
    const other = { ...SEED, id: "other", programContent: "other", files: file("hello wor") };
    const made = { ...SEED, id: "made", files: file("hello wor") };
    const found = madeOfTest(made, [{ ...SEED, files: file("hell") }, other, near], contentOf);
    assert.deepEqual(found, {
      from: "near",
      command: ["./prog", "-f", "a.txt"],
      steps: ['file a.txt changed at byte 8: "" -> "r"'],
    });
    assert.equal(madeOfTest(made, [other], contentOf), null);
    assert.equal(madeOfTest(SEED, [SEED], contentOf), null, "nothing is different");
  });
});
