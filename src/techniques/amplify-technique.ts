// ZESTI as a campaign's technique: all tests at distance 0, then all at distance 1, and so on (make test-zesti, IV-B:
// iterative deepening over the whole suite). Beyond their own paths, of several tests with the same path one is enough, and
// those that show the most go first.
//
// Departure: cheap breadth comes before expensive depth. A suite of hundreds of tests can have checks on its own paths that
// take the solver all of the time, while a bug lies two decisions away from a test that takes a second. So all tests get a short
// look at distance 0, then those that were cut by it a longer one; what is slow even then is put off: the distances up to NEAR of the
// other tests come first, then those checks, then the rest. In which order tests are taken says seed-promise.ts.

import type { ItemReport, Technique, WorkItem } from "../campaign/technique.js";
import type { BlobName, Seed } from "../project/seed.js";
import { cheapestFirst, isLarge, orderSeeds, unpackedBlocks } from "../project/seed-order.js";
import { firstOfKindFirst, inTurns } from "../project/seed-promise.js";
import type { LiteralChoice } from "../support/literal-names.js";
import type { Checked } from "./amplify-account.js";
import {
  type AmplifyResult,
  type AmplifySetup,
  type AmplifyWork,
  type ExploredResult,
  type Look,
  PLAIN,
} from "./amplify-item.js";
import type { DecisionMetric } from "./decision-metric.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "./test-limits.js";

export interface AmplifyPlan extends TestLimits {
  readonly maxDistance: number;
  /** Whether literals of the tests' own sources are input. */
  readonly literals: LiteralChoice;
  /** What distances count. */
  readonly metric: DecisionMetric;
}

export const DEFAULT_AMPLIFY_PLAN: AmplifyPlan = {
  maxDistance: 8,
  literals: "auto",
  metric: "reader",
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
}

/** A program of a hundred million blocks is nobody's. */
const MOST_BLOCK_TEXT = 0x100_0000;
const MOST_WHY = 10;

type Item = WorkItem<AmplifyWork>;

/** Which distance, of which tests: those with checks that were put off are slow, some of them for a second look. */
interface RoundPlan {
  readonly distance: number;
  readonly of: "all" | "quick" | "slow" | "second";
  readonly look?: Look;
}

/** What comes before checks that were put off. */
const NEAR = 2;

function roundsUpTo(most: number): RoundPlan[] {
  const distances = Array.from({ length: most }, (_, index) => index + 1);
  const near = distances.filter((distance) => distance <= NEAR);
  return [
    { distance: 0, of: "all", look: 0 },
    { distance: 0, of: "second", look: 1 },
    ...near.map((distance) => ({ distance, of: "quick" }) as const),
    ...[0, ...near].map((distance) => ({ distance, of: "slow" }) as const),
    ...distances.filter((distance) => distance > NEAR).map((distance) => ({ distance, of: "all" }) as const),
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
  /** Seeds that were run plainly to their ends by this campaign. */
  private readonly plain = new Set<string>();
  /** Seeds with checks that were put off: the look that may be enough for them, if there is one. */
  private readonly slow = new Map<string, Look | null>();

  /** `sizeOf` says how large a content is. */
  constructor(
    seeds: readonly Seed[],
    private readonly plan: AmplifyPlan,
    private readonly sizeOf: (content: BlobName) => number = () => 0,
  ) {
    this.seeds = inTurns(firstOfKindFirst(cheapestFirst(seeds, sizeOf), sizeOf));
    const hasInput = ({ arguments: words, stdin }: Seed): boolean =>
      words.length > 1 || (stdin.kind === "bytes" && sizeOf(stdin.content) > 0);
    this.given = new Set(seeds.filter(hasInput).map(({ program }) => program));
    this.rounds = roundsUpTo(plan.maxDistance);
    const { maxDistance: _, roots, ...settings } = plan;
    this.settings = { ...settings, roots: roots?.join("\n") ?? "" };
  }

  setup(root: string): AmplifySetup {
    const { maxDistance: _, ...rest } = this.plan;
    return { root, ...rest };
  }

  nextRound(): readonly Item[] | null {
    for (let next = this.rounds.shift(); next !== undefined; next = this.rounds.shift()) {
      const { distance, of, look } = next;
      const seeds = (distance === 0 ? this.seeds : this.promising()).filter(({ id }) => this.isOf(of, id));
      if (seeds.length === 0 && (of === "slow" || of === "second")) continue;
      return seeds.map((seed) => itemOf(seed, distance, !this.given.has(seed.program), look));
    }
    return null;
  }

  private isOf(of: RoundPlan["of"], id: string): boolean {
    if (of === "all") return true;
    return of === "second" ? this.slow.get(id) === 1 : this.slow.has(id) === (of === "slow");
  }

  /** What the tests cover is known only when each has run to its end, symbolic or not. */
  lastRound(): readonly Item[] {
    return this.seeds.filter(({ id }) => !this.plain.has(id)).map((seed) => itemOf(seed, PLAIN, false));
  }

  lastCount(): number {
    return this.seeds.length - this.plain.size;
  }

  absorb(item: Item, { result }: ItemReport<AmplifyResult>): void {
    if (result.plain?.isWhole === true) this.plain.add(item.work.seed.id);
    if (result.isPlain === true) return;
    if (result.isPutOff === true) this.slow.set(item.work.seed.id, result.nextLook ?? null);
    else if (item.work.look === 1) this.slow.delete(item.work.seed.id);
    this.remember(item, profileOf(result));
  }

  memoryOf({ result }: ItemReport<AmplifyResult>): unknown {
    return result.isPlain === true ? null : profileOf(result);
  }

  recall(item: Item, memory: unknown): boolean {
    if (!isProfile(memory)) return false;
    this.remember(item, memory);
    return true;
  }

  private remember({ work: { seed } }: Item, profile: Profile): void {
    this.profiles.set(seed.id, profile);
    if (profile.blocks !== null) this.covered.set(seed.id, unpackedBlocks(profile.blocks));
  }

  private promising(): Seed[] {
    const byPath = new Map<string, Seed>();
    for (const seed of this.seeds) {
      const path = `${seed.programContent} ${this.profiles.get(seed.id)?.path ?? seed.id}`;
      if (!byPath.has(path)) byPath.set(path, seed);
    }
    const chosen = [...byPath.values()];
    const large = (seed: Seed): boolean => isLarge(seed, this.sizeOf);
    const [small, others] = [chosen.filter((seed) => !large(seed)), chosen.filter(large)];
    return [...inTurns(this.ordered(small)), ...inTurns(this.ordered(others))];
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
  const key = `${seed.id}/${distance === PLAIN ? "plain" : distance}`;
  const work = { seed, distance, isOnlyPlain, ...(look === undefined ? {} : { look }) };
  return { key, program: seed.programContent, label: seed.arguments.join(" "), work };
}

function profileOf({ path, blocks, statistics, checks, checked }: ExploredResult): Profile {
  const queries = statistics.solver?.queries ?? 0;
  return { path, ms: Math.round(statistics.timeMs), blocks, checks, checked, queries };
}

export function recalledQueries(memory: unknown): number {
  const { queries } = (memory ?? {}) as Partial<Profile>;
  return typeof queries === "number" && queries > 0 ? queries : 0;
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
