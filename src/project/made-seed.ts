// An input that a technique made, kept as a seed: then it is run, shown, replayed and amplified like a recorded test. Made seeds lie in a
// folder of their own, because what the tests cover must stay what the tests cover.

import type { Invocation } from "../inputs/invocation.js";
import type { BlobStore } from "./blob-store.js";
import type { Seed, SeedFile, SeedInput } from "./seed.js";
import { type SeedContent, seedId } from "./seed-store.js";

/** The program, as the test that it was made from names it. */
export type MadeFrom = Pick<Seed, "program" | "programContent">;

/** Its contents are stored. */
export function seedOfInvocation(
  invocation: Invocation,
  { program, programContent }: MadeFrom,
  blobs: BlobStore,
): Seed {
  const { stdin, environment, workingDirectory, umask } = invocation;
  const input: SeedInput =
    stdin.kind === "bytes"
      ? { kind: "bytes", content: blobs.put(stdin.bytes), regularFile: stdin.regularFile }
      : { kind: stdin.kind };
  const files = invocation.tree.flatMap((entry): SeedFile[] => {
    if (entry.kind === "missing") return [{ path: entry.path, content: null, mode: 0 }];
    if (entry.kind !== "file") return [];
    return [{ path: entry.path, content: blobs.put(entry.bytes), mode: entry.mode }];
  });
  const content: SeedContent = {
    program,
    programContent,
    arguments: [invocation.program, ...invocation.arguments.map((bytes) => Buffer.from(bytes).toString("latin1"))],
    environment,
    workingDirectory,
    umask,
    stdin: input,
    files,
    end: { kind: "unknown" },
  };
  return { ...content, id: seedId(content), recorded: { at: new Date(0).toISOString(), milliseconds: 0, times: 1 } };
}
