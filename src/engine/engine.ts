// The engine: known inputs first, then one pending path after another, until nothing is left or a limit is reached (Pending
// Constraints, Algorithm 2). A step of the loop is one run of the program or one question to the solver.
//
//   known inputs   seeds, witnesses of failing checks, inputs that satisfy a violated assumption: run without a question
//   pending paths  the searcher chooses; prefix and other side are solved starting from the parent's input; the answer is run
//
// In eager mode the frontier has asked already: what the searcher chooses comes with its input, and a run goes on only as
// long as the searcher prefers it. Departure from KLEE: a state is not kept in memory but reached again by running its input;
// instructions spent on that are counted apart.
//
// Everything ambient (clock, randomness, memory in use) is an option. The loop yields events; see events.ts.

import { goneOf } from "../concolic/losses.js";
import type { Divergence } from "../path/follower.js";
import type { CheckPolicy } from "../path/frontier.js";
import { NO_MODEL } from "../path/model-store.js";
import type { SiteId } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { Recorder, type RecorderHost } from "../path/recorder.js";
import { CLOSED, ExecutionTree, ROW } from "../path/tree.js";
import { searcherFor } from "../search/registry.js";
import type { Searcher } from "../search/searcher.js";
import { ConditionIndex } from "../solver/condition-index.js";
import type { Model, Verdict } from "../solver/solver.js";
import { Random } from "../support/random.js";
import type { DoneReason, EngineEvent, RunOrigin } from "./events.js";
import type { DetectedFinding, Executor, RunOutcome } from "./executor.js";
import { ExpressionCollector } from "./expression-collector.js";
import { type FailedWitness, FindingLedger, QUIET, type SecondRun } from "./finding-ledger.js";
import { HardQuestions } from "./hard-questions.js";
import { InputTries } from "./input-tries.js";
import { LongRuns } from "./long-runs.js";
import { MemoryPolicy } from "./memory-policy.js";
import { type BranchPlace, defaultOptions, type EngineLimits, type EngineOptions, NO_LIMITS } from "./options.js";
import { isCut, LimitsOfRuns } from "./run-limits.js";
import { type Seed, SeedQueue } from "./seed-queue.js";
import { SmallerWitness } from "./smaller-witness.js";
import { addAll, Counters, CoverageCurve, type EngineStatistics, statisticsOf } from "./statistics.js";
import { placesOf } from "./unsat-core.js";
import { Wishes } from "./wishes.js";

/** An input to run, and the pending path it is to follow (NO_PENDING: none, it is a seed). */
interface Start extends Omit<Seed, "needed">, Partial<Pick<Seed, "needed">> {
  readonly id: PendingId;
}

/** Each is a bug of ours: they are few, or there is something wrong that running them to their ends does not mend. */
const MOST_DIVERGED_RUNS = 64;

type SmallerInput = (() => Model | null) | null;

export class Engine implements RecorderHost {
  readonly tree = new ExecutionTree();
  readonly recorder: Recorder;
  readonly searcher: Searcher;
  /** Around the searcher, if runs are set aside. */
  private readonly longRuns: LongRuns | null;
  /** Around that, if questions are put off. */
  private readonly hardQuestions: HardQuestions | null;
  readonly counters = new Counters();
  readonly curve = new CoverageCurve();
  readonly ledger: FindingLedger;
  readonly options: EngineOptions;
  readonly limits: EngineLimits;
  /** Pending paths whose input is known, to be run before anything is asked. */
  readonly readyQueue: PendingId[] = [];
  readonly readyOrigins = new Map<PendingId, "check" | "assumption">();
  readonly seeds: SeedQueue;
  private readonly events: EngineEvent[] = [];
  private readonly runLimits: LimitsOfRuns;
  private readonly memory: MemoryPolicy;
  private readonly witnesses: SmallerWitness;
  private readonly wishes: Wishes;
  private readonly tries: InputTries | null;
  readonly expressions: ExpressionCollector;
  private readonly explains: boolean;
  /** Pending paths to be taken before the searcher is asked. */
  private readonly pursued: PendingId[] = [];
  private isGuess = false;
  /** Eager mode: what the searcher chose instead of the run before. */
  private chosen: PendingId = NO_PENDING;
  private startedMs: number;
  /** Spent on this exploration in processes before this one. */
  earlierMs = 0;
  private lastAnsweredMs = 0;

  constructor(
    readonly executor: Executor,
    options: Partial<EngineOptions> & Pick<EngineOptions, "solver">,
  ) {
    const first = executor.firstInput === undefined ? [] : [executor.firstInput];
    const seeds = (options.seeds ?? []).length > 0 ? (options.seeds ?? []) : first;
    this.options = { ...defaultOptions(options.solver), ...options, seeds };
    this.limits = { ...NO_LIMITS, ...this.options.limits };
    const { mode, checks, solver, now, listeners, abort } = this.options;
    this.runLimits = new LimitsOfRuns(this.limits, abort, () => this.timeMs);
    const index = new ConditionIndex(executor.arena);
    const parts = { arena: executor.arena, tree: this.tree, index, solver, now };
    this.explains = listeners.some((listener) => listener.infeasible !== undefined);
    const policy = typeof checks === "string" ? (): CheckPolicy => checks : checks;
    this.recorder = new Recorder(parts, this, {
      mode,
      checks: (site, kind) => this.policyNow(policy(site, kind)),
      maxDepth: this.limits.depth,
      explains: this.explains,
      checkShare: this.options.checkShare,
      questionMs: this.options.firstQuestionMs,
    });
    for (const { decision } of listeners) if (decision !== undefined) this.recorder.listeners.push({ decision });
    const { searcher: wanted, random, distance, weight, inputMaker, setAsideAfter, firstQuestionMs } = this.options;
    const searcher = searcherFor(wanted, { tree: this.tree, random, distance, weight });
    this.longRuns =
      setAsideAfter === Number.POSITIVE_INFINITY ? null : new LongRuns(searcher, this.tree, setAsideAfter, now);
    const ordered = this.longRuns ?? searcher;
    this.hardQuestions =
      firstQuestionMs === Number.POSITIVE_INFINITY ? null : new HardQuestions(ordered, this.tree, now, firstQuestionMs);
    this.searcher = this.hardQuestions ?? ordered;
    this.ledger = new FindingLedger(this.options.witnessesPerSite);
    this.memory = new MemoryPolicy(this);
    this.witnesses = new SmallerWitness(executor.arena, now);
    this.wishes = new Wishes(executor, this.recorder.feasibility, this.runLimits);
    this.tries = inputMaker === null ? null : new InputTries(executor, inputMaker, new Random(random.next()));
    this.expressions = new ExpressionCollector(this, this.options.expressionBytes);
    this.seeds = new SeedQueue(this.options.seeds);
    if (this.seeds.isEmpty) this.addSeed(new Uint8Array(0));
    this.startedMs = now();
  }

  /** One run may have more checks than there is time for; those of an input that was only guessed can wait, like its branches. */
  private policyNow(policy: CheckPolicy): CheckPolicy {
    if (this.runLimits.isOverdue) return "off";
    return this.isGuess && policy === "eager" ? "relaxed" : policy;
  }

  *explore(): Generator<EngineEvent, EngineStatistics> {
    this.startedMs = this.options.now();
    this.recorder.feasibility.endsMs = this.startedMs + this.limits.timeMs - this.earlierMs;
    for (;;) {
      const done = this.doneReason();
      if (done !== null) {
        yield { kind: "done", reason: done, complete: this.isComplete(done) };
        return this.statistics();
      }
      if (this.expressions.areDue()) this.expressions.collect();
      if (this.memory.isShort()) this.events.push(this.memory.trim());
      const start = this.knownStart();
      if (start !== null) this.run(start);
      else if (!this.tryOne()) {
        const revived = this.revive(this.takePending());
        if (revived !== null) this.run(revived);
      }
      for (let i = 0; i < this.events.length; i++) yield this.events[i];
      this.events.length = 0;
    }
  }

  // ---- what to do next

  private doneReason(): DoneReason | null {
    const { limits, counters } = this;
    if (this.options.abort.aborted) return "aborted";
    if (this.options.stopAtFirstFinding && counters.findings > 0) return "first-finding";
    if (counters.paths >= limits.paths) return "paths";
    if (limits.timeMs !== Number.POSITIVE_INFINITY && this.recentTimeMs() >= limits.timeMs) return "time";
    if (this.recorder.feasibility.accounts.timeMs >= limits.solverTimeMs) return "solver-time";
    if (this.memory.isHopeless) return "memory";
    const known = !this.seeds.isEmpty || this.readyQueue.length > 0 || this.chosen !== NO_PENDING;
    return known || this.pursued.length > 0 || this.searcher.size > 0 ? null : "exhausted";
  }

  private isComplete(reason: DoneReason): boolean {
    const { unknown, dropped, divergences, depthLimited, ends, losses } = this.counters;
    const cut = (ends.limit ?? 0) + (ends.unsupported ?? 0) + depthLimited + this.recorder.frontier.checksSkipped;
    const given =
      this.recorder.frontier.checksOff + unknown + dropped + divergences + cut + this.tree.closed(CLOSED.unknown);
    return reason === "exhausted" && given === 0 && goneOf(losses).length === 0;
  }

  private knownStart(): Start | null {
    const start = this.nextKnown();
    if (this.chosen !== NO_PENDING && (start !== null || this.pursued.length > 0)) {
      // Known inputs, and what is pursued, go before what the searcher chose; it will choose again.
      this.tree.pending.selectable[this.chosen] = 1;
      this.searcher.add(this.chosen);
      this.chosen = NO_PENDING;
    }
    return start;
  }

  private nextKnown(): Start | null {
    const seed = this.seeds.take();
    if (seed !== null) return { id: NO_PENDING, ...seed };
    const id = this.readyQueue.shift();
    if (id === undefined) return null;
    const origin = this.readyOrigins.get(id) === "check" ? "witness" : "assumption";
    return { id, input: this.tree.hint(id), origin };
  }

  private takePending(): PendingId {
    const pursued = this.pursued.shift();
    if (pursued !== undefined) return pursued;
    const id = this.chosen !== NO_PENDING ? this.chosen : this.searcher.take();
    this.chosen = NO_PENDING;
    if (id !== NO_PENDING) this.tree.pending.selectable[id] = 0;
    return id;
  }

  /**
   * This pending path is taken next, after known inputs, whatever the searcher prefers. False if it cannot be: it is not pending
   * any more, or an input for it waits already.
   */
  pursue(id: PendingId): boolean {
    const { pending } = this.tree;
    if (id === NO_PENDING || !pending.isLive(id) || pending.selectable[id] === 0) return false;
    this.searcher.remove(id);
    pending.selectable[id] = 0;
    this.pursued.push(id);
    return true;
  }

  /** An input for a pending path, or null if there is none (or none was found). */
  private revive(id: PendingId): Start | null {
    if (id === NO_PENDING) return null;
    const { tree } = this;
    if (tree.kindOf(id) === ROW.fork) return { id, input: tree.hint(id), origin: "set-aside" };
    if (tree.pending.model[id] !== NO_MODEL) return { id, input: tree.hint(id), origin: "revived" };
    const input = this.answerFor(id);
    if (input === null) return null;
    this.counters.revived++;
    this.events.push({ kind: "revived", pending: id, site: tree.siteOf(id) });
    return { id, input, origin: "revived" };
  }

  /** Of a pending path that nobody holds. If there is no input it is given up, put off, or pending as before. */
  answerFor(id: PendingId): Model | null {
    const verdict = this.solve(id, this.hardQuestions?.begin(id));
    if (verdict.kind === "sat") return verdict.model;
    if (verdict.kind === "unknown" && this.runLimits.isOverdue) this.takeBack(id);
    else if (this.hardQuestions?.putOff(id, verdict) !== true) {
      if (verdict.kind === "unsat") this.askUnpinned(id, verdict.core);
      this.giveUp(id, verdict);
    }
    return null;
  }

  /** Asks for an input that follows a pending path. */
  solve(id: PendingId, mostMs = Number.POSITIVE_INFINITY): Verdict {
    const { tree, recorder } = this;
    recorder.conditions.moveTo(tree.pending.segment[id], tree.pending.row[id], tree.pending.depth[id]);
    const goal = recorder.conditions.otherSide(tree.rowOf(id));
    const verdict = recorder.feasibility.ask(goal, tree.hint(id), mostMs);
    if (this.explains && verdict.kind === "unsat") this.explain(id, verdict.core);
    return verdict;
  }

  /** After `solve`: perhaps only what was made concrete on this path is in the way. */
  private askUnpinned(id: PendingId, core: readonly number[]): void {
    const { tree, recorder } = this;
    const input = recorder.unpinned.askAt(tree.rowOf(id), tree.hint(id), core);
    if (input !== null) this.addSeed(input, "guessed", tree.instructions[tree.pending.segment[id]]);
  }

  /** Closes a pending path to which no input is known. */
  giveUp(id: PendingId, verdict: Exclude<Verdict, { kind: "sat" }> | { kind: "unknown"; reason: "run-limit" }): void {
    const { tree, counters } = this;
    const site = tree.siteOf(id);
    const depth = tree.pending.depth[id];
    if (verdict.kind === "unsat") {
      counters.infeasible++;
      this.events.push({ kind: "infeasible", pending: id, site, depth });
      tree.close(id, CLOSED.infeasible);
    } else {
      counters.unknown++;
      this.events.push({ kind: "unknown", pending: id, site, depth, reason: verdict.reason });
      tree.close(id, CLOSED.unknown);
    }
  }

  private explain(id: PendingId, core: readonly number[]): void {
    const places = this.corePlaces(id, core);
    const goal = places.pop();
    if (goal === undefined) return;
    for (const { infeasible } of this.options.listeners) infeasible?.(goal, places);
  }

  /** The decisions of the last verdict's core, and last the pending path's own. */
  private corePlaces(id: PendingId, core: readonly number[]): BranchPlace[] {
    const decisions = this.recorder.feasibility.coreDecisions(core);
    return placesOf(this.tree, id, [...decisions, this.tree.pending.depth[id]]);
  }

  /** The earlier decisions that make a pending path infeasible; null if it is not, or that is not known. The path stays pending. */
  whyInfeasible(id: PendingId): readonly BranchPlace[] | null {
    const verdict = this.solve(id);
    return verdict.kind === "unsat" ? this.corePlaces(id, verdict.core).slice(0, -1) : null;
  }

  // ---- running

  /** Tries out an edited input, if it is time for one. One that shows something new is run again, like a seed. */
  private tryOne(): boolean {
    const { tries, counters } = this;
    if (tries === null || counters.coveredBlocks >= this.executor.coverage.length) return false;
    const allowance = (): number => this.longRuns?.begin(NO_PENDING, 0) ?? Number.POSITIVE_INFINITY;
    const tried = tries.tryOne(this, () => this.runLimits.begin(allowance()));
    if (tried === null) return false;
    const { end, newBlocks, instructions } = tried.outcome;
    counters.tried++;
    counters.instructionsRerun += instructions;
    if (newBlocks.length > 0) {
      this.coverageGrew(tried.outcome, tried.input);
      this.events.push({ kind: "run-finished", ...tried, origin: "tried", depth: 0, isPath: false });
    } else if (end.kind !== "finding" || !this.ledger.isOpen(end.finding)) return true;
    this.addSeed(tried.input, "tried", instructions);
    return true;
  }

  private run({ id, input, origin, needed = 0 }: Start): void {
    const { recorder, counters, tree } = this;
    const target = id === NO_PENDING ? null : { site: tree.siteOf(id), depth: tree.pending.depth[id] };
    this.isGuess = origin === "guessed" || origin === "tried";
    if (id === NO_PENDING) recorder.startSeed(input);
    else recorder.startTowards(id, input);
    const allowance = this.longRuns?.begin(id, needed) ?? Number.POSITIVE_INFINITY;
    const limits = this.runLimits.begin(allowance, origin === "revived");
    recorder.frontier.allowedDepth = this.longRuns?.decisions ?? Number.POSITIVE_INFINITY;
    const outcome = this.executor.run(input, recorder, limits);
    const wasCut = isCut(outcome.end);
    if (wasCut) recorder.cutShort();
    const goesOn = wasCut && this.runLimits.isToGoOn(outcome.end);
    if (goesOn && recorder.isOnNewGround) this.searcher.add(recorder.setAside());
    const divergence = recorder.finish(input, wasCut);
    const isNew = recorder.isOnNewGround;
    counters.runs++;
    counters.origins[origin] = (counters.origins[origin] ?? 0) + 1;
    const known = isNew ? recorder.instructionsOnKnownGround : outcome.instructions;
    counters.instructionsRerun += known;
    counters.instructions += outcome.instructions - known;
    this.addFresh();
    addAll(counters.losses, outcome.losses);
    if (outcome.newBlocks.length > 0) this.coverageGrew(outcome, input);
    if (divergence !== null) {
      this.events.push({ kind: "run-finished", input, outcome, origin, depth: divergence.position, isPath: false });
      this.diverged(id, input, divergence, outcome);
      return;
    }
    if (wasCut && !isNew) {
      if (id !== NO_PENDING) this.notReached(id, input, goesOn);
      // Set aside on known ground, it is where another run was set aside: nothing is lost.
      else if (goesOn && !this.runLimits.isSetAside(outcome.end)) this.addSeed(input, origin, needed);
    }
    const isPath = isNew && this.countEnd(outcome, goesOn);
    const depth = isNew ? recorder.conditions.position : recorder.follower.position;
    const shown = isPath ? this.wishes.grantedFor(input) : input;
    this.events.push({ kind: "run-finished", input: shown, outcome, origin, depth, isPath });
    if (outcome.end.kind === "stopped" && outcome.end.reason === "set-aside") this.chosen = recorder.frontier.chosen;
    this.considerPassed(outcome, input, depth);
    const isFirst = this.considerFinding(outcome, input, depth, isPath ? () => this.smaller(shown) : null);
    if (target !== null && origin === "witness") this.judgeWitness(target, outcome, input, depth, isFirst);
  }

  /** A run was cut short before it reached its pending path, which stays pending, or is given up if it would be so again. */
  private notReached(id: PendingId, input: Model, goesOn: boolean): void {
    const { tree } = this;
    if (!goesOn) {
      this.giveUp(id, { kind: "unknown", reason: "run-limit" });
      return;
    }
    // Another input on the same path may take longer than the one that saw it.
    const segment = tree.pending.segment[id];
    tree.instructions[segment] = Math.max(tree.instructions[segment], 2 * this.executor.instructionsSoFar());
    if (tree.kindOf(id) !== ROW.fork && tree.pending.model[id] === NO_MODEL) tree.setModel(id, input);
    if (this.readyOrigins.has(id)) {
      this.readyQueue.unshift(id);
      return;
    }
    this.takeBack(id);
  }

  /** It stays pending: there was no time for it. */
  private takeBack(id: PendingId): void {
    this.tree.pending.selectable[id] = 1;
    this.searcher.add(id);
  }

  /** Whether the run was a path to its end. */
  private countEnd(outcome: RunOutcome, goesOn: boolean): boolean {
    const { counters } = this;
    const { end } = outcome;
    if (goesOn) {
      counters.setAside++;
      return false;
    }
    if (end.kind === "stopped") {
      if (end.reason === "depth") counters.depthLimited++;
      else if (end.reason === "assumption" || end.reason === "contradiction") counters.assumptionsViolated++;
      else if (end.reason === "set-aside") counters.setAside++;
      return false;
    }
    if (end.kind === "exit") this.longRuns?.pathEnded(outcome.instructions, this.recorder.conditions.position);
    counters.ends[end.kind] = (counters.ends[end.kind] ?? 0) + 1;
    counters.paths++;
    return true;
  }

  private addFresh(): void {
    const { fresh, freshCount } = this.recorder.frontier;
    for (let i = 0; i < freshCount; i++) this.searcher.add(fresh[i]);
  }

  private coverageGrew({ newBlocks }: RunOutcome, input: Model): void {
    const { counters } = this;
    this.tries?.covered(input);
    counters.coveredBlocks += newBlocks.length;
    this.searcher.coverageGrew?.();
    this.events.push({ kind: "coverage-grew", blocks: newBlocks, covered: counters.coveredBlocks });
    const { timeMs } = this;
    const { coveredBlocks: blocks, instructions, paths } = counters;
    this.curve.add({ timeMs, blocks, instructions, paths });
  }

  private diverged(id: PendingId, input: Model, divergence: Divergence, outcome: RunOutcome): void {
    this.counters.divergences++;
    this.events.push({ kind: "divergence", divergence, input, objects: outcome.objects });
    // Unless the run reached its target, which is then a segment, the path is given up.
    if (id !== NO_PENDING && this.tree.pending.isLive(id)) this.tree.close(id, CLOSED.diverged);
    // Wrongly predicted, but truly run: if it fails, that is a finding like any other.
    const end = this.endOfDiverged(input, outcome);
    if (end !== null) this.considerFinding(end, input, divergence.position, null);
  }

  /** A run that was stopped where it diverged is run to its end, unobserved, as long as there are few of them. */
  private endOfDiverged(input: Model, outcome: RunOutcome): RunOutcome | null {
    if (outcome.end.kind !== "stopped") return outcome;
    if (this.counters.divergences > MOST_DIVERGED_RUNS) return null;
    const whole = this.executor.run(input, QUIET, this.runLimits.begin(Number.POSITIVE_INFINITY));
    this.counters.instructionsRerun += whole.instructions;
    if (whole.newBlocks.length > 0) this.coverageGrew(whole, input);
    return whole;
  }

  /** The same path with fewer changes; null if there is no such. */
  private smaller(input: Model): Model | null {
    const { conditions } = this.recorder;
    const wishes = (this.executor.preferences ?? []).filter((wish) => this.witnesses.isTrue(wish, input));
    const smaller = this.witnesses.of(input, [...conditions.list(), ...wishes], this.options.seeds);
    return smaller === input ? null : smaller;
  }

  /**
   * True if this run ended in a finding that was not known, and it was confirmed. `smaller` gives another input for the same
   * path, which is shown instead if it fails in the same way.
   */
  private considerFinding(outcome: RunOutcome, input: Model, depth: number, smaller: SmallerInput): boolean {
    const { end, objects } = outcome;
    if (end.kind !== "finding") return false;
    const { finding } = end;
    if (!this.ledger.isOpen(finding)) {
      this.counters.findingsRepeated++;
      return false;
    }
    this.events.push({ kind: "finding-candidate", finding, input });
    const secondRun = (witness: Model): SecondRun =>
      this.ledger.confirm(this.executor, witness, finding, this.runLimits.ofConfirmation());
    // What is left of the time is for the input at hand.
    const small = this.runLimits.isOverdue ? null : (smaller?.() ?? null);
    const shown = small !== null && secondRun(small) === "again" ? small : null;
    const again = shown === null ? secondRun(input) : "again";
    if (again !== "again") return this.notAgain(again, { finding, input, objects });
    this.isConfirmed({ finding, input, smaller: shown, outcome, depth });
    return true;
  }

  private isConfirmed(confirmed: Omit<Extract<EngineEvent, { kind: "finding-confirmed" }>, "kind">): void {
    this.ledger.reported(confirmed.finding);
    this.counters.findings++;
    this.events.push({ kind: "finding-confirmed", ...confirmed });
  }

  private notAgain(why: Exclude<SecondRun, "again">, witness: FailedWitness): false {
    if (why === "otherwise") this.counters.findingsNotReproduced++;
    this.events.push(this.ledger.notAgain(why, witness));
    return false;
  }

  /** Findings that did not end the run: each is reported once, if a second run comes by there too. */
  private considerPassed(outcome: RunOutcome, input: Model, depth: number): void {
    const fresh = (outcome.passed ?? []).filter((finding) => this.ledger.isOpen(finding));
    if (fresh.length === 0) return;
    const again = this.ledger.passedAgain(this.executor, input, this.runLimits.ofConfirmation());
    for (const finding of fresh) {
      this.events.push({ kind: "finding-candidate", finding, input });
      const second = again(finding);
      if (second !== "again") this.notAgain(second, { finding, input, objects: outcome.objects });
      else this.isConfirmed({ finding, input, smaller: null, outcome, depth });
    }
  }

  /** Whoever was told of a finding did not believe it after all: another witness of it is wanted. */
  withdraw(finding: DetectedFinding): void {
    this.ledger.withdraw(finding);
    this.counters.findings--;
  }

  /** A witness must fail at its check: no further decision, and if the finding names a site, that one. */
  private judgeWitness(
    target: { readonly site: SiteId; readonly depth: number },
    { end }: RunOutcome,
    input: Model,
    depth: number,
    isFirst: boolean,
  ): void {
    const failed = end.kind === "finding" && depth === target.depth + 1;
    const isThere = failed && (end.finding.site === null || end.finding.site === target.site);
    this.recorder.frontier.patience.witnessed(target.site, isThere);
    if (isThere) return this.ledger.witnessed(target.site, isFirst);
    this.counters.witnessesMissed++;
    this.events.push({ kind: "witness-missed", site: target.site, input });
  }

  // ---- the recorder's host

  ready(id: PendingId, origin: "check" | "assumption"): void {
    this.readyQueue.push(id);
    this.readyOrigins.set(id, origin);
  }

  add(id: PendingId): void {
    this.searcher.add(id);
  }

  choose(): PendingId {
    const id = this.searcher.take();
    this.tree.pending.selectable[id] = 0;
    return id;
  }

  taken(id: PendingId): void {
    if (this.isWaiting(id)) this.searcher.remove(id);
    for (const queue of [this.readyQueue, this.pursued]) {
      const place = queue.indexOf(id);
      if (place >= 0) queue.splice(place, 1);
    }
    this.readyOrigins.delete(id);
  }

  /** Whether the searcher holds it. */
  isWaiting(id: PendingId): boolean {
    const { pending } = this.tree;
    if (!pending.isLive(id)) return false;
    return pending.selectable[id] === 1 || this.longRuns?.holds(id) === true || this.hardQuestions?.holds(id) === true;
  }

  guessed(input: Model): void {
    this.addSeed(input, "guessed", this.executor.instructionsSoFar());
  }

  isCovered(block: number): boolean {
    return this.executor.coverage[block] !== 0;
  }

  isExhausted(site: SiteId): boolean {
    return this.ledger.isExhausted(site);
  }

  instructionsSoFar(): number {
    return this.executor.instructionsSoFar();
  }

  // ---- for those who watch

  /** Of that, what pending paths occupy. */
  get treeBytes(): number {
    return this.tree.bytesInUse;
  }

  /** What exploration occupies; freed rows and spare room in arrays are not counted, they will be used again. */
  get bytesInUse(): number {
    return this.tree.bytesInUse + this.recorder.bytes + this.executor.arena.memory;
  }

  get timeMs(): number {
    return this.options.now() - this.startedMs + this.earlierMs;
  }

  /** As of the last question to the solver, if there was one since the last time, which saves looking at the clock. */
  recentTimeMs(): number {
    const { answeredMs } = this.recorder.feasibility;
    if (answeredMs === this.lastAnsweredMs) return this.timeMs;
    this.lastAnsweredMs = answeredMs;
    return answeredMs - this.startedMs + this.earlierMs;
  }

  /** Inputs to be run before anything else. */
  addSeed(
    input: Model,
    origin: RunOrigin = "seed",
    needed = origin === "journal" ? Number.POSITIVE_INFINITY : 0,
  ): void {
    this.seeds.add(input, origin, needed);
  }

  statistics(): EngineStatistics {
    const { frontier, follower, feasibility } = this.recorder;
    const { losses } = this.counters;
    const counted = frontier.checksOff === 0 ? losses : { ...losses, "check-left-out": frontier.checksOff };
    return statisticsOf({ ...this.counters, losses: counted }, this.timeMs, feasibility.accounts, {
      pending: this.tree.pending.count,
      treeBytes: this.tree.bytes,
      renamed: follower.renamed,
      checksSkipped: frontier.checksSkipped,
      assumptionsInfeasible: frontier.assumptionsInfeasible,
      coverage: this.curve.points,
    });
  }
}
