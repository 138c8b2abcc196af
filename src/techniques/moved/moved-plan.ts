// The planning half of moves: which tests are moved, one item a program, and which of the inputs that come of it are amplified. The limits
// on their number are kept here, in the order of the items, so that they hold for any number of threads.

import { createHash } from "node:crypto";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { packedBlocks } from "../../project/seed-order.js";
import { listOf, matching, record, text, truth } from "../../support/shape.js";
import type { MovedInput, MovesResult, MovesWork } from "./moved-input.js";

export interface MoveLimits {
  /** Inputs of one test that are amplified, and of a campaign. */
  readonly movedOfSeed: number;
  readonly movedInputs: number;
  /** For the runs of all items. */
  readonly moveMs: number;
}

export const DEFAULT_MOVE_LIMITS: MoveLimits = { movedOfSeed: 8, movedInputs: 64, moveMs: 30_000 };

/** Where inputs that were made are kept. */
export interface MadeSeeds {
  /** False if the disk refuses it. */
  keep(moved: MovedInput): boolean;
  find(id: string): Seed | null;
}

/** Tests of a program that are moved. */
const MOST_BASES = 24;
/** Inputs that are amplified, however few tests there are; and for each test. */
const LEAST_INPUTS = 12;
const INPUTS_A_TEST = 2;
const LEAST_OF_PROGRAM = 4;
const LEAST_ITEM_MS = 500;

const MEMORY = record({
  moved: listOf(record({ id: matching(/^[0-9a-f]{1,64}$/), from: text, steps: listOf(text), fails: truth })),
});
interface Memory {
  readonly moved: readonly (Pick<MovedInput, "from" | "steps" | "fails"> & { readonly id: string })[];
}

export class MovedPlan {
  /** Those to be amplified. */
  readonly inputs: MovedInput[] = [];
  private readonly met = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly most: number;

  constructor(
    seeds: readonly Seed[],
    private readonly limits: MoveLimits,
    private readonly made: MadeSeeds,
  ) {
    this.most = Math.min(limits.movedInputs, Math.max(LEAST_INPUTS, INPUTS_A_TEST * seeds.length));
    for (const { id } of seeds) this.met.add(id);
  }

  /** `bases`: the most promising first; `blocksOf`: what all tests of a program cover; `isOnlyPlain`: see MovesWork. */
  items(
    bases: readonly Seed[],
    blocksOf: (programContent: string) => Uint32Array,
    isOnlyPlain: (seed: Seed) => boolean = () => false,
  ): WorkItem<MovesWork>[] {
    const programs = new Map<string, Seed[]>();
    for (const seed of bases) {
      const known = programs.get(seed.programContent) ?? [];
      if (known.length < MOST_BASES) known.push(seed);
      programs.set(seed.programContent, known);
    }
    const count = Math.max(1, programs.size);
    const work = {
      timeMs: Math.max(LEAST_ITEM_MS, Math.round(this.limits.moveMs / count)),
      most: Math.min(this.most, Math.max(LEAST_OF_PROGRAM, Math.ceil(this.most / count))),
      mostOfSeed: this.limits.movedOfSeed,
    };
    return [...programs].map(([program, seeds]) => ({
      key: `moves/${hashOf([program, ...seeds.map(({ id }) => id)])}`,
      program,
      label: seeds[0].arguments.join(" "),
      needs: ["words"],
      work: {
        ...{ bases: seeds, known: packedBlocks(blocksOf(program)), ...work },
        ...(isOnlyPlain(seeds[0]) ? { isOnlyPlain: true } : {}),
      },
    }));
  }

  absorb({ moved }: MovesResult): void {
    for (const input of moved) if (this.mayTake(input.seed.id, input.from) && this.made.keep(input)) this.take(input);
  }

  memoryOf({ moved }: MovesResult): unknown {
    return {
      moved: moved.map(({ seed, from, steps, fails }) => ({ id: seed.id, from, steps, fails })),
    } satisfies Memory;
  }

  /** Anybody may have written it: only inputs that are there, for the same program, made from its tests. */
  recall({ program, work }: WorkItem<MovesWork>, memory: unknown): boolean {
    if (!MEMORY(memory)) return false;
    const inputs = (memory as Memory).moved.map(({ id, from, steps, fails }): MovedInput | null => {
      const seed = this.made.find(id);
      const base = work.bases.find((one) => one.id === from);
      if (seed === null || seed.programContent !== program || base === undefined) return null;
      return { seed: { ...seed, program: base.program }, from, command: base.arguments, steps, fails };
    });
    if (inputs.includes(null)) return false;
    for (const input of inputs) if (input !== null && this.mayTake(input.seed.id, input.from)) this.take(input);
    return true;
  }

  private mayTake(id: string, from: string): boolean {
    if (this.met.has(id) || this.inputs.length >= this.most) return false;
    return (this.counts.get(from) ?? 0) < this.limits.movedOfSeed;
  }

  private take(input: MovedInput): void {
    this.met.add(input.seed.id);
    this.counts.set(input.from, (this.counts.get(input.from) ?? 0) + 1);
    this.inputs.push(input);
  }
}

function hashOf(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}
