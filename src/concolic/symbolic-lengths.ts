// Copies and fills of a symbolic length. How many bytes the machine moves is what it is on this run; each byte that might be among them
// on another input of the same path is afterwards "the new one if the length is greater than its place, else what was there". The
// new bytes are gathered before the machine copies, since the ranges may overlap, and put in place when it is done.
//
// Only a number that stands in the input is followed, not how long a piece of it is: that comes from pointers that are choices among
// places, and what is behind the copy is then written at a place that is one too (m4 and GNU make came to a standstill so).
// And only lengths up to a bound are, by what is known of their range and by the room that was checked before. Where an
// 8-byte word among the bytes is a pointer the length is made concrete, as with stores (symbolic-stores.ts).
// Invariant: on this run each byte's expression is what the machine has there when the copy is done.

import { ARITY, type ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import { STATE_READ_ONLY, STATE_SHIFT, STATE_SYMBOLIC } from "../jit/memory-layout.js";
import { addressableBytes, type ObjectBounds } from "./object-bounds.js";
import { constantAt, isPointerAt } from "./plain-bytes.js";
import type { ByteMemory, ShadowMemory } from "./shadow-memory.js";

/** Longer ones are made concrete. */
const MAX_LENGTH = 256;
/** Input bytes that a length may depend on, and operations between them and it. */
const MAX_LENGTH_BYTES = 4;
const MAX_DEPTH = 8;
/** What such a number may be made by. */
const ARITHMETIC = new Uint8Array(64);
for (const name of [
  ...(["add", "sub", "mul", "udiv", "urem", "and", "or", "xor", "shl", "lshr", "ashr"] as const),
  ...(["not", "neg", "extract", "concat", "zext", "sext"] as const),
]) {
  ARITHMETIC[OPS[name].code] = 1;
}
/** Bytes that a run may move so. */
const BUDGET = 0x2000;

/** What is moved: bytes from somewhere else, or one byte again and again. */
export type NewBytes =
  | { readonly kind: "copy"; readonly source: number; readonly mayOverlap: boolean }
  | { readonly kind: "fill"; readonly byte: ExprRef; readonly value: number };

export class SymbolicLengths {
  private budget = BUDGET;
  /** What the copy in progress will have made of the bytes from `destination` on; none if `count` is 0. */
  private destination = 0;
  private count = 0;
  private readonly bytes = new Int32Array(MAX_LENGTH);

  constructor(
    private readonly arena: ExprArena,
    private readonly memory: ByteMemory,
    private readonly shadows: ShadowMemory,
    private readonly bounds: ObjectBounds,
  ) {}

  /** Before a run. */
  begin(): void {
    this.budget = BUDGET;
    this.count = 0;
  }

  /**
   * A copy or fill of `size` bytes, on this run `length`, is about to be made, and it was checked that the bytes may be touched.
   * False if it is not followed: then the size must be made concrete.
   */
  follows(destination: number, size: ExprRef, length: number, made: NewBytes): boolean {
    this.count = 0;
    if (this.arena.supportSize(size) > MAX_LENGTH_BYTES || !this.isNumber(size, MAX_DEPTH)) return false;
    const most = this.mostOf(destination, size, made);
    if (most > MAX_LENGTH || most > this.budget || length > most) return false;
    if (!this.isPlain(destination, most, made)) return false;
    this.budget -= most;
    const { arena, shadows, bytes } = this;
    const least = arena.facts.minimum(size);
    const width = arena.width(size);
    for (let i = 0; i < most; i++) {
      const fresh = this.newByte(made, i);
      if (i < least) {
        bytes[i] = fresh;
        continue;
      }
      const before = shadows.load(destination + i, 1);
      const old = before === CONCRETE ? constantAt(arena, this.memory.u8, destination + i, 1) : before;
      bytes[i] = arena.ite(arena.binary(OPS.ult.code, arena.constant(width, i, 0), size), fresh, old);
    }
    this.destination = destination;
    this.count = most;
    return true;
  }

  /** The machine is done with what `follows` was asked of. */
  done(): void {
    const { arena, shadows, bytes, destination } = this;
    for (let i = 0; i < this.count; i++) {
      const byte = bytes[i] as ExprRef;
      shadows.store(destination + i, 1, arena.isConstant(byte) ? CONCRETE : byte);
    }
    this.count = 0;
  }

  /** Whether it is input bytes, and arithmetic. */
  private isNumber(e: ExprRef, depth: number): boolean {
    const { arena } = this;
    const op = arena.op(e);
    if (op === OPS.constant.code || op === OPS.variable.code) return true;
    if (ARITHMETIC[op] === 0 || depth === 0) return false;
    if (!this.isNumber(arena.a(e), depth - 1)) return false;
    return ARITY[op] < 2 || this.isNumber(arena.b(e), depth - 1);
  }

  private newByte(made: NewBytes, i: number): ExprRef {
    const { arena, memory } = this;
    if (made.kind === "fill") return made.byte !== CONCRETE ? made.byte : arena.constant(8, made.value & 0xff, 0);
    const byte = this.shadows.load(made.source + i, 1);
    return byte !== CONCRETE ? byte : constantAt(arena, memory.u8, made.source + i, 1);
  }

  /** The greatest length that an input of this path can have. Infinity if it is not known, or must not be followed. */
  private mostOf(destination: number, size: ExprRef, made: NewBytes): number {
    const { bounds } = this;
    let most = this.arena.facts.maximum(size);
    const reach = Math.min(most, MAX_LENGTH + 1);
    most = Math.min(most, bounds.roomAt(destination, reach));
    if (made.kind === "fill") return most;
    most = Math.min(most, bounds.roomAt(made.source, reach));
    // A longer copy would be an error that this run has not checked.
    const apart = Math.abs(destination - made.source);
    return made.mayOverlap || apart === 0 || apart >= most ? most : Number.POSITIVE_INFINITY;
  }

  /** Whether the bytes may all be written, and no word of the old or the new ones is a pointer. */
  private isPlain(destination: number, most: number, made: NewBytes): boolean {
    const { u8 } = this.memory;
    for (let at = destination; at < destination + most; at++) {
      const state = u8[at >>> STATE_SHIFT];
      if ((state & STATE_SYMBOLIC) === 0 && (state & STATE_READ_ONLY) !== 0) return false;
      if ((at & 7) >= addressableBytes(state)) return false;
    }
    return !hasPointer(u8, destination, most) && (made.kind === "fill" || !hasPointer(u8, made.source, most));
  }
}

/** Whether one of the aligned words that lie wholly in the range is a pointer. */
function hasPointer(u8: Uint8Array, from: number, size: number): boolean {
  for (let at = (from + 7) & -8; at + 8 <= from + size; at += 8) if (isPointerAt(u8, at)) return true;
  return false;
}
