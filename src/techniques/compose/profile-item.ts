// The profile of a program: its recorded tests are run, with nothing symbolic, and then mutations of them, for as many and as long as the
// item says. A mutation that executes a new block is kept and mutated further. What is counted are the tests, and those mutations that
// call otherwise than everything before: a thousand inputs that all fail in the same check say nothing that one does not.
//
// Where a library's test has its input in its own source, literals that its run comes by become input: the test is taken once more for each
// group of them, with nothing else that varies.
//
// A mutation that enters a function which no test does is worth more: it becomes a made seed, and gives contexts like a test.
//
// Mutating goes on in turns of its own while functions are tested: what chance finds quickly nobody needs to solve for. A turn goes on from
// what the last one has come to, or begins anew with the tests: what is found at all is mostly found soon, and what was kept by chance at the
// beginning decides for long what comes next.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import type { MoveWord } from "../../inputs/moves/move.js";
import { SeedMutator } from "../../inputs/mutations/mutate-seed.js";
import { unperturbed } from "../../inputs/mutations/perturbed.js";
import type { ProgramImage } from "../../jit/image.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedMadeFrom } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { Random } from "../../support/random.js";
import { placeKeyOf } from "../../vm/place-key.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import { failsInTests } from "../failures-of-tests.js";
import { usesLiterals, withLiteralGroups } from "../literal-inputs.js";
import { MutationTurns } from "../mutation-turns.js";
import type { ConcreteRun } from "../reach/concrete-runner.js";
import { GivenTests } from "../reach/given-tests.js";
import { ProfileBuilder, type ProgramCalls } from "./call-profile.js";
import {
  type ComposeItemResult,
  type ComposeSetup,
  CUT_SHORT_BY,
  type ProfileWork,
  type UnitSeed,
} from "./compose-work.js";
import { EDITED_RUN_MS, instructionsOfEdited, TEST_RUN_MS } from "./edit-limits.js";
import { factsOf } from "./program-facts.js";

export interface ProfileParts {
  readonly calls: ProgramCalls;
  /** The calls in a run of a test; nothing is recorded without it. */
  readonly contextsOf: ((seed: Seed, timeMs: number) => readonly UnitSeed[]) | null;
  /** What the program compares with. */
  readonly words: readonly MoveWord[];
}

/** Of the time that tests leave, what mutations get where contexts are wanted too. */
const MUTATIONS_SHARE = 0.3;
/** In later turns only what is new gives contexts. */
const CONTEXTS_SHARE = 0.1;
/** One of so many turns begins anew. */
const ANEW_EVERY = 2;
/** Between the seeds of randomness of turns. */
const TURN_STEP = 7919;
const MOST_MADE = 32;
/** Mutations of one item that are kept for the next turn. */
const MOST_HANDED_ON = 64;
const MOST_COUNTED = 4096;
const MOST_FAILURES = 16;

export function profiled(
  work: ProfileWork,
  setup: ComposeSetup,
  context: ItemContext,
  parts: ProfileParts,
): ItemOutcome<ComposeItemResult> {
  return new Profiling(work, setup, context, parts).run();
}

type FaultEnd = Extract<ConcreteRun["end"], { kind: "fault" }>;

interface Kept {
  readonly invocation: Invocation;
  readonly seed: Seed;
}

/** What is known of a program's tests and of mutations of them. */
class Known {
  readonly covered: Uint8Array;
  readonly coveredByTests: Uint8Array;
  readonly tested: Kept[] = [];
  /** Ids of tests and of what other turns have made. */
  readonly ran = new Set<string>();
  readonly turns: MutationTurns<Kept>;
  /** Instructions of a test at most. */
  longest = 0;

  constructor(blocks: number, random: Random) {
    this.covered = new Uint8Array(blocks);
    this.coveredByTests = new Uint8Array(blocks);
    this.turns = new MutationTurns(blocks, random);
  }
}

/** A turn of mutations goes on from where the last one of this thread has come to. */
const knownFromTurns = new WeakMap<ProgramImage, Known>();

class Profiling {
  private readonly tests: GivenTests;
  private readonly random: Random;
  private readonly profile = new ProfileBuilder();
  private readonly known: Known;
  private readonly made: Seed[] = [];
  private readonly literalTests: Seed[] = [];
  /** What other turns have made, to go on from. */
  private readonly before: readonly Seed[];
  /** Those of `kept` that this item made. */
  private readonly fresh: Kept[] = [];
  private readonly startedMs = performance.now();
  private readonly endsMs: number;
  /** By place. */
  private readonly failures = new Map<string, Seed>();

  constructor(
    private readonly work: ProfileWork,
    private readonly setup: ComposeSetup,
    private readonly context: ItemContext,
    private readonly parts: ProfileParts,
  ) {
    this.tests = new GivenTests(setup, context);
    this.random = new Random(setup.randomSeed + TURN_STEP * (work.again?.turn ?? 0));
    const { image } = context;
    const goesOn = work.again !== null && work.again.turn % ANEW_EVERY !== 0;
    this.known = (goesOn ? knownFromTurns.get(image) : undefined) ?? new Known(image.coverage.length, this.random);
    if (goesOn) knownFromTurns.set(image, this.known);
    this.before = goesOn ? (work.again?.made ?? []) : [];
    this.endsMs = performance.now() + Math.min(work.timeMs, context.timeMs);
  }

  run(): ItemOutcome<ComposeItemResult> {
    const { work, context } = this;
    const { covered, coveredByTests } = this.known;
    const problems = work.seeds.map((seed) => this.runTest(seed));
    if (work.again === null) context.tell({ kind: "covered", coverage: coveredByTests, byTests: true });
    for (const seed of this.before) this.runTest(seed);
    const runs = this.mutate();
    if (runs > 0) context.tell({ kind: "covered", coverage: covered, byTests: false });
    const contexts = this.contexts(problems);
    const isComplete = !context.abort.aborted && !problems.includes(NO_TIME);
    const failed = [...this.failures.values()];
    const facts = work.facts ? factsOf(context.image) : null;
    const profile = this.profile.profile();
    const milliseconds = performance.now() - this.startedMs;
    const made = this.fresh.slice(-MOST_HANDED_ON).map((one) => this.seedOf(one));
    const told = work.again === null ? problems : [];
    const { literalTests } = this;
    const counted = { profile, contexts, failed, made, literalTests, problems: told, milliseconds };
    const result = { kind: "profile", facts, ...counted } as const;
    return { kind: "report", report: { isComplete, result } };
  }

  private isOver(endsMs: number): boolean {
    return this.context.abort.aborted || performance.now() >= endsMs;
  }

  /** Why it says nothing, or not all; null if it was run. */
  private runTest(seed: Seed): string | null {
    const { known } = this;
    if (this.work.again !== null && known.ran.has(seed.id)) return null;
    if (this.isOver(this.endsMs)) return NO_TIME;
    known.ran.add(seed.id);
    const given = this.tests.invocationOf(seed);
    if (given.kind === "broken") return given.problem;
    const run = this.tests.run(given.invocation, TEST_RUN_MS);
    const { coverage, instructions, end } = run;
    known.longest = Math.max(known.longest, instructions);
    this.addBlocks(coverage, known.coveredByTests);
    this.addBlocks(coverage, known.covered);
    // Another turn says nothing new of tests.
    if (this.work.again === null) this.profile.add(this.parts.calls.pairsOf(coverage));
    const test = { invocation: given.invocation, seed };
    known.tested.push(test);
    known.turns.addTest(test, run);
    if (this.work.again === null) this.addLiteralTests(test, run);
    if (end.kind === "limit") return `${CUT_SHORT_BY} ${end.limit}`;
    return end.kind === "unsupported" ? `it ended at ${end.what}, which is not supported` : null;
  }

  /** With their literals as they are, they are run as the test is. */
  private addLiteralTests(test: Kept, run: ConcreteRun): void {
    const { setup, context, known } = this;
    const { image } = context;
    const { invocation, seed } = test;
    const isOnlyPlain = !setup.givenPrograms.includes(seed.program);
    if (!usesLiterals(image, this.tests.testFor(invocation), setup.literals, isOnlyPlain)) return;
    for (const varied of withLiteralGroups(image, { invocation, coverage: run.coverage })) {
      const made = this.seedOf({ invocation: varied, seed });
      known.ran.add(made.id);
      known.tested.push({ invocation: varied, seed: made });
      known.turns.addTest({ invocation: varied, seed: made }, run);
      this.literalTests.push(made);
    }
  }

  private addBlocks(coverage: Uint8Array, into: Uint8Array): void {
    for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) into[block] = 1;
  }

  /** How many were run. */
  private mutate(): number {
    const { work, random, parts } = this;
    const { turns, tested } = this.known;
    if (turns.isEmpty) return 0;
    const leftMs = this.endsMs - performance.now();
    const share = work.again !== null ? 1 - CONTEXTS_SHARE : parts.contextsOf === null ? 1 : MUTATIONS_SHARE;
    const endsMs = performance.now() + leftMs * share;
    const mutator = new SeedMutator(
      tested.map(({ invocation }) => invocation),
      random,
      parts.words,
    );
    const instructions = this.mostInstructions();
    let runs = 0;
    for (let tries = 0; runs < work.mutations && tries < 4 * work.mutations && !this.isOver(endsMs); tries++) {
      const next = turns.next(mutator);
      if (next === null) continue;
      const { from, invocation } = next;
      runs++;
      this.judge({ invocation, seed: from.seed }, this.tests.lend(invocation, EDITED_RUN_MS, instructions));
    }
    return runs;
  }

  private judge(mutation: Kept, run: ConcreteRun): void {
    this.learn(mutation, run);
    if (run.end.kind === "fault") this.fails(mutation, run.end);
  }

  private learn(mutation: Kept, run: ConcreteRun): void {
    const { coverage } = run;
    // Of the first turn's every one is counted; later ones are many, and most are like one before.
    const isFirst = this.work.again === null;
    if (isFirst) this.count(coverage);
    const { turns, covered } = this.known;
    if (!turns.offer(mutation, run) || !hasNew(coverage, covered)) return;
    if (!isFirst) this.count(coverage);
    const enters = this.made.length < MOST_MADE && this.entersNew(coverage);
    this.addBlocks(coverage, covered);
    this.fresh.push(mutation);
    if (enters && this.parts.contextsOf !== null) this.made.push(this.seedOf(mutation));
  }

  private count(coverage: Uint8Array): void {
    if (this.profile.size < MOST_COUNTED) this.profile.addNew(this.parts.calls.pairsOf(coverage));
  }

  /** One for each place: whether it is a finding, a run that looks closer will tell. */
  private fails(mutation: Kept, end: FaultEnd): void {
    const { image } = this.context;
    if (mutation.invocation.literals !== undefined && failsInTests(image, sourceFrames(image, end.trace))) return;
    const place = this.placeOf(end);
    if (this.failures.size >= MOST_FAILURES || this.failures.has(place)) return;
    const plain = unperturbed(mutation.invocation);
    const again = plain === null ? null : this.tests.lend(plain, EDITED_RUN_MS, this.mostInstructions()).end;
    const failsPlainly = plain !== null && again?.kind === "fault" && this.placeOf(again) === place;
    this.failures.set(place, this.seedOf(failsPlainly ? { ...mutation, invocation: plain } : mutation));
  }

  private placeOf({ fault, trace }: FaultEnd): string {
    return `${fault.name} ${placeKeyOf(sourceFrames(this.context.image, trace))}`;
  }

  private mostInstructions(): number {
    return instructionsOfEdited(this.known.longest, this.setup);
  }

  /** A function that nothing before did. */
  private entersNew(coverage: Uint8Array): boolean {
    const { covered } = this.known;
    return this.parts.calls.entryBlocks.some((block) => coverage[block] !== 0 && covered[block] === 0);
  }

  private seedOf({ invocation, seed }: Kept): Seed {
    return seedMadeFrom(invocation, seed, new BlobStore(new ProjectFolder(this.setup.root)));
  }

  private contexts(problems: readonly (string | null)[]): readonly UnitSeed[] {
    const { contextsOf } = this.parts;
    if (contextsOf === null) return [];
    // A test that was cut short has contexts too, up to there.
    const ran = new Set(this.known.tested.map(({ seed }) => seed));
    const tests = this.work.again === null ? this.work.seeds : [];
    const given = tests.filter((seed, n) => ran.has(seed) && problems[n] !== NO_TIME);
    return [...given, ...this.literalTests, ...this.made].flatMap((seed) => {
      const leftMs = this.endsMs - performance.now();
      const all = this.isOver(this.endsMs) ? [] : contextsOf(seed, leftMs);
      // The test itself has shown all other calls.
      return seed.literals === undefined ? all : all.filter(({ dependent }) => dependent > 0);
    });
  }
}

/** Four blocks at a time: it is asked of every run. */
function hasNew(coverage: Uint8Array, covered: Uint8Array): boolean {
  const now = new DataView(coverage.buffer, coverage.byteOffset, coverage.length);
  const before = new DataView(covered.buffer, covered.byteOffset, covered.length);
  let block = 0;
  for (; block + 4 <= coverage.length; block += 4) {
    const some = now.getUint32(block, true);
    if (some !== 0 && some !== before.getUint32(block, true)) {
      for (let n = block; n < block + 4; n++) if (coverage[n] !== 0 && covered[n] === 0) return true;
    }
  }
  for (; block < coverage.length; block++) if (coverage[block] !== 0 && covered[block] === 0) return true;
  return false;
}

const NO_TIME = "there was no time for it";
