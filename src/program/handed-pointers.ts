// Pointers that the tests hand to the library, followed as long as they are only handed on: where the library uses one, and in which calls it
// gives one to another of its functions. A test that goes on after a call that failed hands on a null pointer; where the library then
// fails on nothing else, that is the test's doing (techniques/handed-on-null.ts).

import { calledFunction } from "../ir/analysis/call-graph.js";
import { IrError, type IrFunction } from "../ir/module.js";
import type { Body, Instruction, Value } from "../ir/values.js";
import type { HandedPointer } from "../jit/image.js";
import { pathOf } from "../jit/line-table.js";
import type { TestFunctions } from "./test-functions.js";

/** A library with more tells less. */
const MOST_FUNCTIONS = 2000;

export function handedPointers({ own, isTestFunction }: TestFunctions): readonly HandedPointer[] {
  const found = new Map<string, { uses: Set<number>; passes: Set<string> }>();
  const met = new Set<IrFunction>();
  const follow = (fn: IrFunction | null): void => {
    if (fn === null || fn.module.origin !== "program" || fn.isDeclaration || isTestFunction(fn)) return;
    if (met.size < MOST_FUNCTIONS) met.add(fn);
  };
  for (const fn of own) if (isTestFunction(fn)) for (const callee of calleesOf(bodyOf(fn))) follow(callee);
  for (const fn of met) {
    const body = bodyOf(fn);
    if (body === null) continue;
    const parameters = parametersIn(body);
    for (const one of instructionsOf(body)) {
      const place = placeOf(one);
      const told = place === null ? null : toldBy(one, parameters);
      if (place === null || told === null) continue;
      const entry = found.get(place) ?? { uses: new Set(), passes: new Set() };
      found.set(place, entry);
      for (const parameter of told.uses) entry.uses.add(parameter);
      for (const [argument, parameter] of told.passes) entry.passes.add(`${argument} ${parameter}`);
      follow(told.callee);
    }
  }
  return Array.from(found, ([place, { uses, passes }]) => ({
    place,
    uses: [...uses],
    passes: Array.from(passes, (pair) => pair.split(" ").map(Number) as [number, number]),
  }));
}

interface Told {
  /** Parameters that are used here: read from, written to, or given to a function that is not the library's. */
  readonly uses: readonly number[];
  /** Which argument of the call is which parameter. */
  readonly passes: readonly (readonly [number, number])[];
  readonly callee: IrFunction | null;
}

function toldBy(one: Instruction, parameters: ReadonlyMap<Value, number>): Told | null {
  const { op, operands } = one;
  if (op === "load" || op === "store") {
    const parameter = parameterOf(operands[op === "load" ? 0 : 1], parameters);
    return parameter === null ? null : { uses: [parameter], passes: [], callee: null };
  }
  if (op !== "call") return null;
  const passes = operands.slice(1).flatMap((operand, argument) => {
    const parameter = parameterOf(operand, parameters);
    return parameter === null ? [] : [[argument, parameter] as const];
  });
  if (passes.length === 0) return null;
  const callee = calledFunction(operands[0]);
  const isOwn = callee !== null && callee.module.origin === "program" && !callee.isDeclaration;
  return isOwn
    ? { uses: [], passes, callee }
    : { uses: passes.map(([, parameter]) => parameter), passes: [], callee: null };
}

/** What stands for a parameter: itself, and what is read from a variable that holds it and nothing else. */
function parametersIn(body: Body): ReadonlyMap<Value, number> {
  const numbers = new Map<Value, number>(body.args.map((argument, number) => [argument, number]));
  const holders = new Map<Value, number>();
  const spoiled = new Set<Value>();
  for (const { op, operands } of instructionsOf(body)) {
    if (op === "load") continue;
    operands.forEach((operand, n) => {
      if (operand.kind !== "instruction" || operand.op !== "alloca") return;
      const parameter = op === "store" && n === 1 ? numbers.get(operands[0]) : undefined;
      if (parameter === undefined || holders.has(operand)) spoiled.add(operand);
      else holders.set(operand, parameter);
    });
  }
  for (const one of instructionsOf(body)) {
    const [from] = one.operands;
    const parameter = one.op === "load" && !spoiled.has(from) ? holders.get(from) : undefined;
    if (parameter !== undefined) numbers.set(one, parameter);
  }
  return numbers;
}

/** Of a pointer, or what it has at some offset. */
function parameterOf(value: Value, parameters: ReadonlyMap<Value, number>): number | null {
  if (value.type.kind !== "ptr") return null;
  let at = value;
  while (!parameters.has(at) && at.kind === "instruction" && at.op === "getelementptr") at = at.operands[0];
  return parameters.get(at) ?? null;
}

function instructionsOf({ blocks }: Body): readonly Instruction[] {
  return blocks.flatMap(({ instructions }) => instructions);
}

function calleesOf(body: Body | null): readonly (IrFunction | null)[] {
  return body === null
    ? []
    : instructionsOf(body).flatMap(({ op, operands }) => (op === "call" ? [calledFunction(operands[0])] : []));
}

function bodyOf(fn: IrFunction): Body | null {
  try {
    return fn.parseBody();
  } catch (error) {
    // Whoever translates it says so.
    if (!(error instanceof IrError)) throw error;
    return null;
  }
}

/** Null where the compiler has joined functions: the stack then has other frames. */
function placeOf({ loc }: Instruction): string | null {
  const frame = loc === null || loc.inlinedAt !== null ? null : loc.debug.frame(loc.id);
  return frame === null || frame.file === "" ? null : `${pathOf(frame)}:${frame.line}:${frame.column}`;
}
