// A function as a unit in context: the test is run once with its own input symbolic, up to the call; what is found there, and what of it
// depends on the input, becomes the unit's input. The unit's own runs repeat the way to the call with nothing symbolic, where everything
// lies at the same addresses.

import type { RunLimits } from "../../engine/executor.js";
import { QUIET } from "../../engine/finding-ledger.js";
import { HookedProgram } from "../../engine/hooked-program.js";
import type { TestExecution } from "../../engine/program-executor.js";
import type { UnitCall } from "../../engine/unit-calls.js";
import { findFunction, type UnitDescription } from "../../engine/unit-description.js";
import type { TestInput } from "../../inputs/test-input.js";
import type { Described } from "../unit/describe-unit.js";
import { unitParameter } from "../unit/passed-parameters.js";
import type { UnitAssumption } from "../unit/unit-inputs.js";
import type { CallGround } from "./call-ground.js";
import { lengthsFound } from "./found-lengths.js";
import {
  DEFAULT_FOUND_OPTIONS,
  type FoundMemory,
  type FoundOptions,
  type FoundValues,
  foundValues,
} from "./found-values.js";

export interface ContextOptions extends Partial<FoundOptions> {
  readonly execution: Omit<TestExecution, "coverage">;
  /** The same for the same test: its machine may be used again. */
  readonly key?: string;
  /** Of the run that looks. */
  readonly limits: RunLimits;
  /** Numbers that are lengths are at most what there is (found-lengths.ts). */
  readonly boundsLengths?: boolean;
}

/** `fn`: index into `image.functions`; `call`: the how-manieth of it in the run of the test, from 0. */
export function describeContext(
  ground: CallGround,
  test: TestInput,
  fn: number,
  call: number,
  options: ContextOptions,
): Described {
  const { image, module, cTypes } = ground;
  const known = ground.function(fn);
  const info = image.functions[fn];
  if (known === null) {
    const name = info?.name ?? `function ${fn}`;
    return { kind: "failed", message: `${name} was compiled without debug information, so what it takes is not known` };
  }
  let calls = 0;
  let found: FoundValues | null = null;
  let assumptions: readonly UnitAssumption[] = [];
  let executor: HookedProgram | null = null;
  const look = (seen: UnitCall): null => {
    if (calls++ < call) return null;
    if (executor !== null) {
      const memory = memoryOf(executor);
      const values = valuesAt(ground, fn, seen, memory, options);
      found = values;
      if (options.boundsLengths === true) {
        assumptions = lengthsFound(cTypes, known.passed, seen.arguments, values, memory);
      }
    }
    return seen.end(0);
  };
  const target = findFunction(image, fn);
  if ("kind" in target) return target;
  const make = (): HookedProgram => new HookedProgram(image, test, options.execution, {}, module);
  executor = options.key === undefined ? make() : ground.lookingAt(options.key, make);
  executor.calls.addHook(target, look);
  executor.run(executor.firstInput, QUIET, options.limits);
  executor.calls.remove(fn);
  if (options.key === undefined) executor.release();
  const values = found as FoundValues | null;
  if (values === null) {
    return { kind: "failed", message: `the test does not come to call ${call} of ${known.declared.name}` };
  }
  const { parameters, objects, inputs, fixed, texts, moreTypes } = values;
  if (options.freedom === "texts" && texts.length === 0)
    return { kind: "failed", message: `${known.declared.name} is given no text of the program's input` };
  const description: UnitDescription = {
    function: fn,
    parameters,
    globals: [],
    stubs: [],
    context: { test, call, objects },
  };
  const notes = values.isCut ? ["there is more to be reached at the call than is made input"] : [];
  return {
    kind: "described",
    unit: {
      function: known.declared,
      file: info.file,
      line: info.line,
      isStatic: known.isStatic,
      description,
      types: moreTypes.types.length === 0 ? cTypes : [...cTypes.slice(0, moreTypes.from), ...moreTypes.types],
      parameters: (known.passed ?? []).map(unitParameter),
      hiddenResult: known.hiddenResult,
      inputs,
      assumptions,
      fixed,
      texts,
      notes: known.passed === null ? [...notes, "its parameters are not passed as its type says: they stay"] : notes,
    },
  };
}

/** What a call finds; also in variables of the program, unless these are left out. */
export function valuesAt(
  ground: CallGround,
  fn: number,
  { arguments: args }: UnitCall,
  memory: FoundMemory,
  options: Partial<FoundOptions> = {},
  withVariables = true,
): FoundValues {
  const passed = ground.function(fn)?.passed ?? null;
  const all = { ...DEFAULT_FOUND_OPTIONS, ...options };
  const free = all.freedom === "all";
  const reachable = withVariables ? ground.variablesFor(fn) : [];
  const variables = free ? reachable : reachable.map((variable) => ({ ...variable, isUsed: false }));
  return foundValues(ground.cTypes, passed, args, variables, memory, all);
}

export function memoryOf({ program: { machine, host } }: HookedProgram): FoundMemory {
  const { memory } = machine;
  return {
    get u8() {
      return memory.u8;
    },
    get view() {
      return memory.view;
    },
    firstRefused: (address, size, write) => memory.firstRefused(address, size, write),
    dependenceOf: (address, size) => host.shadows.cellsOf(address, size),
  };
}
