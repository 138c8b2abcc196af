// One run of an input with nothing symbolic, and everything of it that somebody outside could see: output, end, files,
// and what a detector said. Two versions of a program are compared by what was observed of them, never by how they came
// to it.

import { runChecked } from "../../findings/check.js";
import { type Finding, userFrameOf } from "../../findings/finding.js";
import { runOptionsOf, type TestInput } from "../../inputs/test-input.js";
import type { ProgramImage } from "../../jit/image.js";
import type { FileChange } from "../../vm/files/overlay-changes.js";
import { readHeap } from "../../vm/heap.js";
import { Machine } from "../../vm/machine.js";
import type { RunEnd } from "../../vm/run-end.js";
import { DEFAULT_OPTIONS, type RunLimits, type RunOptions } from "../../vm/run-options.js";

export interface ObservedRun {
  readonly end: ObservedEnd;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** What it made, wrote and removed, by path. */
  readonly files: readonly FileChange[];
  /** What a detector said; the run ended there. */
  readonly finding: ObservedFinding | null;
  readonly instructions: number;
  /** Processes and connections that the machine refused, by call; what the program does then, it does nowhere else. */
  readonly refused: Readonly<Record<string, number>>;
}

export type ObservedEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  /** By a detector, or because it made no progress. */
  | { readonly kind: "finding" }
  /** It says nothing of the program: it was cut short, or needed what the machine lacks. */
  | { readonly kind: "unknown"; readonly why: string };

export interface ObservedFinding {
  readonly kind: string;
  readonly message: string;
  /** Of the program's own code; empty if there is none. */
  readonly function: string;
  readonly file: string | null;
  readonly line: number;
}

/** What a run meets by chance: two runs that differ only in this should do the same. */
export interface World {
  readonly seed: number;
  readonly startTimeMs: number;
}

const DAY_MS = 86_400_000;
const FIRST_WORLD: World = { seed: DEFAULT_OPTIONS.seed, startTimeMs: DEFAULT_OPTIONS.startTimeMs };
/** Another day, another fortune. */
export const OTHER_WORLD: World = { seed: 0x5eed, startTimeMs: DEFAULT_OPTIONS.startTimeMs + DAY_MS + 3_723_004 };

export function runForBehaviour(
  image: ProgramImage,
  module: WebAssembly.Module,
  test: TestInput,
  limits: RunLimits,
  world: World = FIRST_WORLD,
): ObservedRun {
  let files: readonly FileChange[] = [];
  const options = { ...runOptionsOf(test), ...world, limits, stdout: "capture", stderr: "capture" } as const;
  const machine = machineFor(image, module, options);
  const { result, finding } = runChecked(
    image,
    options,
    { repeat: "never", leaks: false, heap: readHeap, ended: () => (files = machine.kernel.files.changes()) },
    module,
    machine,
  );
  if (machine.memory.heapBytes > LARGEST_KEPT) machines.delete(module);
  const { stdout, stderr, instructions } = result;
  return {
    end: endOf(result.end, finding),
    stdout,
    stderr,
    files,
    finding: finding === null ? null : observed(finding),
    instructions,
    refused: Object.fromEntries(Object.entries(result.denied).filter(([call]) => REFUSED.has(call))),
  };
}

/** A new machine costs several times what a short run does. */
const machines = new WeakMap<WebAssembly.Module, Machine>();
const LARGEST_KEPT = 0x400_0000;

function machineFor(image: ProgramImage, module: WebAssembly.Module, options: RunOptions): Machine {
  const known = machines.get(module);
  if (known !== undefined && known.options.limits.heapBytes === options.limits.heapBytes) {
    known.prepare(options);
    return known;
  }
  const made = new Machine(image, options, null, true);
  machines.set(module, made);
  return made;
}

const REFUSED: ReadonlySet<string> = new Set([
  ...["fork", "vfork", "clone", "clone3", "execve", "execveat"],
  ...["socket", "connect", "accept", "sendto", "recvfrom", "sendmsg", "recvmsg", "bind", "listen", "socketpair"],
]);

function endOf(end: RunEnd, finding: Finding | null): ObservedEnd {
  if (finding !== null) return { kind: "finding" };
  switch (end.kind) {
    case "exit":
    case "signal":
      return end;
    case "silent":
      return { kind: "unknown", why: "it ended itself silently" };
    case "unsupported":
      return { kind: "unknown", why: `${end.what} is not supported` };
    case "limit":
      return { kind: "unknown", why: `it met the limit of ${end.limit}` };
    case "fault":
      return { kind: "unknown", why: `it ended by ${end.fault.name}` };
  }
}

function observed(finding: Finding): ObservedFinding {
  const frame = userFrameOf(finding);
  return {
    kind: finding.kind,
    message: finding.message,
    function: frame?.functionName ?? "",
    file: frame?.file ?? null,
    line: frame?.line ?? 0,
  };
}
