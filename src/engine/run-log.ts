// The decisions of one run, in order, as they are told, and its blocks. Decisions are kept as numbers while the run goes on,
// because there may be a million of them, and made into records when somebody looks. Rows of the tree move and vanish after
// a run, so a decision is kept by its segment's serial number and its place in the segment.

import { grownBytes, grownInts } from "../path/growth.js";
import { grownIds, idColumn } from "../path/id-column.js";
import type { SiteId } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { DecisionListener, Recorder } from "../path/recorder.js";
import {
  type AbsoluteRow,
  type ExecutionTree,
  KIND_MASK,
  NO_ROW,
  NO_SEGMENT,
  type OtherSide,
  ROW,
  type RowIndex,
  type SegmentId,
  TAKEN,
} from "../path/tree.js";
import type { Executor } from "./executor.js";

const KINDS = {
  [ROW.branch]: "branch",
  [ROW.choose]: "choice",
  [ROW.check]: "check",
  [ROW.pin]: "pin",
  [ROW.assume]: "assumption",
  [ROW.failure]: "failure",
} as const;
export type DecisionKind = (typeof KINDS)[keyof typeof KINDS];

/** One decision of a run. */
export interface Decision {
  readonly site: SiteId;
  readonly kind: DecisionKind;
  /** Of a branch: whether its condition is true on this run, as the program wrote it. */
  readonly taken: boolean;
  /** Decisions before it on the path. */
  readonly position: number;
  /** Its condition held already on the path, because of earlier decisions: there is no other side. */
  readonly isImplied: boolean;
  /** The pending paths of the other sides, of a choice in its order; none if they are closed, explored or there are none. */
  readonly pending: readonly PendingId[];
  /** What is known of the other side (of a choice, of the first one); null: the tree keeps nothing of it any more. */
  readonly other: OtherSide | null;
}

export class RunLog implements DecisionListener {
  /** Taken when the run ends: a finding is run again before its event is seen. */
  blocks: readonly number[] = [];
  private count = 0;
  private sites = idColumn<SiteId>(64);
  private kinds = new Uint8Array(64);
  private positions = new Int32Array(64);
  private segments = idColumn<SegmentId>(64);
  private serials = new Int32Array(64);
  private offsets = idColumn<RowIndex>(64);
  private implied = new Uint8Array(64);

  constructor(
    private readonly tree: ExecutionTree,
    private readonly recorder: Recorder,
    private readonly executor: Pick<Executor, "blocksOfRun">,
  ) {}

  begin(): void {
    this.count = 0;
  }
  end(): void {
    this.blocks = this.executor.blocksOfRun();
  }

  decision(site: SiteId, kind: number, _holds: unknown, position: number, row: AbsoluteRow): void {
    const at = this.count++;
    if (at >= this.sites.length) this.grow();
    const segment = this.recorder.toldSegment;
    const hasRow = segment !== NO_SEGMENT;
    this.sites[at] = site;
    this.kinds[at] = kind;
    this.positions[at] = position;
    this.segments[at] = segment;
    this.serials[at] = hasRow ? this.tree.serial[segment] : 0;
    this.offsets[at] = (hasRow ? row - this.tree.start[segment] : 0) as RowIndex;
    this.implied[at] = this.recorder.isTellingImplied ? 1 : 0;
  }

  /** As things are now. */
  decisions(): readonly Decision[] {
    return Array.from({ length: this.count }, (_, at) => this.at(at));
  }

  private at(index: number): Decision {
    const { tree } = this;
    const code = this.kinds[index] & KIND_MASK;
    const row = this.rowOf(index);
    const pending: PendingId[] = [];
    let other: OtherSide | null = null;
    if (row !== NO_ROW) {
      const segment = this.segments[index];
      const end = tree.start[segment] + tree.length[segment];
      const isChoice = code === ROW.choose;
      let side = (isChoice ? row + 1 : row) as AbsoluteRow;
      other = side < end ? tree.knowledge(side) : null;
      do {
        const id = side < end ? tree.pendingAt(side) : NO_PENDING;
        if (id !== NO_PENDING) pending.push(id);
        side++;
      } while (isChoice && side < end && tree.kind[side] === ROW.alternative);
    }
    return {
      site: this.sites[index],
      kind: KINDS[code as keyof typeof KINDS],
      taken: (this.kinds[index] & TAKEN) !== 0,
      position: this.positions[index],
      isImplied: this.implied[index] !== 0,
      pending,
      other,
    };
  }

  /** Where the row is now; NO_ROW if it is no more. */
  private rowOf(index: number): AbsoluteRow {
    const segment = this.segments[index];
    if (segment === NO_SEGMENT || this.tree.serial[segment] !== this.serials[index]) return NO_ROW;
    const offset = this.offsets[index];
    return offset < this.tree.length[segment] ? this.tree.at(segment, offset) : NO_ROW;
  }

  private grow(): void {
    this.sites = grownIds(this.sites, 0);
    this.kinds = grownBytes(this.kinds, 0);
    this.positions = grownInts(this.positions, 0);
    this.segments = grownIds(this.segments, 0);
    this.serials = grownInts(this.serials, 0);
    this.offsets = grownIds(this.offsets, 0);
    this.implied = grownBytes(this.implied, 0);
  }
}
