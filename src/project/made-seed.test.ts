import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import type { BlobStore } from "./blob-store.js";
import { testOfInvocation } from "./invocation-test.js";
import { recordedPart, seedMadeFrom, seedOfInvocation } from "./made-seed.js";
import { isSeed, seedId } from "./seed-store.js";
import { invocationOf } from "./seed-test.js";

/** Contents in memory, by their number. */
function memoryBlobs(): BlobStore {
  const kept: Uint8Array[] = [];
  return {
    put: (bytes: Uint8Array) => String(kept.push(bytes) - 1),
    get: (name: string) => kept[Number(name)],
  } as unknown as BlobStore;
}

const FROM = { program: "/p/prog", programContent: "c" };

function again(invocation: Invocation): Invocation {
  const blobs = memoryBlobs();
  const made = invocationOf(seedOfInvocation(invocation, FROM, blobs), blobs);
  assert.ok(made.kind === "invocation");
  return made.invocation;
}

test("an input that was made and kept is the same input again: words, standard input, files, directories, links", () => {
  const time = { modified: 1_600_000_000, nanoseconds: 5, links: 1 };
  const invocation: Invocation = {
    program: "prog",
    executable: "/p/prog",
    arguments: [Buffer.from("-x"), Buffer.from([0xff, 0x20])],
    environment: ["A=b"],
    workingDirectory: "/w",
    umask: 0o77,
    stdin: { kind: "bytes", bytes: Buffer.from("in"), regularFile: true },
    outputs: { stdout: "full", stderr: { brokenAfter: 7 } },
    tree: [
      { kind: "directory", path: "/w", mode: 0o755, size: 60, isWhole: true, ...time },
      { kind: "file", path: "/w/a", bytes: Buffer.from("text"), mode: 0o600, ...time },
      { kind: "link", path: "/w/l", to: "a", ...time },
      { kind: "fifo", path: "/w/f", mode: 0o644, ...time },
      { kind: "sized", path: "/w/s", size: 9, mode: 0o644, ...time },
      { kind: "missing", path: "/w/gone" },
    ],
    startTimeMs: 1_700_000_000_000,
  };
  assert.deepEqual(again(invocation), invocation);
});

test("an input of a test without a tree keeps none", () => {
  const invocation: Invocation = {
    program: "prog",
    executable: "/p/prog",
    arguments: [],
    environment: [],
    workingDirectory: "/w",
    umask: 0,
    stdin: { kind: "empty" },
    tree: [{ kind: "file", path: "/w/a", bytes: Buffer.from("x"), mode: 0o644 }],
  };
  assert.deepEqual(again(invocation), invocation);
});

test("a test with literals that vary is the recorded one with them, and leads back to it", () => {
  const blobs = memoryBlobs();
  const plain: Invocation = {
    program: "prog",
    executable: "/p/prog",
    arguments: [],
    environment: [],
    workingDirectory: "/w",
    umask: 0o22,
    stdin: { kind: "empty" },
    tree: [],
  };
  const end = { kind: "exit", code: 0 } as const;
  const made = seedOfInvocation(plain, FROM, blobs);
  const content = { ...made, end };
  const recorded = { ...content, id: seedId(content) };
  const literals = [{ name: "literal:/p/t.c:3", bytes: Buffer.from("abc") }];
  const varied = seedMadeFrom({ ...plain, literals }, recorded, blobs);
  const other = [{ name: "literal:/p/t.c:3", bytes: Buffer.from("abd") }];
  assert.notEqual(varied.id, recorded.id);
  assert.deepEqual(varied.end, end);
  assert.ok(isSeed(JSON.parse(JSON.stringify(varied))));
  assert.deepEqual(recordedPart(varied), recorded);
  assert.equal(recordedPart(recorded), recorded);
  assert.deepEqual(recordedPart(seedMadeFrom({ ...plain, literals: other }, varied, blobs)), recorded);
  const read = invocationOf(varied, blobs);
  assert.ok(read.kind === "invocation");
  assert.deepEqual(read.invocation.literals, literals);
  const { inputs, values } = testOfInvocation(read.invocation, "/p");
  assert.deepEqual(inputs.literals, [{ name: "literal:/p/t.c:3", size: 3 }]);
  assert.equal(inputs.onlyLiterals, true);
  assert.deepEqual(values, [{ name: "literal:/p/t.c:3", occurrence: 0, bytes: literals[0].bytes }]);
});
