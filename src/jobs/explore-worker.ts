// The thread an exploration runs in. Generated code needs a large native stack, which only a worker can have; and while
// it computes for seconds without a pause, the main thread stays free for Ctrl-C and the screen.

import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import type { DetectedFinding } from "../engine/executor.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import { type Confirmation, confirm } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import { GeneralHelpers } from "../findings/general-helpers.js";
import { type FindingIdentity, identify } from "../findings/identity.js";
import type { ImageSource } from "../findings/run-worker.js";
import type { InputValue } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { loadImage } from "../program/stored-image.js";
import { sourceRoots, sourcesBelow } from "../project/sources.js";
import { FileWriter } from "../report/file-writer.js";
import { renderLcov } from "../report/lcov.js";
import { RunFolder, type RunFolderOptions } from "../report/run-folder.js";
import { ThreadedWriter } from "../report/threaded-writer.js";
import { memoryGauge } from "../support/memory-gauge.js";
import { useV8Flags } from "../support/v8-flags.js";
import { Exploration, type ExplorePlan, type ResumeOutcome } from "../techniques/explore.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { type CrewBasis, CrewExplorer } from "./crew-explorer.js";
import { type Explorer, ExploreSession, type SessionMessage } from "./explore-session.js";
import { RESUME_FOLDER } from "./resume.js";

export interface ExploreTask {
  readonly source: ImageSource;
  readonly plan: ExplorePlan;
  readonly folder: string;
  readonly record: RunFolderOptions;
  readonly json: boolean;
  readonly resume: boolean;
  /** Threads that explore; more than one cannot be resumed. */
  readonly workers: number;
  /** One shared word: not 0 asks to stop after the current path. */
  readonly cell: Int32Array;
}

/** klee_print_expr in a loop must not drown the rest. */
const MOST_PRINTED = 1000;
/** klee_warning: there is no value (runtime/symbolic/klee-print.c). */
const TEXT_ONLY = -1;

/** What is known of the program whoever explores it. */
class Basis implements CrewBasis {
  readonly module: WebAssembly.Module;
  private helpers: GeneralHelpers | null = null;
  private coveredBlocks = -1;
  private coveredInstructions = 0;

  constructor(
    readonly image: ProgramImage,
    private readonly plan: ExplorePlan,
  ) {
    this.module = new WebAssembly.Module(image.wasm);
  }

  confirm(values: readonly InputValue[], predicted: DetectedFinding | null): Confirmation {
    const { program, inputs, heapBytes, workingDirectory, environment, randomSeed: seed } = this.plan;
    const { roots } = this.plan;
    const given = roots === undefined ? {} : { roots };
    const test = { program, inputs, workingDirectory, environment, values, given };
    const { instructionsPerPath = Number.POSITIVE_INFINITY, timePerRunMs = Number.POSITIVE_INFINITY } =
      this.plan.limits;
    const limits = { ...DEFAULT_LIMITS, heapBytes, instructions: instructionsPerPath, milliseconds: timePerRunMs };
    return confirm(this, test, values, { seed, limits, predicted, nativeEnd: null });
  }

  identify(finding: Finding): FindingIdentity {
    const { program, workingDirectory: root } = this.plan;
    this.helpers ??= new GeneralHelpers(this.image);
    const { helpers } = this;
    return identify(finding, {
      program,
      root,
      isHelper: (frame) => helpers.isHelper(frame),
      readSource: sourcesBelow(sourceRoots(program, root)),
    });
  }

  /** Counted again only when something was covered since. */
  coverageOf(coverage: Uint8Array): ReturnType<Explorer["coverage"]> {
    let blocks = 0;
    for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) blocks++;
    if (blocks !== this.coveredBlocks) {
      this.coveredBlocks = blocks;
      this.coveredInstructions = 0;
      this.image.coverage.forEach((block, index) => {
        if (coverage[index] !== 0) this.coveredInstructions += block.instructions;
      });
    }
    return { coveredInstructions: this.coveredInstructions, totalBlocks: this.image.coverage.length };
  }

  lcovOf(coverage: Uint8Array): string {
    return renderLcov(this.image, coverage);
  }
}

/** An exploration by one engine, in this thread. */
class LoneExplorer implements Explorer {
  private readonly exploration: Exploration;

  constructor(
    image: ProgramImage,
    plan: ExplorePlan,
    private readonly basis: Basis,
    abort: { readonly aborted: boolean },
    print: (text: string) => void,
  ) {
    let printed = 0;
    const warnings = new Set<string>();
    const host = {
      abort,
      memoryUsed: memoryGauge(),
      describe: (message: string, expression: ExprRef, low: number, high: number): void => {
        if (expression === TEXT_ONLY) {
          // Every path that comes there says it again.
          if (!warnings.has(message)) print(`warning: ${message}\n`);
          warnings.add(message);
        } else if (printed++ < MOST_PRINTED) print(`${message}: ${this.describeValue(expression, low, high)}\n`);
      },
    };
    this.exploration = new Exploration(image, plan, host, basis.module);
  }

  events(): ReturnType<Explorer["events"]> {
    return this.exploration.events();
  }

  valuesOf(...run: Parameters<Explorer["valuesOf"]>): readonly InputValue[] {
    return this.exploration.valuesOf(...run);
  }

  statistics(): ReturnType<Explorer["statistics"]> {
    return this.exploration.engine.statistics();
  }

  solverStats(): ReturnType<Explorer["solverStats"]> {
    return this.exploration.solver.stats;
  }

  confirm(values: readonly InputValue[], predicted: DetectedFinding | null): Confirmation {
    return this.basis.confirm(values, predicted);
  }

  identify(finding: Finding): FindingIdentity {
    return this.basis.identify(finding);
  }

  withdraw(finding: DetectedFinding): void {
    this.exploration.engine.withdraw(finding);
  }

  coverage(): ReturnType<Explorer["coverage"]> {
    return this.basis.coverageOf(this.exploration.executor.coverage);
  }

  lcov(): string {
    return this.basis.lcovOf(this.exploration.executor.coverage);
  }

  keepFailure(): string | null {
    return this.exploration.keepFailure;
  }

  keepIn(folder: string): void {
    this.exploration.keepIn(folder);
  }

  resume(): ResumeOutcome {
    return this.exploration.resume();
  }

  private describeValue(expression: ExprRef, low: number, high: number): string {
    const value = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    if (expression === CONCRETE) return `${value}`;
    const { arena, space } = this.exploration.executor;
    return `${printExpr(arena, expression, (index) => space.nameOf(index))}, ${value} on this path`;
  }
}

/** Null if it could not even begin; that has been told. */
function explorerFor(task: ExploreTask, post: (message: SessionMessage) => void): Explorer | null {
  const { source, plan, cell, record, json } = task;
  const image = source.kind === "image" ? source.image : loadImage(source.name);
  const basis = new Basis(image, plan);
  if (task.workers > 1) {
    const { workers } = task;
    const all = json || record.writeAll;
    const options = { source, plan, cell, workers, all, plainTests: record.mostPlainTests };
    return new CrewExplorer({ ...options, coverageBlocks: image.coverage.length }, basis);
  }
  const abort = {
    get aborted(): boolean {
      return Atomics.load(cell, 0) !== 0;
    },
  };
  const explorer = new LoneExplorer(image, plan, basis, abort, (text) => post({ kind: "printed", text }));
  try {
    explorer.keepIn(join(task.folder, RESUME_FOLDER));
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    return null;
  }
  if (!task.resume) return explorer;
  const resumed = explorer.resume();
  post(resumed);
  return resumed.kind === "failed" ? null : explorer;
}

parentPort?.once("message", (task: ExploreTask) => {
  useV8Flags();
  const { plan, folder, record, json } = task;
  const post = (message: SessionMessage): void => parentPort?.postMessage(message);
  const explorer = explorerFor(task, post);
  if (explorer === null) return;
  const limitMs = plan.limits.timeMs ?? Number.POSITIVE_INFINITY;
  const options = {
    program: plan.program,
    limitMs: Number.isFinite(limitMs) ? limitMs : null,
    json,
    now: () => performance.now(),
    memoryBytes: () => process.memoryUsage.rss(),
  };
  // Another thread pays only for many files.
  const files = record.writeAll ? new ThreadedWriter(folder) : new FileWriter(folder);
  new ExploreSession(explorer, new RunFolder(record, files), options, post).run();
});
