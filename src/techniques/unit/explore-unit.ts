// `tangent unit`: one function of a program explored with everything it takes symbolic. The engine finds inputs that fail and runs each
// of them twice; a second executor, which shares nothing with the first but the program, runs the witness once more, finds out which of
// the path's conditions matter, and puts all of it into words. A failure of a unit is a fact about the function, not yet about the
// program: no caller has been shown to allow it.
//
// The words are plain data and cross threads; `lastStudy` keeps what a technique on top needs: expressions over named input.

import type { EngineEvent } from "../../engine/events.js";
import type { RunLimits } from "../../engine/executor.js";
import { placeOf } from "../../engine/finding-ledger.js";
import { GuidedExploration } from "../../engine/guided-exploration.js";
import { namesIn } from "../../engine/image-names.js";
import type { BranchPlace } from "../../engine/options.js";
import type { EngineStatistics } from "../../engine/statistics.js";
import { summaryOf, type UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import { type Finding, userFrameOf } from "../../findings/finding.js";
import type { InputValue } from "../../inputs/input-value.js";
import { resolvedType } from "../../ir/debug-types.js";
import type { ProgramImage } from "../../jit/image.js";
import { loadModule } from "../../jit/load-module.js";
import { EXPLORING_SHARE } from "../../path/check-patience.js";
import type { SiteId } from "../../path/observer.js";
import { assembleSolver, type ChainedSolver } from "../../solver/chain.js";
import type { Model } from "../../solver/solver.js";
import { Random } from "../../support/random.js";
import { CoverageDistance } from "../coverage-distance.js";
import { ConditionWords } from "./condition-words.js";
import { LeftOut } from "./left-out.js";
import { type NotOfUnit, notOfUnit } from "./not-of-unit.js";
import { type Precondition, preconditionOf } from "./precondition.js";
import { type DescribedUnit, inputNamed } from "./unit-inputs.js";
import { failureOfRun, type UnitRunner, unitRunner } from "./unit-run.js";
import { type ValueInWords, valuesInWords } from "./value-words.js";

export interface UnitPlan {
  readonly timeMs: number;
  readonly randomSeed: number;
  /** Of one run. */
  readonly instructions: number;
  /** For finding out what matters, for each failure. */
  readonly studyMs: number;
  /** Of the process. */
  readonly memoryBytes: number;
}

export const DEFAULT_UNIT_PLAN: UnitPlan = {
  timeMs: 30_000,
  randomSeed: 1,
  instructions: 2e7,
  studyMs: 2000,
  memoryBytes: 1.5e9,
};

export interface ConditionInWords {
  readonly text: string;
  /** failure: the check that fails; branch, choice, check, pin: what was decided on the way. */
  readonly kind: "branch" | "choice" | "check" | "pin" | "failure";
  /** Where it was decided; null at the start, and outside of the program. */
  readonly file: string | null;
  readonly line: number;
  /** It speaks of an address of the machine, which says nothing to a reader. */
  readonly ofAddress?: true;
}

export interface UnitFailure {
  readonly finding: Finding;
  /** The input, as the engine has it. */
  readonly values: readonly InputValue[];
  readonly arguments: readonly ValueInWords[];
  /** Parameters that are as in the call of a test that the unit starts at: what fails may depend on them, and nobody has asked. */
  readonly given: readonly ValueInWords[];
  /** What must hold; all of it together. */
  readonly precondition: readonly ConditionInWords[];
  /** Pointers near by that are null however the input is, if a null pointer was used. */
  readonly alwaysNull: readonly string[];
  /** Conditions of the whole path. */
  readonly pathConditions: number;
  /** Other inputs that meet the precondition and were run, and how many of them failed there. */
  readonly tried: number;
  readonly failed: number;
  /** Every condition of the path was asked whether it matters. */
  readonly complete: boolean;
  readonly foundMs: number;
}

export interface UnitCoverage {
  readonly blocks: number;
  readonly coveredBlocks: number;
  readonly lines: number;
  readonly coveredLines: number;
  /** Ascending; of the function's own file. */
  readonly missingLines: readonly number[];
}

export interface UnitSummary {
  readonly reason: Extract<EngineEvent, { kind: "done" }>["reason"];
  /** Nothing is left to explore, and nothing was given up. */
  readonly complete: boolean;
  readonly statistics: EngineStatistics;
  readonly coverage: UnitCoverage;
  /** Failures that did not happen again in the second executor: our bug. */
  readonly unconfirmed: number;
  /** By failing line: what is not told, because it says nothing of the unit. */
  readonly untold: ReadonlyMap<string, NotOfUnit>;
  /** Paths that end at a pointer which is null only because a unit has so many objects: no failures. */
  readonly atLimit: number;
  readonly elapsedMs: number;
}

export type UnitEvent =
  | { readonly kind: "failure"; readonly failure: UnitFailure }
  /** After each run. */
  | { readonly kind: "run" }
  | { readonly kind: "done"; readonly summary: UnitSummary };

export interface UnitHost {
  readonly abort: { readonly aborted: boolean };
  readonly memoryUsed: ((collectFirst?: boolean) => number) | null;
  /** Lines (`failingLine`) that are known to fail: nothing more is found out about them. */
  readonly known?: ReadonlySet<string>;
}

/** What a technique on top wants of a unit's exploration. */
export interface UnitGuidance {
  /** After each run, when its decisions can be looked at and pending paths pursued. */
  runFinished(guided: GuidedExploration): void;
  /** Branches from a side of a decision to where the technique wants to go; infinite: only coverage counts. */
  distance(site: SiteId, side: number): number;
  /** A pending path is infeasible because of these decisions before it. */
  infeasible(goal: BranchPlace, core: readonly BranchPlace[]): void;
  /** Failures of one line that are told: each by another path. */
  readonly perLine: number;
}

export type MadeExploration =
  | { readonly kind: "made"; readonly exploration: UnitExploration }
  | { readonly kind: "failed"; readonly message: string };

export function unitExploration(
  image: ProgramImage,
  unit: DescribedUnit,
  plan: UnitPlan,
  host: UnitHost,
  module: WebAssembly.Module = loadModule(image),
): MadeExploration {
  const explorer = unitRunner(image, unit, { module, summaries: false });
  if (explorer.kind === "failed") return explorer;
  const leftOut = new LeftOut(unit);
  const make = (): UnitRunner => unitRunner(image, leftOut.assumedUnit(), { module, summaries: true });
  const studied = new StudiedUnit(make, leftOut);
  return { kind: "made", exploration: new UnitExploration(unit, plan, host, explorer.executor, studied) };
}

/** Plain texts, tried once the first run has shown what the input is made of. */
const PROBES: readonly number[] = [..."a1 \n"].map((text) => text.charCodeAt(0)).concat(0xff);

/** The second executor, made when somebody looks closer at something: most units do not fail. */
export class StudiedUnit {
  private made: { readonly executor: UnitExecutor; readonly solver: ChainedSolver } | null = null;

  constructor(
    private readonly make: () => UnitRunner,
    /** If pointers that were left out are input in it. */
    readonly leftOut: LeftOut | null = null,
  ) {}

  get executor(): UnitExecutor {
    return this.parts.executor;
  }
  get solver(): ChainedSolver {
    return this.parts.solver;
  }

  /** Nobody needs it any more, nor any of its expressions. */
  release(): void {
    this.made?.executor.release();
    this.made = null;
  }

  private get parts(): { readonly executor: UnitExecutor; readonly solver: ChainedSolver } {
    if (this.made !== null) return this.made;
    const made = this.make();
    // The first executor was made of the same description.
    if (made.kind === "failed") throw new Error(made.message);
    const { executor } = made;
    this.made = { executor, solver: assembleSolver(executor.arena, {}) };
    return this.made;
  }
}

/** A unit has three seconds in the first round: one hard question must not take them all. */
const UNIT_QUESTION_MS = 100;
/** "Four times higher chance to the branches in a than the branches in the other functions" (FOCAL, 3.4). */
const OWN_BRANCH_WEIGHT = 4;

export class UnitExploration {
  readonly guided: GuidedExploration;
  /** The precondition of the last failure as expressions of `studied`. */
  lastStudy: Precondition | null = null;
  /** By line: how often it failed. */
  private readonly seen = new Map<string, number>();
  private readonly runLimits: RunLimits;
  private readonly startedMs = performance.now();
  private unconfirmed = 0;
  private readonly untold = new Map<string, NotOfUnit>();
  private atLimit = 0;
  private probed = false;

  constructor(
    readonly unit: DescribedUnit,
    private readonly plan: UnitPlan,
    private readonly host: UnitHost,
    readonly explorer: UnitExecutor,
    private readonly second: StudiedUnit,
    private readonly guidance: UnitGuidance | null = null,
    seeds: readonly Model[] = [],
  ) {
    const { timeMs, randomSeed, instructions, memoryBytes } = plan;
    const distance = new CoverageDistance(explorer.image, explorer.coverage);
    this.runLimits = { instructions, timeMs: plan.studyMs, abort: host.abort };
    const options = {
      solver: assembleSolver(explorer.arena, {}),
      random: new Random(randomSeed),
      limits: { timeMs, instructionsPerPath: instructions, memoryBytes },
      distance: (site: SiteId, side: number): number => {
        const wanted = guidance?.distance(site, side) ?? Number.POSITIVE_INFINITY;
        return wanted < Number.POSITIVE_INFINITY
          ? wanted
          : distance.of(site, side, this.guided.engine.counters.coveredBlocks);
      },
      weight: (site: SiteId): number =>
        explorer.image.sites[site]?.functionIndex === explorer.plan.target.index ? OWN_BRANCH_WEIGHT : 1,
      firstQuestionMs: UNIT_QUESTION_MS,
      // Those that never fail must not take all of the time.
      checkShare: EXPLORING_SHARE,
      memoryUsed: host.memoryUsed,
      abort: host.abort,
      seeds: [...seeds, ...textsOfCall(unit, explorer)],
      listeners: guidance === null ? [] : [{ infeasible: guidance.infeasible.bind(guidance) }],
    };
    this.guided = new GuidedExploration(explorer, options, { keepsRuns: guidance !== null });
  }

  *events(): Generator<UnitEvent, UnitSummary> {
    const events = this.guided.explore();
    let reason: UnitSummary["reason"] = "exhausted";
    let complete = false;
    for (const event of events) {
      if (event.kind === "done") ({ reason, complete } = event);
      if (event.kind === "run-finished") {
        this.probe(event.input, event.outcome.objects);
        this.guidance?.runFinished(this.guided);
        yield { kind: "run" };
      }
      if (event.kind === "finding-confirmed") {
        const failure = this.failureOf(event);
        if (failure !== null) yield { kind: "failure", failure };
      }
    }
    const summary = this.summary(reason, complete);
    yield { kind: "done", summary };
    return summary;
  }

  /** Nobody needs its executors any more, nor any of their expressions. */
  release(): void {
    this.explorer.release();
    this.second.release();
  }

  summary(reason: UnitSummary["reason"], complete: boolean): UnitSummary {
    return {
      reason,
      complete,
      statistics: this.guided.engine.statistics(),
      coverage: this.coverage(),
      unconfirmed: this.unconfirmed,
      untold: this.untold,
      atLimit: this.atLimit,
      elapsedMs: performance.now() - this.startedMs,
    };
  }

  /** Of the function itself. */
  coverage(): UnitCoverage {
    const { image, plan, coverage } = this.explorer;
    return coverageOf(image, plan.target.index, coverage);
  }

  /** Text of letters, digits and blanks says more than zeros to most functions. */
  private probe(input: Model, objects: Parameters<UnitExecutor["space"]["valuesOfRun"]>[1]): void {
    if (this.probed) return;
    this.probed = true;
    const { space } = this.explorer;
    const values = space.valuesOfRun(input, objects);
    const isText = ({ name }: InputValue): boolean => {
      const found = inputNamed(this.unit, name);
      const type = found?.role === "target" ? resolvedType(this.unit.types, found.type) : null;
      return type?.kind === "integer" && type.character !== "no";
    };
    if (!values.some(isText)) return;
    for (const byte of PROBES) {
      const other = values.map((value) =>
        isText(value) ? { ...value, bytes: value.bytes.slice().fill(byte) } : value,
      );
      this.guided.engine.addSeed(space.modelOf(other));
    }
  }

  private failureOf(event: Extract<EngineEvent, { kind: "finding-confirmed" }>): UnitFailure | null {
    const { explorer } = this;
    const { executor: studied, solver } = this.second;
    const model = event.smaller ?? event.input;
    const found = explorer.space.valuesOfRun(model, event.outcome.objects);
    const values = this.second.leftOut?.zeroed(found) ?? found;
    const witness = studied.modelOf(values);
    const summary = summaryOf(studied.run(witness, NOBODY, this.runLimits));
    const seen = failureOfRun(studied);
    if (seen !== null && !this.isToTell(seen)) return null;
    if (this.comesOfLimit(studied, summary?.path ?? [])) {
      this.atLimit++;
      this.guided.withdraw(event.finding);
      return null;
    }
    const place = placeOf(event.finding);
    const precondition = preconditionOf(studied, solver, witness, place, {
      limits: this.runLimits,
      timeMs: this.plan.studyMs,
      seed: this.plan.randomSeed,
      leftOut: this.second.leftOut,
    });
    if (precondition === null) {
      this.unconfirmed++;
      this.guided.withdraw(event.finding);
      return null;
    }
    // The experiments have used the machine for other inputs.
    studied.run(witness, NOBODY, this.runLimits);
    const finding = failureOfRun(studied);
    if (finding === null || !this.isNew(finding)) return null;
    this.lastStudy = precondition;
    if (this.guidance !== null && this.guidance.perLine > 1) this.guided.withdraw(event.finding);
    const words = ConditionWords.ofRun(this.unit, studied);
    words.learn(precondition.path.filter(({ kind }) => kind === "assumption"));
    const conditions = conditionsInWords(studied.image, precondition.matters, words);
    return {
      finding: { ...finding, confirmed: true },
      values,
      arguments: valuesInWords(this.unit, values, words.mentioned),
      given: this.unit.fixed.flatMap(({ owner, words, value, cause }) =>
        owner === "" && cause === "call" ? [{ words, value }] : [],
      ),
      precondition: conditions,
      alwaysNull: finding.kind === "null-dereference" ? this.alwaysNull(words.mentioned) : [],
      pathConditions: precondition.path.length,
      tried: precondition.tried,
      failed: precondition.failed,
      complete: precondition.complete,
      foundMs: performance.now() - this.startedMs,
    };
  }

  private isToTell(finding: Finding): boolean {
    const line = failingLine(finding);
    if (this.host.known?.has(line) === true) return false;
    const why = notOfUnit(this.explorer.image, this.unit, finding);
    if (why !== null) this.untold.set(line, why);
    return why === null;
  }

  private comesOfLimit(studied: UnitExecutor, path: readonly PathStep[]): boolean {
    const { leftOut } = this.second;
    return leftOut !== null && !leftOut.isNothing && leftOut.isUsedAt(studied, path);
  }

  /** In objects that the precondition speaks of: one of them may be what was used. */
  private alwaysNull(mentioned: ReadonlySet<string>): readonly string[] {
    return this.unit.fixed.flatMap(({ owner, words, value }) => {
      const at = inputNamed(this.unit, owner)?.words ?? "";
      return value === "NULL" && owner !== "" && mentioned.has(at) ? [words] : [];
    });
  }

  /** Each line once, or as often as is wanted. */
  private isNew(finding: Finding): boolean {
    const key = failingLine(finding);
    const times = this.seen.get(key) ?? 0;
    this.seen.set(key, times + 1);
    return times < (this.guidance?.perLine ?? 1);
  }
}

/** Texts as they were at the call: nothing else tells the exploration what the test has there. */
function textsOfCall({ texts = [] }: DescribedUnit, { space }: UnitExecutor): readonly Model[] {
  if (texts.length === 0) return [];
  return [space.modelOf(texts.map(({ object: name, bytes }) => ({ name, occurrence: 0, bytes })))];
}

/** Failures of the same kind at the same line are one. */
export function failingLine(finding: Finding): string {
  const user = userFrameOf(finding) ?? finding.stack[0];
  return `${finding.kind} ${user?.file}:${user?.line} ${user?.functionName}`;
}

/** Of a function by its index; `covered`: by block of the program. */
export function coverageOf(image: ProgramImage, index: number, covered: Uint8Array): UnitCoverage {
  const lines = new Map<number, boolean>();
  const own = image.functions[index].file;
  let blocks = 0;
  let coveredBlocks = 0;
  for (const number of namesIn(image).blocksOf(index)) {
    const { locations, instructions } = image.coverage[number];
    if (instructions === 0) continue;
    const isCovered = covered[number] !== 0;
    blocks++;
    if (isCovered) coveredBlocks++;
    for (const location of locations) {
      const { file, line } = image.locations[location];
      if (line > 0 && file === own) lines.set(line, isCovered || lines.get(line) === true);
    }
  }
  const missingLines = [...lines].flatMap(([line, isCovered]) => (isCovered ? [] : [line])).sort((a, b) => a - b);
  return { blocks, coveredBlocks, lines: lines.size, coveredLines: lines.size - missingLines.length, missingLines };
}

/** Each once; what was assumed is not told. */
export function conditionsInWords(
  { sites, locations }: ProgramImage,
  steps: readonly PathStep[],
  words: ConditionWords,
): readonly ConditionInWords[] {
  const told = new Set<string>();
  words.learn(steps);
  return steps.flatMap(({ condition, kind, site }): ConditionInWords[] => {
    const text = words.of(condition);
    if (told.has(text) || kind === "assumption") return [];
    told.add(text);
    const location = locations[sites[site]?.location ?? -1];
    const isOwn = location?.origin === "program" && location.file !== "";
    const address = words.spokeOfAddress ? ({ ofAddress: true } as const) : {};
    return [{ text, kind, file: isOwn ? location.file : null, line: isOwn ? location.line : 0, ...address }];
  });
}

const NOBODY = {
  branch() {},
  choose() {},
  check() {},
  pin() {},
  assume() {},
};
