// A seed with the bytes of everything it names: the invocation that was recorded, and the test that is made of it.

import type { Invocation, InvocationInput, InvocationLiteral, TreeEntry, TreeStatus } from "../inputs/invocation.js";
import type { TestInput } from "../inputs/test-input.js";
import type { BlobStore } from "./blob-store.js";
import { DEFAULT_INVOCATION_LIMITS, type InvocationLimits, testOfInvocation } from "./invocation-test.js";
import type { Seed, SeedEntry } from "./seed.js";

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
  const known = new Map((seed.tree ?? []).map((entry) => [entry.path, entry]));
  for (const { path, content, mode } of seed.files) {
    const bytes = content === null ? null : blobs.get(content);
    if (content === null) tree.push({ kind: "missing", path });
    else if (bytes === null) return broken(`the file ${path}`);
    else tree.push({ kind: "file", path, bytes, mode, ...statusOf(known.get(path)) });
  }
  const literals: InvocationLiteral[] = [];
  for (const { content, ...literal } of seed.literals ?? []) {
    const bytes = blobs.get(content);
    if (bytes === null) return broken(literal.name);
    literals.push({ ...literal, bytes });
  }
  const { environment, workingDirectory, umask, outputs } = seed;
  return {
    kind: "invocation",
    invocation: {
      // Elsewhere the program's path is text.
      program: seed.arguments[0] ?? Buffer.from(seed.program).toString("latin1"),
      executable: seed.program,
      arguments: seed.arguments.slice(1).map((text) => Buffer.from(text, "latin1")),
      environment,
      ...(seed.varied === undefined ? {} : { varied: seed.varied }),
      workingDirectory,
      umask,
      stdin,
      ...(outputs === undefined ? {} : { outputs }),
      ...(literals.length === 0 ? {} : { literals }),
      tree: seed.tree === undefined ? tree : withTree(tree, seed.tree),
      ...startOf(seed),
    },
  };
}

function statusOf(entry: SeedEntry | undefined): TreeStatus {
  if (entry === undefined) return {};
  const { seconds, nanoseconds, links, inode } = entry;
  return { modified: seconds, nanoseconds, links, ...(inode === undefined ? {} : { inode }) };
}

/** In the tree's order, which is that of its directories; files of which it says nothing are before it. */
function withTree(files: readonly TreeEntry[], tree: readonly SeedEntry[]): TreeEntry[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const entries = tree.map((entry): TreeEntry => {
    const { kind, path, mode, size } = entry;
    const file = byPath.get(path);
    byPath.delete(path);
    switch (kind) {
      case "missing":
        return { kind, path };
      case "file":
        return file?.kind === "file" ? file : { kind: "sized", path, size, mode, ...statusOf(entry) };
      case "directory":
        return { kind, path, mode, size, isWhole: entry.isWhole === true, ...statusOf(entry) };
      case "link":
        return { kind, path, to: entry.to ?? "", ...statusOf(entry) };
      default:
        // A named pipe that the test read from is a file with what came out of it.
        return file?.kind === "file" && kind === "fifo" ? file : { kind, path, mode, ...statusOf(entry) };
    }
  });
  return [...byPath.values(), ...entries];
}

/** Times in the tree are of the day on which it was recorded. */
function startOf({ tree, recorded }: Seed): Pick<Invocation, "startTimeMs"> {
  const at = Date.parse(recorded.at);
  return tree === undefined || !Number.isFinite(at) ? {} : { startTimeMs: at };
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
