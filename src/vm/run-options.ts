// What a run is given and what it gives back. Plain data on purpose: both cross to a worker thread and back, and a
// replay is the same options with what was recorded put in the place of the host's descriptors.

import type { RememberedStatuses } from "./files/remembered-statuses.js";
import type { FailingOutputs, InputKind, InputRecording, StreamShape } from "./files/stream-shape.js";
import type { GivenEntry } from "./given-entry.js";
import type { RunEnd, WasmFrame } from "./run-end.js";

export interface RunLimits {
  /** Instructions (units of fuel: instructions of the IR, roughly); Infinity for none. */
  readonly instructions: number;
  readonly milliseconds: number;
  readonly heapBytes: number;
  /** Bytes written to outputs, and to files of the overlay, which stay in memory. */
  readonly outputBytes: number;
}

export const DEFAULT_LIMITS: RunLimits = {
  instructions: Number.POSITIVE_INFINITY,
  milliseconds: Number.POSITIVE_INFINITY,
  heapBytes: 0x8000_0000,
  outputBytes: 0x4000_0000,
};

export interface RunOptions {
  /** argv, the program's name first; a string stands for its UTF-8 bytes. */
  readonly arguments: readonly (string | Uint8Array)[];
  /** NAME=value each. */
  readonly environment: readonly (string | Uint8Array)[];
  /** What /proc/self/exe and AT_EXECFN say. */
  readonly executable: string;
  readonly workingDirectory: string;
  readonly umask: number;
  /** The host's descriptor 0, or these bytes, or what an earlier run recorded. */
  readonly stdin: "inherit" | Uint8Array | InputRecording;
  /** What delivers bytes that are given as standard input; a pipe if nothing is said. */
  readonly stdinKind?: InputKind;
  /** The host's descriptors 1 and 2, or collected in the result, or thrown away behind a stream of that shape. */
  readonly stdout: "inherit" | "capture" | StreamShape;
  readonly stderr: "inherit" | "capture" | StreamShape;
  /** Of those that do not go to the host: where writing fails. */
  readonly outputs?: FailingOutputs;
  /** Files that exist besides those of the disk, or in the place of one there; absolute paths. */
  readonly files?: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Directories that exist, whatever is on the disk; absolute paths. Those that given files lie in exist anyway. */
  readonly directories?: readonly string[];
  /** Files that do not exist, whatever is on the disk; absolute paths. */
  readonly missing?: readonly string[];
  /**
   * What lies where, whatever is on the disk: kinds, modes, times, links, whole directories. Directories come before what is in them.
   * Contents of its files are in `files`.
   */
  readonly tree?: readonly GivenEntry[];
  /** What klee_make_symbolic gives its objects in a replay: by name, in the order in which they are made. */
  readonly objects?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Literals of the program's own source that have other bytes than there, by their names in its image (jit/image.ts). */
  readonly literals?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /**
   * Only what lies in these directories of the real disk is seen; absolute paths without links and dots. All of it but
   * /dev, /proc and /sys, which are never the host's, if nothing is said.
   */
  readonly roots?: readonly string[];
  /** What was asked of the disk a moment ago; for programs that are run again and again. */
  readonly remembered?: RememberedStatuses;
  /** Writes go to the real disk instead of the overlay. */
  readonly writeThrough: boolean;
  /** Time of day at the start, milliseconds since 1970. */
  readonly startTimeMs: number;
  /** Seed of getrandom, /dev/urandom and AT_RANDOM. */
  readonly seed: number;
  /** Window size of terminals, as the host's real ones have it; null if the host has none. */
  readonly window: { readonly rows: number; readonly columns: number } | null;
  readonly limits: RunLimits;
  /** One shared word for messages to a running program: a signal's number, or -1 to stop; it is set back to 0. */
  readonly cancel: Int32Array | null;
  /** Places of reads that are not allowed but do not end the run, or all (going-on.ts); none if nothing is said. */
  readonly goOnAt?: readonly string[];
  /** Allocation serial numbers whose events are wanted with their stacks; 0: none. And whether the last longjmp is. */
  readonly watch: { readonly allocation: number; readonly free: number; readonly longjmp?: boolean };
}

/** Options for a hermetic run with nothing given. */
export const DEFAULT_OPTIONS: RunOptions = {
  arguments: ["program"],
  environment: [],
  executable: "/program",
  workingDirectory: "/",
  umask: 0o022,
  stdin: new Uint8Array(0),
  stdout: "capture",
  stderr: "capture",
  writeThrough: false,
  startTimeMs: Date.UTC(2024, 0, 1),
  seed: 1,
  window: null,
  limits: DEFAULT_LIMITS,
  cancel: null,
  watch: { allocation: 0, free: 0 },
};

export interface RunResult {
  readonly end: RunEnd;
  readonly instructions: number;
  readonly elapsedMs: number;
  /** Processor time of the whole process meanwhile: the run, and V8 compiling it. */
  readonly cpuMs: number;
  /** Heap and mappings handed out at most. */
  readonly memoryPeakBytes: number;
  /** The heap limit refused at least one allocation. */
  readonly memoryExhausted: boolean;
  readonly syscalls: Readonly<Record<string, number>>;
  /** What a sandbox refuses (network, processes) and what we do not know, by name. */
  readonly denied: Readonly<Record<string, number>>;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Absolute paths of the regular files the program opened for reading, in order, each once. */
  readonly filesRead: readonly string[];
  /** One byte per block of ProgramImage.coverage. */
  readonly coverage: Uint8Array;
  readonly watched: Watched;
}

/** Stacks at the events that were watched; null if they did not happen. */
export interface Watched {
  readonly allocation: readonly WasmFrame[] | null;
  readonly free: readonly WasmFrame[] | null;
  readonly longjmp: readonly WasmFrame[] | null;
}

/** What the run took from outside: enough to run it again, and to make a seed of it. */
export interface Recording {
  readonly stdin: InputRecording;
  readonly stdout: StreamShape;
  readonly stderr: StreamShape;
}
