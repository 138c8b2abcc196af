// One checked run that also reports uses of what was never set. They do not end the run, so there may be many; a second run
// confirms them, and says where the blocks were allocated that they come from.

import { type CheckedRun, type CheckOptions, runChecked } from "../findings/check.js";
import { describeObject, userFrameIndex } from "../findings/classify.js";
import type { Finding } from "../findings/finding.js";
import { isRepeatable, repetitionOptions } from "../findings/replay.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import type { RunOptions } from "../vm/run-options.js";
import { DefinedMachine, type Use } from "./defined-machine.js";
import type { UseKind } from "./definedness-host.js";
import type { Origin } from "./origins.js";

export interface DefinedRun extends CheckedRun {
  /** In the order of the run, each place once. */
  readonly uninitialised: readonly Finding[];
}

const WORDS: Readonly<Record<UseKind, string>> = {
  decision: "a decision depends on",
  address: "an address depends on",
  "called address": "which function is called depends on",
  size: "a number of bytes depends on",
  divisor: "a divisor depends on",
  "system call": "an argument of a system call depends on",
  "exit status": "the exit status depends on",
  output: "the program writes out",
  path: "the name of a file depends on",
};

/** The image must be translated with DEFINEDNESS_COMPILE_OPTIONS. */
export function runDefined(
  image: ProgramImage,
  options: RunOptions,
  check: CheckOptions,
  module: WebAssembly.Module = loadModule(image),
): DefinedRun {
  const first = new DefinedMachine(image, options);
  const checked = runChecked(image, options, check, module, first.machine);
  const uses = first.uses();
  if (uses.length === 0) return { ...checked, uninitialised: [] };
  const recording = first.machine.recording();
  if (check.repeat === "never" || !isRepeatable(options, recording)) {
    return { ...checked, uninitialised: findingsOf(first) };
  }
  const { instructions, elapsedMs } = checked.result;
  const repeated = repetitionOptions({ options, recording, instructions, elapsedMs }, options.watch);
  const second = new DefinedMachine(image, repeated);
  second.machine.options = { ...repeated, watch: second.watchFor(uses.map(({ origin }) => origin?.serial ?? 0)) };
  const { end } = second.machine.run(module);
  const isCut = end.kind === "limit";
  const again = new Map(second.uses().map((use) => [use.place, use]));
  return {
    ...checked,
    uninitialised: uses.map((use) => findingOf(use, second, again.has(use.place) ? true : isCut ? null : false)),
  };
}

/** What a machine's last run has found, not confirmed. */
export function findingsOf(machine: DefinedMachine): Finding[] {
  return machine.uses().map((use) => findingOf(use, null, null));
}

/** `repetition`: knows where blocks were allocated. */
export function findingOf(use: Use, repetition: DefinedMachine | null, confirmed: boolean | null): Finding {
  const { kind, stack, origin } = use;
  const object =
    origin === null
      ? null
      : { ...origin.object, allocationStack: repetition?.allocationOf(origin.serial) ?? origin.object.allocationStack };
  return {
    kind: "uninitialised",
    access: null,
    size: 0,
    address: null,
    firstBadAddress: null,
    stack,
    userFrame: userFrameIndex(stack),
    object,
    message: `${WORDS[kind]} ${source(origin)}`,
    check: null,
    confirmed,
  };
}

function source(origin: Origin | null): string {
  if (origin === null) return "memory that was never set";
  const { object } = origin;
  if (object.kind === "stack" && object.name === null && object.address === 0) {
    return `a value that ${object.functionName} never set`;
  }
  const what = object.kind === "heap" ? `a heap block of ${object.size} bytes` : describeObject(object, null);
  // A variable as small as a register is meant as a whole.
  if (object.kind === "stack" && object.size <= 8 && object.offset === 0) return `${what}, which was never set`;
  return `${what}, of which byte ${object.offset} was never set`;
}
