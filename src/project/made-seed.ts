// An input that a technique made, kept as a seed: then it is run, shown, replayed and amplified like a recorded test. Made seeds lie in a
// folder of their own, because what the tests cover must stay what the tests cover.

import { relative } from "node:path";
import type { Invocation, TreeEntry } from "../inputs/invocation.js";
import type { BlobStore } from "./blob-store.js";
import type { Seed, SeedEntry, SeedFile, SeedInput } from "./seed.js";
import { type SeedContent, seedId } from "./seed-store.js";

/** The program, as the test that it was made from names it. */
export type MadeFrom = Pick<Seed, "program" | "programContent">;

/** Its contents are stored. */
export function seedOfInvocation(
  invocation: Invocation,
  { program, programContent }: MadeFrom,
  blobs: BlobStore,
): Seed {
  const { stdin, environment, workingDirectory, umask, outputs } = invocation;
  const input: SeedInput =
    stdin.kind === "bytes"
      ? { kind: "bytes", content: blobs.put(stdin.bytes), regularFile: stdin.regularFile }
      : { kind: stdin.kind };
  const files = invocation.tree.flatMap((entry): SeedFile[] => {
    if (entry.kind === "missing") return [{ path: entry.path, content: null, mode: 0 }];
    if (entry.kind !== "file") return [];
    return [{ path: entry.path, content: blobs.put(entry.bytes), mode: entry.mode }];
  });
  // A tree says more than files, also of their times; one that says nothing more is not kept, as in tests that have none.
  const isMore =
    invocation.tree.some((entry) => entry.kind !== "missing" && "modified" in entry) ||
    invocation.tree.some(({ kind }) => kind !== "file" && kind !== "missing");
  const content: SeedContent = {
    program,
    programContent,
    arguments: [invocation.program, ...invocation.arguments.map((bytes) => Buffer.from(bytes).toString("latin1"))],
    environment,
    ...(invocation.varied === undefined ? {} : { varied: invocation.varied }),
    workingDirectory,
    umask,
    stdin: input,
    ...(outputs === undefined ? {} : { outputs }),
    files,
    ...(isMore ? { tree: invocation.tree.map(seedEntry) } : {}),
    end: { kind: "unknown" },
  };
  const at = new Date(invocation.startTimeMs ?? 0).toISOString();
  return { ...content, id: seedId(content), recorded: { at, milliseconds: 0, times: 1 } };
}

/** As `seedOfInvocation`. Where literals are all that varies, it is the recorded test that they belong to, with these. */
export function seedMadeFrom(invocation: Invocation, seed: Seed, blobs: BlobStore): Seed {
  const { literals } = invocation;
  if (literals === undefined) return seedOfInvocation(invocation, seed, blobs);
  const named = literals.map(({ bytes, ...literal }) => ({ ...literal, content: blobs.put(bytes) }));
  const content = { ...recordedPart(seed), literals: named };
  return { ...content, id: seedId(content) };
}

/** The recorded test whose literals vary in a seed; the seed itself where none do. */
export function recordedPart(seed: Seed): Seed {
  const { literals, ...content } = seed;
  return literals === undefined ? seed : { ...content, id: seedId(content) };
}

/** A program by itself, where nobody has a test: no arguments, nothing to be read, from the directory it was built in. */
export function seedOfProgram(program: MadeFrom, directory: string, blobs: BlobStore): Seed {
  const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
  const invocation: Invocation = {
    program: latin1(`./${relative(directory, program.program)}`),
    arguments: [],
    environment: ["PATH=/usr/bin:/bin"],
    workingDirectory: latin1(directory),
    umask: 0o022,
    stdin: { kind: "bytes", bytes: new Uint8Array(0), regularFile: false },
    tree: [],
  };
  return seedOfInvocation(invocation, program, blobs);
}

function seedEntry(entry: TreeEntry): SeedEntry {
  if (entry.kind === "missing") {
    return { kind: "missing", path: entry.path, mode: 0, size: 0, links: 0, seconds: 0, nanoseconds: 0 };
  }
  const time = {
    seconds: entry.modified ?? 0,
    nanoseconds: entry.nanoseconds ?? 0,
    links: entry.links ?? 1,
    ...(entry.inode === undefined ? {} : { inode: entry.inode }),
  };
  const { path } = entry;
  switch (entry.kind) {
    case "file":
      return { kind: "file", path, mode: entry.mode, size: entry.bytes.length, ...time };
    case "sized":
      return { kind: "file", path, mode: entry.mode, size: entry.size, ...time };
    case "directory": {
      const { mode, size = 0, isWhole } = entry;
      return { kind: "directory", path, mode, size, ...time, ...(isWhole ? { isWhole } : {}) };
    }
    case "link":
      return { kind: "link", path, mode: 0o777, size: entry.to.length, to: entry.to, ...time };
    default:
      return { kind: entry.kind, path, mode: entry.mode, size: 0, ...time };
  }
}
