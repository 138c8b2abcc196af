// The conditions of the path that is being looked at, as the solver wants them: in order, indexed by the input bytes they
// mention. Going from one path to the next keeps what both share, so that a depth-first search pays for what changed and not
// for the depth, and a million decisions in common cost nothing.
//
// A decision whose other side is known to be infeasible follows from those before it; it has a position here but no
// condition, which keeps queries small.
//
// Invariant: `before[p]` conditions belong to the decisions before position p, for p below `position`.

import type { ExprRef } from "../expr/ops.js";
import type { ConditionIndex } from "../solver/condition-index.js";
import { grownInts } from "./growth.js";
import type { Negations } from "./negations.js";
import { CLOSED, type ExecutionTree, NO_SEGMENT, ROW, type SegmentId } from "./tree.js";

const KIND_MASK = 0x7f;

export class PathConditions {
  /** Decisions so far; conditions among them. */
  position = 0;
  count = 0;
  private before = new Int32Array(256);
  /** The decision that each condition belongs to. */
  private decisions = new Int32Array(256);

  /** The segments passed, and the row at which each is left; the last is left at the place moved to. */
  chain = new Int32Array(16);
  exits = new Int32Array(16);
  chainLength = 0;
  /** The segments that the index was filled from: serial numbers, and decisions before their first row. */
  private serials = new Int32Array(16);
  private bases = new Int32Array(16);
  private filled = 0;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly negations: Negations,
    readonly index: ConditionIndex,
  ) {}

  get bytes(): number {
    return this.before.byteLength + this.decisions.byteLength;
  }

  reset(): void {
    this.index.truncate(0);
    this.position = 0;
    this.count = 0;
    this.filled = 0;
  }

  /** As `reset`, when the expressions in the index are void. */
  clear(): void {
    this.index.clear();
    this.reset();
  }

  /** The next decision of the path. */
  push(condition: ExprRef, implied: boolean): void {
    if (this.position >= this.before.length) this.before = grownInts(this.before, 0);
    this.before[this.position] = this.count;
    if (!implied) {
      if (this.count >= this.decisions.length) this.decisions = grownInts(this.decisions, 0);
      this.decisions[this.count++] = this.position;
      this.index.append(condition);
    }
    this.position++;
  }

  /** The path goes on in this segment. */
  enter(segment: SegmentId): void {
    if (this.filled >= this.serials.length) {
      this.serials = grownInts(this.serials, 0);
      this.bases = grownInts(this.bases, 0);
    }
    this.serials[this.filled] = this.tree.serial[segment];
    this.bases[this.filled++] = this.position;
  }

  /** The decision that the condition at this place in the index belongs to. */
  decisionOf(condition: number): number {
    return this.decisions[condition];
  }

  /** What holds on the other side of a row; 0 for the continuation of a run, which needs nothing. */
  otherSide(at: number): ExprRef {
    const kind = this.tree.kind[at] & KIND_MASK;
    const ref = this.tree.ref[at] as ExprRef;
    if (kind === ROW.alternative) return ref;
    if (kind === ROW.fork) return 0 as ExprRef;
    return this.negations.of(ref);
  }

  /** Makes the path the one that ends just before the row: all decisions before it, but not its own. */
  moveTo(segment: SegmentId, row: number, depth: number): void {
    this.findChain(segment, row);
    const { tree, chain, chainLength } = this;
    let shared = 0;
    let link = 0;
    while (link < chainLength && link < this.filled && this.serials[link] === tree.serial[chain[link]]) {
      const leaves = link + 1 < chainLength ? tree.base[chain[link + 1]] - 1 : depth;
      const left = link + 1 < this.filled ? this.bases[link + 1] - 1 : this.position;
      shared = Math.min(leaves, left);
      if (leaves !== left || link + 1 >= chainLength || link + 1 >= this.filled) break;
      if (this.serials[link + 1] !== tree.serial[chain[link + 1]]) break;
      link++;
      shared = tree.base[chain[link]];
    }
    this.rewind(shared);
    // The chain up to `link` is in place, that segment up to `shared`.
    if (this.filled > link + 1) this.filled = link + 1;
    if (this.filled <= link) this.enter(chain[link]);
    for (;;) {
      this.fill(chain[link], tree.rowAt(chain[link], this.position), this.exits[link]);
      if (++link === chainLength) return;
      const at = tree.start[chain[link - 1]] + this.exits[link - 1];
      const condition = this.otherSide(at);
      this.push(condition, condition === 0);
      this.enter(chain[link]);
    }
  }

  private rewind(position: number): void {
    if (position >= this.position) return;
    this.position = position;
    this.count = this.before[position];
    this.index.truncate(this.count);
  }

  private fill(segment: SegmentId, from: number, exit: number): void {
    const { tree } = this;
    const start = tree.start[segment];
    const end = tree.decisionRow(start + exit);
    for (let at = start + from; at < end; at++) {
      const kind = tree.kind[at];
      if (kind === ROW.alternative) continue;
      this.push(tree.ref[at] as ExprRef, kind !== ROW.choose && tree.other[at] === CLOSED.infeasible);
    }
  }

  private findChain(segment: SegmentId, row: number): void {
    const { tree } = this;
    let length = 0;
    for (let s = segment; s !== NO_SEGMENT; s = tree.parent[s]) length++;
    if (length > this.chain.length) {
      this.chain = grownInts(this.chain, length);
      this.exits = grownInts(this.exits, length);
    }
    this.chainLength = length;
    let exit = row;
    for (let s = segment; s !== NO_SEGMENT; s = tree.parent[s]) {
      length--;
      this.chain[length] = s;
      this.exits[length] = exit;
      exit = tree.parentRow[s];
    }
  }
}
