// The thread an exploration runs in. Generated code needs a large native stack, which only a worker can have; and while
// it computes for seconds without a pause, the main thread stays free for Ctrl-C and the screen.

import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import type { InputValue } from "../concolic/input-space.js";
import type { Finding } from "../findings/finding.js";
import type { ImageSource } from "../findings/run-worker.js";
import type { ProgramImage } from "../jit/image.js";
import { loadImage } from "../program/stored-image.js";
import { FileWriter } from "../report/file-writer.js";
import { renderLcov } from "../report/lcov.js";
import { RunFolder, type RunFolderOptions } from "../report/run-folder.js";
import { ThreadedWriter } from "../report/threaded-writer.js";
import { Exploration, type ExplorePlan, type ResumeOutcome } from "../techniques/explore.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { runConcretely } from "./concrete-run.js";
import { type Explorer, ExploreSession, type SessionMessage } from "./explore-session.js";
import { RESUME_FOLDER } from "./resume.js";

export interface ExploreTask {
  readonly source: ImageSource;
  readonly plan: ExplorePlan;
  readonly folder: string;
  readonly record: RunFolderOptions;
  readonly json: boolean;
  readonly resume: boolean;
  /** One shared word: not 0 asks to stop after the current path. */
  readonly cell: Int32Array;
}

/** klee_print_expr in a loop must not drown the rest. */
const MOST_PRINTED = 1000;
/** klee_warning: there is no value (runtime/symbolic/klee-print.c). */
const TEXT_ONLY = -1;

class ProgramExplorer implements Explorer {
  private readonly exploration: Exploration;
  private readonly module: WebAssembly.Module;
  private coveredBlocks = -1;
  private coveredInstructions = 0;

  constructor(
    private readonly image: ProgramImage,
    private readonly plan: ExplorePlan,
    abort: { readonly aborted: boolean },
    print: (text: string) => void,
  ) {
    this.module = new WebAssembly.Module(image.wasm);
    let printed = 0;
    const warnings = new Set<string>();
    const host = {
      abort,
      memoryUsed: memoryGauge(),
      describe: (message: string, expression: number, low: number, high: number): void => {
        if (expression === TEXT_ONLY) {
          // Every path that comes there says it again.
          if (!warnings.has(message)) print(`warning: ${message}\n`);
          warnings.add(message);
        } else if (printed++ < MOST_PRINTED) print(`${message}: ${describeValue(expression, low, high)}\n`);
      },
    };
    this.exploration = new Exploration(image, plan, host, this.module);
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

  confirm(values: readonly InputValue[]): Finding | null {
    const { plan } = this;
    const test = { program: plan.program, inputs: plan.inputs, objects: values };
    const { instructionsPerPath, timePerRunMs } = this.exploration.engine.limits;
    const limits = {
      ...DEFAULT_LIMITS,
      heapBytes: plan.heapBytes,
      instructions: instructionsPerPath,
      milliseconds: timePerRunMs,
    };
    const { workingDirectory, environment, randomSeed: seed } = plan;
    const options = { workingDirectory, environment, seed, limits, output: "capture" as const };
    return runConcretely(this.image, test, options, this.module).finding;
  }

  coverage(): ReturnType<Explorer["coverage"]> {
    const { coverage } = this.exploration.executor;
    const blocks = this.exploration.engine.counters.coveredBlocks;
    if (blocks !== this.coveredBlocks) {
      this.coveredBlocks = blocks;
      this.coveredInstructions = 0;
      this.image.coverage.forEach((block, index) => {
        if (coverage[index] !== 0) this.coveredInstructions += block.instructions;
      });
    }
    return { coveredInstructions: this.coveredInstructions, totalBlocks: this.image.coverage.length };
  }

  lcov(): string {
    return renderLcov(this.image, this.exploration.executor.coverage);
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
}

function describeValue(expression: number, low: number, high: number): string {
  const value = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return expression === 0 ? `${value}` : `symbolic, ${value} on this path`;
}

parentPort?.once("message", (task: ExploreTask) => {
  useV8Flags();
  const { source, plan, folder, record, json, resume, cell } = task;
  const post = (message: SessionMessage): void => parentPort?.postMessage(message);
  const image = source.kind === "image" ? source.image : loadImage(source.name);
  const abort = {
    get aborted(): boolean {
      return Atomics.load(cell, 0) !== 0;
    },
  };
  const explorer = new ProgramExplorer(image, plan, abort, (text) => post({ kind: "printed", text }));
  try {
    explorer.keepIn(join(folder, RESUME_FOLDER));
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    return;
  }
  if (resume) {
    const resumed = explorer.resume();
    post(resumed);
    if (resumed.kind === "failed") return;
  }
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
