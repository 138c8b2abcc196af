// The conditions of the path that is being looked at, as the solver wants them: in order, indexed by the input bytes they
// mention. Going from one path to the next keeps what both share, so that a depth-first search pays for what changed and not
// for the depth, and a million decisions in common cost nothing.
//
// The index itself is brought up to date only when a question needs it: short paths over few bytes are sliced directly.
//
// A decision whose other side is known to be infeasible follows from those before it; it has a position here but no
// condition, which keeps queries small.
//
// Invariant: `before[p]` conditions belong to the decisions before position p, for p below `position`; the index holds the
// first `indexed` of the conditions, and perhaps others after them.

import type { ExprRef } from "../expr/ops.js";
import type { ConditionIndex, ConditionSlice } from "../solver/condition-index.js";
import type { ByteSignatures } from "./byte-signatures.js";
import { grownInts } from "./growth.js";
import { grownIds, idColumn } from "./id-column.js";
import type { Negations } from "./negations.js";
import type { SettledBytes } from "./settled-bytes.js";
import {
  type AbsoluteRow,
  CLOSED,
  type ExecutionTree,
  FIRST_ROW,
  KIND_MASK,
  NO_ROW,
  NO_SEGMENT,
  ROW,
  type RowIndex,
  type SegmentId,
} from "./tree.js";

/** Up to so many conditions are sliced without the index. */
const DIRECT_CONDITIONS = 256;

export class PathConditions {
  /** Decisions so far; conditions among them. */
  position = 0;
  count = 0;
  private before = new Int32Array(256);
  private refs = idColumn<ExprRef>(256);
  private indexed = 0;
  private taken = new Uint8Array(DIRECT_CONDITIONS);
  /** The decision that each condition belongs to. */
  private decisions = new Int32Array(256);

  /**
   * The segments passed, the row at which each is left (the last one at the place moved to), the serial numbers by which a
   * recycled id is told from the one that was meant, and the decisions before each segment's first row.
   */
  chain = idColumn<SegmentId>(16);
  exits = idColumn<RowIndex>(16);
  private serials = new Int32Array(16);
  private bases = new Int32Array(16);
  chainLength = 0;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly negations: Negations,
    private readonly index: ConditionIndex,
    private readonly signatures: ByteSignatures,
    private readonly settled: SettledBytes,
  ) {}

  get bytes(): number {
    return this.before.byteLength + this.decisions.byteLength + this.refs.byteLength + this.signatures.bytes;
  }

  reset(): void {
    this.settled.rewind(0);
    this.indexed = 0;
    this.position = 0;
    this.count = 0;
    this.chainLength = 0;
  }

  /** As `reset`, when the expressions in the index are void. */
  clear(): void {
    this.index.clear();
    this.signatures.clear();
    this.reset();
  }

  /** The next decision of the path. */
  push(condition: ExprRef, implied: boolean, isPin = false): void {
    if (this.position >= this.before.length) this.before = grownInts(this.before, 0);
    this.before[this.position] = this.count;
    if (!implied) {
      if (!isPin) this.settled.learn(condition, this.position);
      if (this.count >= this.decisions.length) {
        this.decisions = grownInts(this.decisions, 0);
        this.refs = grownIds(this.refs, 0);
      }
      if (this.count < DIRECT_CONDITIONS) this.signatures.learn(condition);
      this.refs[this.count] = condition;
      this.decisions[this.count++] = this.position;
    }
    this.position++;
  }

  /** Whether the path leaves the expression one value, as far as is known without a question. */
  decide(e: ExprRef): boolean {
    return this.settled.decide(e);
  }

  /** The path goes on in this segment. */
  enter(segment: SegmentId): void {
    const link = this.chainLength++;
    if (link >= this.chain.length) this.growChain(link + 1);
    if (link > 0) this.exits[link - 1] = this.tree.parentRow[segment];
    this.chain[link] = segment;
    this.serials[link] = this.tree.serial[segment];
    this.bases[link] = this.position;
  }

  /** The conditions that transitively share input bytes with the goal: places among the conditions, and the conditions. */
  slice(goal: ExprRef): ConditionSlice {
    if (this.count <= DIRECT_CONDITIONS && this.signatures.isExact) {
      this.signatures.learn(goal);
      if (this.signatures.isExact) return this.sliceDirectly(goal);
    }
    const { index } = this;
    index.truncate(this.indexed);
    for (; this.indexed < this.count; this.indexed++) index.append(this.refs[this.indexed]);
    return index.slice(this.count, goal);
  }

  private sliceDirectly(goal: ExprRef): ConditionSlice {
    const { refs, count, taken } = this;
    const { low, high } = this.signatures;
    let bytesLow = low[goal];
    let bytesHigh = high[goal];
    taken.fill(0, 0, count);
    for (let grew = true; grew; ) {
      grew = false;
      for (let i = 0; i < count; i++) {
        const ref = refs[i];
        if (taken[i] !== 0 || ((low[ref] & bytesLow) | (high[ref] & bytesHigh)) === 0) continue;
        taken[i] = 1;
        if ((low[ref] & ~bytesLow) === 0 && (high[ref] & ~bytesHigh) === 0) continue;
        bytesLow |= low[ref];
        bytesHigh |= high[ref];
        grew = true;
      }
    }
    const positions: number[] = [];
    const constraints: ExprRef[] = [];
    for (let i = 0; i < count; i++) {
      if (taken[i] === 0) continue;
      positions.push(i);
      constraints.push(refs[i]);
    }
    return { positions, constraints };
  }

  /** All of them, in order. */
  list(): ExprRef[] {
    return Array.from(this.refs.subarray(0, this.count), (ref) => ref as ExprRef);
  }

  /** The decision that the condition at this place belongs to. */
  decisionOf(condition: number): number {
    return this.decisions[condition];
  }

  /** What holds on the other side of a row; 0 for the continuation of a run, which needs nothing. */
  otherSide(at: AbsoluteRow): ExprRef {
    const kind = this.tree.kind[at] & KIND_MASK;
    const ref = this.tree.ref[at];
    if (kind === ROW.alternative) return ref;
    if (kind === ROW.fork) return 0 as ExprRef;
    return this.negations.of(ref);
  }

  /**
   * All decisions of the path, in order, by their rows in the tree. `isLeft`: the path goes on at the row's other side, and the row
   * of a choice may be one of its alternatives.
   */
  walk(visit: (row: AbsoluteRow, isLeft: boolean) => void): void {
    const { tree } = this;
    for (let link = 0; link < this.chainLength; link++) {
      const isLast = link === this.chainLength - 1;
      const end = isLast ? this.position : this.bases[link + 1] - 1;
      let at: number = tree.at(this.chain[link], FIRST_ROW);
      for (let position = this.bases[link]; position < end; at++) {
        if (tree.kind[at] !== ROW.alternative) {
          visit(at as AbsoluteRow, false);
          position++;
        }
      }
      if (!isLast) visit(tree.at(this.chain[link], this.exits[link]), true);
    }
  }

  /** The row of a decision of the path; NO_ROW if the path goes on at that row's other side. */
  rowOf(decision: number): AbsoluteRow {
    let link = 0;
    for (let past = this.chainLength; past - link > 1; ) {
      const middle = (link + past) >>> 1;
      if (this.bases[middle] <= decision) link = middle;
      else past = middle;
    }
    if (link < this.chainLength - 1 && decision === this.bases[link + 1] - 1) return NO_ROW;
    const segment = this.chain[link];
    return this.tree.at(segment, this.tree.rowAt(segment, decision));
  }

  /** Makes the path the one that ends just before the row: all decisions before it, but not its own. */
  moveTo(segment: SegmentId, row: RowIndex, depth: number): void {
    const { tree } = this;
    const last = tree.level[segment];
    if (last >= this.chain.length) this.growChain(last + 1);
    // Up to the first segment that the path passed before; everything above it is the same.
    let link = last;
    let at = segment;
    let exit = row;
    let leaves = depth;
    let next = last + 1 < this.chainLength ? this.bases[last + 1] : -1;
    while (at !== NO_SEGMENT && !(link < this.chainLength && this.serials[link] === tree.serial[at])) {
      next = link < this.chainLength ? this.bases[link] : -1;
      this.chain[link] = at;
      this.exits[link] = exit;
      this.serials[link] = tree.serial[at];
      leaves = tree.base[at] - 1;
      this.bases[link] = leaves + 1;
      exit = tree.parentRow[at];
      at = tree.parent[at];
      link--;
    }
    if (at === NO_SEGMENT) {
      this.rewind(0);
      link = 0;
    } else {
      this.rewind(next < 0 ? leaves : Math.min(leaves, next - 1));
      this.exits[link] = exit;
    }
    this.chainLength = last + 1;
    for (;;) {
      this.fill(this.chain[link], tree.rowAt(this.chain[link], this.position), this.exits[link]);
      if (link === last) return;
      const condition = this.otherSide(tree.at(this.chain[link], this.exits[link]));
      this.push(condition, condition === 0);
      link++;
    }
  }

  private rewind(position: number): void {
    if (position >= this.position) return;
    this.position = position;
    this.settled.rewind(position);
    this.count = this.before[position];
    if (this.indexed > this.count) this.indexed = this.count;
  }

  private fill(segment: SegmentId, from: RowIndex, exit: RowIndex): void {
    const { tree } = this;
    const end = tree.decisionRow(tree.at(segment, exit));
    for (let at: number = tree.at(segment, from); at < end; at++) {
      const kind = tree.kind[at];
      if (kind === ROW.alternative) continue;
      this.push(tree.ref[at], kind !== ROW.choose && tree.other[at] === CLOSED.infeasible, kind === ROW.pin);
    }
  }

  private growChain(size: number): void {
    this.chain = grownIds(this.chain, size);
    this.exits = grownIds(this.exits, size);
    this.serials = grownInts(this.serials, size);
    this.bases = grownInts(this.bases, size);
  }
}
