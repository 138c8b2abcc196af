// The thread an exploration runs in. Generated code needs a large native stack, which only a worker can have; and while
// it computes for seconds without a pause, the main thread stays free for Ctrl-C and the screen.

import { join } from "node:path";
import { parentPort, type TransferListItem } from "node:worker_threads";
import { UnsetSearch } from "../definedness/unset-search.js";
import type { DetectedFinding } from "../engine/executor.js";
import { type Confirmation, confirm } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import { type FindingIdentity, type IdentityContext, identify } from "../findings/identity.js";
import { ProgramFunctions } from "../findings/program-functions.js";
import type { InputValue } from "../inputs/input-value.js";
import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import type { SiteId } from "../path/observer.js";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import { compiledContents, readOnce, sourceRoots, sourcesBelow } from "../project/sources.js";
import { FileWriter } from "../report/file-writer.js";
import { renderLcov } from "../report/lcov.js";
import { RunFolder, type RunFolderOptions } from "../report/run-folder.js";
import { ThreadedWriter } from "../report/threaded-writer.js";
import { commandMs } from "../support/command-clock.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { memoryGauge } from "../support/memory-gauge.js";
import { useV8Flags } from "../support/v8-flags.js";
import { Exploration, type ExplorePlan, type ResumeOutcome } from "../techniques/explore.js";
import { DEFAULT_LIMITS, type RunOptions } from "../vm/run-options.js";
import type { CrewSetup } from "./crew-board.js";
import { type CrewBasis, CrewExplorer } from "./crew-explorer.js";
import { DescribedValues } from "./described-values.js";
import { type Explorer, ExploreSession, type SessionMessage } from "./explore-session.js";
import { RESUME_FOLDER } from "./resume.js";

export interface ExploreTask extends ThreadTask {
  readonly source: ImageSource;
  /** The program translated to follow what was set; null: uses of what was not are not looked for. */
  readonly definedness: ImageSource | null;
  readonly plan: ExplorePlan;
  readonly folder: string;
  readonly record: RunFolderOptions;
  readonly json: boolean;
  readonly resume: boolean;
  /** Threads that explore; more than one cannot be resumed. */
  readonly workers: number;
  /** When its time is over, by the command's clock; Infinity if it has no limit. */
  readonly untilMs: number;
}

/** Of the time that is left when all is loaded, what is kept back to confirm what the last moment brings; and at the most. */
const CONFIRMING_SHARE = 0.05;
const MOST_CONFIRMING_MS = 2000;

/** A finding of the last moment is still confirmed, if that can be done in this time. */
const LEAST_CONFIRMATION_MS = 500;

/** What is known of the program whoever explores it. */
class Basis implements CrewBasis {
  readonly module: WebAssembly.Module;
  private readonly unset: UnsetSearch | null;
  private known: Pick<IdentityContext, "functions" | "readSource"> | null = null;
  private coveredBlocks = -1;
  private coveredInstructions = 0;
  /** When all is to be over. */
  endsMs = Number.POSITIVE_INFINITY;

  constructor(
    readonly image: ProgramImage,
    private readonly plan: ExplorePlan,
    definedness: ProgramImage | null,
  ) {
    this.module = loadModule(image);
    this.unset = definedness === null ? null : new UnsetSearch({ image: definedness, module: loadModule(definedness) });
  }

  uninitialised(values: readonly InputValue[]): readonly Finding[] {
    return this.unset?.look({ ...runOptionsOf(this.testOf(values)), ...this.runSettings() }) ?? [];
  }

  confirm(values: readonly InputValue[]): Confirmation {
    return confirm(this, this.testOf(values), values, { ...this.runSettings(), nativeEnd: null });
  }

  private testOf(values: readonly InputValue[]): TestInput {
    const { program, inputs, workingDirectory, environment, roots } = this.plan;
    return { program, inputs, workingDirectory, environment, values, given: roots === undefined ? {} : { roots } };
  }

  private runSettings(): Pick<RunOptions, "seed" | "limits"> {
    const { heapBytes, randomSeed: seed } = this.plan;
    const { instructionsPerPath = Number.POSITIVE_INFINITY, timePerRunMs = Number.POSITIVE_INFINITY } =
      this.plan.limits;
    const leftMs = Math.max(LEAST_CONFIRMATION_MS, this.endsMs - performance.now());
    const milliseconds = Math.min(timePerRunMs, leftMs);
    return { seed, limits: { ...DEFAULT_LIMITS, heapBytes, instructions: instructionsPerPath, milliseconds } };
  }

  placeOfSite(site: SiteId): string {
    const location = this.image.locations[this.image.sites[site]?.location ?? -1];
    return location === undefined ? `site ${site}` : `${location.functionName} ${location.file}:${location.line}`;
  }

  identify(finding: Finding): FindingIdentity {
    const { program, workingDirectory: root } = this.plan;
    this.known ??= {
      functions: new ProgramFunctions(this.image),
      readSource: readOnce(sourcesBelow(sourceRoots(program, root), compiledContents(this.image.sources))),
    };
    return identify(finding, { program, root, ...this.known });
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
  private isStopped = false;

  constructor(
    image: ProgramImage,
    plan: ExplorePlan,
    private readonly basis: Basis,
    abort: { readonly aborted: boolean },
    print: (text: string) => void,
  ) {
    const described = new DescribedValues(() => this.exploration, print);
    const isStopped = (): boolean => this.isStopped;
    const host = {
      abort: {
        get aborted(): boolean {
          return isStopped() || abort.aborted;
        },
      },
      memoryUsed: memoryGauge(),
      describe: (...value: Parameters<DescribedValues["describe"]>): void => described.describe(...value),
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

  confirm(values: readonly InputValue[]): Confirmation {
    return this.basis.confirm(values);
  }

  uninitialised(values: readonly InputValue[]): readonly Finding[] {
    return this.basis.uninitialised(values);
  }

  identify(finding: Finding): FindingIdentity {
    return this.basis.identify(finding);
  }

  placeOfSite(site: SiteId): string {
    return this.basis.placeOfSite(site);
  }

  withdraw(finding: DetectedFinding): void {
    this.exploration.engine.withdraw(finding);
  }

  stop(): void {
    this.isStopped = true;
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
}

type Post = (message: SessionMessage, transfer?: readonly TransferListItem[]) => void;

/** Null if it could not even begin; that has been told. */
function explorerFor(task: ExploreTask, basis: Basis, post: Post): Explorer | null {
  const { source, plan, cell, record, json } = task;
  const { image } = basis;
  if (task.workers > 1) {
    const { workers } = task;
    const all = json || record.writeAll;
    const hire = (setup: CrewSetup): void => post({ kind: "hire", setup }, [setup.port]);
    const print = (text: string): void => post({ kind: "printed", text });
    const options = { source, plan, cell, workers, all, plainTests: record.mostPlainTests, hire, print };
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

/** An exploration's own limit counts what was explored before a restart, too. */
function withinTime(plan: ExplorePlan, earlierMs: number, leftMs: number): ExplorePlan {
  if (leftMs === Number.POSITIVE_INFINITY) return plan;
  const searchMs = leftMs - Math.min(CONFIRMING_SHARE * leftMs, MOST_CONFIRMING_MS);
  return { ...plan, limits: { ...plan.limits, timeMs: earlierMs + searchMs } };
}

parentPort?.once("message", (task: ExploreTask) => {
  useV8Flags();
  const { source, folder, record, json } = task;
  const post: Post = (message, transfer = []) => parentPort?.postMessage(message, transfer);
  const definedness = task.definedness === null ? null : imageOf(task.definedness);
  const basis = new Basis(imageOf(source), task.plan, definedness);
  const leftMs = Math.max(0, task.untilMs - commandMs());
  basis.endsMs = performance.now() + leftMs;
  const { timeMs: limitMs = Number.POSITIVE_INFINITY } = task.plan.limits;
  const plan = withinTime(task.plan, limitMs - task.untilMs, leftMs);
  const explorer = explorerFor({ ...task, plan }, basis, post);
  if (explorer === null) return;
  const options = {
    program: plan.program,
    limitMs: Number.isFinite(limitMs) ? limitMs : null,
    stopAt: typeof plan.stopAtFirst === "string" ? plan.stopAtFirst : null,
    json,
    now: () => performance.now(),
    memoryBytes: () => process.memoryUsage.rss(),
  };
  // Another thread pays only for many files.
  const files = record.writeAll ? new ThreadedWriter(folder) : new FileWriter(folder);
  new ExploreSession(explorer, new RunFolder(record, files), options, post).run();
});
