import assert from "node:assert/strict";
import { test } from "node:test";
import { runOptionsOf } from "../inputs/test-input.js";
import type { BlobStore } from "./blob-store.js";
import type { Seed } from "./seed.js";
import { testOf } from "./seed-test.js";

const BLOBS = { get: () => Buffer.from("content") } as unknown as BlobStore;

function seedOf(workingDirectory: string, paths: readonly string[]): Seed {
  return {
    id: "a",
    program: `${workingDirectory}/prog`,
    programContent: "content",
    arguments: ["./prog"],
    environment: [],
    workingDirectory,
    umask: 0,
    stdin: { kind: "empty" },
    files: paths.map((path) => ({ path, content: "b", mode: 0o644 })),
    end: { kind: "exit", code: 0 },
    recorded: { at: "", milliseconds: 1, times: 1 },
  };
}

function symbolicFiles(root: string, workingDirectory: string, paths: readonly string[]): string[] {
  const made = testOf(seedOf(workingDirectory, paths), BLOBS, root);
  assert.ok(made.kind === "test");
  return made.test.inputs.files.map(({ name }) => name);
}

test("seed test: files of the system are surroundings, those of the project are input, wherever it lies", () => {
  const system = ["/usr/share/zoneinfo/no-such", "/etc/no-such", "/opt/no-such/x", "/var/lib/no-such/x"];
  assert.deepEqual(symbolicFiles("/home/me", "/home/me", [...system, "/home/me/data"]), ["/home/me/data"]);
  for (const root of ["/opt/no-such/work", "/var/lib/no-such/workspace/job"]) {
    const own = [`${root}/tests/data`, `${root}/t/more`];
    assert.deepEqual(symbolicFiles(root, `${root}/t`, [...system, ...own]), own, root);
    // A test that runs somewhere else reads the project's files all the same.
    assert.deepEqual(symbolicFiles(root, "/", [...system, ...own]), own, root);
  }
  assert.deepEqual(symbolicFiles("/home/me", "/opt/no-such", ["/opt/no-such/x"]), ["/opt/no-such/x"]);
});

test("seed test: the program lies where it lay, whatever it was called", () => {
  const made = testOf(seedOf("/home/me", []), BLOBS, "/home/me");
  assert.ok(made.kind === "test");
  const { executable, arguments: words } = runOptionsOf(made.test);
  assert.deepEqual([executable, words], ["/home/me/prog", ["./prog"]]);
});
