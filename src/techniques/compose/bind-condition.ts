// What a function needs of its input, asked at a call of it: each byte that the condition speaks of is bound to what it is there, as an
// expression over the caller's input. Names of input objects are ways from the call: `param:1` is an argument, `*param:0` what the first
// one points to, `(*param:0+8)` a pointer in there, `global:NAME` a variable. The heap is never described: it is there.
//
// Pointers are as they are on this run. Where one is itself an expression, that it has this value is part of what is asked.

import type { SeenCall } from "../../engine/unit-calls.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { importExpressions, type PortableLeaf } from "../../expr/portable.js";
import type { CallCondition, ObjectExtent } from "./compose-work.js";

export type BoundCondition =
  /** Conjuncts that speak of what no call shows, as results of stubs, are left out. */
  | { readonly kind: "bound"; readonly conjuncts: readonly BoundConjunct[] }
  /** A pointer is null or leads elsewhere, or an object is smaller: what is said of it cannot be asked. */
  | { readonly kind: "other-shape" };

export interface BoundConjunct {
  /** Width 1. */
  readonly condition: ExprRef;
  /** The conjunct of the condition that it is, as an index; -1: that a pointer is what it is. */
  readonly part: number;
}

/** The address of each variable, by the name of its input object. */
export type VariableAddresses = ReadonlyMap<string, number>;

/** Before the name of an object: how many bytes it has, as eight bytes. */
export const EXTENT = "extent:";
const MOST_EXTENT = 1 << 20;

class OtherShape extends Error {}

export function bindCondition(
  call: SeenCall,
  { formula, within }: Pick<CallCondition, "formula" | "within">,
  variables: VariableAddresses,
): BoundCondition {
  const binder = new Binder(call, variables);
  if (within !== null && !binder.isWithin(within)) return { kind: "other-shape" };
  const roots = importExpressions(call.arena, formula, (leaf) => binder.leaf(leaf));
  if (binder.isOtherShape) return { kind: "other-shape" };
  const own = roots.flatMap((condition, part) => (condition === null ? [] : [{ condition, part }]));
  return { kind: "bound", conjuncts: [...binder.pinned.map((condition) => ({ condition, part: -1 })), ...own] };
}

/** What a stub answered, or a hook made, is nothing that the caller passes. */
export function isOfCall({ object, occurrence }: PortableLeaf): boolean {
  return occurrence === 0 && !["stub:", "*stub:", "hook:"].some((start) => object.startsWith(start));
}

/** By leaf of the condition: the byte that it is at a call where nothing is symbolic. Null if memory has another shape there. */
export function bytesAtCall(
  call: SeenCall,
  { formula, within }: Pick<CallCondition, "formula" | "within">,
  variables: VariableAddresses,
): Uint8Array | null {
  const binder = new Binder(call, variables);
  if (within !== null && !binder.isWithin(within)) return null;
  const bytes = new Uint8Array(formula.leaves.length);
  for (const [n, leaf] of formula.leaves.entries()) {
    const value = binder.leaf(leaf);
    if (binder.isOtherShape) return null;
    if (value !== null) bytes[n] = call.evaluate(value)[0];
  }
  return bytes;
}

class Binder {
  isOtherShape = false;
  /** Pointers that were followed and are expressions: that they are what they are. */
  readonly pinned: ExprRef[] = [];
  private readonly addresses = new Map<string, number>();

  constructor(
    private readonly call: SeenCall,
    private readonly variables: VariableAddresses,
  ) {}

  /** Whether an object has no more bytes than this. */
  isWithin({ object, bytes }: ObjectExtent): boolean {
    try {
      return this.call.extent(this.addressOf(object), bytes + 1) <= bytes;
    } catch (error) {
      if (!(error instanceof OtherShape)) throw error;
      return false;
    }
  }

  leaf(leaf: PortableLeaf): ExprRef | null {
    if (this.isOtherShape) return null;
    try {
      return this.bound(leaf);
    } catch (error) {
      if (!(error instanceof OtherShape)) throw error;
      this.isOtherShape = true;
      return null;
    }
  }

  private bound(leaf: PortableLeaf): ExprRef | null {
    const { object, offset } = leaf;
    if (!isOfCall(leaf)) return null;
    if (object.startsWith("param:")) return this.argumentByte(Number(object.slice(6)), offset);
    if (object.startsWith(EXTENT)) return this.extentByte(object.slice(EXTENT.length), offset);
    if (object.startsWith("null:")) {
      return this.call.arena.constant(8, this.pointer(object.slice(5)) === 0 ? 1 : 0, 0);
    }
    const loaded = this.call.load(this.addressOf(object) + offset, 1);
    if (loaded === null) throw new OtherShape();
    return loaded;
  }

  /** Of the number of bytes that an object has, from where the pointer leads. */
  private extentByte(object: string, offset: number): ExprRef {
    const extent = this.call.extent(this.addressOf(object), MOST_EXTENT);
    return this.call.arena.constant(8, offset < 4 ? (extent >>> (8 * offset)) & 0xff : 0, 0);
  }

  private argumentByte(parameter: number, offset: number): ExprRef {
    let from = offset;
    for (const part of this.call.arguments[parameter] ?? []) {
      const bytes = (part.bits + 7) >>> 3;
      if (from >= bytes) {
        from -= bytes;
        continue;
      }
      const { arena } = this.call;
      const value = this.call.expressionOf(part);
      const bits = Math.min(8, part.bits - 8 * from);
      return arena.zext(arena.extract(value, 8 * from, bits), 8);
    }
    throw new OtherShape();
  }

  /** Where an object begins. */
  private addressOf(object: string): number {
    const known = this.addresses.get(object);
    if (known !== undefined) return known;
    const address = object.startsWith("*") ? this.pointer(object.slice(1)) : (this.variables.get(object) ?? 0);
    if (address === 0) throw new OtherShape();
    this.addresses.set(object, address);
    return address;
  }

  /** The value of a pointer: `param:0`, or `(OBJECT+8)`. */
  private pointer(name: string): number {
    const { call } = this;
    if (name.startsWith("param:")) {
      const [part] = call.arguments[Number(name.slice(6))] ?? [];
      if (part === undefined) throw new OtherShape();
      return this.asAddress(call.expressionOf(part));
    }
    const plus = name.lastIndexOf("+");
    if (!name.startsWith("(") || plus < 0) throw new OtherShape();
    const at = this.addressOf(name.slice(1, plus)) + Number(name.slice(plus + 1, -1));
    const loaded = call.load(at, 8);
    if (loaded === null) throw new OtherShape();
    return this.asAddress(loaded);
  }

  private asAddress(value: ExprRef): number {
    const { arena } = this.call;
    const [low, high] = this.call.evaluate(value);
    if (!arena.isConstant(value)) {
      this.pinned.push(arena.binary(OPS.eq.code, value, arena.constant(arena.width(value), low, high)));
    }
    // No memory is there.
    if (high !== 0) throw new OtherShape();
    return low >>> 0;
  }
}
