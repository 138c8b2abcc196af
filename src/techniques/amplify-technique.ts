// ZESTI as a campaign's technique: all tests at distance 0, then all at distance 1, and so on (make test-zesti, IV-B:
// iterative deepening over the whole suite). Beyond their own paths, of several tests with the same path one is enough, and
// those that show the most go first.
//
// Departure: cheap breadth comes before expensive depth. A suite of hundreds of tests can have checks on its own paths that
// take the solver all of the time, while a bug lies two decisions away from a test that takes a second. So all tests get a short
// look at distance 0, then those that were cut by it a longer one, once more if little was missing or the machine was busy; what is slow even
// then is put off: the distances up to NEAR of the other tests come first, then those checks, then the rest. In which order tests are
// taken says seed-promise.ts. And a suite of thousands must not use up its time with first looks: when a part of it is over, the tests that
// were looked at until then, of all programs, go on to distance 1, and the others have to wait.
//
// Departure: inputs may grow (moved/). When the tests' own paths and distance 1 are done, moves make other inputs of them; each counts
// as one decision, and is amplified beside the tests of the same distance.

import type { ItemReport, Technique, WorkItem } from "../campaign/technique.js";
import type { BlobName, Seed } from "../project/seed.js";
import { cheapestFirst, isLarge, orderSeeds, unpackedBlocks } from "../project/seed-order.js";
import { firstOfKindFirst, inTurns, NEAR_PATH_TURNS, OWN_PATH_TURNS } from "../project/seed-promise.js";
import type { LiteralChoice } from "../support/literal-names.js";
import { ALL_MOVES } from "../support/move-names.js";
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
import { type AroundPath, DEFAULT_AROUND_PATH } from "./around-path.js";
import { givenPrograms } from "./literal-inputs.js";
import type { MovedInput, MovesWork } from "./moved/moved-input.js";
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
}

/** A program of a hundred million blocks is nobody's. */
const MOST_BLOCK_TEXT = 0x100_0000;
const MOST_WHY = 10;

type Item = WorkItem<AmplifyWork>;

/**
 * Which distance, of which tests: those with checks that were put off are slow, some of them for a second look. `moves`: inputs are
 * made; `moved`: of these; `rest`: what rounds with a limited time have left, of the tests at distance 1, and of all at the end; `late`:
 * the quick ones that had their first look too late for the round of their distance.
 */
interface RoundPlan {
  readonly distance: number;
  readonly of: "all" | "quick" | "slow" | "second" | "moves" | "moved" | "rest" | "late";
  readonly look?: Look;
  /** Of the time that is left, what it may take. */
  readonly share?: number;
  /** Only if there was no time for a first look at all tests, or only if there was. */
  readonly ifCut?: boolean;
}

/** For the first look at all tests. */
const FIRST_LOOK_SHARE = 0.4;

/** Distance 1 comes before moves, but they do not wait for ever; and inputs that they made never take much of the tests' own time. */
const FIRST_SHARE = 0.7;
const MOVED_SHARE = 0.2;

/** What comes before checks that were put off. */
const NEAR = 2;

function roundsUpTo(most: number, hasMoves: boolean): RoundPlan[] {
  const distances = Array.from({ length: most }, (_, index) => index + 1);
  const near = distances.filter((distance) => distance <= NEAR);
  const moved = (distance: number): RoundPlan[] => (hasMoves ? [{ distance, of: "moved", share: MOVED_SHARE }] : []);
  const quick = (distance: number): RoundPlan[] => {
    if (distance > 1) return [{ distance, of: "quick" }];
    if (!hasMoves)
      return [
        { distance, of: "quick" },
        { distance, of: "rest" },
      ];
    const first = { distance, of: "quick", share: FIRST_SHARE } as const;
    return [first, { distance, of: "moves" }, ...moved(distance), { distance, of: "rest" }];
  };
  // Behind the first looks that were left, which are among the rest of distance 1.
  const late: RoundPlan[] = [
    { distance: 0, of: "second", look: 1, ifCut: true },
    { distance: 1, of: "late", ifCut: true },
  ];
  return [
    { distance: 0, of: "all", look: 0, ...(most === 0 ? {} : { share: FIRST_LOOK_SHARE }) },
    { distance: 0, of: "second", look: 1, ifCut: false },
    // Those that were nearly done, or had no processor for it.
    { distance: 0, of: "second", look: 1, ifCut: false },
    ...near.flatMap((distance) => (distance === 1 ? [...quick(distance), ...late] : quick(distance))),
    ...[0, ...near].map((distance) => ({ distance, of: "slow" }) as const),
    ...(most < NEAR ? [] : moved(NEAR)),
    ...distances
      .filter((distance) => distance > NEAR)
      .flatMap((distance): RoundPlan[] => [{ distance, of: "all" }, ...moved(distance)]),
    ...(hasMoves ? [{ distance: most + 1, of: "rest" } as const] : []),
  ];
}

export class AmplifyTechnique implements Technique<AmplifyWork, AmplifyResult> {
  readonly name = "amplify";
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
  /** There was no time for a first look at all tests. */
  private isCut = false;
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
    this.rounds = roundsUpTo(plan.maxDistance, made !== null && plan.moves !== "");
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
      if (next.ifCut === !this.isCut) continue;
      const items = this.itemsOf(next);
      if (items.length === 0 && next.of !== "all" && next.of !== "quick") continue;
      this.share = next.share ?? 1;
      if (this.share < 1) for (const item of items) this.limited.set(item.key, item);
      if (next.look === 0) this.lastFirst = items.at(-1)?.key ?? null;
      return items;
    }
    return null;
  }

  shareOfRound(): number {
    return this.share;
  }

  private itemsOf({ distance, of, look }: RoundPlan): readonly Item[] {
    switch (of) {
      case "moves":
        return this.moveItems();
      case "moved":
        return this.needing(this.movedItems(distance));
      case "rest":
        return [...this.limited.values()].filter(({ key, work }) => {
          const isTest = !isMoves(work) && work.moved === undefined;
          return !this.begun.has(key) && (isTest || distance > this.plan.maxDistance);
        });
      default: {
        const seeds = (distance === 0 ? this.seeds : this.promising()).filter(({ id }) => this.isOf(of, id));
        const items = seeds.map((seed) => itemOf(seed, distance, !this.given.has(seed.program), look));
        return this.needing(of === "late" ? items.filter(({ key }) => !this.begun.has(key)) : items);
      }
    }
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

  absorb({ work, key }: Item, { result }: ItemReport<AmplifyResult>): void {
    this.begun.add(key);
    if (result.isMoves === true) this.moved.absorb(result);
    else if (!isMoves(work)) this.absorbTest(work, result);
  }

  private absorbTest({ seed, look }: TestWork, result: Exclude<AmplifyResult, { readonly isMoves: true }>): void {
    this.seen.add(seed.id);
    if (result.plain?.isWhole === true) this.plain.add(seed.id);
    if (result.isPlain === true) return;
    if (result.isPutOff === true) this.slow.set(seed.id, result.nextLook ?? null);
    else if (look === 1) this.slow.delete(seed.id);
    this.remember(seed, profileOf(result));
  }

  memoryOf({ result }: ItemReport<AmplifyResult>): unknown {
    if (result.isMoves === true) return this.moved.memoryOf(result);
    return result.isPlain === true ? null : profileOf(result);
  }

  recall(item: Item, memory: unknown): boolean {
    const { work, key } = item;
    this.begun.add(key);
    if (isMoves(work)) return this.moved.recall({ ...item, work }, memory);
    if (!isProfile(memory)) return false;
    this.seen.add(work.seed.id);
    this.remember(work.seed, memory);
    return true;
  }

  /** One a program, as far as its tests have input that could grow; those that read much are left as they are. */
  private moveItems(): readonly Item[] {
    const hasInput = ({ program, files, environment }: Seed): boolean =>
      this.given.has(program) || environment.length > 0 || files.some(({ content }) => content !== null);
    const bases = this.promising().filter((seed) => hasInput(seed) && !isLarge(seed, this.sizeOf));
    const isOnlyPlain = ({ program }: Seed): boolean => !this.given.has(program);
    return this.moved.items(bases, (content) => this.blocksOfTests(content), isOnlyPlain);
  }

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
      const left =
        Array.from({ length: most }, (_, level) => level).find((level) => !this.hasBegun(input, level)) ?? most;
      const path = this.pathOf(input.seed);
      // Around an input that fails is what is around its test.
      if (most < 0 || (left > 0 && (input.fails || paths.has(path)))) return [];
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

function profileOf({ path, blocks, statistics, checks, checked }: ExploredResult): Profile {
  const queries = statistics.solver?.queries ?? 0;
  return { path, ms: Math.round(statistics.timeMs), blocks, checks, checked, queries, paths: statistics.paths };
}

/** What a journal kept of how much was done. */
export function recalledCounts(memory: unknown): { readonly queries: number; readonly paths: number } {
  const { queries, paths } = (memory ?? {}) as Partial<Profile>;
  const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
  return { queries: count(queries), paths: count(paths) };
}

/** What a journal kept of a test's own path; null if it says nothing of it. */
export function recalledChecks(memory: unknown): { readonly checks: number; readonly checked: Checked } | null {
  const { checks, checked } = (memory ?? {}) as Partial<Profile>;
  if (typeof checks !== "number" || !(checks >= 0) || checked === null || typeof checked !== "object") return null;
  const { extent, why } = checked;
  if (!["all", "part", "none"].includes(extent) || !Array.isArray(why)) return null;
  return { checks, checked: { extent, why: why.filter((text) => typeof text === "string").slice(0, MOST_WHY) } };
}

function isProfile(memory: unknown): memory is Profile {
  if (memory === null || typeof memory !== "object") return false;
  const { path, ms, blocks } = memory as Partial<Profile>;
  if (typeof path !== "string" || path.length > 100 || typeof ms !== "number" || !(ms >= 0)) return false;
  return blocks === null || (typeof blocks === "string" && blocks.length <= MOST_BLOCK_TEXT);
}
