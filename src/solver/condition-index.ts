// The conditions of one run in order, indexed by the input bytes they mention, so that a question about one condition takes
// along only the earlier conditions that (transitively) share input bytes with it: independence slicing (as in EXE and KLEE),
// in time proportional to the slice. Scanning the whole prefix for each question would make a run of n conditions cost n²;
// a union-find would be cheaper to ask but cannot answer for every prefix.
//
// A condition that is already there takes a position (positions count appends) but is in no list: it is never part of a slice.
// Invariant: the positions in a byte's list ascend, and are below `length`.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";

export interface ConditionSlice {
  /** Ascending. */
  readonly positions: number[];
  /** The conditions at these positions; the caller may add to it. */
  readonly constraints: ExprRef[];
}

const INSERTION_LIMIT = 24;

export class ConditionIndex {
  length = 0;
  private refs = new Int32Array(256);
  /** Position of the first occurrence of a condition, by expression; trusted only if `refs` agrees. */
  private firstPosition = new Int32Array(1024);
  private readonly lists: number[][] = [];
  /** Stamps of what the current slice has met. */
  private positionStamp = new Int32Array(256);
  private byteStamp = new Int32Array(64);
  private stamp = 0;
  private readonly pendingBytes: number[] = [];
  /** Of the arena that the references are from. */
  private generation: number;

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
  }

  ref(position: number): ExprRef {
    return Math.abs(this.refs[position]) as ExprRef;
  }

  contains(ref: ExprRef): boolean {
    return this.positionOf(ref) >= 0;
  }

  /** Position of the first occurrence, or -1. */
  positionOf(ref: ExprRef): number {
    if (ref >= this.firstPosition.length) return -1;
    const position = this.firstPosition[ref];
    return position < this.length && this.refs[position] === ref ? position : -1;
  }

  /** Adds a condition at the end and returns its position, or that of its first occurrence. */
  append(ref: ExprRef): number {
    if (this.arena.generation !== this.generation) this.clear();
    const known = this.positionOf(ref);
    const position = this.length++;
    if (position === this.refs.length) {
      this.refs = doubled(this.refs, position + 1);
      this.positionStamp = doubled(this.positionStamp, position + 1);
    }
    if (known >= 0) {
      // Not the reference itself: truncating to before the first occurrence must forget both.
      this.refs[position] = -ref;
      return known;
    }
    this.refs[position] = ref;
    if (ref >= this.firstPosition.length) this.firstPosition = doubled(this.firstPosition, ref + 1);
    this.firstPosition[ref] = position;
    const support = this.arena.support(ref);
    for (let i = 0; i < support.length; i++) this.listOf(support[i]).push(position);
    return position;
  }

  /** Forgets the positions from `length` on; costs as much as what is forgotten. */
  truncate(length: number): void {
    if (this.arena.generation !== this.generation) this.clear();
    while (this.length > length) {
      const ref = this.refs[--this.length];
      if (ref < 0) continue;
      const support = this.arena.support(ref as ExprRef);
      for (let i = 0; i < support.length; i++) this.lists[support[i]].pop();
    }
  }

  /** As when the arena was collected: all references are void, and their supports cannot be asked for. */
  clear(): void {
    this.generation = this.arena.generation;
    this.length = 0;
    for (const list of this.lists) if (list !== undefined) list.length = 0;
  }

  /** The conditions before `length` that transitively share input bytes with `goal`, in order. */
  slice(length: number, goal: ExprRef): ConditionSlice {
    const stamp = ++this.stamp;
    const positions: number[] = [];
    const { pendingBytes } = this;
    const support = this.arena.support(goal);
    for (let i = 0; i < support.length; i++) this.meetByte(support[i], stamp);
    let listsUsed = 0;
    while (pendingBytes.length > 0) {
      const list = this.lists[pendingBytes.pop()!];
      if (list.length === 0) continue;
      listsUsed++;
      for (let i = 0; i < list.length; i++) {
        const position = list[i];
        if (position >= length) break;
        if (this.positionStamp[position] === stamp) continue;
        this.positionStamp[position] = stamp;
        positions.push(position);
        const ref = this.refs[position] as ExprRef;
        if (this.arena.supportSize(ref) === 1) continue;
        const others = this.arena.support(ref);
        for (let k = 0; k < others.length; k++) this.meetByte(others[k], stamp);
      }
    }
    if (listsUsed > 1) sortAscending(positions);
    const constraints: ExprRef[] = [];
    for (let i = 0; i < positions.length; i++) constraints.push(this.refs[positions[i]] as ExprRef);
    return { positions, constraints };
  }

  private meetByte(byte: number, stamp: number): void {
    if (byte >= this.byteStamp.length) this.byteStamp = doubled(this.byteStamp, byte + 1);
    if (this.byteStamp[byte] === stamp) return;
    this.byteStamp[byte] = stamp;
    if (this.lists[byte] !== undefined) this.pendingBytes.push(byte);
  }

  private listOf(byte: number): number[] {
    while (this.lists.length <= byte) this.lists.push([]);
    return this.lists[byte];
  }
}

function sortAscending(numbers: number[]): void {
  if (numbers.length > INSERTION_LIMIT) {
    numbers.sort((x, y) => x - y);
    return;
  }
  for (let i = 1; i < numbers.length; i++) {
    const value = numbers[i];
    let place = i;
    while (place > 0 && numbers[place - 1] > value) {
      numbers[place] = numbers[place - 1];
      place--;
    }
    numbers[place] = value;
  }
}

function doubled(old: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(old.length * 2, atLeast));
  larger.set(old);
  return larger;
}
