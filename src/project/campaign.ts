// A campaign: all seeds at distance 0, then all seeds at distance 1, and so on, until the time is up (make test-zesti, IV-B:
// iterative deepening over the whole suite). Findings are the same across seeds if they are of one kind at one place. What
// was done is written down after each test, so that a campaign that is stopped, or killed, goes on where it was.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { RunOutcome } from "../engine/executor.js";
import { runChecked } from "../findings/check.js";
import { type Finding, userFrameOf } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import { surroundings } from "../inputs/symbolic-inputs.js";
import type { ProgramImage } from "../jit/image.js";
import { Amplification, type AmplifyReport, type TestInput } from "../techniques/amplify.js";
import { readHeap } from "../vm/heap.js";
import { DEFAULT_OPTIONS, type RunOptions } from "../vm/run-options.js";
import { BlobStore } from "./blob-store.js";
import { machineMade } from "./machine-made.js";
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

export interface LoadedImage {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

/** A finding with all that proves it. */
export interface CampaignFinding {
  readonly finding: Finding;
  readonly key: string;
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

export class Campaign {
  readonly options: CampaignOptions;
  private readonly blobs: BlobStore;
  private readonly journal: string;
  private readonly known = new Set<string>();
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
      const witness = amplification.valuesOf(event.input, event.outcome.objects);
      yield* this.finding(seed, made.test, loaded, witness, distance, event.depth, event.outcome);
    }
  }

  /** Runs the witness for itself, with nothing symbolic: only what fails again is reported. */
  private *finding(
    seed: Seed,
    test: TestInput,
    loaded: LoadedImage,
    witness: readonly InputValue[],
    distance: number,
    depth: number,
    outcome: RunOutcome,
  ): Generator<CampaignEvent, void> {
    const limits = { ...DEFAULT_OPTIONS.limits, instructions: this.options.instructionsPerPath };
    const options = { ...concreteOptions(test, witness), limits, seed: this.options.randomSeed };
    const { finding, result } = runChecked(
      loaded.image,
      options,
      { repeat: "always", leaks: false, heap: readHeap },
      loaded.module,
    );
    if (finding === null || finding.confirmed === false) {
      const what = outcome.end.kind === "finding" ? outcome.end.finding.kind : outcome.end.kind;
      return void (yield { kind: "unconfirmed", seed, what });
    }
    const key = findingKey(finding);
    if (this.known.has(key)) return;
    this.known.add(key);
    const why = machineMade({ kind: finding.kind, witness, denied: result.denied }, test.values, seed.end);
    if (why !== null) return void (yield { kind: "machine-made", seed, why });
    const atMs = this.options.now() - this.startedMs;
    yield { kind: "finding", found: { finding, key, seed, test, witness, distance, depth, atMs } };
  }

  private remember(line: JournalLine): void {
    this.profiles.set(line.seed, line);
    if (line.blocks !== undefined) this.covered.set(line.seed, unpackedBlocks(line.blocks));
  }

  /** A full disk costs the memory of what was done, not what was found. Told once. */
  private writeDown(line: JournalLine): string | null {
    try {
      appendFileSync(this.journal, `${JSON.stringify(line)}\n`, { mode: 0o600 });
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

/** Kind, place and who called it, the same for whatever seed it was found from. Callers further out only multiply it. */
export function findingKey(finding: Finding): string {
  const frame = userFrameOf(finding);
  const names = [...new Set(finding.stack.slice(0, finding.userFrame + 2).map(({ functionName }) => functionName))];
  return [finding.kind, frame?.file ?? "", frame?.line ?? 0, ...names].join("|");
}

/** A test with other bytes, nothing of it symbolic. */
export function concreteOptions(test: TestInput, values: readonly InputValue[]): RunOptions {
  const bytesOf = new Map(values.map(({ name, bytes }) => [name, bytes]));
  const recorded = new Map(test.values.map(({ name, bytes }) => [name, bytes]));
  const around = surroundings(
    test.inputs,
    (name, size) => bytesOf.get(name) ?? recorded.get(name) ?? new Uint8Array(size),
  );
  return {
    ...DEFAULT_OPTIONS,
    ...test.given,
    arguments: [test.program, ...around.words.map(({ bytes }) => bytes)],
    environment: test.environment,
    executable: test.program,
    workingDirectory: test.workingDirectory,
    stdin: around.stdin ?? new Uint8Array(0),
    files: [...(test.given.files ?? []), ...around.files.map(({ name, bytes }) => ({ path: name, bytes }))],
  };
}
