// One work item of amplification: the moves of some tests of one program. Each input that a move makes costs one concrete run; kept are
// those that fail, those that execute what no test does, and some that are merely longer, because their new bytes are input that nobody has
// looked at. What one test was tried with is not tried again with tests that are like it. How many runs there are does not depend on the
// time, unless that runs out.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import {
  argumentGrowths,
  environmentGrowths,
  fileGrowths,
  type Growth,
  stdinGrowths,
} from "../../inputs/moves/growth.js";
import { fileMoves, stdinMoves } from "../../inputs/moves/input-moves.js";
import type { Draft, MoveWord } from "../../inputs/moves/move.js";
import { contextOf, type MoveContext, type Pool, poolOf } from "../../inputs/moves/pool.js";
import { wordMoves } from "../../inputs/moves/word-moves.js";
import { SeedMutator } from "../../inputs/mutations/mutate-seed.js";
import { unperturbed } from "../../inputs/mutations/perturbed.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedMadeFrom } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { unpackedBlocks } from "../../project/seed-order.js";
import type { LiteralChoice } from "../../support/literal-names.js";
import { familiesOf, type MoveFamily } from "../../support/move-names.js";
import { Random } from "../../support/random.js";
import { usesLiterals, withLiteralGroups } from "../literal-inputs.js";
import { MutationTurns } from "../mutation-turns.js";
import { GivenTests } from "../reach/given-tests.js";
import type { TestLimits } from "../test-limits.js";
import { MoveTrials, type Rung, type Trial } from "./move-trials.js";
import { type MovedInput, type MovesResult, type MovesWork, RANDOM_STEP } from "./moved-input.js";

export interface MoveSetup extends TestLimits {
  readonly root: string;
  /** Which moves there are (support/move-names.ts). */
  readonly moves?: string;
  /** Whether literals of the tests' own sources are input; auto if nothing is said. */
  readonly literals?: LiteralChoice;
}

/** Why an input is kept; the first is the best reason. */
const REASONS = ["fails", "code", "limit", "longer"] as const;
type Reason = (typeof REASONS)[number];

interface Candidate {
  readonly from: Seed;
  readonly steps: readonly string[];
  readonly invocation: Invocation;
  readonly reason: Reason;
  /** Blocks that nothing before it executes. */
  readonly fresh: number;
}

/** Runs for all tests of a program together: for growths, for options, for edits, and for options whose values grow. */
const GROWTH_RUNS = 600;
const OPTION_RUNS = 400;
const EDIT_RUNS = 200;
const SECOND_RUNS = 150;
/** Edits at random: so many for each millisecond of the item, but at least and at most so many. */
const RANDOM_RUNS_A_MS = 0.3;
const LEAST_RANDOM_RUNS = 2000;
const MOST_RANDOM_RUNS = 9000;
/** Of one option: more where its argument must be guessed. */
const DRAFTS = 2;
const DRAFTS_WITH_ARGUMENT = 7;
/** Kinds of command lines with which every option is tried. */
const MOST_SHAPES = 4;
/** Inputs with an option whose values grow. */
const MOST_SECOND = 8;
/** An input that is merely longer is kept if it is longer by no more. */
const LONGEST_LIMIT = 300;
/** An input that is merely longer is longer by so much, if it can be. */
const SOME = 4;
/** Two with new code, then one that is merely longer. */
const CODE_IN_TURN = 2;

export function moved(work: MovesWork, setup: MoveSetup, context: ItemContext): ItemOutcome<MovesResult> {
  const item = new MoveItem(work, setup, context);
  const outcome = item.run();
  item.release();
  return outcome;
}

class MoveItem {
  private readonly tests: GivenTests;
  private readonly known: Uint8Array;
  private readonly covered: Uint8Array;
  private readonly pool: Pool;
  private readonly families: ReadonlySet<MoveFamily>;
  private readonly candidates: Candidate[] = [];
  /** Where inputs fail. */
  private readonly places = new Set<string>();
  /** What was tried, with which kind of command line. */
  private readonly tried = new Set<string>();
  private readonly invocations: ReadonlyMap<Seed, Invocation>;
  private tries = 0;
  private readonly endsMs: number;

  constructor(
    private readonly work: MovesWork,
    private readonly setup: MoveSetup,
    private readonly context: ItemContext,
  ) {
    const { image, extra, timeMs } = context;
    this.endsMs = performance.now() + Math.min(work.timeMs, timeMs);
    this.tests = new GivenTests(setup, context);
    this.known = new Uint8Array(image.coverage.length);
    unpackedBlocks(work.known).forEach((word, index) => {
      for (let bit = 0; bit < 32; bit++) if ((word >>> bit) & 1) this.known[32 * index + bit] = 1;
    });
    this.covered = new Uint8Array(image.coverage.length);
    this.families = familiesOf(setup.moves ?? "");
    this.invocations = new Map(
      work.bases.flatMap((seed) => {
        const made = this.tests.invocationOf(seed);
        return made.kind === "broken" ? [] : [[seed, made.invocation] as const];
      }),
    );
    const words = (extra as { readonly words?: readonly MoveWord[] }).words ?? [];
    const random = new Random(setup.randomSeed);
    this.pool = poolOf({ words, others: [...this.invocations.values()], preferred: [], random });
  }

  release(): void {
    this.tests.release();
  }

  run(): ItemOutcome<MovesResult> {
    if (this.work.isByChance !== true) this.move();
    this.changeAtRandom();
    return this.outcome();
  }

  private move(): void {
    this.each(GROWTH_RUNS, (base, trials) => this.grow(base, trials));
    if (this.families.has("options")) {
      const shapes = new Set<string>();
      this.each(OPTION_RUNS, (base, trials) => {
        shapes.add(base.shape);
        if (shapes.size <= MOST_SHAPES) this.addOptions(base, trials);
      });
      this.growOptions();
    }
    this.each(EDIT_RUNS, (base, trials) => this.edit(base, trials));
  }

  private outcome(): ItemOutcome<MovesResult> {
    const { image, tell } = this.context;
    if (image.coverage.length > 0) tell({ kind: "covered", coverage: this.covered, byTests: false });
    const chosen = this.chosen();
    const { root, store = root, made: madeIn = store } = this.setup;
    const blobs = new BlobStore(new ProjectFolder(madeIn));
    const made = chosen.map(({ from, steps, invocation, reason }): MovedInput => {
      const seed = seedMadeFrom(invocation, from, blobs);
      return { seed, from: from.id, command: from.arguments, steps, fails: reason === "fails" };
    });
    const result: MovesResult = {
      isMoves: true,
      moved: made,
      tried: this.tries,
      leftOut: this.work.isByChance === true ? 0 : this.candidates.length - chosen.length,
      isWhole: !this.isOver(),
    };
    return { kind: "report", report: { isComplete: !this.context.abort.aborted, result } };
  }

  private isOver(): boolean {
    return this.context.abort.aborted || performance.now() >= this.endsMs;
  }

  /** So many runs for all tests together, as long as there are any. */
  private each(runs: number, task: (base: Base, trials: MoveTrials) => void): void {
    const trials = new MoveTrials(this.context.image, this.tests, runs, () => this.isOver());
    for (const [seed, invocation] of this.invocations) {
      if (trials.isSpent) break;
      const trial = trials.base(invocation);
      // What fails already fails before anything new is looked at.
      if (trial.place !== null || !trial.isWhole) continue;
      const context = contextOf(invocation, this.pool);
      task({ seed, trial, context, shape: shapeOf(context) }, trials);
    }
    this.tries += trials.runs;
  }

  /** True the first time. */
  private isFirst(shape: string, what: string): boolean {
    const key = `${shape}\n${what}`;
    if (this.tried.has(key)) return false;
    this.tried.add(key);
    return true;
  }

  private grow(base: Base, trials: MoveTrials): void {
    const { context, shape } = base;
    const names = this.pool.words.filter(({ kind }) => kind === "variable").map(({ text }) => text);
    const { families } = this;
    const growths = [
      ...(families.has("arguments") ? argumentGrowths(context) : []),
      ...(families.has("stdin") ? stdinGrowths(context) : []),
      ...(families.has("files") ? fileGrowths(context) : []),
      ...(families.has("environment") ? environmentGrowths(context, names) : []),
    ];
    for (const growth of growths) {
      if (this.isFirst(shape, growth.key)) this.climb(growth, base, [], trials);
    }
  }

  private climb(
    growth: Growth,
    { seed, trial }: Pick<Base, "seed" | "trial">,
    before: string[],
    trials: MoveTrials,
  ): void {
    const { changes, limits, rungs } = trials.climb(growth, trial);
    const keep = ({ amount, trial: one }: Rung, reason: Reason): boolean =>
      this.consider(
        seed,
        { ...one, invocation: varied(one.invocation, growth) },
        [...before, growth.step(amount)],
        reason,
      );
    for (const rung of changes) keep(rung, "code");
    for (const rung of limits) if (rung.amount <= LONGEST_LIMIT) keep(rung, "limit");
    // Neither the least nor the most: a few new bytes, as many as a run with them symbolic can bear.
    const same = rungs.filter(({ trial: one }) => one.signature === trial.signature && one.isWhole);
    const longer = same.find(({ amount }) => amount >= SOME) ?? same.at(-1);
    if (longer !== undefined && longer.amount <= LONGEST_LIMIT) keep(longer, "longer");
  }

  private addOptions({ seed, trial, context, shape }: Base, trials: MoveTrials): void {
    for (const word of this.pool.words) {
      const isOption = word.kind === "short-option" || word.kind === "long-option";
      const isLikeOne = (word.kind === "compared" || word.kind === "table") && /^--?\w/.test(word.text);
      if (!(isOption || isLikeOne) || isGiven(word, context) || !this.isFirst(shape, `${word.kind} ${word.text}`))
        continue;
      let drafts = word.argument === "none" ? DRAFTS : DRAFTS_WITH_ARGUMENT;
      for (const draft of wordMoves(word, context)) {
        if (drafts-- <= 0 || trials.isSpent) break;
        this.try(draft, seed, trial, trials);
      }
    }
  }

  private try({ make, step }: Draft, seed: Seed, from: Trial, trials: MoveTrials): void {
    const made = trials.run(make(), from);
    if (made !== null) this.consider(seed, made, [step], "code");
  }

  /** An option that nobody tests, with a value that is longer than anybody would guess. */
  private growOptions(): void {
    if (!this.families.has("arguments")) return;
    const trials = new MoveTrials(this.context.image, this.tests, SECOND_RUNS, () => this.isOver());
    const withOption = this.candidates.filter(({ reason }) => reason === "code");
    const best = withOption.toSorted((a, b) => b.fresh - a.fresh).slice(0, MOST_SECOND);
    for (const { from, invocation, steps } of best) {
      const old = new Set(this.invocations.get(from)?.arguments);
      const inserted = new Set(invocation.arguments.flatMap((word, at) => (old.has(word) ? [] : [at])));
      if (inserted.size === 0 || trials.isSpent) continue;
      const trial = trials.base(invocation);
      if (trial.place !== null) continue;
      for (const growth of argumentGrowths(contextOf(invocation, this.pool), inserted)) {
        this.climb(growth, { seed: from, trial }, [...steps], trials);
      }
    }
    this.tries += trials.runs;
  }

  /** Lines removed, repeated, taken from other tests: what is not a matter of size alone. */
  private edit({ seed, trial, context, shape }: Base, trials: MoveTrials): void {
    const families = [
      ["files", fileMoves],
      ["stdin", stdinMoves],
    ] as const;
    for (const [family, moves] of families) {
      if (!this.families.has(family) || !this.isFirst(shape, family)) continue;
      for (const draft of moves(context)) {
        if (trials.isSpent) break;
        this.try(draft, seed, trial, trials);
      }
    }
  }

  /**
   * What chance finds quickly nobody needs to solve for: a few edits at once of a test, or of what edits have come to, wherever they do
   * something new.
   */
  private changeAtRandom(): void {
    const { image } = this.context;
    if (!this.families.has("random")) return;
    // Not the same edits twice.
    const random = new Random(this.setup.randomSeed + (this.work.isByChance === true ? 1 : 0));
    const wanted = Math.round(RANDOM_RUNS_A_MS * this.work.timeMs);
    const runs = Math.max(LEAST_RANDOM_RUNS, Math.min(MOST_RANDOM_RUNS, wanted));
    const trials = new MoveTrials(image, this.tests, runs, () => this.isOver());
    const turns = new MutationTurns<Edited>(image.coverage.length, random);
    const tests: Invocation[] = [];
    const editedOf = (seed: Seed, { invocation, instructions, place, isWhole }: Trial): Edited | null =>
      place === null && isWhole ? { seed, invocation, instructions } : null;
    for (const [seed, invocation] of this.invocations) {
      if (this.isOver()) break;
      const trial = trials.base(invocation);
      const test = editedOf(seed, trial);
      if (test === null) continue;
      turns.addTest(test, trial);
      tests.push(invocation);
      for (const varied of this.withLiterals(trial)) {
        turns.addTest({ ...test, invocation: varied }, trial);
        tests.push(varied);
      }
    }
    const mutator = new SeedMutator(tests, random, this.pool.words);
    for (let tries = 0; tries < 2 * runs && !trials.isSpent && !turns.isEmpty; tries++) {
      const next = turns.next(mutator);
      const made = next === null ? null : trials.lend(next.invocation, next.from);
      if (next === null || made === null) continue;
      const { seed } = next.from;
      const edited = editedOf(seed, made);
      if (edited !== null) turns.offer(edited, made);
      if (made.isOfTests) continue;
      this.consider(seed, made.place === null ? made : this.plainly(made, next.from, trials), [RANDOM_STEP], "code");
    }
    this.tries += trials.runs;
  }

  private withLiterals(trial: Trial): readonly Invocation[] {
    const { image } = this.context;
    const { literals: choice = "auto" } = this.setup;
    const test = this.tests.testFor(trial.invocation);
    return usesLiterals(image, test, choice, this.work.isOnlyPlain === true) ? withLiteralGroups(image, trial) : [];
  }

  /** What fails, without filled memory if that is not needed. */
  private plainly(made: Trial, from: Edited, trials: MoveTrials): Trial {
    const failed = { ...made, coverage: made.coverage.slice() };
    const plain = trials.lend(unperturbed(made.invocation), from);
    return plain?.place === failed.place ? plain : failed;
  }

  /** Whether it is worth keeping: what fails or shows new code always is, the rest only if the reason is another one. */
  private consider(from: Seed, trial: Trial, steps: readonly string[], why: Reason): boolean {
    const { invocation, coverage, place, isWhole } = trial;
    let fresh = 0;
    for (let block = 0; block < coverage.length; block++) {
      if (coverage[block] === 0) continue;
      this.covered[block] = 1;
      if (this.known[block] === 0) fresh++;
    }
    const isNewFailure = place !== null && !this.places.has(place);
    if (!isWhole || (place !== null && !isNewFailure) || (fresh === 0 && why === "code" && !isNewFailure)) return false;
    if (place !== null) this.places.add(place);
    for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) this.known[block] = 1;
    const reason = place !== null ? "fails" : fresh > 0 ? "code" : why;
    this.candidates.push({ from, steps, invocation, reason, fresh });
    return true;
  }

  /** The best ones within the limits. */
  private chosen(): readonly Candidate[] {
    const { most, mostOfSeed } = this.work;
    const of = (reasons: readonly Reason[]): Candidate[] =>
      this.candidates
        .filter(({ reason }) => reasons.includes(reason))
        .sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) || b.fresh - a.fresh);
    const [failing, code, longer] = [of(["fails"]), of(["code"]), of(["limit", "longer"])];
    const order = [...failing];
    if (this.work.isByChance === true) return order.slice(0, most);
    while (code.length + longer.length > 0) order.push(...code.splice(0, CODE_IN_TURN), ...longer.splice(0, 1));
    const counts = new Map<Seed, number>();
    const chosen: Candidate[] = [];
    for (const candidate of order) {
      const count = counts.get(candidate.from) ?? 0;
      if (count >= mostOfSeed || chosen.length >= most) continue;
      counts.set(candidate.from, count + 1);
      chosen.push(candidate);
    }
    return chosen;
  }
}

/** An input that edits are made of. */
interface Edited {
  /** The test it comes from. */
  readonly seed: Seed;
  readonly invocation: Invocation;
  readonly instructions: number;
}

interface Base {
  readonly seed: Seed;
  readonly trial: Trial;
  readonly context: MoveContext;
  /** The same for tests that are alike. */
  readonly shape: string;
}

/** Its options, and how many operands it has. */
function shapeOf({ line, from }: MoveContext): string {
  const options = line.texts
    .filter((text) => text.startsWith("-") && text.length > 1)
    .map((text) => text.split("=", 1)[0]);
  return [...options.sort(), line.operands.length, from.stdin.kind].join(" ");
}

function isGiven({ kind, text }: MoveWord, { line }: MoveContext): boolean {
  if (kind === "short-option") return line.texts.includes(`-${text}`);
  if (kind !== "long-option") return line.texts.includes(text);
  return line.texts.some((word) => word === `--${text}` || word.startsWith(`--${text}=`));
}

function varied(invocation: Invocation, { variable }: Growth): Invocation {
  return variable === undefined ? invocation : { ...invocation, varied: [variable] };
}
