// An invocation: everything a program is started with, all of it concrete bytes. What a recorded test was, what a move makes of one
// (moves/), and what a search hands over when it has found an input. A `TestInput` says besides which of the bytes are input;
// project/seed-test.ts makes one of the other.
//
// Names and paths are strings of one character a byte (latin1), as everywhere in the VM.

export interface Invocation {
  /** argv[0]. */
  readonly program: string;
  /** argv without the program's name. */
  readonly arguments: readonly Uint8Array[];
  /** NAME=value each. */
  readonly environment: readonly string[];
  readonly workingDirectory: string;
  readonly umask: number;
  readonly stdin: InvocationInput;
  /** What is known to exist, or not to. Whatever is not named here is as the disk has it. */
  readonly tree: readonly TreeEntry[];
}

export type InvocationInput =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly regularFile: boolean }
  | { readonly kind: "terminal" | "empty" | "closed" };

/** Something with an absolute path. Parents of entries exist. */
export type TreeEntry =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly bytes: Uint8Array;
      /** Permission bits. */
      readonly mode: number;
      /** Seconds since 1970; when the program starts, if nothing is said. */
      readonly modified?: number;
    }
  | {
      readonly kind: "directory";
      readonly path: string;
      readonly mode: number;
      readonly modified?: number;
      /** What is in it is in `tree`, and nothing else; otherwise the disk's entries are there too. */
      readonly isWhole: boolean;
    }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "fifo" | "socket"; readonly path: string; readonly mode: number }
  | { readonly kind: "missing"; readonly path: string };
