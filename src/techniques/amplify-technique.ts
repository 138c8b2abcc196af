// ZESTI as a campaign's technique: all tests at distance 0, then all at distance 1, and so on (make test-zesti, IV-B:
// iterative deepening over the whole suite). Beyond their own paths, of several tests with the same path one is enough, and
// those that show the most go first.

import type { ItemReport, Technique, WorkItem } from "../campaign/technique.js";
import type { Seed } from "../project/seed.js";
import { orderSeeds, unpackedBlocks } from "../project/seed-order.js";
import type { AmplifyResult, AmplifySetup, AmplifyWork } from "./amplify-item.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "./test-limits.js";

export interface AmplifyPlan extends TestLimits {
  readonly maxDistance: number;
}

export const DEFAULT_AMPLIFY_PLAN: AmplifyPlan = { maxDistance: 8, ...DEFAULT_TEST_LIMITS };

/** What is known of a test from its own run, and what the journal keeps of it. */
interface Profile {
  readonly path: string;
  readonly ms: number;
  readonly blocks: string | null;
}

/** A program of a hundred million blocks is nobody's. */
const MOST_BLOCK_TEXT = 0x100_0000;

type Item = WorkItem<AmplifyWork>;

export class AmplifyTechnique implements Technique<AmplifyWork, AmplifyResult> {
  readonly name = "amplify";
  readonly settings: Technique<AmplifyWork, AmplifyResult>["settings"];
  private distance = 0;
  private readonly profiles = new Map<string, Profile>();
  /** The blocks that tests execute; those of another program are other blocks, which only costs a little of the order. */
  private readonly covered = new Map<string, Uint32Array>();

  constructor(
    private readonly seeds: readonly Seed[],
    private readonly plan: AmplifyPlan,
  ) {
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
    return seeds.map((seed) => ({
      key: `${seed.id}/${distance}`,
      program: seed.programContent,
      label: seed.arguments.join(" "),
      work: { seed, distance },
    }));
  }

  absorb(item: Item, report: ItemReport<AmplifyResult>): void {
    this.remember(item, profileOf(report));
  }

  memoryOf(report: ItemReport<AmplifyResult>): unknown {
    return profileOf(report);
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
    const chosen = new Map([...byPath.values()].map((seed) => [seed.id, seed]));
    const order = orderSeeds(
      [...chosen.keys()].map((id) => ({
        id,
        milliseconds: this.profiles.get(id)?.ms ?? Number.POSITIVE_INFINITY,
        blocks: this.covered.get(id) ?? null,
      })),
    );
    return order.flatMap((id) => chosen.get(id) ?? []);
  }
}

function profileOf({ result: { path, blocks, statistics } }: ItemReport<AmplifyResult>): Profile {
  return { path, ms: Math.round(statistics.timeMs), blocks };
}

function isProfile(memory: unknown): memory is Profile {
  if (memory === null || typeof memory !== "object") return false;
  const { path, ms, blocks } = memory as Partial<Profile>;
  if (typeof path !== "string" || path.length > 100 || typeof ms !== "number" || !(ms >= 0)) return false;
  return blocks === null || (typeof blocks === "string" && blocks.length <= MOST_BLOCK_TEXT);
}
