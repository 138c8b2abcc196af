// A campaign: all seeds at distance 0, then all seeds at distance 1, and so on, until the time is up (make test-zesti, IV-B:
// iterative deepening over the whole suite). Findings are the same across seeds if they are of one kind at one place. What
// was done is written down after each test, so that a campaign that is stopped, or killed, goes on where it was.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { EngineEvent } from "../engine/events.js";
import { confirm, confirmSmaller, type LoadedImage } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import { GeneralHelpers } from "../findings/general-helpers.js";
import { type FindingIdentity, identify } from "../findings/identity.js";
import { IdentityLedger } from "../findings/identity-ledger.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { Model } from "../solver/solver.js";
import { readSourceText } from "../support/source-text.js";
import { Amplification, type AmplifyReport } from "../techniques/amplify.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import { BlobStore } from "./blob-store.js";
import type { ProjectFolder } from "./project-folder.js";
import type { BlobName, Seed } from "./seed.js";
import { blocksOf, orderSeeds, packedBlocks, unpackedBlocks } from "./seed-order.js";
import { testOf } from "./seed-test.js";

export interface CampaignOptions {
  readonly maxDistance: number;
  readonly budgetMs: number;
  /** For one seed at one distance. */
  readonly seedMs: number;
  readonly instructionsPerPath: number;
  readonly solverQueryMs: number;
  readonly memoryBytes: number;
  readonly randomSeed: number;
  /** Tests that were done before are done again. */
  readonly again: boolean;
  readonly now: () => number;
  readonly abort: { readonly aborted: boolean };
}

export const DEFAULT_CAMPAIGN: CampaignOptions = {
  maxDistance: 8,
  budgetMs: 5 * 60_000,
  seedMs: 30_000,
  instructionsPerPath: 500_000_000,
  solverQueryMs: 5_000,
  memoryBytes: 0x4000_0000,
  randomSeed: 1,
  again: false,
  now: () => performance.now(),
  abort: { aborted: false },
};

/** A test gets so many times its share of the time that is left, and at least so much. */
const SHARES = 4;
const LEAST_SLICE_MS = 1000;

/** What is written down after each test. */
interface JournalLine {
  /** Empty if it was not done to the end. */
  readonly task: string;
  readonly seed: string;
  readonly path: string;
  readonly ms: number;
  /** At distance 0, what it covers: the bits of seed-order.ts in base64. */
  readonly blocks?: string;
}

/** A finding with all that proves it. */
export interface CampaignFinding {
  readonly finding: Finding;
  readonly identity: FindingIdentity;
  readonly seed: Seed;
  readonly test: TestInput;
  readonly witness: readonly InputValue[];
  readonly distance: number;
  /** Symbolic decisions before it. */
  readonly depth: number;
  readonly atMs: number;
}

export type CampaignEvent =
  | {
      readonly kind: "seed-begins";
      readonly seed: Seed;
      readonly distance: number;
      readonly index: number;
      readonly count: number;
    }
  /** An earlier campaign has done it. */
  | { readonly kind: "seed-known"; readonly seed: Seed; readonly distance: number }
  | { readonly kind: "seed-ends"; readonly seed: Seed; readonly report: AmplifyReport }
  | { readonly kind: "seed-skipped"; readonly seed: Seed; readonly why: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "finding"; readonly found: CampaignFinding }
  /** A failure that is the machine's own doing, and why that is thought. */
  | { readonly kind: "machine-made"; readonly seed: Seed; readonly why: string }
  | { readonly kind: "unconfirmed"; readonly seed: Seed; readonly what: string }
  | { readonly kind: "covered"; readonly program: BlobName; readonly coverage: Uint8Array; readonly byTests: boolean }
  | { readonly kind: "done"; readonly reason: "complete" | "time" | "aborted" };

/** A finding of the engine, before it is believed. */
interface Candidate {
  readonly seed: Seed;
  readonly test: TestInput;
  readonly loaded: LoadedImage;
  readonly distance: number;
  readonly event: Extract<EngineEvent, { kind: "finding-confirmed" }>;
  readonly witness: readonly InputValue[];
  readonly smaller: readonly InputValue[] | null;
}

export class Campaign {
  readonly options: CampaignOptions;
  private readonly blobs: BlobStore;
  private readonly journal: string;
  private readonly ledger = new IdentityLedger();
  private readonly helpers = new Map<BlobName, GeneralHelpers>();
  private readonly done = new Set<string>();
  /** What is known of the tests from their own runs. */
  private readonly profiles = new Map<string, JournalLine>();
  /** The blocks that they execute; those of another program are other blocks, which only costs a little of the order. */
  private readonly covered = new Map<string, Uint32Array>();
  private startedMs = 0;
  private isJournalLost = false;

  constructor(
    readonly folder: ProjectFolder,
    readonly seeds: readonly Seed[],
    readonly images: ReadonlyMap<BlobName, LoadedImage>,
    options: Partial<CampaignOptions> = {},
  ) {
    this.options = { ...DEFAULT_CAMPAIGN, ...options };
    this.blobs = new BlobStore(folder);
    this.journal = folder.file("campaign.journal");
  }

  *run(): Generator<CampaignEvent, void> {
    const { maxDistance, budgetMs, now, abort } = this.options;
    this.startedMs = now();
    this.readJournal();
    for (let distance = 0; distance <= maxDistance; distance++) {
      const order = distance === 0 ? this.seeds : this.promising();
      for (const [index, seed] of order.entries()) {
        if (abort.aborted) return void (yield { kind: "done", reason: "aborted" });
        const leftMs = budgetMs - (now() - this.startedMs);
        if (leftMs <= 0) return void (yield { kind: "done", reason: "time" });
        if (this.done.has(taskKey(seed, distance))) {
          yield { kind: "seed-known", seed, distance };
          continue;
        }
        yield* this.seed(seed, distance, index, order.length, this.slice(leftMs, order.length - index));
      }
    }
    yield { kind: "done", reason: abort.aborted ? "aborted" : "complete" };
  }

  /** Around the tests' paths: of several with the same path one is enough, and those that show the most go first. */
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

  /** What one test may take of the time that is left: several times its share, because most need far less than theirs. */
  private slice(leftMs: number, waiting: number): number {
    return Math.min(this.options.seedMs, leftMs, Math.max(LEAST_SLICE_MS, (SHARES * leftMs) / waiting));
  }

  private *seed(
    seed: Seed,
    distance: number,
    index: number,
    count: number,
    timeMs: number,
  ): Generator<CampaignEvent, void> {
    const loaded = this.images.get(seed.programContent);
    if (loaded === undefined)
      return void (yield { kind: "seed-skipped", seed, why: "its program could not be loaded" });
    const made = testOf(seed, this.blobs);
    if (made.kind === "broken") return void (yield { kind: "seed-skipped", seed, why: made.problem });
    yield { kind: "seed-begins", seed, distance, index, count };
    const { instructionsPerPath, memoryBytes, randomSeed, solverQueryMs, abort } = this.options;
    const amplification = new Amplification(
      loaded.image,
      made.test,
      {
        distance,
        limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: timeMs },
        checkTimeMs: timeMs,
        randomSeed,
        solver: { timeMs: solverQueryMs },
        abort,
      },
      loaded.module,
    );
    const events = amplification.run();
    for (;;) {
      const next = events.next();
      if (next.done === true) {
        const { statistics, pathHash, testEnd } = next.value;
        const line: JournalLine = {
          task: statistics.timeMs < timeMs && !abort.aborted ? taskKey(seed, distance) : "",
          seed: seed.id,
          // A path that was cut short is nobody else's.
          path: testEnd === null || testEnd.kind === "stopped" ? seed.id : String(pathHash),
          ms: Math.round(statistics.timeMs),
          ...(distance === 0 ? { blocks: packedBlocks(blocksOf(amplification.executor.coverage)) } : {}),
        };
        this.remember(line);
        const trouble = this.writeDown(line);
        if (trouble !== null) yield { kind: "note", text: trouble };
        yield {
          kind: "covered",
          program: seed.programContent,
          coverage: amplification.executor.coverage,
          byTests: distance === 0,
        };
        yield { kind: "seed-ends", seed, report: next.value };
        return;
      }
      const event = next.value;
      if (event.kind !== "finding-confirmed") continue;
      const valuesOf = (input: Model): readonly InputValue[] => amplification.valuesOf(input, event.outcome.objects);
      const smaller = event.smaller === null ? null : valuesOf(event.smaller);
      const candidate = { seed, test: made.test, loaded, distance, event, witness: valuesOf(event.input), smaller };
      if (!(yield* this.finding(candidate))) amplification.engine.withdraw(event.finding);
    }
  }

  /** Runs the witness for itself, with nothing symbolic. False if another witness of the same would be welcome. */
  private *finding(candidate: Candidate): Generator<CampaignEvent, boolean> {
    const { seed, test, loaded, distance, event } = candidate;
    const { randomSeed, instructionsPerPath } = this.options;
    const limits = { ...DEFAULT_LIMITS, instructions: instructionsPerPath };
    const options = { seed: randomSeed, limits, predicted: event.finding, nativeEnd: seed.end };
    const { confirmation, witness } = confirmSmaller(
      (values) => confirm(loaded, test, values, options),
      (finding) => this.identify(finding, seed, loaded).id,
      candidate.witness,
      candidate.smaller,
    );
    if (confirmation.kind === "not-reproduced" || confirmation.kind === "limit") {
      yield { kind: "unconfirmed", seed, what: event.finding.kind };
      return false;
    }
    const { finding } = confirmation;
    const identity = this.identify(finding, seed, loaded);
    if (!this.ledger.isOpen(identity.id)) return true;
    if (confirmation.kind === "machine-made") {
      // Told once; another witness of the same may be none.
      if (this.ledger.failed(identity.id)) yield { kind: "machine-made", seed, why: confirmation.why };
      return false;
    }
    this.ledger.reported(identity.id);
    const atMs = this.options.now() - this.startedMs;
    yield { kind: "finding", found: { finding, identity, seed, test, witness, distance, depth: event.depth, atMs } };
    return true;
  }

  private identify(finding: Finding, { program, programContent }: Seed, loaded: LoadedImage): FindingIdentity {
    const { root } = this.folder;
    const helpers = this.helpersOf(programContent, loaded);
    const isHelper = (frame: SourceFrame): boolean => helpers.isHelper(frame);
    return identify(finding, { program, root, isHelper, readSource: readSourceText });
  }

  private helpersOf(program: BlobName, { image }: LoadedImage): GeneralHelpers {
    const known = this.helpers.get(program) ?? new GeneralHelpers(image);
    this.helpers.set(program, known);
    return known;
  }

  private remember(line: JournalLine): void {
    this.profiles.set(line.seed, line);
    if (line.blocks !== undefined) this.covered.set(line.seed, unpackedBlocks(line.blocks));
  }

  /** A full disk costs the memory of what was done, not what was found. Told once. */
  private writeDown(line: JournalLine): string | null {
    try {
      appendFileSync(this.journal, `${JSON.stringify(line)}\n`);
      return null;
    } catch (error) {
      const isFirst = !this.isJournalLost;
      this.isJournalLost = true;
      return isFirst
        ? `${this.journal} cannot be written (${(error as Error).message}): if this campaign is stopped, the next one begins anew`
        : null;
    }
  }

  private readJournal(): void {
    if (this.options.again || !existsSync(this.journal)) return;
    for (const text of readFileSync(this.journal, "utf8").split("\n")) {
      try {
        const line = JSON.parse(text) as JournalLine;
        this.done.add(line.task);
        this.remember(line);
      } catch {
        // The last line of a campaign that was killed.
      }
    }
  }
}

function taskKey(seed: Seed, distance: number): string {
  return `${seed.id}/${distance}`;
}
