// Pointers that the tests hand to the library, followed as long as they are only handed on: where the library uses one, and in which calls it
// gives one to another of its functions. A test that goes on after a call that failed hands on a null pointer; where the library then
// fails on nothing else, that is the test's doing (techniques/handed-on-null.ts).

import { calledFunction } from "../ir/analysis/call-graph.js";
import type { IrFunction } from "../ir/module.js";
import type { Body, Instruction, Value } from "../ir/values.js";
import type { HandedPointer } from "../jit/image.js";
import { bodyOf, instructionsOf, placeOf } from "./code-places.js";
import type { TestFunctions } from "./test-functions.js";

/** A library with more tells less. */
const MOST_FUNCTIONS = 2000;

export function handedPointers({ own, isTestFunction }: TestFunctions): readonly HandedPointer[] {
  const found = new HandedPlaces();
  const met = new Set<IrFunction>();
  const follow = (fn: IrFunction | null): void => {
    if (fn === null || fn.module.origin !== "program" || fn.isDeclaration || isTestFunction(fn)) return;
    if (met.size < MOST_FUNCTIONS) met.add(fn);
  };
  for (const fn of own) {
    const body = isTestFunction(fn) ? bodyOf(fn) : null;
    if (body === null) continue;
    for (const callee of calleesOf(body)) follow(callee);
    for (const [call, unasked] of callsWithUnasked(body)) found.add(call, { unasked });
  }
  for (const fn of met) {
    const body = bodyOf(fn);
    if (body === null) continue;
    const origins = originsIn(body);
    for (const one of instructionsOf(body)) {
      const told = toldBy(one, origins);
      if (told === null) continue;
      found.add(one, told);
      follow(told.callee);
    }
  }
  return found.list();
}

type Pair = readonly [argument: number, parameter: number];

class HandedPlaces {
  private readonly places = new Map<
    string,
    Record<"uses" | "passes" | "usesWithin" | "passesWithin" | "unasked", Set<string>>
  >();

  add(at: Instruction, told: Partial<Told> & { readonly unasked?: readonly number[] }): void {
    const place = placeOf(at);
    if (place === null) return;
    const entry = this.places.get(place) ?? {
      uses: new Set(),
      passes: new Set(),
      usesWithin: new Set(),
      passesWithin: new Set(),
      unasked: new Set(),
    };
    this.places.set(place, entry);
    for (const name of ["uses", "usesWithin", "unasked"] as const)
      for (const number of told[name] ?? []) entry[name].add(`${number}`);
    for (const name of ["passes", "passesWithin"] as const)
      for (const pair of told[name] ?? []) entry[name].add(pair.join(" "));
  }

  list(): readonly HandedPointer[] {
    const numbers = (texts: ReadonlySet<string>): number[] => Array.from(texts, Number);
    const pairs = (texts: ReadonlySet<string>): Pair[] =>
      Array.from(texts, (pair): Pair => pair.split(" ").map(Number) as [number, number]);
    return Array.from(this.places, ([place, { uses, passes, usesWithin, passesWithin, unasked }]) => ({
      place,
      uses: numbers(uses),
      passes: pairs(passes),
      ...(usesWithin.size === 0 ? {} : { usesWithin: numbers(usesWithin) }),
      ...(passesWithin.size === 0 ? {} : { passesWithin: pairs(passesWithin) }),
      ...(unasked.size === 0 ? {} : { unasked: numbers(unasked) }),
    }));
  }
}

interface Told {
  /** Parameters that are used here: read from, written to, or given to a function that is not the library's. */
  readonly uses: readonly number[];
  /** Which argument of the call is which parameter. */
  readonly passes: readonly Pair[];
  /** The same of pointers that stand in what a parameter leads to. */
  readonly usesWithin: readonly number[];
  readonly passesWithin: readonly Pair[];
  readonly callee: IrFunction | null;
}

/** Where a pointer comes from: a parameter, or what stands in the memory that it leads to. */
interface Origin {
  readonly parameter: number;
  readonly isWithin: boolean;
}

function toldBy(one: Instruction, origins: ReadonlyMap<Value, Origin>): Told | null {
  const { op, operands } = one;
  if (op === "load" || op === "store") {
    const origin = originOf(operands[op === "load" ? 0 : 1], origins);
    return origin === null ? null : usesOf([origin]);
  }
  if (op !== "call") return null;
  const passed = operands.slice(1).flatMap((operand, argument) => {
    const origin = originOf(operand, origins);
    return origin === null ? [] : [{ argument, origin }];
  });
  if (passed.length === 0) return null;
  const callee = calledFunction(operands[0]);
  const isOwn = callee !== null && callee.module.origin === "program" && !callee.isDeclaration;
  if (!isOwn) return usesOf(passed.map(({ origin }) => origin));
  const pairs = (isWithin: boolean): Pair[] =>
    passed.flatMap(({ argument, origin }) => (origin.isWithin === isWithin ? [[argument, origin.parameter]] : []));
  return { uses: [], usesWithin: [], passes: pairs(false), passesWithin: pairs(true), callee };
}

function usesOf(origins: readonly Origin[]): Told {
  const of = (isWithin: boolean): number[] =>
    origins.flatMap((origin) => (origin.isWithin === isWithin ? [origin.parameter] : []));
  return { uses: of(false), usesWithin: of(true), passes: [], passesWithin: [], callee: null };
}

/**
 * What stands for a parameter, or for a pointer within what it leads to: itself, and what is read from a variable that holds it and nothing
 * else.
 */
function originsIn(body: Body): ReadonlyMap<Value, Origin> {
  const origins = new Map<Value, Origin>(
    body.args.map((argument, parameter) => [argument, { parameter, isWithin: false }]),
  );
  const holders = singleHolders(body);
  // What is read from one variable may be put into another one.
  for (let before = -1; before < origins.size; ) {
    before = origins.size;
    for (const one of instructionsOf(body)) {
      if (one.op !== "load" || origins.has(one)) continue;
      const [from] = one.operands;
      const held = holders.get(from);
      const origin = held !== undefined ? origins.get(held) : withinOf(one, origins);
      if (origin !== undefined) origins.set(one, origin);
    }
  }
  return origins;
}

/** A pointer that is read from where a parameter leads to. */
function withinOf({ type, operands }: Instruction, origins: ReadonlyMap<Value, Origin>): Origin | undefined {
  const from = type.kind === "ptr" ? originOf(operands[0], origins) : null;
  return from === null || from.isWithin ? undefined : { parameter: from.parameter, isWithin: true };
}

/** Variables of a function that are set once and only read besides, with what they are set to. */
function singleHolders(body: Body): ReadonlyMap<Value, Value> {
  const holders = new Map<Value, Value>();
  const spoiled = new Set<Value>();
  for (const one of instructionsOf(body)) {
    const { op, operands } = one;
    if (op === "load" || isMarker(one)) continue;
    operands.forEach((operand, n) => {
      if (!isVariableHere(operand)) return;
      if (op !== "store" || n !== 1 || holders.has(operand)) spoiled.add(operand);
      else holders.set(operand, operands[0]);
    });
  }
  for (const variable of spoiled) holders.delete(variable);
  return holders;
}

/** Of a pointer, or what it has at some offset. */
function originOf(value: Value, origins: ReadonlyMap<Value, Origin>): Origin | null {
  if (value.type.kind !== "ptr") return null;
  let at = value;
  while (!origins.has(at) && at.kind === "instruction" && at.op === "getelementptr") at = at.operands[0];
  return origins.get(at) ?? null;
}

/** Calls in a test's function with the variables that some call was given whose result nobody looks at. */
function callsWithUnasked(body: Body): readonly (readonly [call: Instruction, unasked: readonly number[]])[] {
  const all = instructionsOf(body);
  const used = new Set<Value>(all.flatMap(({ operands }) => operands));
  const calls = all.filter((one) => one.op === "call" && !isMarker(one));
  const unasked = new Set<Value>(
    calls
      .filter((call) => call.type.kind !== "void" && !used.has(call) && calledFunction(call.operands[0]) !== null)
      .flatMap(({ operands }) => operands.slice(1).filter((operand) => isVariableHere(operand))),
  );
  return calls.flatMap((call) => {
    const numbers = call.operands.slice(1).flatMap((operand, n) => (unasked.has(operand) ? [n] : []));
    return numbers.length === 0 ? [] : [[call, numbers] as const];
  });
}

/** Where a variable's life begins and ends, say: nothing is done with it there. */
function isMarker({ op, operands }: Instruction): boolean {
  return op === "call" && /^llvm\.(lifetime|dbg)\./.test(calledFunction(operands[0])?.name ?? "");
}

function isVariableHere(value: Value): boolean {
  return value.kind === "instruction" && value.op === "alloca";
}

function calleesOf(body: Body | null): readonly (IrFunction | null)[] {
  return body === null
    ? []
    : instructionsOf(body).flatMap(({ op, operands }) => (op === "call" ? [calledFunction(operands[0])] : []));
}
