// `tangent explore` as a plan over the engine: which inputs are symbolic, which seeds come first, which searcher chooses,
// which checks are made, when to stop. The plan is plain data, so that it can be made in one thread and carried out in
// another, and written beside the results; the engine does the rest.

import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../engine/engine.js";
import type { EngineEvent } from "../engine/events.js";
import type { InputObject } from "../engine/executor.js";
import { ExplorationFiles } from "../engine/exploration-files.js";
import { FIRST_QUESTION_MS } from "../engine/hard-questions.js";
import { charactersJoined, InputEdits } from "../engine/input-edits.js";
import type { InputMaker } from "../engine/input-tries.js";
import type { EngineLimits, EngineOptions } from "../engine/options.js";
import { ProgramExecutor } from "../engine/program-executor.js";
import { ResumableExploration } from "../engine/resumable-exploration.js";
import type { EngineStatistics } from "../engine/statistics.js";
import type { ExprRef } from "../expr/ops.js";
import type { KindName } from "../findings/kinds.js";
import type { InputValue } from "../inputs/input-value.js";
import { type SymbolicInputs, slotsOf } from "../inputs/symbolic-inputs.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { EXPLORING_SHARE } from "../path/check-patience.js";
import type { CheckPolicy, ExplorationMode } from "../path/frontier.js";
import { assembleSolver, type ChainedSolver, type SolverOptions } from "../solver/chain.js";
import type { Model } from "../solver/solver.js";
import { Random } from "../support/random.js";
import { constantWords } from "./constant-words.js";
import { CoverageDistance } from "./coverage-distance.js";
import { SavedInputs } from "./saved-inputs.js";
import { type Subtree, subtreeEngine } from "./subtree.js";

export interface ExplorePlan {
  /** argv[0], and where the program believes to be. */
  readonly program: string;
  readonly workingDirectory: string;
  readonly environment: readonly string[];
  /** The directories of the real disk that the program sees; all if nothing is said. */
  readonly roots?: readonly string[];
  readonly heapBytes: number;
  readonly inputs: SymbolicInputs;
  /** Run first, in this order; none: one input of zeros. */
  readonly seeds: readonly (readonly InputValue[])[];
  readonly mode: ExplorationMode;
  readonly checks: CheckPolicy;
  /** Small branches that only compute values are one expression (jit/join-branches.ts). */
  readonly joins: boolean;
  /** Names of search/registry.ts joined by "+". */
  readonly searcher: string;
  readonly randomSeed: number;
  /** Edits of inputs are tried out beside the search. */
  readonly tries: boolean;
  readonly limits: Partial<EngineLimits>;
  /** The first of this kind; true: whatever it is. Kinds are known when a finding is looked at closer, not to the engine. */
  readonly stopAtFirst: boolean | KindName;
  /** Tables of so many cells are followed when they are written at a place that the input decides. */
  readonly storeCells?: number;
  /** A klee_assume that no input of a path satisfies is no finding. */
  readonly silentAssumptions?: boolean;
  readonly solver: SolverOptions;
}

/** What an exploration needs of its surroundings. */
export interface ExploreHost {
  readonly abort: { readonly aborted: boolean };
  /** klee_print_expr. */
  describe(message: string, expression: ExprRef, low: number, high: number): void;
  /** Bytes in use by the process, if they are to be limited. */
  readonly memoryUsed: ((collectFirst?: boolean) => number) | null;
  /** Where to note which blocks are covered, if others are to see it. */
  readonly coverage?: Uint8Array;
}

/** A snapshot of everything that often, and what was found since then at the latest after this time. */
const SNAPSHOT_EVERY_MS = 30_000;
const FLUSH_EVERY_MS = 1000;

export type ResumeOutcome =
  | {
      readonly kind: "resumed";
      readonly pending: number;
      readonly lost: number;
      readonly repeated: number;
      /** What was wrong with the files, in words. */
      readonly problems: readonly string[];
    }
  | { readonly kind: "failed"; readonly message: string };

/** Where nothing is symbolic this takes less than a millisecond. */
const SET_ASIDE_AFTER = 100_000;
/** A letter, a digit, a blank, the end of a line, and a byte that is none of these. */
const PROBES: readonly number[] = [..."a1 \n"].map((text) => text.charCodeAt(0)).concat(0xff);
/** Longer inputs cost more than they show. */
const MAX_PROBED_BYTES = 1 << 16;

export class Exploration {
  readonly executor: ProgramExecutor;
  readonly solver: ChainedSolver;
  readonly engine: Engine;
  private current: Engine;
  private readonly options: Partial<EngineOptions> & Pick<EngineOptions, "solver">;
  private kept: ResumableExploration | null = null;
  private saved: SavedInputs | null = null;
  private savedFailure: string | null = null;

  /** The plain inputs have been given; with seeds there are none. */
  private probed: boolean;

  constructor(
    private readonly image: ProgramImage,
    readonly plan: ExplorePlan,
    host: ExploreHost,
    module: WebAssembly.Module = loadModule(image),
  ) {
    this.executor = new ProgramExecutor(
      image,
      {
        inputs: plan.inputs,
        name: plan.program,
        workingDirectory: plan.workingDirectory,
        environment: plan.environment,
        heapBytes: plan.heapBytes,
        seed: plan.randomSeed,
        ...(plan.storeCells === undefined ? {} : { storeCells: plan.storeCells }),
        ...(plan.silentAssumptions === true ? { silentAssumptions: true } : {}),
        describe: (message, expression, low, high) => host.describe(message, expression, low, high),
        ...(plan.roots === undefined ? {} : { given: { roots: plan.roots } }),
        ...(host.coverage === undefined ? {} : { coverage: host.coverage }),
      },
      module,
    );
    const { space, arena, coverage } = this.executor;
    this.solver = assembleSolver(arena, plan.solver);
    const seeds = plan.seeds.map((values) => space.modelOf(fitted(values, plan.inputs)));
    for (const seed of seeds) this.solver.offer(seed);
    this.probed = plan.seeds.length > 0;
    const distance = new CoverageDistance(image, coverage);
    const covered = (): number => this.current.counters.coveredBlocks;
    this.options = {
      solver: this.solver,
      mode: plan.mode,
      checks: plan.checks,
      checkShare: EXPLORING_SHARE,
      searcher: plan.searcher,
      seeds,
      limits: plan.limits,
      stopAtFirstFinding: plan.stopAtFirst === true,
      setAsideAfter: SET_ASIDE_AFTER,
      firstQuestionMs: FIRST_QUESTION_MS,
      inputMaker: plan.tries && plan.mode === "pending" ? this.inputMaker() : null,
      random: new Random(plan.randomSeed),
      distance: (site, side) => distance.of(site, side, covered()),
      memoryUsed: host.memoryUsed,
      abort: host.abort,
    };
    this.engine = new Engine(this.executor, this.options);
    this.current = this.engine;
  }

  /** The words are looked for when the first input is made: before the first run there is nothing in memory. */
  private inputMaker(): InputMaker {
    const { executor, image, plan } = this;
    const counts = new Set(slotsOf(plan.inputs).flatMap(({ kind, name }) => (kind === "count" ? [name] : [])));
    let edits: InputEdits | null = null;
    return {
      edited: (from, other) => {
        edits ??= new InputEdits(
          new Random(plan.randomSeed),
          constantWords(image.globals, executor.machine.memory.u8),
          () => charactersJoined(executor.space.objects.filter(({ name }) => !counts.has(name))),
        );
        return edits.edited(from, other);
      },
    };
  }

  /** An engine for a part of the tree, in the place of the one before. */
  partEngine(subtree: Subtree): Engine {
    this.current = subtreeEngine(this.executor, this.options, subtree);
    return this.current;
  }

  /** From now on everything is kept in this folder; before the first event. */
  keepIn(folder: string): void {
    mkdirSync(folder, { recursive: true });
    const program = `${createHash("sha256").update(this.image.wasm).digest("hex")} ${JSON.stringify(this.plan.inputs)}`;
    const options = { program, snapshotEveryMs: SNAPSHOT_EVERY_MS, flushEveryMs: FLUSH_EVERY_MS };
    this.kept = new ResumableExploration(this.engine, ExplorationFiles.open(folder), options);
    this.saved = new SavedInputs(join(folder, "inputs.jsonl"), this.executor.space);
  }

  /** Goes on with what is kept; after `keepIn`. */
  resume(): ResumeOutcome {
    if (this.kept === null || this.saved === null) return { kind: "failed", message: "nothing is kept" };
    const changed = "the program, or what is symbolic, is not what was explored there; start a new exploration";
    const restored = this.saved.restore();
    if (restored === "damaged") {
      return { kind: "failed", message: "what is kept there is damaged; start a new exploration" };
    }
    if (restored === "changed") return { kind: "failed", message: changed };
    const result = this.kept.resume();
    // It was killed before its first path was written: it begins again.
    if (result.kind === "nothing-saved") return { kind: "resumed", pending: 0, lost: 0, repeated: 0, problems: [] };
    this.probed = true;
    if (result.kind === "other-program") return { kind: "failed", message: changed };
    if (result.kind === "other-version") {
      return { kind: "failed", message: "it was saved by another version of tangent; start a new exploration" };
    }
    const { report, journaled, problems } = result;
    return { kind: "resumed", pending: report?.pending ?? 0, lost: report?.lost ?? 0, repeated: journaled, problems };
  }

  /** Why what a later `resume` needs could not be written; null if it could. */
  get keepFailure(): string | null {
    return this.kept?.failure ?? this.savedFailure;
  }

  *events(): Generator<EngineEvent, EngineStatistics> {
    const events = (this.kept ?? this.engine).explore();
    for (let next = events.next(); ; next = events.next()) {
      this.saveInputs();
      if (next.done === true) return next.value;
      if (!this.probed && next.value.kind === "run-finished") this.probe();
      yield next.value;
    }
  }

  /**
   * Without seeds the first input is all zeros, which few programs take for text. Once it has shown what the input is made
   * of, a few plain inputs follow: running them costs no question, and most programs tell letters, digits and blanks apart.
   */
  private probe(): void {
    this.probed = true;
    const { space } = this.executor;
    if (this.plan.mode === "eager" || space.size === 0 || space.size > MAX_PROBED_BYTES) return;
    for (const byte of PROBES) this.engine.addSeed(new Uint8Array(space.size).fill(byte));
  }

  private saveInputs(): void {
    if (this.saved === null) return;
    try {
      this.saved.update();
      this.savedFailure = null;
    } catch (error) {
      this.savedFailure = error instanceof Error ? error.message : String(error);
    }
  }

  /** The input of a run: the objects it used, in the order in which it did, with the bytes it had. */
  valuesOf(input: Model, objects: readonly InputObject[]): readonly InputValue[] {
    return this.executor.space.valuesOfRun(input, objects);
  }
}

/** A seed may have other sizes than the user asked for: cut, or followed by zeros. The program's own objects stay as they are. */
function fitted(values: readonly InputValue[], inputs: SymbolicInputs): readonly InputValue[] {
  const slots = slotsOf(inputs);
  return values.map((value) => {
    const slot = slots.find(({ name }) => name === value.name);
    if (slot === undefined || slot.size === value.bytes.length) return value;
    const bytes = new Uint8Array(slot.size);
    bytes.set(value.bytes.subarray(0, slot.size));
    return { ...value, bytes };
  });
}
