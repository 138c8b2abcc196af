// A seed with the bytes of everything it names: the invocation that was recorded, and the test that is made of it.

import type { Invocation, InvocationInput, TreeEntry } from "../inputs/invocation.js";
import type { TestInput } from "../inputs/test-input.js";
import type { BlobStore } from "./blob-store.js";
import { DEFAULT_INVOCATION_LIMITS, type InvocationLimits, testOfInvocation } from "./invocation-test.js";
import type { Seed } from "./seed.js";

export type SeedInvocation =
  | { readonly kind: "invocation"; readonly invocation: Invocation }
  /** Some content is gone. */
  | { readonly kind: "broken"; readonly problem: string };

export type SeedTest =
  | { readonly kind: "test"; readonly test: TestInput }
  | Extract<SeedInvocation, { readonly kind: "broken" }>;

/** `root`: the project's directory. */
export function testOf(
  seed: Seed,
  blobs: BlobStore,
  root: string,
  limits: InvocationLimits = DEFAULT_INVOCATION_LIMITS,
): SeedTest {
  const made = invocationOf(seed, blobs);
  return made.kind === "broken" ? made : { kind: "test", test: testOfInvocation(made.invocation, root, limits) };
}

export function invocationOf(seed: Seed, blobs: BlobStore): SeedInvocation {
  const stdin = inputOf(seed, blobs);
  if (stdin === null) return broken("its standard input");
  const tree: TreeEntry[] = [];
  for (const { path, content, mode } of seed.files) {
    const bytes = content === null ? null : blobs.get(content);
    if (content === null) tree.push({ kind: "missing", path });
    else if (bytes === null) return broken(`the file ${path}`);
    else tree.push({ kind: "file", path, bytes, mode });
  }
  const { environment, workingDirectory, umask } = seed;
  return {
    kind: "invocation",
    invocation: {
      // Elsewhere the program's path is text.
      program: seed.arguments[0] ?? Buffer.from(seed.program).toString("latin1"),
      arguments: seed.arguments.slice(1).map((text) => Buffer.from(text, "latin1")),
      environment,
      workingDirectory,
      umask,
      stdin,
      tree,
    },
  };
}

function inputOf({ stdin }: Seed, blobs: BlobStore): InvocationInput | null {
  if (stdin.kind !== "bytes") return { kind: stdin.kind };
  const bytes = blobs.get(stdin.content);
  return bytes === null ? null : { kind: "bytes", bytes, regularFile: stdin.regularFile === true };
}

function broken(what: string): Extract<SeedInvocation, { readonly kind: "broken" }> {
  const problem = `${what} was recorded but is no longer in .tangent/blobs; record the tests again`;
  return { kind: "broken", problem };
}
