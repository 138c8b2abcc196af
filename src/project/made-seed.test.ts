import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import type { BlobStore } from "./blob-store.js";
import { seedOfInvocation } from "./made-seed.js";
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
