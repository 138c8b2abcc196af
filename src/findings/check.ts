// One checked run: run the program, turn its end into a finding if it is one, repeat it for the stacks. This is what
// `tangent run` does, in a worker thread (jobs/run-worker.ts) or directly.

import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import type { HeapReader } from "../vm/heap-reader.js";
import { Machine } from "../vm/machine.js";
import type { RunOptions, RunResult } from "../vm/run-options.js";
import { sourceFrames, visibleFrames } from "../vm/stack-trace.js";
import { type Classified, classify, userFrameIndex } from "./classify.js";
import { type Finding, sameEvent } from "./finding.js";
import { KINDS } from "./kinds.js";
import { leakFinding, unreachableBlocks } from "./leaks.js";
import { type FirstRun, isRepeatable, type Repetition, repeatRun, withStacks } from "./replay.js";

export interface CheckOptions {
  /** When to run again: for every finding, only for those that need stacks of allocations, never. */
  readonly repeat: "always" | "for-stacks" | "never";
  /** Report leaks of a run that ends well. */
  readonly leaks: boolean;
  readonly heap: (machine: Machine) => HeapReader;
  /** Uses machines that earlier runs of the program have left, and leaves its own: for whoever runs a program often. Not with `leaks`. */
  readonly keepsMachines?: boolean;
  /** Looks at the machine when the run is over, before anything is run again. */
  readonly ended?: (machine: Machine) => void;
}

export interface CheckedRun {
  readonly result: RunResult;
  /** What ended the run, if that is a bug of the program. */
  readonly finding: Finding | null;
  readonly leaks: readonly Finding[];
  /** Why leaks were asked for but not looked for; null if they were. */
  readonly leaksSkipped: string | null;
  /** Uses of what was never set, if they were looked for (definedness/run-defined.ts). */
  readonly uninitialised?: readonly Finding[];
  /** Pointers into different objects that were compared or subtracted, if they were looked for (unrelated-pointers.ts). */
  readonly unrelatedPointers?: readonly Finding[];
}

/** Places whose stacks a leak report finds out; each costs a run. */
const LEAK_STACKS = 5;

export function runChecked(
  image: ProgramImage,
  options: RunOptions,
  check: CheckOptions,
  module: WebAssembly.Module = loadModule(image),
  /** One that is prepared for these options. */
  given: Machine | null = null,
): CheckedRun {
  const keeps = check.keepsMachines === true;
  const machine = given ?? (keeps ? Machine.lend(image, options) : new Machine(image, options));
  const checked = runIn(machine, options, check, module);
  if (keeps && given === null) Machine.giveBack(machine);
  return checked;
}

function runIn(machine: Machine, options: RunOptions, check: CheckOptions, module: WebAssembly.Module): CheckedRun {
  const { image } = machine;
  const result = machine.run(module);
  check.ended?.(machine);
  const classified = findingOf(machine, result, check);
  const first = (): FirstRun => ({
    image,
    module,
    options,
    recording: machine.recording(),
    instructions: result.instructions,
    elapsedMs: result.elapsedMs,
  });
  if (classified !== null) {
    const wanted = check.repeat === "always" || (check.repeat === "for-stacks" && needsStacks(classified));
    const finding = wanted ? confirm(first(), classified, check) : classified.finding;
    return { result, finding, leaks: [], leaksSkipped: null };
  }
  if (!check.leaks || result.end.kind !== "exit") return { result, finding: null, leaks: [], leaksSkipped: null };
  const active = visibleFrames(sourceFrames(image, machine.stopTrace()));
  if (userFrameIndex(active) >= 0) {
    const leaksSkipped = "exit was called while functions of the program were active, whose variables cannot be seen";
    return { result, finding: null, leaks: [], leaksSkipped };
  }
  return { result, finding: null, leaks: findLeaks(machine, first, check), leaksSkipped: null };
}

/** The finding that a run's end is; null if it is none. */
function findingOf(machine: Machine, result: RunResult, check: CheckOptions): Classified | null {
  const { end } = result;
  if (end.kind === "fault") {
    return classify(
      {
        image: machine.image,
        memory: machine.memory,
        heap: check.heap(machine),
        arguments: machine.argumentObjects ?? [],
        mappings: machine.kernel.mappings.ranges(),
        stackPointer: end.fault.stackPointer,
      },
      end.fault,
      end.trace,
    );
  }
  if (end.kind !== "limit" || end.limit !== "instructions") return null;
  const stack = visibleFrames(sourceFrames(machine.image, end.trace));
  return {
    finding: {
      kind: "no-progress",
      access: null,
      size: 0,
      address: null,
      firstBadAddress: null,
      stack,
      userFrame: userFrameIndex(stack),
      object: null,
      message: `${KINDS["no-progress"].sentence} (${result.instructions} instructions)`,
      check: null,
      confirmed: null,
    },
    block: null,
  };
}

function needsStacks({ finding, block }: Classified): boolean {
  return block !== null || finding.kind === "invalid-longjmp";
}

/** Runs again: the same finding must come, now with the stacks of its block. */
function confirm(first: FirstRun, classified: Classified, check: CheckOptions): Finding {
  const { finding, block } = classified;
  if (!isRepeatable(first.options, first.recording)) return finding;
  const serial = block?.allocationSerial ?? 0;
  const keeps = check.keepsMachines === true;
  const watch = {
    allocation: serial,
    free: block === null || block.live ? 0 : serial,
    longjmp: finding.kind === "invalid-longjmp",
  };
  const repetition = repeatRun(first, watch, keeps ? Machine.lend : undefined);
  const confirmed = asRepeated(first, finding, repetition, check);
  if (keeps) Machine.giveBack(repetition.machine);
  return confirmed;
}

function asRepeated(first: FirstRun, finding: Finding, repetition: Repetition, check: CheckOptions): Finding {
  // There was no time for it: nothing is known.
  const { end } = repetition.result;
  if (end.kind === "limit" && end.limit === "time") return finding;
  const again = findingOf(repetition.machine, repetition.result, check);
  if (again === null || !sameEvent(finding, again.finding)) return { ...finding, confirmed: false };
  return withStacks(finding, first.image, repetition);
}

function findLeaks(machine: Machine, first: () => FirstRun, check: CheckOptions): Finding[] {
  const heap = check.heap(machine);
  const leaked = unreachableBlocks({
    image: machine.image,
    memory: machine.memory,
    heap,
    stackPointer: machine.kernel.stack.value >>> 0,
  });
  if (leaked.length === 0) return [];
  const run = first();
  if (check.repeat === "never" || !isRepeatable(run.options, run.recording)) return [leakFinding(leaked, null)];
  const byPlace = new Map<string, { blocks: typeof leaked; stack: Finding["stack"] }>();
  const rest: typeof leaked = [];
  for (const [index, block] of leaked.entries()) {
    const frames =
      index < LEAK_STACKS
        ? repeatRun(run, { allocation: block.allocationSerial, free: 0 }).result.watched.allocation
        : null;
    if (frames === null) {
      rest.push(block);
      continue;
    }
    const stack = visibleFrames(sourceFrames(machine.image, frames));
    const key = stack.map((frame) => `${frame.file}:${frame.line}:${frame.column}`).join("\n");
    const group = byPlace.get(key);
    if (group === undefined) byPlace.set(key, { blocks: [block], stack });
    else group.blocks.push(block);
  }
  const findings = [...byPlace.values()].map(({ blocks, stack }) => leakFinding(blocks, stack));
  return rest.length === 0 ? findings : [...findings, leakFinding(rest, null)];
}
