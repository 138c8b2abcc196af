// Running a described unit: the executor with the unit's assumptions, and what a run that failed is as a finding. Units have no concrete
// counterpart (findings/confirmation.ts says so), so the machine is looked at as the symbolic run left it.

import type { SpaceObject } from "../../concolic/input-space.js";
import { makeUnit, type UnitExecutor, type UnitOptions } from "../../engine/unit-executor.js";
import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { classify } from "../../findings/classify.js";
import type { Finding } from "../../findings/finding.js";
import type { ProgramImage } from "../../jit/image.js";
import { readHeap } from "../../vm/heap.js";
import type { DescribedUnit, UnitAssumption } from "./unit-inputs.js";

export type UnitRunner =
  | { readonly kind: "unit"; readonly executor: UnitExecutor }
  | { readonly kind: "failed"; readonly message: string };

export interface RunnerOptions {
  readonly module?: WebAssembly.Module;
  /** Paths, results and writes of runs are kept. */
  readonly summaries: boolean;
  readonly hooks?: UnitOptions["hooks"];
  /** What is assumed besides; asked at each run. */
  readonly assumptions?: (executor: UnitExecutor) => readonly ExprRef[];
}

export function unitRunner(image: ProgramImage, unit: DescribedUnit, options: RunnerOptions): UnitRunner {
  const { module, summaries, hooks = [] } = options;
  let executor: UnitExecutor | null = null;
  // Only what this run has made: an object of another run is not there, and its condition would be no decision of this path.
  const assumptions = (arena: ExprArena): readonly ExprRef[] =>
    executor === null
      ? []
      : [
          ...assumedOf(arena, unit.assumptions, executor.program.host.inputs.used()),
          ...(options.assumptions?.(executor) ?? []),
        ];
  const made = makeUnit(image, unit.description, { summaries, assumptions, hooks, name: unit.function.name }, module);
  if (made.kind === "unit") executor = made.executor;
  return made;
}

function assumedOf(
  arena: ExprArena,
  assumptions: readonly UnitAssumption[],
  used: readonly SpaceObject[],
): readonly ExprRef[] {
  return assumptions.flatMap(({ object, offset, bytes, signed, atMost }) => {
    const found = used.find(({ name, occurrence }) => name === object && occurrence === 0);
    if (found === undefined || offset + bytes > found.size) return [];
    let value: ExprRef = arena.variable(found.first + offset);
    for (let n = 1; n < bytes; n++) value = arena.concat(arena.variable(found.first + offset + n), value);
    return [arena.binary(signed ? "sle" : "ule", value, arena.constantBig(8 * bytes, BigInt(atMost)))];
  });
}

/** The failure that the last run ended in; null if it ended otherwise. */
export function failureOfRun({ program, image }: UnitExecutor): Finding | null {
  const { machine, lastEnd } = program;
  if (lastEnd?.kind !== "fault") return null;
  const scene = {
    image,
    memory: machine.memory,
    heap: readHeap(machine),
    arguments: machine.argumentObjects ?? [],
    mappings: machine.kernel.mappings.ranges(),
    stackPointer: lastEnd.fault.stackPointer,
  };
  return classify(scene, lastEnd.fault, lastEnd.trace).finding;
}
