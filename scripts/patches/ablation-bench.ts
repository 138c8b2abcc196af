// A commit's programs, ready to be searched by any variant: images, graphs and surveys of the tests are made once, whichever variants and
// targets follow. A search is what a campaign would do for that one target, with its passes and all of its inputs, and nothing else.
//
// Variants without points-to sets or without preconditions have graphs or distances of their own; the others share them.

import type { ItemContext, ItemReport, WorkItem } from "../../src/campaign/technique.js";
import type { ProgramPlace, StartableProgram } from "../../src/campaign/work-messages.js";
import type { Invocation } from "../../src/inputs/invocation.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { loadModule } from "../../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { makesProcesses, translateAll, useBuiltPrograms } from "../../src/jobs/built-programs.js";
import { findProgram } from "../../src/jobs/find-program.js";
import { DEFAULT_GRAPH_OPTIONS } from "../../src/program/graph/build-graph.js";
import { loadGraph } from "../../src/program/graph/load-graph.js";
import type { ProgramGraph } from "../../src/program/graph/program-graph.js";
import { BlobStore } from "../../src/project/blob-store.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import type { Seed } from "../../src/project/seed.js";
import { invocationOf } from "../../src/project/seed-test.js";
import { groundOf } from "../../src/techniques/reach/reach-ground.js";
import { REACH_RUNNER } from "../../src/techniques/reach/reach-item.js";
import { DEFAULT_REACH_PLAN, type ReachPlan, ReachTechnique } from "../../src/techniques/reach/reach-technique.js";
import type { ReachResult, ReachSetup, ReachWork } from "../../src/techniques/reach/reach-work.js";
import type { Strategy } from "../../src/techniques/reach/target-search.js";
import type { TargetPlace, Wanted } from "../../src/techniques/reach/targets.js";
import type { Variant } from "./ablation-variants.js";
import { type UndirectedProgram, UndirectedSearch } from "./undirected-search.js";

/** Plain data: it crosses threads. */
export interface BenchSetup {
  readonly root: string;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  readonly startable: readonly StartableProgram[];
  readonly wanted: readonly Wanted[];
  readonly randomSeed: number;
}

export interface BenchReached {
  readonly by: string;
  readonly invocation: Invocation;
  /** As its user knows it. */
  readonly program: string;
  readonly steps: readonly string[];
}

export interface BenchOutcome {
  readonly kind: "reached" | "not-reached" | "unreachable" | "covered" | "absent";
  /** Null if no program has it. */
  readonly target: TargetPlace | null;
  readonly distance: number | null;
  readonly reached: BenchReached | null;
  readonly why: string;
  readonly searchMs: number;
  readonly cpuMs: number;
}

interface BenchProgram {
  readonly place: ProgramPlace;
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
  readonly graph: ProgramGraph;
  /** One byte a block: not 0 if a test executes it. */
  readonly covered: Uint8Array;
}

/** What variants with the same graph and distances share. */
interface BenchGround {
  readonly programs: ReadonlyMap<string, BenchProgram>;
  readonly surveys: ReadonlyMap<string, ItemReport<ReachResult>>;
}

type Abort = { readonly aborted: boolean };

const MOST_MS = 3_600_000;

export class AblationBench {
  private readonly grounds = new Map<string, BenchGround>();
  private readonly images = new Map<string, ProgramImage>();
  private readonly blobs: BlobStore;

  constructor(
    private readonly setup: BenchSetup,
    private readonly env: NodeJS.ProcessEnv,
    private readonly note: (text: string) => void,
  ) {
    this.blobs = new BlobStore(new ProjectFolder(setup.root));
  }

  /** Loads what a variant needs, unless another has the same. */
  async prepare(variant: Variant): Promise<void> {
    const key = groundKey(variant.without);
    if (this.grounds.has(key)) return;
    const programs = new Map<string, BenchProgram>();
    for (const place of this.setup.programs) {
      const made = await this.load(place, variant.without.includes("points-to"));
      if (typeof made === "string") this.note(`${place.name}: ${made}`);
      else programs.set(place.content, made);
    }
    const technique = this.technique(variant, MOST_MS);
    const surveys = new Map<string, ItemReport<ReachResult>>();
    begin(technique, ({ key: item, program: content, work }) => {
      const program = programs.get(content);
      const report = program === undefined ? null : this.run(technique, program, work, { aborted: false });
      if (report !== null) surveys.set(item, report);
      return report;
    });
    this.grounds.set(key, { programs, surveys });
  }

  /** After `prepare`. */
  search(target: string, variant: Variant, timeMs: number, randomSeed: number, abort: Abort): BenchOutcome {
    const ground = this.grounds.get(groundKey(variant.without));
    if (ground === undefined) throw new Error(`nothing is prepared for ${variant.name}`);
    const technique = this.technique(variant, timeMs);
    begin(technique, ({ key }) => ground.surveys.get(key) ?? null);
    const record = technique.records.get(target);
    const nothing = { reached: null, why: "", searchMs: 0, cpuMs: 0 };
    if (record === undefined) return { kind: "absent", target: null, distance: null, ...nothing };
    const common = { target: record.target, distance: record.firstDistance };
    if (record.coveredBy !== null) return { kind: "covered", ...common, ...nothing };
    if (!variant.isUndirected && !technique.isOpen(record)) {
      return { kind: "unreachable", ...common, ...nothing, why: [...record.unreachable.values()][0] ?? "" };
    }
    // The others are nobody's business.
    for (const other of technique.records.values()) if (other !== record) other.coveredBy ??= "another target";
    const startedMs = performance.now();
    const cpu = process.cpuUsage();
    const reached = variant.isUndirected
      ? this.undirected(target, ground, timeMs, randomSeed, abort)
      : this.directed(technique, target, ground, abort);
    const searchMs = Math.round(performance.now() - startedMs);
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = Math.round((user + system) / 1000);
    const why = reached === null ? (record.why?.sentence ?? "") : "";
    return { kind: reached === null ? "not-reached" : "reached", ...common, reached, why, searchMs, cpuMs };
  }

  private directed(technique: ReachTechnique, target: string, ground: BenchGround, abort: Abort): BenchReached | null {
    for (let round = technique.nextRound(); round !== null && !abort.aborted; round = technique.nextRound()) {
      for (const item of round) {
        const program = ground.programs.get(item.program);
        if (item.work.kind !== "search" || program === undefined) continue;
        const report = this.run(technique, program, item.work, abort);
        if (report !== null) technique.absorb(item, report);
        const reached = technique.records.get(target)?.reached ?? null;
        if (reached === null) continue;
        const { by, invocation, steps } = reached.input;
        return { by, invocation, steps, program: program.place.name };
      }
    }
    return null;
  }

  private undirected(
    target: string,
    ground: BenchGround,
    timeMs: number,
    randomSeed: number,
    abort: Abort,
  ): BenchReached | null {
    const programs = [...ground.programs.values()].flatMap(
      (program): (UndirectedProgram & { readonly name: string })[] => {
        const { image, module, graph, covered, place } = program;
        const found = groundOf(image, module, graph, this.setup.wanted, true).targets.find(({ id }) => id === target);
        if (found === undefined) return [];
        const seeds = this.setup.seeds.filter(({ programContent }) => programContent === place.content);
        const test = (index: number): Invocation | null => {
          const made = invocationOf(seeds[index], this.blobs);
          return made.kind === "broken" ? null : made.invocation;
        };
        return [{ name: place.name, image, module, covered, blocks: found.blocks, tests: seeds.length, test }];
      },
    );
    const { root } = this.setup;
    const search = new UndirectedSearch(programs, { ...DEFAULT_REACH_PLAN, root, randomSeed, abort });
    const reached = search.run(timeMs);
    return reached === null
      ? null
      : { by: "luck", invocation: reached.invocation, steps: [], program: reached.program.name };
  }

  private run(
    technique: ReachTechnique,
    program: BenchProgram,
    work: ReachWork,
    abort: Abort,
  ): ItemReport<ReachResult> | null {
    const { image, module, graph, covered } = program;
    const context: ItemContext = {
      image,
      module,
      extra: { graph, old: null },
      timeMs: MOST_MS,
      abort,
      tell: (event) => {
        if (event.kind !== "covered" || !event.byTests) return;
        event.coverage.forEach((byte, block) => {
          if (byte !== 0) covered[block] = 1;
        });
      },
    };
    const setup: ReachSetup = technique.setup(this.setup.root);
    const outcome = REACH_RUNNER.run(work, setup, context);
    return outcome.kind === "report" ? outcome.report : null;
  }

  private technique({ without }: Variant, timeMs: number): ReachTechnique {
    const { wanted, seeds, randomSeed } = this.setup;
    const plan: ReachPlan = {
      ...DEFAULT_REACH_PLAN,
      wanted,
      without,
      randomSeed,
      targetMs: timeMs,
      searchMs: MOST_MS,
      workers: 1,
      amplifyDistance: -1,
    };
    return new ReachTechnique(seeds, plan, () => null);
  }

  private async load(place: ProgramPlace, isByTypes: boolean): Promise<BenchProgram | string> {
    const options = { env: this.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
    let image = this.images.get(place.content);
    if (image === undefined) {
      const found = await findProgram(place.path, options);
      if (found.kind === "failed") return found.message;
      image = found.image();
      this.images.set(place.content, image);
    }
    useBuiltPrograms(this.setup.startable, options);
    if (makesProcesses(image)) await translateAll(this.setup.startable, options);
    const pointers = isByTypes ? "types" : "points-to";
    const graph = await loadGraph(place.path, image, options, { ...DEFAULT_GRAPH_OPTIONS, pointers });
    if ("kind" in graph) return graph.message;
    // What is known of an image is kept beside it by its identity: each ground has one of its own.
    const own = Object.create(image) as ProgramImage;
    const covered = new Uint8Array(own.coverage.length);
    return { place, image: own, module: loadModule(own), graph, covered };
  }
}

/** Variants with the same one have the same graphs and distances. */
export function groundKey(without: readonly Strategy[]): string {
  return without.filter((part) => part === "points-to" || part === "preconditions").join(" ");
}

/** The rounds before the first search: what tests execute, and how far they are from the rest. */
function begin(
  technique: ReachTechnique,
  reportOf: (item: WorkItem<ReachWork>) => ItemReport<ReachResult> | null,
): void {
  const take = (): void => {
    for (const item of technique.nextRound() ?? []) {
      const report = reportOf(item);
      if (report !== null) technique.absorb(item, report);
    }
  };
  take();
  if ([...technique.records.values()].some((record) => technique.isOpen(record))) take();
}
