// Stores at symbolic addresses that are followed: whichever cell is meant, each of those that may be is afterwards "the value if the
// address is this one, else what was there". Loads, at concrete or symbolic addresses, find that like any other expression, so nothing
// else need know of it. Followed are small ranges: each store has as many choices as cells, and they nest.
//
// What the value looks up at the same index is known in each cell: `count[c]++` is "5 if c is 'a', else 4" in the cell of 'a', not
// a lookup in all the others.
//
// Only an index is followed: a sum of a place in the object and something that a few input bytes decide. A symbolic pointer is
// one of several objects, or a cursor behind text of symbolic length; following it makes of every field of every structure a choice among
// places where there is none (GNU make and m4 explored a tenth of their paths so).
//
// A table of pointers is not followed. Its cells would be "this object or that one", and every access through them would be
// at an address that is in no one object; with the place made concrete the objects are.
// Alternative: a log of writes per object, read backwards at each load (as KLEE does): cheaper to write, and every load of a
// concrete cell, the most frequent thing there is, would have to go through it.
// Invariant: on this run each cell's expression is what the machine has there after the store.

import { ARITY, type ExprArena, type TableRef } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import { STATE_READ_ONLY, STATE_SHIFT, STATE_SYMBOLIC } from "../jit/memory-layout.js";
import { constantAt, isPointer, isPointerAt } from "./plain-bytes.js";
import type { ByteMemory, ShadowMemory } from "./shadow-memory.js";

/** More cells than this, and the address is made concrete, unless the user has said another number. */
export const MAX_CELLS = 256;
/** Stores to the largest table that a run may write so. */
const BUDGET_STORES = 64;
const POINTER_BYTES = 8;
/** Input bytes that an index may depend on. */
const MAX_INDEX_BYTES = 4;
/** How deep in a value lookups at its own index are looked for. */
const VALUE_DEPTH = 4;

export class SymbolicStores {
  /** More cells than this are not followed. */
  private mostCells = MAX_CELLS;
  private budget = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly memory: ByteMemory,
    private readonly shadows: ShadowMemory,
  ) {}

  /** Before a run. */
  begin(): void {
    this.budget = BUDGET_STORES * this.mostCells;
  }

  /** From the next run on. */
  follow(mostCells: number): void {
    this.mostCells = mostCells;
  }

  /** Whether what is added to a place in an object is an index that may be followed. */
  isIndex(term: ExprRef): boolean {
    return this.arena.supportSize(term) <= MAX_INDEX_BYTES;
  }

  /**
   * Whether a store of (valueLow, valueHigh), or of what has this value now, to one of the cells low, low + step, ... is followed.
   * It is asked once for each store: it may use up what a run may do.
   */
  follows(low: number, count: number, step: number, size: number, valueLow: number, valueHigh: number): boolean {
    if (count > this.mostCells || step < size || this.budget < count) return false;
    if (size === POINTER_BYTES && isPointer(this.memory.u8, valueLow, valueHigh)) return false;
    for (let i = 0; i < count; i++) if (!this.isPlain(low + i * step, size)) return false;
    this.budget -= count;
    return true;
  }

  /** Memory is as it was before the store; `value` is not CONCRETE, but may be a constant. */
  write(low: number, count: number, step: number, size: number, index: ExprRef, value: ExprRef): void {
    const { arena, shadows } = this;
    const width = arena.width(index);
    const isKnownByCell = this.mentions(value, index, VALUE_DEPTH);
    for (let i = 0; i < count; i++) {
      const at = low + i * step;
      const before = shadows.load(at, size);
      const old = before === CONCRETE ? constantAt(arena, this.memory.u8, at, size) : before;
      const here = arena.binary(OPS.eq.code, index, arena.constant(width, i, 0));
      const stored = isKnownByCell ? this.valueAt(value, index, i, VALUE_DEPTH) : value;
      const after = arena.ite(here, stored, old);
      shadows.store(at, size, arena.isConstant(after) ? CONCRETE : after);
    }
  }

  /** Whether `index`, or a lookup at it, is in the value, not too deep. */
  private mentions(value: ExprRef, index: ExprRef, depth: number): boolean {
    if (value === index) return true;
    const { arena } = this;
    const op = arena.op(value);
    const arity = ARITY[op];
    if (arity === 0 || depth === 0) return false;
    if (op === OPS.lookup.code) return arena.a(value) === index;
    if (this.mentions(arena.a(value), index, depth - 1)) return true;
    if (arity > 1 && this.mentions(arena.b(value), index, depth - 1)) return true;
    return arity > 2 && this.mentions(arena.c(value), index, depth - 1);
  }

  /** What the value is where the index is `i`. */
  private valueAt(value: ExprRef, index: ExprRef, i: number, depth: number): ExprRef {
    const { arena } = this;
    if (value === index) return arena.constant(arena.width(index), i, 0);
    const op = arena.op(value);
    if (ARITY[op] === 0 || depth === 0) return value;
    if (op === OPS.lookup.code) {
      if (arena.a(value) !== index) return value;
      const entries = arena.tableEntries(arena.payload(value) as TableRef);
      return i < entries.length ? (entries[i] as ExprRef) : value;
    }
    const a = this.valueAt(arena.a(value), index, i, depth - 1);
    switch (op) {
      case OPS.not.code:
      case OPS.neg.code:
        return arena.unary(op, a);
      case OPS.zext.code:
        return arena.zext(a, arena.width(value));
      case OPS.sext.code:
        return arena.sext(a, arena.width(value));
      case OPS.extract.code:
        return arena.extract(a, arena.payload(value), arena.width(value));
    }
    if (ARITY[op] !== 2) return value;
    const b = this.valueAt(arena.b(value), index, i, depth - 1);
    return op === OPS.concat.code ? arena.concat(a, b) : arena.binary(op, a, b);
  }

  /** A cell that may be written, and holds no pointer. */
  private isPlain(address: number, size: number): boolean {
    const { u8 } = this.memory;
    const state = u8[address >>> STATE_SHIFT];
    if ((state & STATE_SYMBOLIC) === 0 && (state & STATE_READ_ONLY) !== 0) return false;
    return size !== POINTER_BYTES || !isPointerAt(u8, address);
  }
}
