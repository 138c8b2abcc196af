// Where control goes when a value is a certain number: the case of a switch on what getopt returned, the side of a branch on what
// strcmp said. A number is followed through casts, arithmetic with constants, comparisons, phis, results and parameters. Only sides
// that few other numbers lead to are told: that `-a` passes `c != -1` says nothing about `-a`.

import type { IrFunction } from "../../ir/module.js";
import { foldBinary, foldCompare, SWAPPED } from "../../ir/passes/fold.js";
import {
  type Argument,
  type BinaryOp,
  type Block,
  type Instruction,
  type IntPredicate,
  intValue,
  type Value,
} from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";
import type { BlockNumber } from "./program-graph.js";

interface Use {
  readonly user: Instruction;
  readonly block: Block;
}
export interface CallSite {
  readonly at: CountedBody;
  readonly call: Instruction & { op: "call" };
}
type Followed = Instruction | Argument;

/** In the case in question, `value` is `known`. */
interface Fact {
  readonly at: CountedBody;
  readonly value: Followed;
  readonly known: bigint;
  /** Few other numbers of the first value would make it so. */
  readonly isTelling: boolean;
  /** Calls and returns that were followed. */
  readonly depth: number;
}

/** Numbers that may share a side: the digits, and letters that make one hexadecimal digit. */
const FEW = 16n;
const DEEPEST = 3;
const MOST_FACTS = 512;

export class ValueFlow {
  private readonly uses = new Map<CountedBody, ReadonlyMap<Value, readonly Use[]>>();
  private readonly bodies = new Map<IrFunction, CountedBody>();
  private readonly callers = new Map<IrFunction, CallSite[]>();

  /** `bodies`: those of the program itself. */
  constructor(bodies: readonly CountedBody[]) {
    for (const at of bodies) this.bodies.set(at.fn, at);
    for (const at of bodies) {
      for (const call of callsOf(at)) {
        const callee = calleeOf(call);
        if (callee === null || !this.bodies.has(callee)) continue;
        const known = this.callers.get(callee);
        if (known === undefined) this.callers.set(callee, [{ at, call }]);
        else known.push({ at, call });
      }
    }
  }

  callersOf(fn: IrFunction): readonly CallSite[] {
    return this.callers.get(fn) ?? [];
  }

  usesOf(at: CountedBody, value: Value): readonly Use[] {
    let uses = this.uses.get(at);
    if (uses === undefined) {
      uses = usesIn(at);
      this.uses.set(at, uses);
    }
    return uses.get(value) ?? [];
  }

  /** Blocks that are entered because `value` is `known`. With `caller`: those in the caller, if that call gave the value. */
  sidesWhere(at: CountedBody, value: Followed, known: bigint, caller: CallSite | null = null): readonly BlockNumber[] {
    return this.follow([{ at, value, known, isTelling: false, depth: 0 }], caller);
  }

  /** Blocks that are entered because a pointer is not null. */
  sidesWhereFound(at: CountedBody, pointer: Followed): readonly BlockNumber[] {
    const facts = this.usesOf(at, pointer).flatMap(({ user }): Fact[] => {
      if (user.op !== "icmp" || !user.operands.some((operand) => intValue(operand) === 0n)) return [];
      if (user.extra.predicate !== "eq" && user.extra.predicate !== "ne") return [];
      const known = user.extra.predicate === "ne" ? 1n : 0n;
      return [{ at, value: user, known, isTelling: true, depth: 0 }];
    });
    return this.follow(facts, null);
  }

  /** Numbers that the value is compared with, one by one. */
  casesOf(at: CountedBody, value: Followed): readonly bigint[] {
    const found = new Set<bigint>();
    const met = new Set<Value>([value]);
    for (const from of met) {
      for (const { user } of this.usesOf(at, from)) {
        if (user.op === "phi" || user.op === "sext" || user.op === "zext" || user.op === "trunc") met.add(user);
        else if (user.op === "switch") for (const number of user.extra.cases) found.add(number);
        else if (user.op === "icmp") {
          const number = intValue(user.operands[user.operands[0] === from ? 1 : 0]);
          if (number !== null && (user.extra.predicate === "eq" || user.extra.predicate === "ne")) found.add(number);
        }
      }
    }
    return [...found];
  }

  private follow(facts: Fact[], caller: CallSite | null): readonly BlockNumber[] {
    const sides = new Set<BlockNumber>();
    const met = new Map<Followed, Set<bigint>>();
    const push = (fact: Fact): void => {
      const numbers = met.get(fact.value) ?? new Set();
      if (numbers.has(fact.known) || facts.length >= MOST_FACTS) return;
      numbers.add(fact.known);
      met.set(fact.value, numbers);
      facts.push(fact);
    };
    for (const fact of facts) {
      for (const { user } of this.usesOf(fact.at, fact.value)) {
        const side = sideOf(user, fact);
        if (side !== null && fact.at.firstBlock >= 0 && (caller === null || fact.at === caller.at)) {
          sides.add(fact.at.firstBlock + side.index);
        }
        for (const next of this.next(user, fact, caller)) push(next);
      }
    }
    return [...sides].sort((a, b) => a - b);
  }

  private next(user: Instruction, fact: Fact, caller: CallSite | null): readonly Fact[] {
    if (user.op === "ret") {
      if (fact.depth >= DEEPEST) return [];
      const sites = caller !== null && fact.depth === 0 ? [caller] : this.callersOf(fact.at.fn);
      return sites.map(({ at, call }) => ({ ...fact, at, value: call, depth: fact.depth + 1 }));
    }
    if (user.op === "call") {
      const callee = calleeOf(user);
      const at = callee === null ? undefined : this.bodies.get(callee);
      if (at === undefined || fact.isTelling || fact.depth >= DEEPEST || caller !== null) return [];
      return user.operands.slice(1).flatMap((operand, n): Fact[] => {
        const value = at.body.args[n];
        return operand === fact.value && value !== undefined ? [{ ...fact, at, value, depth: fact.depth + 1 }] : [];
      });
    }
    const result = resultOf(user, fact);
    return result === null ? [] : [{ ...fact, ...result, value: user }];
  }
}

/** The side of a terminator that the fact decides for, if it says something about the number. */
function sideOf(user: Instruction, { known, isTelling }: Fact): Block | null {
  if (user.op === "switch") {
    const number = user.extra.cases.indexOf(known);
    return number < 0 ? null : user.blocks[number + 1];
  }
  return user.op === "condbr" && isTelling ? user.blocks[known === 0n ? 1 : 0] : null;
}

type Result = Pick<Fact, "known" | "isTelling">;

function resultOf(user: Instruction, { value, known, isTelling }: Fact): Result | null {
  const bits = widthOf(user);
  switch (user.op) {
    case "phi":
    case "freeze":
      return { known, isTelling };
    case "zext":
      return { known, isTelling };
    case "sext":
      return { known: BigInt.asUintN(bits, BigInt.asIntN(widthOf(value), known)), isTelling };
    case "trunc":
      return { known: BigInt.asUintN(bits, known), isTelling };
    case "select": {
      if (user.operands[0] !== value) return { known, isTelling };
      const chosen = intValue(user.operands[known === 0n ? 2 : 1]);
      return chosen === null || !isTelling ? null : { known: chosen, isTelling };
    }
    case "icmp": {
      const isFirst = user.operands[0] === value;
      const other = intValue(user.operands[isFirst ? 1 : 0]);
      if (other === null) return null;
      const predicate = isFirst ? user.extra.predicate : SWAPPED[user.extra.predicate];
      const holds = foldCompare(predicate, widthOf(value), known, other);
      const telling = isTelling || isFew(predicate, holds, other);
      return telling ? { known: holds ? 1n : 0n, isTelling: true } : null;
    }
    case "add":
    case "sub":
    case "and":
    case "or":
    case "xor":
    case "shl":
    case "lshr":
      return binary(user.op, user, bits, known, value, isTelling);
    default:
      return null;
  }
}

function binary(
  op: BinaryOp,
  user: Instruction,
  bits: number,
  known: bigint,
  value: Followed,
  isTelling: boolean,
): Result | null {
  const isFirst = user.operands[0] === value;
  const other = intValue(user.operands[isFirst ? 1 : 0]);
  if (other === null) return null;
  const folded = isFirst ? foldBinary(op, bits, known, other) : foldBinary(op, bits, other, known);
  return folded === null ? null : { known: folded, isTelling };
}

/** Do few numbers make a comparison with `other` come out so? */
function isFew(predicate: IntPredicate, holds: boolean, other: bigint): boolean {
  if (predicate === "eq") return holds;
  if (predicate === "ne") return !holds;
  if (predicate === "ult" || predicate === "ule") return holds && other <= FEW;
  if (predicate === "ugt" || predicate === "uge") return !holds && other <= FEW;
  return false;
}

function widthOf({ type }: Followed): number {
  return type.kind === "int" ? type.bits : 64;
}

export function calleeOf(call: Instruction): IrFunction | null {
  const callee = call.operands[0];
  if (callee?.kind !== "global") return null;
  const target = callee.target.resolved ?? callee.target;
  return target.kind === "function" ? target : null;
}

export function* callsOf({ body }: CountedBody): Generator<Instruction & { op: "call" }> {
  for (const block of body.blocks) for (const i of block.instructions) if (i.op === "call") yield i;
}

function usesIn({ body }: CountedBody): ReadonlyMap<Value, readonly Use[]> {
  const uses = new Map<Value, Use[]>();
  for (const block of body.blocks) {
    for (const user of block.instructions) {
      for (const operand of new Set(user.operands)) {
        if (operand.kind !== "instruction" && operand.kind !== "argument") continue;
        const known = uses.get(operand);
        if (known === undefined) uses.set(operand, [{ user, block }]);
        else known.push({ user, block });
      }
    }
  }
  return uses;
}
