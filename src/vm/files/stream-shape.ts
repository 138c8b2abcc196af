// What a program can see of a standard stream besides its bytes: terminal or pipe or file, flags, offset. A repeated run
// gets streams of the same shape, since a program that sees a terminal allocates, buffers and prints differently.

import { type FileStatus, OPEN } from "./open-file.js";

/** A pipe; a regular file, which has a size and can seek; /dev/null; nothing at all. */
export type InputKind = "pipe" | "file" | "null" | "closed";

/** Where writing fails: /dev/full; nothing at all; a pipe whose reader leaves after so many bytes. */
export type FailingOutput = "full" | "closed" | BrokenPipe;

export interface BrokenPipe {
  readonly brokenAfter: number;
  /** SIGPIPE was ignored when the program started. */
  readonly isSignalIgnored?: true;
}

/** Standard output and error, as far as they are such. */
export interface FailingOutputs {
  readonly stdout?: FailingOutput;
  readonly stderr?: FailingOutput;
}

export interface StreamShape {
  readonly terminal: boolean;
  /** As F_GETFL shows them. */
  readonly flags: number;
  readonly status: FileStatus;
  /** Of a regular file at the start of the run; null if the stream cannot seek. */
  readonly offset: number | null;
  /** Of a pipe: its reader leaves after so many bytes. */
  readonly brokenAfter?: number;
}

/**
 * From where on a regular file is what the run itself has written, and may be written again. Nowhere if it is only appended to, or was
 * not at its end: others may have written what is there.
 */
export function ownStart({ flags, status, offset }: StreamShape): number {
  if ((flags & OPEN.append) !== 0 || offset === null || offset < status.size) return Number.POSITIVE_INFINITY;
  return offset;
}

/** Standard input as it was: of a regular file the whole content, otherwise what it delivered. */
export interface InputRecording {
  readonly shape: StreamShape;
  readonly bytes: Uint8Array;
  /** False if there was more than is kept, so that the run cannot be repeated exactly. */
  readonly complete: boolean;
}
