// What is to be said when an exploration is over: as text for people, and as the values of statistics.json. Everything
// that was not explored is said with its reason, since a clean result means nothing without it.

import { goneOf, lossInWords } from "../concolic/losses.js";
import type { DoneReason } from "../engine/events.js";
import type { EngineStatistics } from "../engine/statistics.js";
import type { SolverStats } from "../solver/chain.js";
import { visibleLines } from "../support/visible-text.js";
import { counted } from "./finding-view.js";
import { clock, count, percent } from "./live-view.js";

export interface ExploreSummary {
  readonly program: string;
  readonly reason: DoneReason;
  readonly complete: boolean;
  readonly statistics: EngineStatistics;
  readonly solver: SolverStats;
  readonly coveredBlocks: number;
  readonly totalBlocks: number;
  readonly testsWritten: number;
  readonly testsSkipped: number;
  readonly folder: string;
  /** Those that are in the folder. */
  readonly findings: number;
  /** Findings of the engine that a run without anything symbolic did not show. */
  readonly unconfirmed: number;
  /** Failures that there was no time to confirm; their inputs are in the folder (run-folder.ts). */
  readonly seen: number;
  /** What paths ended at that the machine does not do, with how many did. */
  readonly unsupported: Readonly<Record<string, number>>;
  /** What could not be written, and why. */
  readonly writeFailure: string | null;
}

export const REASONS: { readonly [Reason in DoneReason]: string } = {
  exhausted: "nothing is left to explore",
  time: "the time limit is reached",
  paths: "the limit of paths is reached",
  "solver-time": "the limit of solver time is reached",
  memory: "the memory limit is too small to go on",
  "first-finding": "stopped at the first finding",
  aborted: "stopped by the user",
};

export function renderSummary(summary: ExploreSummary): string {
  const { statistics: s } = summary;
  const share = summary.totalBlocks === 0 ? "" : ` (${percent(summary.coveredBlocks / summary.totalBlocks)})`;
  const lines = [
    `tangent: ${REASONS[summary.reason]}; ${clock(s.timeMs)} (${(s.timeMs / 1000).toFixed(2)} s)`,
    `  paths     ${count(s.paths)} complete (${count(Math.round(s.pathsPerSecond))}/s), ${count(s.pending)} pending${completeness(summary)}`,
    `  coverage  ${count(summary.coveredBlocks)} of ${count(summary.totalBlocks)} blocks${share}`,
    `  solver    ${count(s.solver.queries)} questions, ${percent(s.solverShare)} of the time, ${percent(s.unsatisfiableShare)} of that for infeasible paths`,
    `  findings  ${count(summary.findings)}`,
    `  tests     ${count(summary.testsWritten)} in ${summary.folder}${summary.testsSkipped > 0 ? `; ${count(summary.testsSkipped)} paths that cover nothing new have none (--write-all-tests)` : ""}`,
  ];
  if (summary.seen > 0) {
    const what = summary.seen === 1 ? "1 failure was" : `${count(summary.seen)} failures were`;
    lines.push(
      `  seen      ${what} seen but could not be confirmed in time: tangent replay ${summary.folder}/unconfirmed`,
    );
  }
  for (const loss of lossesOf(summary)) lines.push(`  lost      ${loss}`);
  if (s.paths === 0 && s.assumptionsViolated > 0) {
    lines.push(
      "  note      no input satisfies the program's assumptions (klee_assume): they contradict each other, or the code before",
    );
  } else if (s.assumptionsInfeasible > 0) {
    const paths = s.assumptionsInfeasible === 1 ? "path ends" : "paths end";
    lines.push(
      `  note      ${count(s.assumptionsInfeasible)} ${paths} at an assumption (klee_assume) that no input there satisfies`,
    );
  }
  if (summary.writeFailure !== null) lines.push(`  NOT WRITTEN  ${summary.writeFailure}`);
  return visibleLines(lines);
}

function completeness({ complete, reason }: ExploreSummary): string {
  if (complete) return "; every feasible path was explored";
  return reason === "exhausted" ? "; not all was explored, see below" : "";
}

interface Losing {
  readonly statistics: Pick<
    EngineStatistics,
    "divergences" | "findingsNotReproduced" | "unknown" | "dropped" | "depthLimited" | "ends" | "losses"
  >;
  readonly unconfirmed: number;
  /** Every path was explored. */
  readonly complete: boolean;
  /** What it was that paths ended at, with how many did. */
  readonly unsupported?: Readonly<Record<string, number>>;
}

/** Of the unsupported things that are named. */
const MOST_NAMED = 3;

/** Reasons why something was not explored, worst first. */
export function lossesOf({ statistics: s, unconfirmed, complete, unsupported = {} }: Losing): string[] {
  const losses: string[] = [];
  const say = (number: number, one: string, many: string): void => {
    if (number > 0) losses.push(`${count(number)} ${number === 1 ? one : many}`);
  };
  say(s.divergences, "path diverged from its prediction: our bug", "paths diverged from their prediction: our bug");
  say(
    s.findingsNotReproduced + unconfirmed,
    "finding did not happen again: our bug",
    "findings did not happen again: our bug",
  );
  say(s.unknown, "path given up because the solver gave up", "paths given up because the solver gave up");
  say(s.dropped, "pending path dropped for want of memory", "pending paths dropped for want of memory");
  say(s.depthLimited, "path cut at the depth limit", "paths cut at the depth limit");
  say(s.ends.limit ?? 0, "path cut at its own limit", "paths cut at their own limit");
  const what = namesOf(unsupported);
  say(
    s.ends.unsupported ?? 0,
    `path ended at something unsupported${what}`,
    `paths ended at something unsupported${what}`,
  );
  // What was tried one value at a time is lost as long as some of these values are left.
  for (const reason of complete ? goneOf(s.losses) : Object.keys(s.losses)) {
    if (s.losses[reason] > 0) losses.push(`${lossInWords(reason)} (${counted(s.losses[reason], "time")})`);
  }
  return losses;
}

/** The most frequent ones. */
function namesOf(unsupported: Readonly<Record<string, number>>): string {
  const names = Object.entries(unsupported).sort(([, a], [, b]) => b - a);
  if (names.length === 0) return "";
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  return `: ${names
    .slice(0, MOST_NAMED)
    .map(([name]) => name)
    .join(", ")}${more}`;
}

export function statisticsJson(summary: ExploreSummary): Record<string, unknown> {
  const { statistics, solver, ...rest } = summary;
  const { coverage, ...numbers } = statistics;
  return { tool: "tangent", version: 1, ...numbers, ...rest, solverLayers: solver, coverageOverTime: coverage };
}
