// ZESTI as a campaign's technique: all tests at distance 0, then all at distance 1, and so on (make test-zesti, IV-B:
// iterative deepening over the whole suite). Beyond their own paths, of several tests with the same path one is enough, and
// those that show the most go first.

import type { ItemReport, Technique, WorkItem } from "../campaign/technique.js";
import type { BlobName, Seed } from "../project/seed.js";
import { cheapestFirst, isLarge, orderSeeds, unpackedBlocks } from "../project/seed-order.js";
import type { LiteralChoice } from "../support/literal-names.js";
import type { Checked } from "./amplify-account.js";
import { type AmplifyResult, type AmplifySetup, type AmplifyWork, type ExploredResult, PLAIN } from "./amplify-item.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "./test-limits.js";

export interface AmplifyPlan extends TestLimits {
  readonly maxDistance: number;
  /** Whether literals of the tests' own sources are input. */
  readonly literals: LiteralChoice;
}

export const DEFAULT_AMPLIFY_PLAN: AmplifyPlan = { maxDistance: 8, literals: "auto", ...DEFAULT_TEST_LIMITS };

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

export class AmplifyTechnique implements Technique<AmplifyWork, AmplifyResult> {
  readonly name = "amplify";
  readonly settings: Technique<AmplifyWork, AmplifyResult>["settings"];
  private distance = 0;
  private readonly profiles = new Map<string, Profile>();
  /** The blocks that tests execute; those of another program are other blocks, which only costs a little of the order. */
  private readonly covered = new Map<string, Uint32Array>();
  private readonly seeds: readonly Seed[];
  /** Programs that some test gives arguments or standard input. */
  private readonly given: ReadonlySet<string>;
  /** Seeds that were run plainly to their ends by this campaign. */
  private readonly plain = new Set<string>();

  /** `sizeOf` says how large a content is. */
  constructor(
    seeds: readonly Seed[],
    private readonly plan: AmplifyPlan,
    private readonly sizeOf: (content: BlobName) => number = () => 0,
  ) {
    this.seeds = cheapestFirst(seeds, sizeOf);
    const hasInput = ({ arguments: words, stdin }: Seed): boolean =>
      words.length > 1 || (stdin.kind === "bytes" && sizeOf(stdin.content) > 0);
    this.given = new Set(seeds.filter(hasInput).map(({ program }) => program));
    const { maxDistance: _, roots, ...settings } = plan;
    this.settings = { ...settings, roots: roots?.join("\n") ?? "" };
  }

  setup(root: string): AmplifySetup {
    const { maxDistance: _, ...rest } = this.plan;
    return { root, ...rest };
  }

  nextRound(): readonly Item[] | null {
    const distance = this.distance++;
    if (distance > this.plan.maxDistance) return null;
    const seeds = distance === 0 ? this.seeds : this.promising();
    return seeds.map((seed) => itemOf(seed, distance, !this.given.has(seed.program)));
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
    if (result.isPlain !== true) this.remember(item, profileOf(result));
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
    return [...this.ordered(chosen.filter((seed) => !large(seed))), ...this.ordered(chosen.filter(large))];
  }

  private ordered(seeds: readonly Seed[]): Seed[] {
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

function itemOf(seed: Seed, distance: number, isOnlyPlain: boolean): Item {
  const key = `${seed.id}/${distance === PLAIN ? "plain" : distance}`;
  return { key, program: seed.programContent, label: seed.arguments.join(" "), work: { seed, distance, isOnlyPlain } };
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
