// A seed: one invocation of a program by the project's own tests, complete enough to run it again anywhere, at any time,
// inside the VM. Recorded while the suite runs (record.ts), kept by content (seed-store.ts), amplified afterwards.
// File contents are named by their SHA-256, so that a thousand tests that share a file store it once.
//
// Bytes that need not be text (arguments, environment, paths) are strings of one character per byte (latin1), as
// everywhere in the VM.

import type { FailingOutputs } from "../vm/files/stream-shape.js";

/** SHA-256 of a content, in hexadecimal. */
export type BlobName = string;

export interface SeedFile {
  /** Absolute. */
  readonly path: string;
  /** What it held when the program first opened it; null: it did not exist. */
  readonly content: BlobName | null;
  /** Permission bits. */
  readonly mode: number;
}

export const SEED_ENTRY_KINDS = [
  "file",
  "directory",
  "link",
  "fifo",
  "socket",
  "character",
  "block",
  "missing",
] as const;

/** Something the program looked at, as it was before the program did: what stat says, without its content. */
export interface SeedEntry {
  readonly kind: (typeof SEED_ENTRY_KINDS)[number];
  /** Absolute, without links, dots and doubled slashes. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly links: number;
  /** Entries with the same one are names of one file. */
  readonly inode?: number;
  /** When it was last changed: since 1970, and the rest. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** link: where it leads. */
  readonly to?: string;
  /** directory: it was read, and everything that was in it is in the tree. */
  readonly isWhole?: boolean;
}

export type SeedInput =
  /**
   * What was delivered. `regularFile`: by a file, not a pipe, so that the program could seek and see the size (absent in seeds of
   * before this was recorded); the content is then what lay between the file's offset and its end, read or not.
   */
  | { readonly kind: "bytes"; readonly content: BlobName; readonly regularFile?: boolean }
  /** A terminal or /dev/null, or closed: nothing to amplify. */
  | { readonly kind: "terminal" | "empty" | "closed" };

export type SeedEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  /** Killed half-way, or still running when the recording ended. */
  | { readonly kind: "unknown" };

export interface SeedLiteral {
  readonly name: string;
  readonly content: BlobName;
  /** As in InvocationLiteral. */
  readonly least?: number;
  readonly most?: number;
}

export interface Seed {
  /** Of the content below without `recorded`; two equal invocations are one seed. */
  readonly id: string;
  /** The executable built by `tangent cc`, absolute, and the SHA-256 of its bytes. */
  readonly program: string;
  readonly programContent: BlobName;
  /** argv, the program's name first. */
  readonly arguments: readonly string[];
  /** NAME=value each. */
  readonly environment: readonly string[];
  /** Of an input that was made: names of variables whose values are input too. */
  readonly varied?: readonly string[];
  /** Of a library's test with literals of its source that vary: their names (support/literal-names.ts) and what they hold. */
  readonly literals?: readonly SeedLiteral[];
  readonly workingDirectory: string;
  readonly umask: number;
  readonly stdin: SeedInput;
  /** Absent if writing to both was possible, and in seeds of before this was recorded. */
  readonly outputs?: FailingOutputs;
  /** Regular files opened for reading, in order of their first opening, each once. */
  readonly files: readonly SeedFile[];
  /**
   * What the program looked at, without files of the system: directories before what is in them, and that in the order in which the
   * directory listed it. Contents are in `files`. Absent in seeds of before this was recorded.
   */
  readonly tree?: readonly SeedEntry[];
  readonly end: SeedEnd;
  /** What does not make the seed another one. */
  readonly recorded: {
    readonly at: string;
    readonly milliseconds: number;
    /** User and system, from its start to its exit, what tracing adds included; unknown if a signal ended it. */
    readonly processorMicroseconds?: number;
    readonly times: number;
  };
}
