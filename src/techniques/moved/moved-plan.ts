// The planning half of moves: which tests are moved, one item a program, and which of the inputs that come of it are amplified. The limits
// on their number are kept here, in the order of the items, so that they hold for any number of threads.

import { createHash } from "node:crypto";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { packedBlocks } from "../../project/seed-order.js";
import { listOf, matching, number, optional, record, text, truth } from "../../support/shape.js";
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

/** Of a program, the smallest: chance needs no more of them. */
const MOST_EDITED = 8;
/** Beyond that chance has found what it finds cheaply; moves come later. */
const MOST_EDITING_MS = 2000;
/** What its time cut is done again only with so many times of it. */
const WORTH_AGAIN = 2;

const MEMORY = record({
  moved: listOf(record({ id: matching(/^[0-9a-f]{1,64}$/), from: text, steps: listOf(text), fails: truth })),
  /** If that was not enough for all. */
  cutAfterMs: optional(number),
});
interface Memory {
  readonly moved: readonly (Pick<MovedInput, "from" | "steps" | "fails"> & { readonly id: string })[];
  readonly cutAfterMs?: number;
}

export class MovedPlan {
  /** Those to be amplified. */
  readonly inputs: MovedInput[] = [];
  private readonly met = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly most: number;
  private readonly byId: ReadonlyMap<string, Seed>;
  /** By program. */
  private readonly suites = new Map<string, string[]>();

  constructor(
    seeds: readonly Seed[],
    private readonly limits: MoveLimits,
    private readonly made: MadeSeeds,
  ) {
    this.most = Math.min(limits.movedInputs, Math.max(LEAST_INPUTS, INPUTS_A_TEST * seeds.length));
    this.byId = new Map(seeds.map((seed) => [seed.id, seed]));
    for (const { id, programContent } of seeds) {
      this.met.add(id);
      const suite = this.suites.get(programContent) ?? [];
      this.suites.set(programContent, suite);
      suite.push(id);
    }
    for (const suite of this.suites.values()) suite.sort();
  }

  /** The same as long as the program has the same tests, whichever of them are moved. */
  private keyOf(what: "moves" | "edits", program: string): string {
    return `${what}/${hashOf([program, ...(this.suites.get(program) ?? [])])}`;
  }

  /** `bases`: the most promising first; `blocksOf`: what all tests of a program cover; `isOnlyPlain`: see MovesWork. */
  items(
    bases: readonly Seed[],
    blocksOf: (programContent: string) => Uint32Array,
    isOnlyPlain: (seed: Seed) => boolean = () => false,
  ): WorkItem<MovesWork>[] {
    const programs = ofEachProgram(bases, MOST_BASES);
    const work = this.limitsFor(programs.size);
    return [...programs].map(([program, seeds]) => ({
      key: this.keyOf("moves", program),
      program,
      label: seeds[0].arguments.join(" "),
      needs: ["words"],
      work: {
        ...{ bases: seeds, known: packedBlocks(blocksOf(program)), ...work },
        ...(isOnlyPlain(seeds[0]) ? { isOnlyPlain: true } : {}),
      },
    }));
  }

  /** `bases`: the smallest first. */
  edits(bases: readonly Seed[], isOnlyPlain: (seed: Seed) => boolean): WorkItem<MovesWork>[] {
    const programs = ofEachProgram(bases, MOST_EDITED);
    const { timeMs, ...limits } = this.limitsFor(programs.size);
    const known = packedBlocks(new Uint32Array());
    const work = { known, isByChance: true, timeMs: Math.min(MOST_EDITING_MS, timeMs), ...limits };
    return [...programs].map(([program, seeds]) => ({
      key: this.keyOf("edits", program),
      program,
      label: seeds[0].arguments.join(" "),
      work: { bases: seeds, ...work, ...(isOnlyPlain(seeds[0]) ? { isOnlyPlain: true } : {}) },
    }));
  }

  private limitsFor(programs: number): Pick<MovesWork, "timeMs" | "most" | "mostOfSeed"> {
    const count = Math.max(1, programs);
    return {
      timeMs: Math.max(LEAST_ITEM_MS, Math.round(this.limits.moveMs / count)),
      most: Math.min(this.most, Math.max(LEAST_OF_PROGRAM, Math.ceil(this.most / count))),
      mostOfSeed: this.limits.movedOfSeed,
    };
  }

  absorb({ moved }: MovesResult): void {
    for (const input of moved) if (this.mayTake(input.seed.id, input.from) && this.made.keep(input)) this.take(input);
  }

  memoryOf({ moved, isWhole }: MovesResult, timeMs: number): unknown {
    return {
      ...(isWhole ? {} : { cutAfterMs: timeMs }),
      moved: moved.map(({ seed, from, steps, fails }) => ({ id: seed.id, from, steps, fails })),
    } satisfies Memory;
  }

  /** Anybody may have written it: only inputs that are there, for the same program, made from its tests. */
  recall({ program, work }: WorkItem<MovesWork>, memory: unknown): boolean {
    if (!MEMORY(memory)) return false;
    const { moved, cutAfterMs = Number.POSITIVE_INFINITY } = memory as Memory;
    if (work.timeMs >= WORTH_AGAIN * cutAfterMs) return false;
    for (const { id, from, steps, fails } of moved) {
      // What the limits left out then was not kept.
      if (!this.mayTake(id, from)) continue;
      const seed = this.made.find(id);
      const base = this.byId.get(from);
      if (seed === null || seed.programContent !== program || base?.programContent !== program) return false;
      this.take({ seed: { ...seed, program: base.program }, from, command: base.arguments, steps, fails });
    }
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

/** In their order. */
function ofEachProgram(seeds: readonly Seed[], most: number): ReadonlyMap<string, Seed[]> {
  const programs = new Map<string, Seed[]>();
  for (const seed of seeds) {
    const known = programs.get(seed.programContent) ?? [];
    if (known.length < most) known.push(seed);
    programs.set(seed.programContent, known);
  }
  return programs;
}

function hashOf(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}
