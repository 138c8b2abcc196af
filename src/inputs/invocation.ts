// An invocation: everything a program is started with, all of it concrete bytes. What a recorded test was, what a move makes of one
// (moves/), and what a search hands over when it has found an input. A `TestInput` says besides which of the bytes are input;
// project/seed-test.ts makes one of the other.
//
// Names and paths are strings of one character a byte (latin1), as everywhere in the VM.

import type { FailingOutputs } from "../vm/files/stream-shape.js";

export interface Invocation {
  /** argv[0]. */
  readonly program: string;
  /** argv without the program's name. */
  readonly arguments: readonly Uint8Array[];
  /** NAME=value each. */
  readonly environment: readonly string[];
  /** Names of variables whose values are input too; none if nothing is said. */
  readonly varied?: readonly string[];
  /** Where the program lies, as text; by its name in `program` if nothing is said. */
  readonly executable?: string;
  readonly workingDirectory: string;
  readonly umask: number;
  readonly stdin: InvocationInput;
  /** Where writing fails; nowhere if nothing is said. */
  readonly outputs?: FailingOutputs;
  /** Of a library's test: literals of its source that vary, with their bytes. Nothing else of the invocation varies then. */
  readonly literals?: readonly InvocationLiteral[];
  /** What is known to exist, or not to. Whatever is not named here is as the disk has it. */
  readonly tree: readonly TreeEntry[];
  /** What the clock says when it starts, milliseconds since 1970: times in `tree` mean something only beside it. */
  readonly startTimeMs?: number;
}

export interface InvocationLiteral {
  /** As in support/literal-names.ts. */
  readonly name: string;
  /** At least as many as the source has: where it became shorter, zeros stand at its end. */
  readonly bytes: Uint8Array;
  /** As many as the source has, and as many as there can be; that of `bytes` if nothing is said. */
  readonly least?: number;
  readonly most?: number;
}

export type InvocationInput =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly regularFile: boolean }
  | { readonly kind: "terminal" | "empty" | "closed" };

/** What stat says of an entry besides. */
export interface TreeStatus {
  /** Whole seconds since 1970; when the program starts, if nothing is said. */
  readonly modified?: number;
  /** What `modified` lacks. */
  readonly nanoseconds?: number;
  /** How many names it has; as many as there are in the tree, if nothing is said. */
  readonly links?: number;
  /** Files with the same one are one file with several names. It is not what stat says. */
  readonly inode?: number;
}

/** Something with an absolute path. Parents of entries exist. What is in a whole directory is listed in the order of `tree`. */
export type TreeEntry =
  | ({
      readonly kind: "file";
      readonly path: string;
      readonly bytes: Uint8Array;
      /** Permission bits. */
      readonly mode: number;
    } & TreeStatus)
  /**
   * A file of which only the size is known, since the test never opened it: it holds what the disk's holds, if that has the same size,
   * and zeros otherwise.
   */
  | ({ readonly kind: "sized"; readonly path: string; readonly size: number; readonly mode: number } & TreeStatus)
  | ({
      readonly kind: "directory";
      readonly path: string;
      readonly mode: number;
      /** What is in it is in `tree`, and nothing else; otherwise the disk's entries are there too. */
      readonly isWhole: boolean;
      /** As stat has it, in bytes. */
      readonly size?: number;
    } & TreeStatus)
  | ({ readonly kind: "link"; readonly path: string; readonly to: string } & TreeStatus)
  | ({
      readonly kind: "fifo" | "socket" | "character" | "block";
      readonly path: string;
      readonly mode: number;
    } & TreeStatus)
  | { readonly kind: "missing"; readonly path: string };
