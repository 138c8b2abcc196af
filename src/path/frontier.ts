// A run on new ground: each decision becomes a row of the execution tree, and what the run did not do becomes pending. Whether
// the solver is asked on the spot is the whole difference between the two modes of exploration: `pending` asks nothing
// (Pending Constraints, Algorithm 2), `eager` asks for every other side as KLEE does, so that both sides of a fork are
// states and the searcher says which goes on. Departure: we have no states in memory; a run that is not to go on is
// stopped, and continued later by running its input again.
//
// Checks are asked at once by default even in pending mode (the paper, "Error checks"); `relaxed` makes the failing side
// pending, `off` forgets it. In each case the path goes on under the condition that the operation is safe.

import type { ExprRef } from "../expr/ops.js";
import type { Model } from "../solver/solver.js";
import { CheckPatience } from "./check-patience.js";
import type { Feasibility } from "./feasibility.js";
import { grownIds, idColumn } from "./id-column.js";
import type { Negations } from "./negations.js";
import type { CheckKind, SiteId } from "./observer.js";
import type { PathConditions } from "./path-conditions.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import { RunStopped } from "./run-stopped.js";
import { CLOSED, type ExecutionTree, ROW, type RowIndex, TAKEN } from "./tree.js";
import type { UnpinnedQuestions } from "./unpinned-questions.js";

export const EXPLORATION_MODES = ["pending", "eager"] as const;
export type ExplorationMode = (typeof EXPLORATION_MODES)[number];

export const CHECK_POLICIES = ["eager", "relaxed", "off"] as const;
export type CheckPolicy = (typeof CHECK_POLICIES)[number];

/** For one block of a joined branch, from different places, or until there is an input. */
const SIDE_QUESTIONS = 4;
/** The time of the first, and what each further one has more: the run waits for them, and the next run may come to an easier one. */
const SIDE_FIRST_MS = 50;
const SIDE_GROWTH = 4;

export interface FrontierOptions {
  readonly mode: ExplorationMode;
  /** One policy, or one for each check. */
  readonly checks: CheckPolicy | ((site: SiteId, kind: CheckKind) => CheckPolicy);
  /** Decisions on one path. */
  readonly maxDepth: number;
  /** Somebody wants to know of every infeasible side why it is: all are asked for. */
  readonly explains?: boolean;
  /** Of all time, for checks that are asked at once; without it all are, whatever it takes (check-patience.ts). */
  readonly checkShare?: number;
  /** In milliseconds: what a question may take at first; a check that takes longer is left pending. */
  readonly questionMs?: number;
}

/** What the engine does with what the frontier brings. */
export interface FrontierHost {
  /** An input is known to get there: to be run before anything else is asked. */
  ready(id: PendingId, origin: "check" | "assumption"): void;
  /** Eager mode: a new state. */
  add(id: PendingId): void;
  /** Eager mode: which state is to go on. */
  choose(): PendingId;
  /** No path is predicted for this input; it is to be run like a seed. */
  guessed(input: Model): void;
  /** The question at a check is left out, because its site has shown its finding often enough. */
  isExhausted(site: SiteId): boolean;
  /** Some run has entered this block of the coverage table. */
  isCovered(block: number): boolean;
}

/** Where decisions on new ground go. Those with a row return its offset. */
export interface NewGround {
  /** A decision of two sides: a branch, a pin, or an operation that fails, which is the end of the run. */
  two(site: SiteId, kind: number, holds: ExprRef): RowIndex;
  choose(site: SiteId, holds: ExprRef, others: readonly ExprRef[]): RowIndex;
  check(site: SiteId, kind: CheckKind, bad: ExprRef, holds: ExprRef): RowIndex;
  assumed(site: SiteId, kind: number, holds: ExprRef): void;
  /** The input violates an assumption: the path ends. Whether every input of the path does, whatever is pinned on it. */
  violated(site: SiteId, kind: number, holds: ExprRef, assumption: ExprRef): boolean;
}

export class Frontier implements NewGround {
  /** Pending mode: the paths that became pending on this run, shallowest first. */
  fresh = idColumn<PendingId>(64);
  freshCount = 0;
  /** Eager mode: the state that the searcher chose instead of this run. */
  chosen: PendingId = NO_PENDING;
  /** Decisions that this run may have before it is set aside; not more than a path may have. */
  allowedDepth = Number.POSITIVE_INFINITY;
  checksAsked = 0;
  checksSkipped = 0;
  /** Nobody wanted to know of them: a path that fails there is not looked for. */
  checksOff = 0;
  assumptionsInfeasible = 0;
  /** Of what `prove` refuted last: no pin was among the reasons. */
  private isRefutedUnpinned = false;
  private input: Model = new Uint8Array(0);
  /** By block of a joined branch: how often an input for it was asked for. */
  private readonly sidesAsked = new Map<number, number>();
  private readonly eager: boolean;
  readonly patience: CheckPatience;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
    private readonly negations: Negations,
    private readonly feasibility: Feasibility,
    private readonly unpinned: UnpinnedQuestions,
    private readonly host: FrontierHost,
    private readonly options: FrontierOptions,
  ) {
    this.eager = options.mode === "eager";
    const { checkShare = Number.POSITIVE_INFINITY, questionMs } = options;
    this.patience = new CheckPatience(checkShare, feasibility.now, questionMs);
  }

  start(input: Model): void {
    this.input = input;
    this.freshCount = 0;
    this.chosen = NO_PENDING;
  }

  two(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    const isEnd = kind === (ROW.failure | TAKEN);
    if (!isEnd) this.checkDepth();
    if (this.isDecided(holds)) return this.addDecided(site, kind, holds);
    const row = this.tree.addRow(site, kind, holds, CLOSED.none);
    if (!this.eager) {
      this.remember(this.tree.addPending(row, this.conditions.position));
      this.conditions.push(holds, false, kind === ROW.pin);
      return row;
    }
    const other = this.ask(row, this.negations.of(holds));
    const implied = this.tree.other[this.tree.at(this.tree.recording, row)] === CLOSED.infeasible;
    this.conditions.push(holds, implied, kind === ROW.pin);
    if (other !== NO_PENDING && !isEnd) this.fork(site);
    return row;
  }

  choose(site: SiteId, holds: ExprRef, others: readonly ExprRef[]): RowIndex {
    this.checkDepth();
    const { tree } = this;
    const choice = tree.addRow(site, ROW.choose, holds, CLOSED.none);
    const depth = this.conditions.position;
    let forks = false;
    for (const other of others) {
      if (this.isDecided(other)) {
        tree.addRow(site, ROW.alternative, other, CLOSED.infeasible);
        continue;
      }
      const row = tree.addRow(site, ROW.alternative, other, CLOSED.none);
      if (!this.eager) this.remember(tree.addPending(row, depth));
      else if (this.ask(row, other) !== NO_PENDING) forks = true;
    }
    this.conditions.push(holds, false);
    if (forks) this.fork(site);
    return choice;
  }

  check(site: SiteId, kind: CheckKind, bad: ExprRef, holds: ExprRef): RowIndex {
    const { checks } = this.options;
    let policy = typeof checks === "string" ? checks : checks(site, kind);
    if (policy === "off") this.checksOff++;
    else if (this.host.isExhausted(site)) {
      this.checksSkipped++;
      policy = "off";
    }
    if (policy !== "off" && this.isDecided(holds)) {
      this.checksAsked++;
      return this.addDecided(site, ROW.check, holds);
    }
    const { accounts } = this.feasibility;
    if (policy === "eager" && this.patience.isOver(site)) {
      accounts.checksPutOff++;
      policy = "relaxed";
    }
    const row = this.tree.addRow(site, ROW.check, holds, CLOSED.none);
    let implied = false;
    if (policy === "eager") {
      this.checksAsked++;
      const beforeMs = accounts.timeMs;
      const answer = this.prove(row, bad, "check", this.patience.mostMs);
      implied = answer === "refuted";
      this.patience.asked(site, implied, accounts.timeMs - beforeMs);
      if (answer === "late") {
        accounts.checksPutOff++;
        policy = "relaxed";
      }
    }
    if (policy === "relaxed") {
      const id = this.tree.addPending(row, this.conditions.position);
      if (this.eager) this.host.add(id);
      else this.remember(id);
    }
    this.conditions.push(holds, implied);
    return row;
  }

  /** Nothing becomes pending, since the path goes on in one way; an input that enters the block is run like a seed. */
  side(block: number, condition: ExprRef): void {
    if (this.host.isCovered(block)) return;
    const asked = this.sidesAsked.get(block) ?? 0;
    if (asked >= SIDE_QUESTIONS) return;
    const verdict = this.feasibility.ask(condition, this.input, SIDE_FIRST_MS * SIDE_GROWTH ** asked);
    this.sidesAsked.set(block, verdict.kind === "sat" ? SIDE_QUESTIONS : asked + 1);
    if (verdict.kind === "sat") this.host.guessed(verdict.model);
  }

  assumed(site: SiteId, kind: number, holds: ExprRef): void {
    this.tree.addRow(site, kind, holds, CLOSED.none);
    this.conditions.push(holds, false);
  }

  /** An input that satisfies the assumption is looked for. */
  violated(site: SiteId, kind: number, holds: ExprRef, assumption: ExprRef): boolean {
    const row = this.tree.addRow(site, kind, holds, CLOSED.none);
    this.isRefutedUnpinned = false;
    if (this.prove(row, assumption, "assumption") === "refuted") this.assumptionsInfeasible++;
    return this.isRefutedUnpinned;
  }

  /** Asks for an input that gets to the other side of a row, to be run at once. Late: more time might tell, and nothing is decided. */
  private prove(
    row: RowIndex,
    other: ExprRef,
    origin: "check" | "assumption",
    mostMs = Number.POSITIVE_INFINITY,
  ): "refuted" | "open" | "late" {
    const verdict = this.feasibility.ask(other, this.input, mostMs);
    if (verdict.kind === "sat") {
      const id = this.tree.addPending(row, this.conditions.position);
      this.tree.setModel(id, verdict.model);
      this.tree.pending.selectable[id] = 0;
      this.host.ready(id, origin);
      return "open";
    }
    if (verdict.kind === "unknown" && verdict.reason === "time" && mostMs !== Number.POSITIVE_INFINITY) return "late";
    this.tree.markClosed(row, verdict.kind === "unsat" ? CLOSED.infeasible : CLOSED.unknown);
    if (verdict.kind !== "unsat") return "open";
    this.isRefutedUnpinned = this.unpinned.holdsUnpinned(verdict.core);
    this.askUnpinned(row, verdict.core);
    return "refuted";
  }

  private askUnpinned(row: RowIndex, core: readonly number[]): void {
    const { tree } = this;
    const input = this.unpinned.askAt(tree.at(tree.recording, row), this.input, core);
    if (input !== null) this.host.guessed(input);
  }

  /** Eager mode: is the other side feasible? Then it is a state. */
  private ask(row: RowIndex, other: ExprRef): PendingId {
    const verdict = this.feasibility.ask(other, this.input);
    if (verdict.kind !== "sat") {
      this.tree.markClosed(row, verdict.kind === "unsat" ? CLOSED.infeasible : CLOSED.unknown);
      if (verdict.kind === "unsat") this.askUnpinned(row, verdict.core);
      return NO_PENDING;
    }
    const id = this.tree.addPending(row, this.conditions.position);
    this.tree.setModel(id, verdict.model);
    this.host.add(id);
    return id;
  }

  /** Eager mode: this run is a state like any other; it goes on only if the searcher says so. */
  private fork(site: SiteId): void {
    const { tree, host } = this;
    const row = tree.addRow(site, ROW.fork, 0 as ExprRef, CLOSED.none);
    const own = tree.addPending(row, this.conditions.position);
    host.add(own);
    const chosen = host.choose();
    if (chosen === own) {
      tree.takeBackRow();
      return;
    }
    this.chosen = chosen;
    throw new RunStopped("set-aside");
  }

  /** Whether the path has left this decision no other side. */
  private isDecided(holds: ExprRef): boolean {
    return this.options.explains !== true && this.conditions.decide(holds);
  }

  private addDecided(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    const row = this.tree.addRow(site, kind, holds, CLOSED.infeasible);
    this.conditions.push(holds, true);
    return row;
  }

  private remember(id: PendingId): void {
    if (this.freshCount >= this.fresh.length) this.fresh = grownIds(this.fresh, 0);
    this.fresh[this.freshCount++] = id;
  }

  private checkDepth(): void {
    const { position } = this.conditions;
    if (position < this.allowedDepth && position < this.options.maxDepth) return;
    throw new RunStopped(position >= this.options.maxDepth ? "depth" : "long");
  }
}
