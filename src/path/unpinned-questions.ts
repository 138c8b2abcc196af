// Questions without pins. A pin (a store's address, a size, what a system call was given) makes a value what it is on this run, and binds
// the rest of the path: with `t[n] = 1; if (n == 4242) fail();` the branch is infeasible on every run but one of thousands.
// So where a pin is among the reasons why something is infeasible, the question is asked once more with the path's other
// conditions and no pins. An answer is only a good guess: behind another store the program may go elsewhere. It is run like a
// seed, which predicts nothing, and what it shows joins the tree where it belongs. Nothing is lost or counted twice by it.
//
// A decision that follows from a pin has no condition on the path; without the pin it does not follow any more. So the
// conditions are taken from the tree here, not from the path as the solver sees it.
//
// The work is bounded by the questions that are asked anyway: a few are free, then one in so many.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { ConditionIndex } from "../solver/condition-index.js";
import type { Model } from "../solver/solver.js";
import type { Feasibility } from "./feasibility.js";
import type { SiteId } from "./observer.js";
import type { PathConditions } from "./path-conditions.js";
import { type ExecutionTree, NO_ROW, ROW } from "./tree.js";

const FREE_QUESTIONS = 64;
const ONE_IN = 8;
/** The same question, from places where other conditions hold: so often, or until there was an answer. */
const ASKED_AGAIN = 4;
/** Of a path longer than this the conditions are not gathered: that would take longer than running something else. */
const MOST_DECISIONS = 20_000;
const ANSWERED = ASKED_AGAIN;

export class UnpinnedQuestions {
  asked = 0;
  answered = 0;
  /** By goal and the pins that are in its way: how often it was asked. */
  private readonly known = new Map<string, number>();
  private readonly index: ConditionIndex;

  constructor(
    arena: ExprArena,
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
    private readonly feasibility: Feasibility,
  ) {
    this.index = new ConditionIndex(arena);
  }

  /** `goal` was found to be infeasible on the current path, just now and with this core: an input for it where nothing is pinned. */
  ask(goal: ExprRef, hint: Model, core: readonly number[]): Model | null {
    const { conditions, feasibility, known } = this;
    if (conditions.position > MOST_DECISIONS) return null;
    if (this.asked >= FREE_QUESTIONS + feasibility.accounts.queries / ONE_IN) return null;
    const pins = this.pinsAmong(feasibility.coreDecisions(core));
    if (pins.length === 0) return null;
    const key = `${goal} ${pins.join(" ")}`;
    const before = known.get(key) ?? 0;
    if (before >= ASKED_AGAIN) return null;
    this.asked++;
    const verdict = feasibility.askApart([...this.conditionsFor(goal), goal], hint);
    known.set(key, verdict.kind === "sat" ? ANSWERED : before + 1);
    if (verdict.kind !== "sat") return null;
    this.answered++;
    return verdict.model;
  }

  /** After the arena has moved its nodes. */
  forgetExpressions(): void {
    this.known.clear();
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
