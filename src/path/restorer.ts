// Rebuilds one segment of a saved execution tree: the input of its run is run again, and each decision gets back the row it
// had, with the other side as it was saved. Nothing is asked and nothing new is explored; the run is stopped as soon
// as the last saved row is in place. No expression is ever saved: running again makes them.
//
// Invariant: the rows come in the order in which they were recorded, because a run is repeatable. The sites are hashed,
// so that a program that has changed in between is noticed and not misread.

import type { ExprRef } from "../expr/ops.js";
import type { Model } from "../solver/solver.js";
import type { NewGround } from "./frontier.js";
import { type CheckKind, NO_SITE, type SiteId } from "./observer.js";
import type { PathConditions } from "./path-conditions.js";
import type { PendingId } from "./pending-table.js";
import { RunStopped } from "./run-stopped.js";
import {
  CLOSED,
  type ClosedState,
  type ExecutionTree,
  isSegment,
  NO_SEGMENT,
  ROW,
  type RowIndex,
  type SegmentId,
} from "./tree.js";

/** What is saved of a row's other side: a closed state negated, or one of these. */
const SAVED = {
  pending: 16,
  /** Pending, and an input is known. */
  feasible: 17,
  /** A segment branches off; it is saved on its own. */
  segment: 18,
  /** Eager mode: the searcher preferred another path here. */
  fork: 19,
  forkSegment: 20,
  /** The run was cut short here, after its last decision, and set aside. */
  cut: 21,
  cutSegment: 22,
} as const;

export interface SavedSegment {
  /** Position of the parent among the saved segments, -1 for the root; the row there. */
  readonly parent: number;
  readonly parentRow: RowIndex;
  readonly input: Model;
  /** One byte a row. */
  readonly rows: Uint8Array;
  /** Of the feasible ones, in order. */
  readonly inputs: readonly Model[];
  readonly sitesHash: number;
  /** Of the whole run, which is not run to its end again. */
  readonly instructions: number;
  readonly decisions: number;
}

function hashSite(hash: number, site: SiteId): number {
  return Math.imul(hash ^ site, 0x0100_0193) ^ (hash >>> 15);
}

/** What is to be saved of a segment, but for the place of its parent. */
export function saveSegment(tree: ExecutionTree, segment: SegmentId): Omit<SavedSegment, "parent" | "parentRow"> {
  const start = tree.start[segment];
  const rows = new Uint8Array(tree.length[segment]);
  const inputs: Model[] = [];
  let sitesHash = 0;
  for (let row = 0; row < rows.length; row++) {
    const other = tree.other[start + row];
    const isFork = tree.kind[start + row] === ROW.fork;
    if (!isFork) sitesHash = hashSite(sitesHash, tree.site[start + row]);
    const isCut = isFork && tree.site[start + row] === NO_SITE;
    if (isSegment(other)) rows[row] = isCut ? SAVED.cutSegment : isFork ? SAVED.forkSegment : SAVED.segment;
    else if (other < 0) rows[row] = -other;
    else if (tree.pending.model[other] >= 0) {
      rows[row] = SAVED.feasible;
      inputs.push(tree.models.read(tree.pending.model[other]));
    } else rows[row] = isCut ? SAVED.cut : isFork ? SAVED.fork : SAVED.pending;
  }
  const instructions = tree.instructions[segment];
  const decisions = tree.decisions[segment];
  return { input: tree.models.read(tree.model[segment]), rows, inputs, sitesHash, instructions, decisions };
}

export class Restorer implements NewGround {
  /** Pending paths that are back, in order of their rows, and those that stand for a segment yet to come. */
  readonly restored: PendingId[] = [];
  readonly awaited: PendingId[] = [];
  private saved: SavedSegment | null = null;
  private next = 0;
  private nextInput = 0;
  private hash = 0;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
  ) {}

  start(saved: SavedSegment): void {
    this.saved = saved;
    this.restored.length = 0;
    this.awaited.length = 0;
    this.next = 0;
    this.nextInput = 0;
    this.hash = 0;
  }

  /** Whether everything saved is in place and the sites are the same. */
  get isComplete(): boolean {
    return this.saved !== null && this.next === this.saved.rows.length && this.hash === this.saved.sitesHash;
  }

  two(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    const row = this.addRow(site, kind, holds);
    this.push(row, holds);
    this.finishDecision(site);
    return row;
  }

  choose(site: SiteId, holds: ExprRef, others: readonly ExprRef[]): RowIndex {
    const choice = this.addRow(site, ROW.choose, holds);
    for (const other of others) if (!this.isDone()) this.addRow(site, ROW.alternative, other);
    this.conditions.push(holds, false);
    this.finishDecision(site);
    return choice;
  }

  check(site: SiteId, _kind: CheckKind, _bad: ExprRef, holds: ExprRef): RowIndex {
    return this.two(site, ROW.check, holds);
  }

  assumed(site: SiteId, kind: number, holds: ExprRef): void {
    this.two(site, kind, holds);
  }

  violated(site: SiteId, kind: number, holds: ExprRef, _assumption: ExprRef): boolean {
    this.two(site, kind, holds);
    return false;
  }

  private isDone(): boolean {
    return this.saved === null || this.next >= this.saved.rows.length;
  }

  private addRow(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    if (this.saved === null || this.isDone()) throw new RunStopped("restored");
    const { tree } = this;
    if (kind !== ROW.fork) this.stopWhereSetAside();
    const code = this.saved.rows[this.next++];
    if (kind !== ROW.fork) this.hash = hashSite(this.hash, site);
    if (code < SAVED.pending) return tree.addRow(site, kind, holds, -code as ClosedState);
    const isCut = code === SAVED.cut || code === SAVED.cutSegment;
    const row = tree.addRow(isCut ? NO_SITE : site, kind, holds, CLOSED.none);
    const id = tree.addPending(row, this.conditions.position);
    if (code === SAVED.feasible) tree.setModel(id, this.saved.inputs[this.nextInput++]);
    if (code === SAVED.segment || code === SAVED.forkSegment || code === SAVED.cutSegment) {
      // Until the segment is there no searcher may have it.
      tree.pending.selectable[id] = 0;
      this.awaited.push(id);
    } else this.restored.push(id);
    return row;
  }

  /** The run is over. One that had been cut short after its last decision is to be set aside there again. */
  runEnded(): void {
    if (this.saved === null || this.isDone() || this.tree.recording === NO_SEGMENT || !this.isSetAsideNext()) return;
    this.addRow(NO_SITE, ROW.fork, 0 as ExprRef);
  }

  private isSetAsideNext(): boolean {
    const code = this.saved?.rows[this.next];
    return code !== undefined && code >= SAVED.fork;
  }

  /** A run that was cut short before its first decision on new ground. */
  private stopWhereSetAside(): void {
    if (!this.isSetAsideNext()) return;
    this.addRow(NO_SITE, ROW.fork, 0 as ExprRef);
    throw new RunStopped("restored");
  }

  private push(row: RowIndex, holds: ExprRef): void {
    const at = this.tree.at(this.tree.recording, row);
    this.conditions.push(holds, this.tree.other[at] === CLOSED.infeasible);
  }

  /** A run that was set aside has one more row, of which the program says nothing. */
  private finishDecision(site: SiteId): void {
    if (this.saved === null) return;
    if (!this.isDone() && this.isSetAsideNext()) this.addRow(site, ROW.fork, 0 as ExprRef);
    if (this.isDone()) throw new RunStopped("restored");
  }
}
