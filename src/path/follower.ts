// A run on known ground: what it tells is compared with the execution tree, row by row. Two ways to do it:
// TOWARDS a pending path the way is known beforehand, and anything else than the predicted decision is a divergence, which
// is our bug (or a program that is not repeatable); ALONG the tree (a seed) the run may turn where it likes, takes
// pending paths it happens to meet for free, and ends on new ground or where everything has been explored.
//
// Some sides are entered without a word from the program: a check that fails ends the run or goes on with something else,
// one that passes where an earlier run failed may be about another object than the failure was, a pinned value that differs
// is told as another pin, and a run that was set aside simply goes on.
//
// Conditions are compared by reference, which is exact as long as the arena writes the same condition in the same form. It may not
// (its rewriting may depend on what it has seen, and it may have been collected in between); then the row's condition is
// evaluated on the input: a side is taken if and only if its condition holds.
//
// Invariant: towards a target, the path conditions already hold the whole prefix; along the tree they grow with each step.

import type { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import type { Model } from "../solver/solver.js";
import { NO_SITE, type SiteId } from "./observer.js";
import type { PathConditions } from "./path-conditions.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import {
  type AbsoluteRow,
  CLOSED,
  type ExecutionTree,
  FIRST_ROW,
  isSegment,
  KIND_MASK,
  NO_ROW,
  NO_SEGMENT,
  ROW,
  type RowIndex,
  type SegmentId,
  segmentOf,
  TAKEN,
} from "./tree.js";

/** What a decision on known ground led to. */
export const STEP = {
  /** As known. */
  followed: 0,
  /** This decision led to new ground; it is accounted for. */
  left: 1,
  /** New ground began before this decision; it is the first one there. */
  leftBefore: 2,
  /** Everything further has been explored before. */
  explored: 3,
  /** Not what the tree says. */
  diverged: 4,
} as const;
export type Step = (typeof STEP)[keyof typeof STEP];

export interface Divergence {
  readonly position: number;
  readonly reason: string;
  readonly expectedSite: SiteId;
  readonly site: SiteId;
}

export class Follower {
  /** Set when a step was `diverged`. */
  divergence: Divergence | null = null;
  /** Conditions that the arena wrote in another form than on the run before: harmless, but worth knowing. */
  renamed = 0;
  /** Decisions followed on this run. */
  position = 0;
  /** The pending path that turned into new ground, NO_PENDING if it was not pending. */
  reached: PendingId = NO_PENDING;

  private towards = false;
  private link = 0;
  /** The one that the run is in. */
  segment: SegmentId = NO_SEGMENT;
  /** Absolute rows: the next one, the decision at which the way leaves this segment (or its end), and the side it leaves by. */
  private cursor = NO_ROW;
  private exit = NO_ROW;
  private exitSide = NO_ROW;
  private input: Model = new Uint8Array(0);
  private isLoaded = false;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
    private readonly evaluator: Evaluator,
    /** Told just before a pending path becomes the ground of this run. */
    private readonly onTaken: (id: PendingId) => void,
    /** Told the condition of a side that was entered without a word: from here on it is known to hold. */
    private readonly onSilent: (condition: ExprRef) => void,
  ) {}

  /** Towards the place the conditions were moved to. */
  startTowards(input: Model): void {
    this.start(input);
    this.towards = true;
    this.link = -1;
    this.nextLink();
  }

  /** Along the tree from its root, which must exist. */
  startAlong(input: Model): void {
    this.start(input);
    this.towards = false;
    this.enter(this.tree.root);
  }

  private start(input: Model): void {
    this.input = input;
    this.isLoaded = false;
    this.divergence = null;
    this.position = 0;
    this.reached = NO_PENDING;
  }

  /** The row that the next decision will be compared with. */
  get row(): AbsoluteRow {
    return this.cursor;
  }

  step(site: SiteId, kind: number, holds: ExprRef): Step {
    const at = this.cursor;
    const { tree } = this;
    if (at !== this.exit && tree.ref[at] === holds && tree.site[at] === site) {
      if (!this.towards) this.follow(at, kind);
      this.advance();
      return STEP.followed;
    }
    return this.towards ? this.stepTowards(site, kind, holds) : this.stepAlong(site, holds);
  }

  /**
   * The run ended on known ground: true if it ended where it was meant to (a failing check is the end of its run), or,
   * along the tree, anywhere.
   */
  end(): boolean {
    while (this.towards && this.cursor === this.exit) {
      const kind = this.tree.kind[this.exitSide] & KIND_MASK;
      if (kind !== ROW.check && kind !== ROW.fork && kind !== ROW.failure) break;
      if (kind === ROW.failure && this.holdsHere(this.exit)) break;
      if (this.nextLink()) return true;
    }
    if (this.towards) this.diverge(NO_SITE, "the run ended before the place it was to reach");
    return !this.towards;
  }

  /** The run was cut short: true if all that was left of its way are places where runs had been set aside. */
  passSetAside(): boolean {
    while (this.towards && this.cursor === this.exit && this.tree.kind[this.exitSide] === ROW.fork) {
      if (this.nextLink()) return true;
    }
    return false;
  }

  private advance(): void {
    const { tree } = this;
    let at: number = this.cursor + 1;
    this.position++;
    if (tree.alternatives[this.segment] !== 0) {
      const end = tree.start[this.segment] + tree.length[this.segment];
      while (at < end && tree.kind[at] === ROW.alternative) at++;
    }
    this.cursor = at as AbsoluteRow;
  }

  // ---- towards a pending path

  private stepTowards(site: SiteId, kind: number, holds: ExprRef): Step {
    for (;;) {
      if (this.cursor !== this.exit) return this.sameDecision(site, holds);
      const problem = this.leaves(site, kind, holds);
      if (problem !== "") return this.diverge(site, problem);
      const silent = this.isSilent(this.exitSide, holds);
      if (silent) this.onSilent(this.conditions.otherSide(this.exitSide));
      if (this.nextLink()) return silent ? STEP.leftBefore : STEP.left;
      if (!silent) return STEP.followed;
    }
  }

  /** The predicted decision, perhaps in another form. */
  private sameDecision(site: SiteId, holds: ExprRef): Step {
    const { tree } = this;
    const at = this.cursor;
    if (tree.site[at] !== site) return this.diverge(site, "another decision than predicted");
    if (tree.ref[at] !== holds) {
      if (!this.holdsHere(at)) return this.diverge(site, "the other side of a decision than predicted");
      this.renamed++;
    }
    this.advance();
    return STEP.followed;
  }

  /** Why the decision does not leave by the side it should, or nothing. */
  private leaves(site: SiteId, kind: number, holds: ExprRef): string {
    const { tree } = this;
    const at = this.exit;
    switch (tree.kind[this.exitSide] & KIND_MASK) {
      case ROW.fork:
        return "";
      case ROW.check:
        return tree.site[at] === site && tree.ref[at] === holds ? "a check passed that was to fail" : "";
      case ROW.failure:
        return tree.ref[at] === holds || this.holdsHere(at) ? "an operation failed that was to be safe" : "";
      case ROW.pin:
        if (tree.site[at] !== site) return "another decision than the pin predicted";
        return tree.ref[at] === holds || this.holdsHere(at) ? "a value was to differ and does not" : "";
      case ROW.alternative:
        if (tree.site[at] !== site) return "another decision than the choice predicted";
        if (tree.ref[this.exitSide] === holds || this.holdsHere(this.exitSide)) return "";
        return "another side of the choice than predicted";
      default:
        if (tree.site[at] !== site) return "another decision than predicted";
        return ((tree.kind[at] ^ kind) & TAKEN) !== 0 ? "" : "the side that was to be left";
    }
  }

  /** Whether the other side of a row is entered without this decision being it. */
  private isSilent(side: AbsoluteRow, holds: ExprRef): boolean {
    const kind = this.tree.kind[side] & KIND_MASK;
    if (kind === ROW.failure) return this.conditions.otherSide(side) !== holds;
    return kind === ROW.check || kind === ROW.pin || kind === ROW.fork;
  }

  /** On to the next segment of the way; true if there is none: new ground begins. */
  private nextLink(): boolean {
    const { tree, conditions } = this;
    if (++this.link > 0) this.position++;
    if (this.link === conditions.chainLength) {
      this.beginGround(this.segment, this.exitSide);
      return true;
    }
    this.segment = conditions.chain[this.link];
    this.cursor = tree.at(this.segment, FIRST_ROW);
    this.exitSide = tree.at(this.segment, conditions.exits[this.link]);
    this.exit = tree.decisionRow(this.exitSide);
    return false;
  }

  private beginGround(segment: SegmentId, side: AbsoluteRow): void {
    const { tree, conditions } = this;
    const other = tree.other[side];
    if (other >= 0) {
      this.reached = other as PendingId;
      this.onTaken(this.reached);
    }
    const condition = conditions.otherSide(side);
    conditions.push(condition, condition === 0);
    const begun = tree.beginSegment(segment, (side - tree.start[segment]) as RowIndex, conditions.position);
    conditions.enter(begun);
  }

  // ---- along the tree

  private enter(segment: SegmentId): void {
    this.segment = segment;
    this.cursor = this.tree.at(segment, FIRST_ROW);
    this.exit = (this.cursor + this.tree.length[segment]) as AbsoluteRow;
    this.conditions.enter(segment);
  }

  /** The decision of this row is the next one of the path too. */
  private follow(at: AbsoluteRow, kind: number): void {
    const { ref, other } = this.tree;
    this.conditions.push(ref[at], kind !== ROW.choose && other[at] === CLOSED.infeasible, kind === ROW.pin);
  }

  private stepAlong(site: SiteId, holds: ExprRef): Step {
    const { tree } = this;
    for (;;) {
      const at = this.cursor;
      if (at === this.exit) return STEP.explored;
      const rowKind = tree.kind[at] & KIND_MASK;
      const told = tree.site[at] === site;
      if (told && tree.ref[at] === holds) {
        this.follow(at, rowKind);
        this.advance();
        return STEP.followed;
      }
      if (told && rowKind !== ROW.fork && this.holdsHere(at)) {
        this.renamed++;
        this.conditions.push(tree.ref[at], tree.other[at] === CLOSED.infeasible);
        this.advance();
        return STEP.followed;
      }
      const silent = this.isSilent(at, holds);
      let side = at;
      if (rowKind === ROW.choose) {
        side = told ? this.alternativeWith(holds) : NO_ROW;
        if (told && side < 0) return STEP.explored;
      } else if (!told && !this.needsNoWord(at)) side = NO_ROW;
      if (side < 0) return this.diverge(site, "another decision than in an earlier run of the same prefix");
      if (silent) this.onSilent(this.conditions.otherSide(side));
      const step = this.enterOther(site, side);
      if (step !== STEP.followed) return step === STEP.left && silent ? STEP.leftBefore : step;
      if (!silent) return STEP.followed;
    }
  }

  /** Whether a run that tells something else may be on the other side of the row. */
  private needsNoWord(at: AbsoluteRow): boolean {
    const kind = this.tree.kind[at] & KIND_MASK;
    return kind === ROW.fork || kind === ROW.check || (kind === ROW.failure && !this.holdsHere(at));
  }

  /** Enters the other side of a row: followed if a segment is there, left if this is new ground. */
  private enterOther(site: SiteId, side: AbsoluteRow): Step {
    const { tree, conditions } = this;
    const other = tree.other[side];
    this.position++;
    if (isSegment(other)) {
      const condition = conditions.otherSide(side);
      conditions.push(condition, condition === 0);
      this.enter(segmentOf(other));
      return STEP.followed;
    }
    if (other === CLOSED.explored || other === CLOSED.none) return STEP.explored;
    if (other === CLOSED.infeasible) return this.diverge(site, "a run took a side that was found infeasible");
    this.beginGround(this.segment, side);
    return STEP.left;
  }

  private alternativeWith(holds: ExprRef): AbsoluteRow {
    const { tree } = this;
    for (let at: number = this.cursor + 1; at < this.exit && tree.kind[at] === ROW.alternative; at++) {
      if (tree.ref[at] === holds || this.holdsHere(at as AbsoluteRow)) return at as AbsoluteRow;
    }
    return NO_ROW;
  }

  /** Whether the condition of a row is true on this run's input. */
  private holdsHere(at: AbsoluteRow): boolean {
    if (!this.isLoaded) this.evaluator.load(this.input);
    this.isLoaded = true;
    return this.evaluator.holds(this.tree.ref[at]);
  }

  private diverge(site: SiteId, reason: string): Step {
    const expectedSite = this.cursor < this.exit || this.towards ? this.tree.site[this.cursor] : NO_SITE;
    this.divergence = { position: this.position, reason, expectedSite, site };
    return STEP.diverged;
  }
}
