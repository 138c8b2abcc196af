// One function explored in all the ways it can be started (`tangent unit`): in the calls that recorded tests make of it, with what depends
// on the program's input free, then with everything there free; at last as its types make it. What is more real goes first, and a line that
// failed so is not told again. Each of the three ways has the same share of the time, and what one leaves is for the others.

import type { EngineStatistics } from "../../engine/statistics.js";
import { addAll } from "../../engine/statistics.js";
import type { UnitDescription } from "../../engine/unit-description.js";
import { findFunction } from "../../engine/unit-description.js";
import type { ProgramImage } from "../../jit/image.js";
import { loadModule } from "../../jit/load-module.js";
import type { Described } from "../unit/describe-unit.js";
import {
  coverageOf,
  failingLine,
  type UnitCoverage,
  type UnitExploration,
  type UnitFailure,
  type UnitHost,
  type UnitPlan,
  type UnitSummary,
  unitExploration,
} from "../unit/explore-unit.js";
import type { NotOfUnit } from "../unit/not-of-unit.js";
import type { DescribedUnit, UnitFixed, UnitInput } from "../unit/unit-inputs.js";
import { FunctionGround } from "./call-ground.js";
import type { Realism } from "./compose-work.js";
import { describeContext } from "./describe-context.js";
import {
  CALL_EXECUTION,
  CALL_RUN,
  type FoundCall,
  type FoundCalls,
  findCalls,
  type TestsToSearch,
} from "./find-calls.js";
import { freedomOf } from "./found-values.js";

/** The call of a recorded test. */
export interface TestCall {
  /** The seed's id. */
  readonly test: string;
  /** Its command line. */
  readonly command: readonly string[];
  /** The how-manieth call of the function in that run, from 0. */
  readonly call: number;
}

export interface UnitStart {
  readonly realism: Realism;
  /** Null if it is made by its types. */
  readonly at: TestCall | null;
}

/** Plain data. */
export interface StartsTask {
  /** The function as its types make it; its stubs are those of all starts. */
  readonly typed: DescribedUnit;
  readonly byTypes: boolean;
  /** Null: calls of tests are not looked for. */
  readonly tests: TestsToSearch | null;
  /** A failure as the types make it is wanted, even if the line has failed in a call of a test before ("again"). */
  readonly wantsTyped: boolean;
  readonly plan: UnitPlan;
}

/** What is said of an exploration. */
export type UnitCounts = Pick<
  EngineStatistics,
  | "paths"
  | "runs"
  | "pending"
  | "divergences"
  | "findingsNotReproduced"
  | "unknown"
  | "dropped"
  | "depthLimited"
  | "ends"
  | "losses"
>;

/** One start, explored. */
export interface ExploredStart {
  readonly start: UnitStart;
  /** Why nothing was explored. */
  readonly problem: string | null;
  readonly description: UnitDescription | null;
  readonly inputs: readonly UnitInput[];
  readonly fixed: readonly UnitFixed[];
  /** Conditions that were assumed of numbers which are lengths. */
  readonly assumed: readonly string[];
  readonly notes: readonly string[];
  readonly paths: number;
  readonly pending: number;
  readonly complete: boolean;
  readonly elapsedMs: number;
}

/** Of all starts together. */
export interface StartsSummary extends Omit<UnitSummary, "statistics"> {
  readonly statistics: UnitCounts;
  readonly starts: readonly ExploredStart[];
}

export type StartsEvent =
  /** What tests show of the function; first of all, if there are tests. */
  | { readonly kind: "calls"; readonly calls: readonly TestCall[]; readonly testsRun: number; readonly tests: number }
  | { readonly kind: "failure"; readonly failure: UnitFailure; readonly start: UnitStart }
  | { readonly kind: "again"; readonly failure: UnitFailure }
  | { readonly kind: "run" }
  | { readonly kind: "done"; readonly summary: StartsSummary }
  /** Nothing can be explored. */
  | { readonly kind: "failed"; readonly message: string };

/** Of the time, for looking for calls; and the most. */
const SEARCH_SHARE = 0.25;
const LONGEST_SEARCH_MS = 3000;
const LEAST_STAGE_MS = 50;

interface PlannedStart {
  readonly start: UnitStart;
  /** Made when its turn comes: a call costs a run of its test. Null: there is nothing to explore. */
  describe(): Described | null;
}

export class ExploredStarts {
  private readonly startedMs = performance.now();
  private readonly explored: ExploredStart[] = [];
  private readonly counts: UnitCounts[] = [];
  private readonly reasons: UnitSummary["reason"][] = [];
  private readonly covered: Uint8Array;
  private readonly known = new Set<string>();
  private readonly index: number;
  private unconfirmed = 0;
  private readonly untold = new Map<string, NotOfUnit>();
  private atLimit = 0;
  private current: UnitExploration | null = null;

  constructor(
    private readonly image: ProgramImage,
    private readonly task: StartsTask,
    private readonly host: Omit<UnitHost, "known">,
    private readonly module: WebAssembly.Module = loadModule(image),
  ) {
    this.covered = new Uint8Array(image.coverage.length);
    const target = findFunction(image, task.typed.description.function);
    this.index = "kind" in target ? -1 : target.index;
  }

  *events(): Generator<StartsEvent> {
    const { task, host } = this;
    const groups: (readonly PlannedStart[])[] = [];
    if (task.tests !== null) {
      const ground = new FunctionGround(this.image, this.module, task.tests.facts);
      const timeMs = Math.min(LONGEST_SEARCH_MS, task.plan.timeMs * SEARCH_SHARE);
      const found = findCalls(ground, task.tests, { timeMs, abort: host.abort });
      const { testsRun, calls } = found;
      yield { kind: "calls", calls: calls.map(testCall), testsRun, tests: task.tests.seeds.length };
      for (const realism of ["input", "texts", "context"] as const) {
        if (calls.length > 0) groups.push(calls.map((call) => this.inContext(ground, call, realism)));
      }
      if (calls.length === 0 && !task.byTypes && !host.abort.aborted) {
        yield { kind: "failed", message: this.nothingCalls(found, task.tests) };
        return;
      }
    }
    const typed: PlannedStart = {
      start: { realism: "types", at: null },
      describe: () => ({ kind: "described", unit: task.typed }),
    };
    if (task.byTypes) groups.push([typed]);
    for (const [n, group] of groups.entries()) {
      const endsMs = performance.now() + this.leftMs / (groups.length - n);
      for (const [k, planned] of group.entries()) {
        const timeMs = (endsMs - performance.now()) / (group.length - k);
        // The first one is explored however little time there is.
        const isOver = timeMs < LEAST_STAGE_MS && this.counts.length > 0;
        if (!host.abort.aborted && !isOver) yield* this.explore(planned, timeMs);
      }
    }
    const problem = this.explored.find((one) => one.problem !== null)?.problem ?? null;
    if (this.counts.length === 0 && problem !== null) yield { kind: "failed", message: problem };
    else yield { kind: "done", summary: this.summary() };
  }

  /** What would be the end if it ended now. */
  summary(): StartsSummary {
    const { current, covered } = this;
    const now = current?.summary("aborted", false) ?? null;
    const counts = now === null ? this.counts : [...this.counts, now.statistics];
    const isOver = this.host.abort.aborted || now !== null;
    return {
      reason: isOver || this.counts.length === 0 ? "aborted" : worst(this.reasons),
      complete: now === null && this.explored.every(({ complete }) => complete),
      statistics: summed(counts),
      coverage: this.coverage(current === null ? covered : union(covered, current.explorer.coverage)),
      unconfirmed: this.unconfirmed + (now?.unconfirmed ?? 0),
      untold: new Map([...this.untold, ...(now?.untold ?? [])]),
      atLimit: this.atLimit + (now?.atLimit ?? 0),
      elapsedMs: performance.now() - this.startedMs,
      starts: this.explored,
    };
  }

  private coverage(covered: Uint8Array): UnitCoverage {
    return coverageOf(this.image, this.index, covered);
  }

  private get leftMs(): number {
    return this.task.plan.timeMs - (performance.now() - this.startedMs);
  }

  private nothingCalls({ testsRun, problems }: FoundCalls, { seeds, facts }: TestsToSearch): string {
    const { name } = facts.known.declared;
    if (testsRun === 0 && problems.length > 0) return problems[0];
    const tests =
      testsRun === seeds.length ? `none of the ${seeds.length} recorded tests` : `none of ${testsRun} tests`;
    const more = testsRun < seeds.length ? `; there was no time for ${seeds.length - testsRun} more (--time)` : "";
    return `${tests} calls ${name}${more}. Record a test that does, or leave --tests out: it is made by its types then`;
  }

  private inContext(ground: FunctionGround, found: FoundCall, realism: Exclude<Realism, "types">): PlannedStart {
    const { seed, test, call } = found;
    const freedom = freedomOf(realism);
    const { abort } = this.host;
    return {
      start: { realism, at: testCall(found) },
      describe: () => {
        const limits = { ...CALL_RUN, abort };
        const options = { freedom, key: seed.id, execution: CALL_EXECUTION, limits, boundsLengths: true } as const;
        const described = describeContext(ground, test, this.index, call, options);
        if (described.kind === "failed") return realism === "texts" ? null : described;
        // With nothing free it is the test's own run.
        const { parameters, context } = described.unit.description;
        const isFree = parameters.some(({ kind }) => kind === "symbolic") || (context?.objects.length ?? 0) > 0;
        return freedom === "input" && !isFree ? null : { kind: "described", unit: this.stubbed(described.unit) };
      },
    };
  }

  /** With the stubs that the user has asked for. */
  private stubbed(unit: DescribedUnit): DescribedUnit {
    const { description, inputs, fixed } = this.task.typed;
    const isStubs = (object: string): boolean => object.includes("stub:");
    return {
      ...unit,
      description: { ...unit.description, stubs: description.stubs },
      inputs: [...unit.inputs, ...inputs.filter(({ object }) => isStubs(object))],
      fixed: [...unit.fixed, ...fixed.filter(({ owner }) => isStubs(owner))],
    };
  }

  private *explore({ start, describe }: PlannedStart, timeMs: number): Generator<StartsEvent> {
    const { image, task, module, host, known } = this;
    const beganMs = performance.now();
    const described = describe();
    if (described === null) return;
    const isTypes = start.realism === "types";
    const isTyped = isTypes && task.wantsTyped;
    const ownMs = Math.max(LEAST_STAGE_MS, timeMs - (performance.now() - beganMs));
    const plan = { ...task.plan, timeMs: ownMs };
    const made =
      described.kind === "failed"
        ? described
        : unitExploration(image, described.unit, plan, isTyped ? host : { ...host, known }, module);
    if (described.kind === "failed" || made.kind === "failed") {
      const message = described.kind === "failed" ? described.message : made.kind === "failed" ? made.message : "";
      this.explored.push(notExplored(start, message));
      return;
    }
    const { exploration } = made;
    this.current = exploration;
    let end: UnitSummary | null = null;
    for (const event of exploration.events()) {
      if (event.kind === "run") yield event;
      if (event.kind === "done") end = event.summary;
      if (event.kind !== "failure") continue;
      const failure = { ...event.failure, foundMs: event.failure.foundMs + beganMs - this.startedMs };
      const line = failingLine(failure.finding);
      if (known.has(line)) yield { kind: "again", failure };
      else {
        known.add(line);
        yield { kind: "failure", failure, start };
      }
    }
    this.current = null;
    if (end !== null) this.add(start, described.unit, exploration, end, performance.now() - beganMs);
  }

  private add(
    start: UnitStart,
    { description, inputs, fixed, assumptions, notes }: DescribedUnit,
    { explorer }: UnitExploration,
    { statistics, reason, complete, unconfirmed, untold, atLimit }: UnitSummary,
    elapsedMs: number,
  ): void {
    const { paths, pending } = statistics;
    const rest = { paths, pending, complete, elapsedMs };
    const assumed = assumptions.map(({ words }) => words);
    this.explored.push({ start, problem: null, description, inputs, fixed, assumed, notes, ...rest });
    this.counts.push(statistics);
    this.reasons.push(reason);
    this.unconfirmed += unconfirmed;
    for (const [line, why] of untold) this.untold.set(line, why);
    this.atLimit += atLimit;
    this.covered.set(union(this.covered, explorer.coverage));
  }
}

function testCall({ seed, call }: FoundCall): TestCall {
  return { test: seed.id, command: seed.arguments, call };
}

function notExplored(start: UnitStart, problem: string): ExploredStart {
  const nothing = { description: null, inputs: [], fixed: [], assumed: [], notes: [] };
  return { start, problem, ...nothing, paths: 0, pending: 0, complete: false, elapsedMs: 0 };
}

function union(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((covered, block) => covered | other[block]);
}

/** The strongest reason why there may be more. */
function worst(reasons: readonly UnitSummary["reason"][]): UnitSummary["reason"] {
  return (
    reasons.find((reason) => reason === "memory") ?? reasons.find((reason) => reason !== "exhausted") ?? "exhausted"
  );
}

const NUMBERS = [
  "paths",
  "runs",
  "pending",
  "divergences",
  "findingsNotReproduced",
  "unknown",
  "dropped",
  "depthLimited",
] as const;

function summed(all: readonly UnitCounts[]): UnitCounts {
  const sums = { paths: 0, runs: 0, pending: 0, divergences: 0, findingsNotReproduced: 0, unknown: 0, dropped: 0 };
  const total = { ...sums, depthLimited: 0, ends: {}, losses: {} };
  for (const counts of all) {
    for (const name of NUMBERS) total[name] += counts[name];
    addAll(total.ends, counts.ends as Record<string, number>);
    addAll(total.losses, counts.losses);
  }
  return total;
}
