// A seed as the engine wants it: which of its bytes are symbolic (arguments, standard input, the files it read, with the
// recorded bytes as their values) and which are merely given (files of the system, files too large to reason about).

import { realpathSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import { type ArgumentWord, argumentName, fileObjectName, STDIN_NAME } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import type { InputKind } from "../vm/files/stream-shape.js";
import type { BlobStore } from "./blob-store.js";
import type { Seed, SeedFile } from "./seed.js";
import { isSystemFile } from "./system-files.js";

export interface SeedTestLimits {
  /** A longer argument or file is given as it was; standard input always varies. */
  readonly symbolicBytes: number;
}
const DEFAULT_SEED_LIMITS: SeedTestLimits = { symbolicBytes: 0x10_0000 };

export type SeedTest =
  | { readonly kind: "test"; readonly test: TestInput; readonly symbolicBytes: number }
  /** Some content is gone. */
  | { readonly kind: "broken"; readonly problem: string };

/** `root`: the project's directory. */
export function testOf(
  seed: Seed,
  blobs: BlobStore,
  root: string,
  limits: SeedTestLimits = DEFAULT_SEED_LIMITS,
): SeedTest {
  const own = [Buffer.from(root).toString("latin1"), seed.workingDirectory].map((path) => canonical({ path }));
  const words: ArgumentWord[] = [];
  const values: InputValue[] = [];
  let symbolicBytes = 0;
  const add = (name: string, bytes: Uint8Array): void => {
    values.push({ name, occurrence: 0, bytes });
    symbolicBytes += bytes.length;
  };
  let argument = 0;
  for (const text of seed.arguments.slice(1)) {
    const bytes = Buffer.from(text, "latin1");
    if (bytes.length === 0 || bytes.length > limits.symbolicBytes) words.push({ kind: "fixed", bytes });
    else {
      words.push({ kind: "symbolic", length: bytes.length });
      add(argumentName(argument++), bytes);
    }
  }
  let stdin: number | null = null;
  if (seed.stdin.kind === "bytes") {
    const bytes = blobs.get(seed.stdin.content);
    if (bytes === null) return broken("its standard input");
    stdin = bytes.length;
    add(STDIN_NAME, bytes);
  }
  const symbolicFiles: { readonly name: string; readonly size: number }[] = [];
  const given: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  const missing: string[] = [];
  const met = new Set<string>();
  for (const file of seed.files) {
    const path = canonical(file);
    if (met.has(path)) continue;
    met.add(path);
    if (file.content === null) {
      missing.push(path);
      continue;
    }
    const bytes = blobs.get(file.content);
    if (bytes === null) return broken(`the file ${file.path}`);
    if (isSystemFile(path, own) || bytes.length === 0 || bytes.length > limits.symbolicBytes)
      given.push({ path, bytes });
    else {
      symbolicFiles.push({ name: path, size: bytes.length });
      add(fileObjectName(path), bytes);
    }
  }
  return {
    kind: "test",
    symbolicBytes,
    test: {
      program: seed.arguments[0] === undefined ? seed.program : textOf(seed.arguments[0]),
      workingDirectory: textOf(seed.workingDirectory),
      environment: seed.environment.map(textOf),
      inputs: { words, stdin, files: symbolicFiles, environment: [] },
      values,
      given: {
        files: given,
        missing,
        directories: [seed.workingDirectory],
        umask: seed.umask,
        stdinKind: inputKind(seed),
      },
    },
  };

  function broken(what: string): SeedTest {
    return {
      kind: "broken",
      problem: `${what} was recorded but is no longer in .tangent/blobs; record the tests again`,
    };
  }
}

function inputKind({ stdin }: Seed): InputKind {
  if (stdin.kind === "bytes") return stdin.regularFile === true ? "file" : "pipe";
  // A terminal at which nobody types has no better likeness.
  return stdin.kind === "empty" ? "null" : stdin.kind === "closed" ? "closed" : "pipe";
}

/** The machine takes names of its own files one character a byte, and everything else as text. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** As the machine names an open file: links in its directory followed, if it is still there. */
function canonical({ path }: Pick<SeedFile, "path">): string {
  const plain = normalize(path);
  try {
    const directory = realpathSync(Buffer.from(dirname(plain), "latin1"), "buffer").toString("latin1");
    return join(directory, plain.slice(plain.lastIndexOf("/") + 1));
  } catch {
    return plain;
  }
}
