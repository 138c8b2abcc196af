// ZESTI as a campaign's technique: all tests at distance 0, then all at distance 1, and so on (make test-zesti, IV-B:
// iterative deepening over the whole suite). Beyond their own paths, of several tests with the same path one is enough, and
// those that show the most go first.
//
// Departure: cheap breadth comes before expensive depth. A suite of hundreds of tests can have checks on its own paths that
// take the solver all of the time, while a bug lies two decisions away from a test that takes a second. So all tests get a short
// look at distance 0, and each program a first turn at what is near; those that a look cut have a longer one later, and what is slow even
// then is put off. Which round comes when, with how much of the time, says amplify-rounds.ts; in which order tests are taken,
// seed-promise.ts.
//
// Departure: inputs may grow (moved/). Moves, and edits by chance before anything else, make other inputs of the tests; each counts
// as one decision, and is amplified beside the tests of the same distance.

import type { ItemReport, Technique, WorkItem } from "../campaign/technique.js";
import type { BlobName, Seed } from "../project/seed.js";
import { cheapestFirst, isLarge, orderSeeds, unpackedBlocks } from "../project/seed-order.js";
import { firstOfKindFirst, inTurns, NEAR_PATH_TURNS, OWN_PATH_TURNS } from "../project/seed-promise.js";
import type { LiteralChoice } from "../support/literal-names.js";
import { ALL_MOVES, familiesOf } from "../support/move-names.js";
import type { Checked } from "./amplify-account.js";
import {
  type AmplifyResult,
  type AmplifySetup,
  type AmplifyWork,
  type ExploredResult,
  type Look,
  PLAIN,
  type TestWork,
} from "./amplify-item.js";
import { type RoundPlan, roundsUpTo } from "./amplify-rounds.js";
import { type AroundPath, DEFAULT_AROUND_PATH } from "./around-path.js";
import { givenPrograms } from "./literal-inputs.js";
import { type MovedInput, type MovesWork, RANDOM_STEP } from "./moved/moved-input.js";
import { DEFAULT_MOVE_LIMITS, type MadeSeeds, MovedPlan, type MoveLimits } from "./moved/moved-plan.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "./test-limits.js";
import { DEFINEDNESS_NEED } from "./unset-uses.js";

export interface AmplifyPlan extends TestLimits, MoveLimits, AroundPath {
  readonly maxDistance: number;
  /** Whether literals of the tests' own sources are input. */
  readonly literals: LiteralChoice;
  /** Which moves there are (support/move-names.ts). */
  readonly moves: string;
  /** Every test and every new path also runs where uses of what was never set are seen. */
  readonly uninitialised: boolean;
}

export const DEFAULT_AMPLIFY_PLAN: AmplifyPlan = {
  maxDistance: 8,
  literals: "auto",
  ...DEFAULT_AROUND_PATH,
  moves: ALL_MOVES,
  ...DEFAULT_MOVE_LIMITS,
  uninitialised: false,
  ...DEFAULT_TEST_LIMITS,
};

/** What is known of a test from its own run, and what the journal keeps of it. */
interface Profile {
  readonly path: string;
  readonly ms: number;
  readonly blocks: string | null;
  /** Of its own path, at distance 0: how many checks were made, and how far that is all of it. */
  readonly checks?: number;
  readonly checked?: Checked | null;
  /** Questions to the solver. */
  readonly queries?: number;
  readonly paths?: number;
  /** The look that was not enough, at distance 0, and the one that may be; null: none is. */
  readonly look?: Look;
  readonly nextLook?: Look | null;
}

/** A program of a hundred million blocks is nobody's. */
const MOST_BLOCK_TEXT = 0x100_0000;
const MOST_WHY = 10;

type Item = WorkItem<AmplifyWork>;

/** Of a program, in a round of first turns. */
const TESTS_OF_FIRST_TURN = 2;
/** Second looks of a program that brought nothing, after which its others wait for the end. */
const MOST_FRUITLESS = 3;

export class AmplifyTechnique implements Technique<AmplifyWork, AmplifyResult> {
  readonly name = "amplify";
  readonly keepsCutItems = true;
  readonly settings: Technique<AmplifyWork, AmplifyResult>["settings"];
  private readonly rounds: RoundPlan[];
  private readonly profiles = new Map<string, Profile>();
  /** The blocks that tests execute. */
  private readonly covered = new Map<string, Uint32Array>();
  private readonly seeds: readonly Seed[];
  /** Programs that some test gives arguments or standard input. */
  private readonly given: ReadonlySet<string>;
  /** Seeds of which something is known, by this campaign or an earlier one. */
  private readonly seen = new Set<string>();
  /** Those that were run plainly to their ends by this campaign. */
  private readonly plain = new Set<string>();
  /** Seeds with checks that were put off: the look that may be enough for them, if there is one. */
  private readonly slow = new Map<string, Look | null>();
  private readonly moved: MovedPlan;
  private share = 1;
  /** Items of rounds with a limited time, by key; and those that were done. */
  private readonly limited = new Map<string, Item>();
  private readonly begun = new Set<string>();
  /** What had not enough time; done again at the end, with more. */
  private readonly cut = new Map<string, Item>();
  /** Programs whose moves have begun. */
  private readonly movedPrograms = new Set<string>();
  /** By seed: how many checks of its own path have an answer. By program: how many second looks in a row brought none, and no block. */
  private readonly answered = new Map<string, number>();
  private readonly fruitless = new Map<string, number>();
  /** There was no time for a first look at all tests. */
  private isCut = false;
  /** First looks that can be made while inputs are edited. */
  private firstLooks: Item[] = [];
  /** While the round of first looks is done: its last item. */
  private lastFirst: string | null = null;

  /** `sizeOf` says how large a content is. Without a place to keep them no inputs are made. */
  constructor(
    seeds: readonly Seed[],
    private readonly plan: AmplifyPlan,
    private readonly sizeOf: (content: BlobName) => number = () => 0,
    made: MadeSeeds | null = null,
  ) {
    this.seeds = inTurns(firstOfKindFirst(cheapestFirst(seeds, sizeOf), sizeOf), OWN_PATH_TURNS);
    this.given = givenPrograms(seeds, sizeOf);
    const makes = (families: boolean): boolean => made !== null && families;
    this.rounds = roundsUpTo(plan.maxDistance, {
      moves: makes(plan.moves !== ""),
      edits: makes(familiesOf(plan.moves).has("random")),
    });
    this.moved = new MovedPlan(seeds, plan, made ?? { keep: () => false, find: () => null });
    const { maxDistance: _, moveMs: __, roots, ...settings } = plan;
    this.settings = { ...settings, roots: roots?.join("\n") ?? "" };
  }

  setup(root: string): AmplifySetup {
    const { maxDistance: _, moveMs: __, movedInputs: ___, movedOfSeed: ____, ...rest } = this.plan;
    return { root, ...rest };
  }

  nextRound(): readonly Item[] | null {
    if (this.lastFirst !== null) this.isCut = !this.begun.has(this.lastFirst);
    this.lastFirst = null;
    for (let next = this.rounds.shift(); next !== undefined; next = this.rounds.shift()) {
      const items = this.itemsOf(next);
      if (items.length === 0) continue;
      this.share = next.share ?? 1;
      if (next.of === "edits") this.firstLooks = this.seeds.map((seed) => this.testItem(seed, 0, 0));
      else if (next.look === 0) this.firstLooks = [];
      if (this.share < 1) for (const item of items) this.limited.set(item.key, item);
      if (next.look === 0) this.lastFirst = items.at(-1)?.key ?? null;
      return items;
    }
    return null;
  }

  /** While some edit, others look at tests' own paths. */
  moreItems(): readonly Item[] {
    const at = this.firstLooks.findIndex(this.isNew);
    return at < 0 ? [] : this.firstLooks.splice(0, at + 1).slice(-1);
  }

  shareOfRound(): number {
    return this.share;
  }

  /** Second looks of a program that have brought nothing wait until what is slow has its turn. */
  isStillWanted({ work, program }: Item): boolean {
    return isMoves(work) || work.look !== 1 || (this.fruitless.get(program) ?? 0) < MOST_FRUITLESS;
  }

  /** What chance made is shown only of a bug that nothing else comes by: it has more changes than are needed. */
  rankOf({ work }: Item): number {
    return !isMoves(work) && work.moved?.steps.includes(RANDOM_STEP) === true ? 1 : 0;
  }

  private itemsOf({ distance, of, look }: RoundPlan): readonly Item[] {
    switch (of) {
      case "edits":
        return this.editItems();
      case "moves":
        return this.moveItems().filter(({ program }) => !this.movedPrograms.has(program));
      case "moved":
        return this.needing(this.movedItems(distance));
      case "first":
        return this.needing(this.firstTurns().map((seed) => this.testItem(seed, distance))).filter(this.isNew);
      case "cut":
        return [...this.cut.values()];
      case "rest":
        return [...this.limited.values()].filter(({ key, work }) => {
          const isNear = !isMoves(work) && work.moved === undefined && work.distance <= distance;
          return !this.begun.has(key) && (isNear || distance > this.plan.maxDistance);
        });
      default: {
        const seeds = (distance === 0 ? this.seeds : this.promising()).filter(({ id }) => this.isOf(of, id));
        const items = this.needing(seeds.map((seed) => this.testItem(seed, distance, look)));
        return distance === 0 && look !== 0 ? items : items.filter(this.isNew);
      }
    }
  }

  private readonly isNew = ({ key }: Item): boolean => !this.begun.has(key);

  private testItem(seed: Seed, distance: number, look?: Look): Item {
    return itemOf(seed, distance, !this.given.has(seed.program), look);
  }

  /** Of each program the most promising tests, quick ones before those with checks that were put off. */
  private firstTurns(): readonly Seed[] {
    const promising = this.promising();
    const counts = new Map<string, number>();
    const [quick, slow] = [false, true].map((isSlow) => promising.filter(({ id }) => this.slow.has(id) === isSlow));
    return [...quick, ...slow].filter(({ programContent }) => {
      const count = (counts.get(programContent) ?? 0) + 1;
      counts.set(programContent, count);
      return count <= TESTS_OF_FIRST_TURN;
    });
  }

  /** Tests that run a second time, where uses of what was never set are seen, need another translation for it. */
  private needing(items: readonly Item[]): readonly Item[] {
    if (!this.plan.uninitialised) return items;
    return items.map((item) => ({ ...item, needs: [...(item.needs ?? []), DEFINEDNESS_NEED] }));
  }

  private isOf(of: RoundPlan["of"], id: string): boolean {
    if (of === "all") return true;
    return of === "second" ? this.slow.get(id) === 1 : this.slow.has(id) === (of === "slow");
  }

  /**
   * What the tests cover is known only when each has run to its end, symbolic or not. Where there was no time for all of them, that
   * is known of those that were looked at.
   */
  lastRound(): readonly Item[] {
    return this.seeds
      .filter(({ id }) => !this.plain.has(id) && !this.isUnseen(id))
      .map((seed) => itemOf(seed, PLAIN, false));
  }

  lastCount(): number {
    return (this.isCut ? this.seen.size : this.seeds.length) - this.plain.size;
  }

  /** It had no first look yet, and may never have one. */
  private isUnseen(id: string): boolean {
    return this.isCut && !this.seen.has(id);
  }

  absorb(item: Item, { isComplete, result }: ItemReport<AmplifyResult>): void {
    const { work, key } = item;
    this.begun.add(key);
    if (isComplete) this.cut.delete(key);
    else if (result.isPlain !== true) this.cut.set(key, item);
    if (isMoves(work)) this.movesBegan(item);
    if (result.isMoves === true) this.moved.absorb(result);
    else if (!isMoves(work)) this.absorbTest(work, result);
  }

  /** It died, or is nobody's to do: once is enough. */
  passed({ key }: Item): void {
    this.begun.add(key);
  }

  private movesBegan({ program, work }: Item): void {
    if (isMoves(work) && work.isByChance !== true) this.movedPrograms.add(program);
  }

  private absorbTest(work: TestWork, result: Exclude<AmplifyResult, { readonly isMoves: true }>): void {
    const { seed } = work;
    this.seen.add(seed.id);
    if (result.plain?.isWhole === true) this.plain.add(seed.id);
    if (result.isPlain === true) return;
    if (work.distance === 0) this.judgeLook(work, result);
    // Further away it says nothing new of the test's own path.
    if (work.distance === 0 || !this.profiles.has(seed.id)) this.remember(seed, profileOf(result, work.look));
  }

  /** Whether another look at its own path is needed, and whether those of the program are worth it. */
  private judgeLook({ seed, look }: TestWork, result: ExploredResult): void {
    const { isPutOff, nextLook, checks, checksSkipped, statistics, blocks } = result;
    if (isPutOff === true) this.slow.set(seed.id, nextLook ?? null);
    else this.slow.delete(seed.id);
    const before = this.answered.get(seed.id) ?? 0;
    const now = checks - checksSkipped - Math.max(statistics.unknown, statistics.solver?.unknown ?? 0);
    this.answered.set(seed.id, Math.max(before, now));
    if (look !== 1) return;
    const { programContent } = seed;
    const isOfUse = now > before || this.isBeyond(blocks, this.blocksOfTests(programContent));
    this.fruitless.set(programContent, isOfUse ? 0 : (this.fruitless.get(programContent) ?? 0) + 1);
  }

  private isBeyond(blocks: string | null, known: Uint32Array): boolean {
    return blocks !== null && unpackedBlocks(blocks).some((word, index) => (word & ~(known[index] ?? 0)) !== 0);
  }

  memoryOf({ result }: ItemReport<AmplifyResult>, { work }: Item): unknown {
    if (result.isMoves === true) return this.moved.memoryOf(result, isMoves(work) ? work.timeMs : 0);
    return result.isPlain === true ? undefined : profileOf(result, isMoves(work) ? undefined : work.look);
  }

  recall(item: Item, memory: unknown, isCut = false): boolean {
    const { work, key } = item;
    if (isMoves(work)) {
      if (!this.moved.recall({ ...item, work }, memory)) return false;
      this.begun.add(key);
      this.movesBegan(item);
      return true;
    }
    if (!isProfile(memory)) return false;
    const { look, nextLook } = memory;
    // What a look could not do a longer one may.
    if (look !== undefined && (work.look === undefined || work.look > look)) return false;
    if (look !== undefined) this.slow.set(work.seed.id, nextLook ?? null);
    if (isCut) this.cut.set(key, item);
    this.begun.add(key);
    this.seen.add(work.seed.id);
    this.remember(work.seed, memory);
    return true;
  }

  /** One a program, as far as its tests have input that could grow; those that read much are left as they are. */
  private moveItems(): readonly Item[] {
    const bases = this.promising().filter(this.canGrow);
    return this.moved.items(bases, (content) => this.blocksOfTests(content), this.isOnlyPlain);
  }

  /** One a program, of its smallest tests. */
  private editItems(): readonly Item[] {
    return this.moved.edits(cheapestFirst(this.seeds, this.sizeOf).filter(this.canGrow), this.isOnlyPlain);
  }

  private readonly canGrow = (seed: Seed): boolean => {
    const { program, files = [], environment = [] } = seed;
    const hasInput = this.given.has(program) || environment.length > 0 || files.some(({ content }) => content !== null);
    return hasInput && !isLarge(seed, this.sizeOf);
  };

  private readonly isOnlyPlain = ({ program }: Seed): boolean => !this.given.has(program);

  private blocksOfTests(content: string): Uint32Array {
    const known = this.seeds.flatMap(({ id, programContent }) => {
      const blocks = programContent === content ? this.covered.get(id) : undefined;
      return blocks === undefined ? [] : [blocks];
    });
    const all = new Uint32Array(known.reduce((most, { length }) => Math.max(most, length), 0));
    for (const blocks of known) for (let at = 0; at < blocks.length; at++) all[at] |= blocks[at];
    return all;
  }

  /** A move is one decision: what is left of the distance is looked at around the input that it made. Of equal paths one is enough. */
  private movedItems(distance: number): readonly Item[] {
    const paths = new Set(this.seeds.map((seed) => this.pathOf(seed)));
    return this.moved.inputs.flatMap((input) => {
      const most = distance - input.steps.length;
      // What an earlier round had no time for comes first.
      const levels = Array.from({ length: Math.max(0, most + 1) }, (_, level) => level);
      const left = levels.find((level) => !this.hasBegun(input, level));
      const path = this.pathOf(input.seed);
      // Around an input that fails is what is around its test.
      if (left === undefined || (left > 0 && (input.fails || paths.has(path)))) return [];
      paths.add(path);
      return [movedItem(input, left)];
    });
  }

  private hasBegun({ seed }: MovedInput, distance: number): boolean {
    return this.begun.has(keyOf(seed, distance));
  }

  private pathOf({ id, programContent }: Seed): string {
    return `${programContent} ${this.profiles.get(id)?.path ?? id}`;
  }

  private remember(seed: Seed, profile: Profile): void {
    this.profiles.set(seed.id, profile);
    if (profile.blocks !== null) this.covered.set(seed.id, unpackedBlocks(profile.blocks));
  }

  private promising(): Seed[] {
    const byPath = new Map<string, Seed>();
    for (const seed of this.seeds) {
      if (this.isUnseen(seed.id)) continue;
      const path = this.pathOf(seed);
      if (!byPath.has(path)) byPath.set(path, seed);
    }
    const chosen = [...byPath.values()];
    const large = (seed: Seed): boolean => isLarge(seed, this.sizeOf);
    const [small, others] = [chosen.filter((seed) => !large(seed)), chosen.filter(large)];
    return [small, others].flatMap((part) => inTurns(this.ordered(part), NEAR_PATH_TURNS));
  }

  /** Blocks of two programs have nothing to do with each other. */
  private ordered(seeds: readonly Seed[]): Seed[] {
    const byProgram = new Map<string, Seed[]>();
    for (const seed of seeds) {
      const list = byProgram.get(seed.programContent) ?? [];
      byProgram.set(seed.programContent, list);
      list.push(seed);
    }
    return [...byProgram.values()].flatMap((list) => this.orderedOfProgram(list));
  }

  private orderedOfProgram(seeds: readonly Seed[]): Seed[] {
    const byId = new Map(seeds.map((seed) => [seed.id, seed]));
    const order = orderSeeds(
      seeds.map(({ id }) => ({
        id,
        milliseconds: this.profiles.get(id)?.ms ?? Number.POSITIVE_INFINITY,
        blocks: this.covered.get(id) ?? null,
      })),
    );
    return order.flatMap((id) => byId.get(id) ?? []);
  }
}

function itemOf(seed: Seed, distance: number, isOnlyPlain: boolean, look?: Look): Item {
  const key = distance === PLAIN ? `${seed.id}/plain` : keyOf(seed, distance);
  const work = { seed, distance, isOnlyPlain, ...(look === undefined ? {} : { look }) };
  return { key, program: seed.programContent, label: seed.arguments.join(" "), work };
}

function keyOf({ id }: Seed, distance: number): string {
  return `${id}/${distance}`;
}

function movedItem({ seed, fails: hasFailed, ...moved }: MovedInput, distance: number): Item {
  const work = { seed, distance, isMade: true, moved, hasFailed };
  return { key: keyOf(seed, distance), program: seed.programContent, label: seed.arguments.join(" "), work };
}

function isMoves(work: AmplifyWork): work is MovesWork {
  return "bases" in work;
}

function profileOf(result: ExploredResult, look?: Look): Profile {
  const { path, blocks, statistics, checks, checked, isPutOff, nextLook = null } = result;
  const queries = statistics.solver?.queries ?? 0;
  const profile = {
    ...{ path, ms: Math.round(statistics.timeMs), blocks, checks, checked, queries },
    paths: statistics.paths,
  };
  return isPutOff === true && look !== undefined ? { ...profile, look, nextLook } : profile;
}

/** What a journal kept of how much was done. */
export function recalledCounts(memory: unknown): { readonly queries: number; readonly paths: number } {
  const { queries, paths } = (memory ?? {}) as Partial<Profile>;
  const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
  return { queries: count(queries), paths: count(paths) };
}

/** What a journal kept of a test's own path; null if it says nothing of it. */
export function recalledChecks(
  memory: unknown,
): { readonly checks: number; readonly checked: Checked; readonly isPutOff: boolean } | null {
  const { checks, checked, look } = (memory ?? {}) as Partial<Profile>;
  if (typeof checks !== "number" || !(checks >= 0) || checked === null || typeof checked !== "object") return null;
  const { extent, why } = checked;
  if (!["all", "part", "none"].includes(extent) || !Array.isArray(why)) return null;
  const isPutOff = look !== undefined;
  return {
    checks,
    checked: { extent, why: why.filter((text) => typeof text === "string").slice(0, MOST_WHY) },
    isPutOff,
  };
}

function isProfile(memory: unknown): memory is Profile {
  if (memory === null || typeof memory !== "object") return false;
  const { path, ms, blocks, look, nextLook = null } = memory as Partial<Profile>;
  if (![undefined, 0, 1].includes(look) || ![null, 0, 1].includes(nextLook)) return false;
  if (typeof path !== "string" || path.length > 100 || typeof ms !== "number" || !(ms >= 0)) return false;
  return blocks === null || (typeof blocks === "string" && blocks.length <= MOST_BLOCK_TEXT);
}
