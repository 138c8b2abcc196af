// Questions without pins. A pin (a store's address, a size, what a system call was given) makes a value what it is on this run, and binds
// the rest of the path: with `t[n] = 1; if (n == 4242) fail();` the branch is infeasible on every run but one of thousands.
// So where a pin is among the reasons why something is infeasible, the question is asked once more with the path's other
// conditions and no pins. An answer is only a good guess: behind another store the program may go elsewhere. It is run like a
// seed, which predicts nothing, and what it shows joins the tree where it belongs. Nothing is lost or counted twice by it.
//
// A decision that follows from a pin has no condition on the path; without the pin it does not follow any more. So the
// conditions are taken from the tree here, not from the path as the solver sees it.
//
// The work is bounded. A branch whose other side some run has taken is asked about rarely: measured on xmlwf, where tables of
// names are written all the time, such inputs kept the search from what it had not seen. What no run has done yet is asked for
// a few times for each set of pins in its way.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { ConditionIndex } from "../solver/condition-index.js";
import type { Model } from "../solver/solver.js";
import type { Feasibility } from "./feasibility.js";
import type { SiteId } from "./observer.js";
import type { PathConditions } from "./path-conditions.js";
import { type AbsoluteRow, type ExecutionTree, KIND_MASK, NO_ROW, ROW, TAKEN } from "./tree.js";

/** Of what some run has done before: so many questions, and one in so many of all questions. */
const FREE_QUESTIONS = 16;
const ONE_IN = 256;
/** What no run has done, for the same pins: so often, or until there was an answer. */
const ASKED_AGAIN = 4;
/** Of a path longer than this the conditions are not gathered: that would take longer than running something else. */
const MOST_DECISIONS = 20_000;
/** Milliseconds that all of it may take, and the share of the whole time. */
const FREE_MS = 500;
const SHARE = 0.05;
const ANSWERED = ASKED_AGAIN;
const FALSE_SIDE = 1;
const TRUE_SIDE = 2;

/** Where a question comes from: a side of a branch, or anything else at a site, of which it is not known whether it was done. */
interface AskedPlace {
  readonly site: SiteId;
  readonly side: "true" | "false" | "other";
}

export class UnpinnedQuestions {
  asked = 0;
  /** Whether anything was pinned at all: most programs need none of this. */
  hasPins = false;
  private rarelyAsked = 0;
  /** By place and the pins that are in its way: how often it was asked. */
  private readonly known = new Map<string, number>();
  /** By site: the sides of its branch that runs have taken. */
  private sides = new Uint8Array(256);
  private readonly index: ConditionIndex;
  private readonly beganMs: number;
  private spentMs = 0;

  constructor(
    arena: ExprArena,
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
    private readonly feasibility: Feasibility,
    private readonly now: () => number,
  ) {
    this.index = new ConditionIndex(arena);
    this.beganMs = now();
  }

  /** A run takes this side of a branch. */
  taken(site: SiteId, side: boolean): void {
    if (site >= this.sides.length) this.grow(site);
    this.sides[site] |= side ? TRUE_SIDE : FALSE_SIDE;
  }

  /**
   * The other side of this row was found to be infeasible on the current path, just now and with this core: an input for it where
   * nothing is pinned.
   */
  askAt(row: AbsoluteRow, hint: Model, core: readonly number[]): Model | null {
    const { tree } = this;
    const kind = tree.kind[row];
    let side: AskedPlace["side"] = "other";
    if ((kind & KIND_MASK) === ROW.branch) side = (kind & TAKEN) === 0 ? "true" : "false";
    return this.ask({ site: tree.site[row], side }, this.conditions.otherSide(row), hint, core);
  }

  /** Whether something is infeasible with this core, just now, whatever the values of what was pinned. */
  holdsUnpinned(core: readonly number[]): boolean {
    if (!this.hasPins) return true;
    // What was pinned before is a constant by now: no core names it.
    return core.length > 0 && this.pinsAmong(this.feasibility.coreDecisions(core)).length === 0;
  }

  private ask(place: AskedPlace, goal: ExprRef, hint: Model, core: readonly number[]): Model | null {
    const { conditions, feasibility, known } = this;
    if (!this.hasPins || conditions.position > MOST_DECISIONS) return null;
    const isRare = this.wasTaken(place);
    if (isRare && this.rarelyAsked >= FREE_QUESTIONS + feasibility.accounts.queries / ONE_IN) return null;
    const pins = this.pinsAmong(feasibility.coreDecisions(core));
    if (pins.length === 0) return null;
    const key = `${place.site} ${place.side} ${pins.join(" ")}`;
    const before = known.get(key) ?? 0;
    if (before >= ASKED_AGAIN && !isRare) return null;
    const askedMs = this.now();
    if (this.spentMs > FREE_MS + SHARE * (askedMs - this.beganMs)) return null;
    this.asked++;
    if (isRare) this.rarelyAsked++;
    const verdict = feasibility.askApart([...this.conditionsFor(goal), goal], hint);
    this.spentMs += this.now() - askedMs;
    known.set(key, verdict.kind === "sat" ? ANSWERED : before + 1);
    return verdict.kind === "sat" ? verdict.model : null;
  }

  private wasTaken({ site, side }: AskedPlace): boolean {
    if (side === "other" || site < 0 || site >= this.sides.length) return false;
    return (this.sides[site] & (side === "true" ? TRUE_SIDE : FALSE_SIDE)) !== 0;
  }

  private grow(site: number): void {
    const grown = new Uint8Array(Math.max(site + 1, 2 * this.sides.length));
    grown.set(this.sides);
    this.sides = grown;
  }

  /** After the arena has moved its nodes. */
  forgetExpressions(): void {
    this.index.clear();
  }

  /** The sites of the pins among these decisions, each once. */
  private pinsAmong(decisions: readonly number[]): SiteId[] {
    const { tree } = this;
    const sites = new Set<SiteId>();
    for (const decision of decisions) {
      const row = this.conditions.rowOf(decision);
      if (row !== NO_ROW && tree.kind[row] === ROW.pin) sites.add(tree.site[row]);
    }
    return [...sites].sort((a, b) => a - b);
  }

  /** What holds on the path and shares input bytes with the goal, pins left out. */
  private conditionsFor(goal: ExprRef): ExprRef[] {
    const { tree, index } = this;
    index.clear();
    this.conditions.walk((row, isLeft) => {
      if (isLeft) {
        const other = this.conditions.otherSide(row);
        if (other !== 0) index.append(other);
      } else if (tree.kind[row] !== ROW.pin && tree.ref[row] !== 0) index.append(tree.ref[row]);
    });
    return index.slice(index.length, goal).constraints;
  }
}
