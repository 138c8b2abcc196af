// The execution tree. Not a node with pointers per decision: a run that leaves known ground appends one contiguous
// SEGMENT of rows, a row per decision, and names where it left (a row of its parent segment). A row is 13 bytes: the site, the
// condition that holds along the segment, its kind, and what became of the other side. Collecting a prefix is a scan of
// contiguous memory, the side that was run needs no pointer at all, and a path of a million decisions is 13 MB.
//
// A choice among many is one row for the side taken followed by one "alternative" row per other side.
//
// Folding: a row whose other side is closed is kept only because deeper rows need its condition. So a segment is cut after its last
// open row, and freed, closing its place in the parent, when nothing is open in it. What is left is proportional to what
// is pending, not to what was explored. Rows freed in the middle are recovered by moving all segments together.
//
// Invariant: between runs, every segment's last row is open (pending, or a segment branches off).

import type { ExprRef } from "../expr/ops.js";
import type { Model } from "../solver/solver.js";
import type { Random } from "../support/random.js";
import { grownBytes, grownDoubles, grownInts } from "./growth.js";
import { grownIds, type IdColumn, idColumn } from "./id-column.js";
import { ModelStore, NO_MODEL } from "./model-store.js";
import type { SiteId } from "./observer.js";
import { NO_PENDING, type PendingId, PendingTable } from "./pending-table.js";

export type SegmentId = number & { readonly brand: "SegmentId" };
export const NO_SEGMENT = -1 as SegmentId;
/** A row by its place in its segment; that does not change when segments move. */
export type RowIndex = number & { readonly brand: "RowIndex" };
export const FIRST_ROW = 0 as RowIndex;
/** A row by its place among the rows of all segments: an index of the tree's columns, until rows move. */
export type AbsoluteRow = number & { readonly brand: "AbsoluteRow" };
export const NO_ROW = -1 as AbsoluteRow;

/** What a row stands for. */
export const ROW = {
  /** Two sides: the condition, and its negation. */
  branch: 0,
  /** The side taken of a choice among many; its alternatives follow. */
  choose: 1,
  /** Another side of the choice before it; the condition is that side's own. */
  alternative: 2,
  /** The condition says the operation is safe; the other side is the failure itself, so no decision is told on it. */
  check: 3,
  /** A value made concrete; the other side is every other value. */
  pin: 4,
  /** No other side, unless the first run here violated the assumption: then the other side is the one that satisfies it. */
  assume: 5,
  /** An operation that failed on the first run here; the other side is where it is safe, and the path goes on. */
  failure: 7,
  /** A run that was set aside here; the "other side" is its continuation. No decision is told for it. */
  fork: 6,
} as const;
export type RowKind = (typeof ROW)[keyof typeof ROW];
/** Set in a branch's kind if the condition as the program wrote it is true along the segment. */
export const TAKEN = 0x80;
/** What is left of a row's kind without it. */
export const KIND_MASK = 0x7f;

/** Whether the program goes different ways from here: at branches, choices and pins, not at checks and assumptions. */
export function isBranching(kind: number): boolean {
  const row = kind & KIND_MASK;
  return row === ROW.branch || row === ROW.choose || row === ROW.pin;
}

/** What became of the other side, if it is not open. */
export const CLOSED = {
  none: -1,
  infeasible: -2,
  unknown: -3,
  explored: -4,
  dropped: -5,
  diverged: -6,
} as const;
export type ClosedState = (typeof CLOSED)[keyof typeof CLOSED];
/** In words, with the open ones: nothing asked yet, and known to be feasible but not run. */
export type OtherSide = keyof typeof CLOSED | "open" | "feasible";
const CLOSED_NAMES: OtherSide[] = [];
for (const name of Object.keys(CLOSED) as (keyof typeof CLOSED)[]) CLOSED_NAMES[-CLOSED[name]] = name;
/** The other side of a row: a pending id (0 and up), a closed state, or (from here down) a segment. */
const FIRST_SEGMENT = -16;

function isOpen(other: number): boolean {
  return other >= 0 || other <= FIRST_SEGMENT;
}
export function segmentOf(other: number): SegmentId {
  return (FIRST_SEGMENT - other) as SegmentId;
}
export function isSegment(other: number): boolean {
  return other <= FIRST_SEGMENT;
}

const ROW_BYTES = 13;
const SEGMENT_BYTES = 60;
/** Recover the memory of freed rows when there are this many, and more than half of all. */
const COMPACT_ROWS = 1 << 15;

export class ExecutionTree {
  readonly pending = new PendingTable();
  readonly models = new ModelStore();

  /** Rows of all segments. */
  site = idColumn<SiteId>(1024);
  ref = idColumn<ExprRef>(1024);
  other = new Int32Array(1024);
  kind = new Uint8Array(1024);
  private top = 0;
  private dead = 0;

  /** Segments: first row, rows, where it branches off, decisions before its first row, open rows, the run's input. */
  start = new Int32Array(64);
  length = new Int32Array(64);
  parent = idColumn<SegmentId>(64);
  parentRow = idColumn<RowIndex>(64);
  base = new Int32Array(64);
  model = new Int32Array(64);
  /** Segments above it. */
  level = new Int32Array(64);
  /** Rows that are alternatives of a choice. */
  alternatives = new Int32Array(64);
  /** Of the whole run that recorded it: as far as is known, whoever branches off needs no more to get there. */
  instructions = new Float64Array(64);
  decisions = new Int32Array(64);
  /** Never recycled, unlike the id. */
  serial = new Int32Array(64);
  private open = new Int32Array(64);
  /** Neighbours in the order of `start`, for moving together. */
  private before = idColumn<SegmentId>(64);
  private after = idColumn<SegmentId>(64);
  private firstSegment: SegmentId = NO_SEGMENT;
  private lastSegment: SegmentId = NO_SEGMENT;
  private segmentEnd = 0;
  private freeSegment: SegmentId = NO_SEGMENT;
  private serials = 0;
  private liveSegments = 0;

  /** The segment that is being recorded. */
  recording: SegmentId = NO_SEGMENT;
  private rootId: SegmentId = NO_SEGMENT;
  private rootDone = false;
  /** How often an other side was closed for each reason, by the negated state. */
  private readonly closedCounts = new Float64Array(8);
  private randomBits = 0;
  private randomLeft = 0;

  get root(): SegmentId {
    return this.rootId;
  }
  /** True when everything below the root has been explored or given up. */
  get finished(): boolean {
    return this.rootDone;
  }
  get rows(): number {
    return this.top - this.dead;
  }
  get segments(): number {
    return this.liveSegments;
  }
  closed(state: ClosedState): number {
    return this.closedCounts[-state];
  }
  get bytesInUse(): number {
    return ROW_BYTES * this.rows + SEGMENT_BYTES * this.liveSegments + this.pending.bytesInUse + this.models.bytesInUse;
  }
  get bytes(): number {
    return ROW_BYTES * this.site.length + SEGMENT_BYTES * this.start.length + this.pending.bytes + this.models.bytes;
  }

  /** Forgets that everything was explored; only for a tree in which nothing is left. */
  startOver(): void {
    this.rootDone = false;
  }

  // ---- recording

  /**
   * Opens the segment of a run that takes the other side of a row (or, without one, is the first run of all). The pending
   * path there, if any, becomes the segment.
   */
  beginSegment(parent: SegmentId, row: RowIndex, base: number): SegmentId {
    const id = this.newSegment();
    this.parent[id] = parent;
    this.parentRow[id] = row;
    this.base[id] = base;
    this.level[id] = parent === NO_SEGMENT ? 0 : this.level[parent] + 1;
    this.model[id] = NO_MODEL;
    this.instructions[id] = 0;
    this.decisions[id] = base;
    this.open[id] = 0;
    this.alternatives[id] = 0;
    this.start[id] = this.top;
    this.length[id] = 0;
    if (parent === NO_SEGMENT) {
      this.rootId = id;
      this.rootDone = false;
    } else {
      const at = this.at(parent, row);
      const other = this.other[at];
      if (other >= 0) this.forget(other as PendingId);
      else if (!isOpen(other)) this.open[parent]++;
      this.other[at] = FIRST_SEGMENT - id;
    }
    this.recording = id;
    return id;
  }

  /** Adds a row to the segment being recorded, its other side closed; returns its offset. */
  addRow(site: SiteId, kind: number, ref: ExprRef, other: ClosedState): RowIndex {
    const at = this.top++;
    if (at >= this.site.length) this.growRows();
    this.site[at] = site;
    this.ref[at] = ref;
    this.kind[at] = kind;
    this.other[at] = other;
    if (kind === ROW.alternative) this.alternatives[this.recording]++;
    return this.length[this.recording]++ as RowIndex;
  }

  /** Opens the other side of a row of the segment being recorded. */
  addPending(row: RowIndex, depth: number): PendingId {
    const segment = this.recording;
    const id = this.pending.add(segment, row, depth);
    this.other[this.start[segment] + row] = id;
    this.open[segment]++;
    return id;
  }

  /** Takes back the last row, which must be a pending one: the run goes on where it was about to be set aside. */
  takeBackRow(): void {
    const segment = this.recording;
    const id = this.other[--this.top] as PendingId;
    this.length[segment]--;
    this.open[segment]--;
    this.forget(id);
  }

  /** The run ended, after so many instructions and decisions. Its input is kept if anything is open in its segment. */
  endSegment(input: Model, instructions: number, decisions: number): void {
    const id = this.recording;
    this.instructions[id] = instructions;
    this.decisions[id] = decisions;
    this.recording = NO_SEGMENT;
    this.trim(id);
    if (this.open[id] === 0) this.freeUpwards(id);
    else {
      const parent = this.parent[id];
      this.model[id] = this.models.add(input, parent === NO_SEGMENT ? NO_MODEL : this.model[parent]);
    }
    if (this.dead > COMPACT_ROWS && this.dead * 2 > this.top) this.compact();
  }

  /** All segments, in the order in which they were recorded: parents before what branches off them. */
  segmentsInOrder(): SegmentId[] {
    const ids: SegmentId[] = [];
    for (let id = this.firstSegment; id !== NO_SEGMENT; id = this.after[id]) ids.push(id);
    return ids;
  }

  // ---- pending paths

  /** Closes a pending path without a run. */
  close(id: PendingId, state: ClosedState): void {
    const segment = this.pending.segment[id];
    const row = this.pending.row[id];
    this.forget(id);
    this.closeRow(segment, row, state);
  }

  /** Closes the other side of a row of the segment being recorded, before it was ever pending. */
  markClosed(row: RowIndex, state: ClosedState): void {
    this.other[this.start[this.recording] + row] = state;
    this.closedCounts[-state]++;
  }

  /** Attaches an input that is known to go there. */
  setModel(id: PendingId, model: Model): void {
    if (this.pending.model[id] !== NO_MODEL) this.models.remove(this.pending.model[id]);
    // Kept as the difference to the input of the run that saw the branch, which outlives it (none while that run still goes on).
    this.pending.model[id] = this.models.add(model, this.model[this.pending.segment[id]]);
  }

  /** The input known to go there, or else that of the run that saw the branch. */
  hint(id: PendingId): Model {
    const own = this.pending.model[id];
    return this.models.read(own !== NO_MODEL ? own : this.model[this.pending.segment[id]]);
  }

  siteOf(id: PendingId): SiteId {
    return this.site[this.decisionRow(this.rowOf(id))];
  }

  /** A row of a segment among all rows. */
  at(segment: SegmentId, row: RowIndex): AbsoluteRow {
    return (this.start[segment] + row) as AbsoluteRow;
  }

  /** The row whose other side is pending. */
  rowOf(id: PendingId): AbsoluteRow {
    return (this.start[this.pending.segment[id]] + this.pending.row[id]) as AbsoluteRow;
  }

  /** Of an alternative of a choice the row of the choice, of any other row itself. */
  decisionRow(row: AbsoluteRow): AbsoluteRow {
    let at = row;
    while (this.kind[at] === ROW.alternative) at = (at - 1) as AbsoluteRow;
    return at;
  }

  kindOf(id: PendingId): RowKind {
    return (this.kind[this.rowOf(id)] & KIND_MASK) as RowKind;
  }

  /** The row of the segment that holds the decision with this number of decisions before it. */
  rowAt(segment: SegmentId, depth: number): RowIndex {
    let row = depth - this.base[segment];
    if (this.alternatives[segment] === 0) return row as RowIndex;
    const start = this.start[segment];
    let left = row;
    for (row = 0; ; row++) {
      if (this.kind[start + row] === ROW.alternative) continue;
      if (left-- === 0) return row as RowIndex;
    }
  }

  /** What is known of the other side of a row (as a listener is told). Of a choice, of each of its alternatives. */
  knowledge(row: AbsoluteRow): OtherSide {
    const other = this.other[row];
    if (isSegment(other)) return "explored";
    if (other >= 0) return this.pending.model[other] !== NO_MODEL ? "feasible" : "open";
    return CLOSED_NAMES[-other];
  }

  /** The pending path on the other side of a row (absolute), NO_PENDING if there is none. */
  pendingAt(row: AbsoluteRow): PendingId {
    return this.other[row] >= 0 ? (this.other[row] as PendingId) : NO_PENDING;
  }

  /** Which side of its site a pending path is: of a branch 1 if the condition is true on it, of a choice the position among the others. */
  sideOf(id: PendingId): number {
    const kind = this.kind[this.rowOf(id)];
    if ((kind & KIND_MASK) === ROW.branch) return (kind & TAKEN) === 0 ? 1 : 0;
    return this.alternativeOf(id);
  }

  /** Position among the other sides of its decision. */
  alternativeOf(id: PendingId): number {
    let at: number = this.rowOf(id);
    let index = -1;
    while (this.kind[at] === ROW.alternative) {
      at--;
      index++;
    }
    return Math.max(index, 0);
  }

  /**
   * Walks from the root, at each decision choosing evenly among the sides that still have something pending. May end at a
   * path that cannot be chosen just now (it is being run): NO_PENDING then.
   */
  randomWalk(random: Random): PendingId {
    let segment = this.rootId;
    if (segment === NO_SEGMENT) return NO_PENDING;
    for (;;) {
      const end = this.start[segment] + this.length[segment];
      let at = this.start[segment];
      let entered: SegmentId = NO_SEGMENT;
      while (at < end) {
        if (this.kind[at] === ROW.choose) {
          const chosen = this.chooseAlternative(at, end, random);
          if (chosen < 0) {
            at = -chosen;
            continue;
          }
          at = chosen;
        } else if (!isOpen(this.other[at]) || (at + 1 < end && this.coin(random) === 0)) {
          at++;
          continue;
        }
        const other = this.other[at];
        if (other >= 0) return this.pending.selectable[other] === 1 ? (other as PendingId) : NO_PENDING;
        entered = segmentOf(other);
        break;
      }
      if (entered === NO_SEGMENT) return NO_PENDING;
      segment = entered;
    }
  }

  /** The row of the alternative chosen, or minus the first row after the choice if its own side was. */
  private chooseAlternative(choice: number, end: number, random: Random): number {
    let open = 0;
    let at = choice + 1;
    for (; at < end && this.kind[at] === ROW.alternative; at++) if (isOpen(this.other[at])) open++;
    const sides = open + (at < end ? 1 : 0);
    let pick = sides === 0 ? 0 : random.next() % sides;
    if (pick >= open) return -at;
    for (let row = choice + 1; ; row++) if (isOpen(this.other[row]) && pick-- === 0) return row;
  }

  private coin(random: Random): number {
    if (this.randomLeft === 0) {
      this.randomBits = random.next();
      this.randomLeft = 32;
    }
    const bit = this.randomBits & 1;
    this.randomBits >>>= 1;
    this.randomLeft--;
    return bit;
  }

  // ---- expressions

  /** Every condition that a live row holds; the same one may be there many times. */
  conditions(): Int32Array {
    const all = new Int32Array(this.rows);
    let length = 0;
    for (let id = this.firstSegment; id !== NO_SEGMENT; id = this.after[id]) {
      all.set(this.ref.subarray(this.start[id], this.start[id] + this.length[id]), length);
      length += this.length[id];
    }
    return all.subarray(0, length);
  }

  /** After the arena has moved its nodes: `moved` gives the new place of each condition. */
  replaceConditions(moved: Int32Array): void {
    for (let id = this.firstSegment; id !== NO_SEGMENT; id = this.after[id]) {
      const end = this.start[id] + this.length[id];
      for (let at = this.start[id]; at < end; at++) this.ref[at] = moved[this.ref[at]] as ExprRef;
    }
  }

  // ---- folding

  private forget(id: PendingId): void {
    const model = this.pending.model[id];
    if (model !== NO_MODEL) this.models.remove(model);
    this.pending.remove(id);
  }

  private closeRow(segment: SegmentId, row: RowIndex, state: ClosedState): void {
    this.other[this.start[segment] + row] = state;
    this.closedCounts[-state]++;
    this.open[segment]--;
    if (segment === this.recording) return;
    if (this.open[segment] === 0) this.freeUpwards(segment);
    else if (row === this.length[segment] - 1) this.trim(segment);
  }

  /** Frees a segment in which nothing is open, and every ancestor to which that also happens. */
  private freeUpwards(first: SegmentId): void {
    let id = first;
    for (;;) {
      const parent = this.parent[id];
      const row = this.parentRow[id];
      this.removeSegment(id);
      if (parent === NO_SEGMENT) {
        this.rootId = NO_SEGMENT;
        this.rootDone = true;
        return;
      }
      this.other[this.start[parent] + row] = CLOSED.explored;
      this.closedCounts[-CLOSED.explored]++;
      this.open[parent]--;
      if (parent === this.recording) return;
      if (this.open[parent] > 0) {
        if (row === this.length[parent] - 1) this.trim(parent);
        return;
      }
      id = parent;
    }
  }

  private trim(id: SegmentId): void {
    const start = this.start[id];
    let length = this.length[id];
    const old = length;
    while (length > 0 && !isOpen(this.other[start + length - 1])) length--;
    if (length === old) return;
    this.length[id] = length;
    if (id === this.lastSegment) this.top = start + length;
    else this.dead += old - length;
  }

  private removeSegment(id: SegmentId): void {
    if (this.model[id] !== NO_MODEL) this.models.remove(this.model[id]);
    const before = this.before[id];
    const after = this.after[id];
    if (before === NO_SEGMENT) this.firstSegment = after;
    else this.after[before] = after;
    if (after === NO_SEGMENT) {
      this.lastSegment = before;
      // What lay between the one before and this one was dead already.
      const end = before === NO_SEGMENT ? 0 : this.start[before] + this.length[before];
      this.dead -= this.start[id] - end;
      this.top = end;
    } else {
      this.before[after] = before;
      this.dead += this.length[id];
    }
    this.serial[id] = -1;
    this.parent[id] = this.freeSegment;
    this.freeSegment = id;
    this.liveSegments--;
  }

  private newSegment(): SegmentId {
    let id = this.freeSegment;
    if (id === NO_SEGMENT) {
      id = this.segmentEnd++ as SegmentId;
      if (id >= this.start.length) this.growSegments(id + 1);
    } else this.freeSegment = this.parent[id];
    this.serial[id] = this.serials++;
    this.before[id] = this.lastSegment;
    this.after[id] = NO_SEGMENT;
    if (this.lastSegment === NO_SEGMENT) this.firstSegment = id;
    else this.after[this.lastSegment] = id;
    this.lastSegment = id;
    this.liveSegments++;
    return id;
  }

  /** Moves all rows together and gives back memory that a burst had taken. Not while a segment is being recorded. */
  compact(): void {
    let top = 0;
    for (let id = this.firstSegment; id !== NO_SEGMENT; id = this.after[id]) {
      const from = this.start[id];
      const end = from + this.length[id];
      if (from !== top) {
        this.site.copyWithin(top, from, end);
        this.ref.copyWithin(top, from, end);
        this.other.copyWithin(top, from, end);
        this.kind.copyWithin(top, from, end);
        this.start[id] = top;
      }
      top += end - from;
    }
    this.top = top;
    this.dead = 0;
    if (this.site.length > 4 * top + 1024) {
      const size = 2 * top + 1024;
      this.site = this.site.slice(0, size) as IdColumn<SiteId>;
      this.ref = this.ref.slice(0, size) as IdColumn<ExprRef>;
      this.other = this.other.slice(0, size);
      this.kind = this.kind.slice(0, size);
    }
  }

  private growRows(): void {
    this.site = grownIds(this.site, 0);
    this.ref = grownIds(this.ref, 0);
    this.other = grownInts(this.other, 0);
    this.kind = grownBytes(this.kind, 0);
  }

  private growSegments(size: number): void {
    this.start = grownInts(this.start, size);
    this.length = grownInts(this.length, size);
    this.parent = grownIds(this.parent, size);
    this.parentRow = grownIds(this.parentRow, size);
    this.base = grownInts(this.base, size);
    this.model = grownInts(this.model, size);
    this.level = grownInts(this.level, size);
    this.alternatives = grownInts(this.alternatives, size);
    this.instructions = grownDoubles(this.instructions, size);
    this.decisions = grownInts(this.decisions, size);
    this.serial = grownInts(this.serial, size);
    this.open = grownInts(this.open, size);
    this.before = grownIds(this.before, size);
    this.after = grownIds(this.after, size);
  }
}
