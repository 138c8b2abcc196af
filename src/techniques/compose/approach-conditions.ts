// What functions need to fail, as the goal of a search over whole inputs: tests are edited, and at each call of such a function it is measured
// how far what the call passes is from the condition. What comes nearer is edited further, until the program fails there. Nothing is
// symbolic, so a run costs what its instructions cost. The solver takes a test's own path, and is exact; this takes any path, and gets by
// where numbers are floating-point, what is needed was decided long before the call, or the input must have another form.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import { namesIn } from "../../engine/image-names.js";
import type { SeenCall } from "../../engine/unit-calls.js";
import { WatchedCalls } from "../../engine/watched-calls.js";
import type { Invocation } from "../../inputs/invocation.js";
import type { MoveWord } from "../../inputs/moves/move.js";
import { argumentsOf, contentsOf } from "../../inputs/mutations/edited-parts.js";
import { SeedMutator } from "../../inputs/mutations/mutate-seed.js";
import { type NumberStep, randomStep, stepped } from "../../inputs/mutations/number-steps.js";
import type { Seed } from "../../project/seed.js";
import { Random } from "../../support/random.js";
import type { ConcreteRun } from "../reach/concrete-runner.js";
import { GivenTests } from "../reach/given-tests.js";
import { bytesAtCall } from "./bind-condition.js";
import type { ApproachResult, ApproachWork, CallCondition, ComposeSetup } from "./compose-work.js";
import { ConditionDistance } from "./condition-distance.js";
import { EDITED_RUN_MS, instructionsOfEdited, TEST_RUN_MS } from "./edit-limits.js";
import { MadeFailures } from "./made-failures.js";
import { NearestInputs } from "./nearest-inputs.js";

/** Of one function in one run: further calls are not looked at. */
const MOST_CALLS = 64;
/** The function is called, but memory has not got what the condition speaks of. */
const OTHER_SHAPE = 1_000;
/** Runs that met a condition and did not fail: then it is not what it takes. */
const MOST_IN_VAIN = 32;
/** So many edits that do not come nearer halve a goal's share. */
const PATIENCE = 100;
/** Between the seeds of randomness of turns. */
const TURN_STEP = 104_729;

export function approachConditions(
  work: ApproachWork,
  setup: ComposeSetup,
  context: ItemContext,
  words: readonly MoveWord[],
): ItemOutcome<ApproachResult> {
  return new Approach(work, setup, context, words).run();
}

/** An input, with the test it was made from. */
interface Made {
  readonly invocation: Invocation;
  readonly seed: Seed;
}

/** What is run next, and the steps that made it, if it was steps. */
interface Next {
  readonly from: Made;
  readonly invocation: Invocation;
  readonly steps: readonly NumberStep[];
}

class Goal {
  readonly distance: ConditionDistance;
  /** By test: each way there has its own end, and the shortest may be a dead one. */
  private readonly nearest = new Map<Seed, NearestInputs<Made>>();
  /** In the run at hand. */
  callsOfRun = 0;
  distanceOfRun = Number.POSITIVE_INFINITY;
  inVain = 0;
  /** Edits since one came nearer. */
  sinceNearer = 0;
  found: Seed | null = null;
  /** The steps that came nearer last, and from where they may be made again. */
  again: Pick<Next, "from" | "steps"> | null = null;

  constructor(
    readonly condition: CallCondition,
    private readonly random: Random,
  ) {
    this.distance = new ConditionDistance(condition);
  }

  /** Some input calls the function, none has failed there, and it is worth going on. */
  get isOpen(): boolean {
    return this.nearest.size > 0 && this.found === null && this.inVain < MOST_IN_VAIN;
  }

  /** Infinite if no input calls the function. */
  get least(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const inputs of this.nearest.values()) least = Math.min(least, inputs.least);
    return least;
  }

  leastOf(seed: Seed): number {
    return this.nearest.get(seed)?.least ?? Number.POSITIVE_INFINITY;
  }

  /** The run at hand was of this input. */
  offer(made: Made): void {
    if (this.distanceOfRun === Number.POSITIVE_INFINITY) return;
    const inputs = this.nearest.get(made.seed) ?? new NearestInputs(this.random);
    this.nearest.set(made.seed, inputs);
    inputs.offer(made, this.distanceOfRun, sizeOf(made));
  }

  choose(): Made | null {
    const tests = [...this.nearest.values()];
    return tests.length === 0 ? null : tests[this.random.next() % tests.length].choose();
  }

  beginRun(): void {
    this.callsOfRun = 0;
    this.distanceOfRun = Number.POSITIVE_INFINITY;
  }
}

class Approach {
  private readonly tests: GivenTests;
  private readonly random: Random;
  private readonly goals: readonly Goal[];
  private readonly byFunction = new Map<number, Goal[]>();
  private readonly failures: MadeFailures;
  private readonly startedMs = performance.now();
  private readonly endsMs: number;
  private readonly variables: ReadonlyMap<string, number>;
  private longest = 0;
  private runs = 0;

  constructor(
    private readonly work: ApproachWork,
    private readonly setup: ComposeSetup,
    private readonly context: ItemContext,
    private readonly words: readonly MoveWord[],
  ) {
    const { image } = context;
    this.endsMs = this.startedMs + Math.min(work.timeMs, context.timeMs);
    const random = new Random(setup.randomSeed + TURN_STEP * work.turn);
    this.random = random;
    this.variables = namesIn(image).addresses;
    this.goals = work.conditions.map((condition) => new Goal(condition, random));
    for (const goal of this.goals) {
      const { function: index } = goal.condition;
      this.byFunction.set(index, [...(this.byFunction.get(index) ?? []), goal]);
    }
    const watched = new WatchedCalls(image, this.byFunction.keys(), (index, call) => this.heard(index, call));
    this.tests = new GivenTests(setup, context, (machine) => watched.attach(machine));
    this.failures = new MadeFailures(setup, context);
  }

  run(): ItemOutcome<ApproachResult> {
    const { context, goals, failures } = this;
    this.search(this.runTests());
    this.tests.release();
    const result: ApproachResult = {
      kind: "approach",
      found: goals.flatMap(({ found }, condition) => (found === null ? [] : [{ condition, seed: found }])),
      nearest: goals.map(({ least }) => least),
      failed: failures.elsewhere,
      runs: this.runs,
      milliseconds: performance.now() - this.startedMs,
    };
    return { kind: "report", report: { isComplete: !context.abort.aborted, result } };
  }

  private get leftMs(): number {
    return this.context.abort.aborted ? 0 : this.endsMs - performance.now();
  }

  private runTests(): readonly Invocation[] {
    const ran: Invocation[] = [];
    for (const seed of this.work.seeds) {
      const given = this.tests.invocationOf(seed);
      const { leftMs } = this;
      if (given.kind === "broken" || leftMs <= 0) continue;
      const made = { invocation: given.invocation, seed };
      this.longest = Math.max(this.longest, this.runOne(made, Math.min(TEST_RUN_MS, leftMs)).instructions);
      for (const goal of this.goals) goal.offer(made);
      ran.push(given.invocation);
    }
    return ran;
  }

  private search(tests: readonly Invocation[]): void {
    const mutator = new SeedMutator(tests, this.random, this.words);
    const instructions = instructionsOfEdited(this.longest, this.setup);
    while (this.leftMs > 0) {
      const goal = this.chooseGoal();
      if (goal === null) return;
      goal.sinceNearer++;
      const next = this.nextFor(goal, mutator);
      if (next === null) continue;
      const { from, invocation, steps } = next;
      const made = { invocation, seed: from.seed };
      const before = goal.leastOf(from.seed);
      const run = this.runOne(made, EDITED_RUN_MS, instructions);
      let isThere = false;
      for (const one of this.goals) isThere = this.judge(one, made, run) || isThere;
      if (run.end.kind === "fault" && !isThere) this.failures.addElsewhere(run.end, invocation, from.seed);
      if (goal.leastOf(from.seed) >= before) continue;
      goal.sinceNearer = 0;
      if (steps.length > 0) goal.again = { from: made, steps };
    }
  }

  /** Those that have come nearer lately are the likeliest: of many conditions most are never met. Null if none is left. */
  private chooseGoal(): Goal | null {
    const open = this.goals.filter(({ isOpen }) => isOpen);
    const weights = open.map(({ sinceNearer }) => 1 / (PATIENCE + sinceNearer));
    let left = (this.random.next() / 2 ** 32) * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [n, goal] of open.entries()) {
      left -= weights[n];
      if (left < 0) return goal;
    }
    return open[0] ?? null;
  }

  private nextFor(goal: Goal, mutator: SeedMutator): Next | null {
    const { random } = this;
    const { again } = goal;
    goal.again = null;
    const from = again?.from ?? goal.choose();
    if (from === null) return null;
    const steps = again?.steps ?? (random.next() % 2 === 0 ? this.randomSteps(from.invocation) : []);
    let made: Invocation | null = from.invocation;
    for (const step of steps) made = made === null ? null : stepped(made, step);
    const invocation =
      steps.length === 0
        ? mutator.mutate(from.invocation, goal.choose()?.invocation)
        : mutator.accepted(made, from.invocation);
    return invocation === null ? null : { from, invocation, steps };
  }

  /** Several at once, now and then: what one number gains another may have to lose. */
  private randomSteps(from: Invocation): readonly NumberStep[] {
    const steps: NumberStep[] = [];
    do {
      const step = randomStep(from, this.random);
      if (step !== null) steps.push(step);
    } while (this.random.next() % 3 === 0);
    return steps;
  }

  /** What came of a run for one of the goals: true if it failed there. */
  private judge(goal: Goal, made: Made, { end }: ConcreteRun): boolean {
    const { condition, distanceOfRun } = goal;
    if (end.kind === "fault" && this.failures.isAt(condition.target, end)) {
      goal.found ??= this.failures.seedOf(made.invocation, made.seed);
      return true;
    }
    if (distanceOfRun === 0) goal.inVain++;
    goal.offer(made);
    return false;
  }

  private runOne({ invocation }: Made, milliseconds: number, instructions?: number): ConcreteRun {
    for (const goal of this.goals) goal.beginRun();
    this.runs++;
    return this.tests.lend(invocation, milliseconds, instructions);
  }

  private heard(index: number, call: SeenCall): void {
    for (const goal of this.byFunction.get(index) ?? []) {
      if (goal.callsOfRun++ >= MOST_CALLS || goal.distanceOfRun === 0) continue;
      const bytes = bytesAtCall(call, goal.condition, this.variables);
      const distance = bytes === null ? OTHER_SHAPE : goal.distance.of(bytes);
      if (distance < goal.distanceOfRun) goal.distanceOfRun = distance;
    }
  }
}

function sizeOf({ invocation }: Made): number {
  return [...contentsOf(invocation), ...argumentsOf(invocation)].reduce((sum, { bytes }) => sum + bytes.length, 0);
}
