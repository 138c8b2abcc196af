// What `tangent unit` found, for the terminal: how the unit was made, each failure with its arguments and its precondition, and what was
// explored. That a failure of a unit is no bug of the program yet is said wherever there is one.

import { basename } from "node:path";
import { visible, visibleLines } from "../support/visible-text.js";
import type { ExploredStart, TestCall, UnitStart } from "../techniques/compose/explore-starts.js";
import { signatureText } from "../techniques/unit/describe-unit.js";
import type { ConditionInWords, UnitCoverage, UnitFailure } from "../techniques/unit/explore-unit.js";
import type { NotOfUnit } from "../techniques/unit/not-of-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";
import { lossesOf, REASONS } from "./explore-summary.js";
import { count } from "./live-view.js";
import { quoted } from "./shell-words.js";
import { renderFinding, type TextOptions } from "./text.js";
import type { UnitResult } from "./unit-result.js";
import { argumentsInRoom } from "./unit-short.js";

/** Longer ones are cut, with a count of what is left out. */
const SHOWN_CONDITIONS = 8;
const SHOWN_FIXED = 8;
const SHOWN_COMMAND = 60;

/** How the unit was made; without its types' part, if only tests start it. */
export function renderUnit(unit: DescribedUnit, directory: string, byTypes = true): string {
  const inside = unit.file?.startsWith(`${directory}/`) === true ? unit.file.slice(directory.length + 1) : unit.file;
  const place = inside === null ? "" : ` (${inside}:${unit.line})`;
  const lines = [`tangent unit: ${signatureText(unit)}${place}`];
  if (!byTypes) return visibleLines(lines);
  const assumed = unit.assumptions.map(({ words }) => words);
  if (assumed.length > 0) lines.push(`  assumed   ${assumed.join(", ")}: that much memory is made`);
  const told = unit.fixed.filter(({ cause }) => cause !== "end" && cause !== "depth" && cause !== "limit");
  for (const { words, value, why } of told.slice(0, SHOWN_FIXED)) lines.push(`  fixed     ${words} = ${value}: ${why}`);
  if (told.length > SHOWN_FIXED) lines.push(`  fixed     ${told.length - SHOWN_FIXED} more pointers, see --json`);
  for (const limit of ["depth", "limit"] as const) {
    const beyond = unit.fixed.filter(({ cause }) => cause === limit);
    if (beyond.length === 0) continue;
    const [{ words, why }] = beyond;
    const what = beyond.length === 1 ? `${words} is` : `${beyond.length} pointers (${words}, ...) are`;
    lines.push(`  fixed     ${what} NULL: ${why}`);
  }
  for (const note of unit.notes) lines.push(`  note      ${note}`);
  return visibleLines(lines);
}

/** What recorded tests show of the function. */
export function renderCalls(calls: readonly TestCall[], testsRun: number, tests: number): string {
  if (calls.length === 0) {
    const time = testsRun < tests ? `; there was no time for ${count(tests - testsRun)} more` : "";
    const none = testsRun === 1 ? "the recorded test does not call it" : `none of ${count(testsRun)} tests calls it`;
    return visibleLines([`  note      ${none}: it is made by its types${time}`]);
  }
  return visibleLines(calls.map((call, n) => `  ${n === 0 ? "called by" : "         "} test ${callText(call)}`));
}

function callText({ command, call }: TestCall): string {
  const [program = "", ...words] = command;
  const text = [basename(program), ...words].map((word) => quoted(visible(word))).join(" ");
  const cut = text.length > SHOWN_COMMAND ? `${text.slice(0, SHOWN_COMMAND - 3)}...` : text;
  return `\`${cut}\` (call ${call + 1})`;
}

/** How the function was started. */
function startText({ realism, at }: UnitStart): string {
  if (at === null) return "made by its types";
  return `as in test ${callText(at)}: ${FREE[realism]}`;
}

const FREE = {
  input: "what depends on its input is free",
  texts: "texts of its input are others, perhaps longer",
  context: "everything there is free",
  types: "",
} as const;

/** `start`: null if there is only one way. */
export function renderUnitFailure(failure: UnitFailure, start: UnitStart | null, options: TextOptions): string {
  const { arguments: values, tried, failed, complete } = failure;
  const lines = [
    ...(start === null ? [] : [`  started    ${startText(start)}`]),
    `  arguments  ${argumentsInRoom(values)}`,
    `  needs      ${preconditionText(failure.precondition)}`,
  ];
  if (failure.given.length > 0) {
    const given = failure.given.slice(0, SHOWN_CONDITIONS).map(({ words, value }) => `${words} == ${value}`);
    const left = failure.given.length - given.length;
    lines.push(`             with, as in that call: ${given.join(", ")}${left > 0 ? `, ${left} more` : ""}`);
  }
  if (failure.alwaysNull.length > 0) {
    const names = failure.alwaysNull.slice(0, SHOWN_CONDITIONS).join(", ");
    const left = failure.alwaysNull.length - SHOWN_CONDITIONS;
    lines.push(`             and perhaps what is fixed: ${names}${left > 0 ? `, ${left} more` : ""} == NULL`);
  }
  if (tried > 0) {
    const others = tried === 1 ? "another input that meets" : `${tried} other inputs that meet`;
    const all =
      failed === tried ? (tried === 1 ? "failed there too" : "all failed there too") : `${failed} failed there`;
    lines.push(`             ${others} this ${tried === 1 ? "was" : "were"} run: ${all}`);
  }
  if (!complete) lines.push("             there was no time to ask of every condition whether it matters");
  return `${renderFinding(failure.finding, options)}${visibleLines([...lines, ""])}`;
}

/** `len > 64 && p->next == NULL`, cut if it is long. */
export function preconditionText(conditions: readonly ConditionInWords[], most = SHOWN_CONDITIONS): string {
  if (conditions.length === 0) return "nothing: every input that was tried fails";
  const part = ({ text, kind }: ConditionInWords): string => {
    const whole = text.includes(" || ") && conditions.length > 1 ? `(${text})` : text;
    return kind === "pin" ? `${whole} [only this value was tried]` : whole;
  };
  const { told, ofAddresses } = withoutAddresses(conditions);
  const shown = told.slice(0, most).map(part);
  if (told.length > most) shown.push(`${told.length - most} more`);
  return [...(shown.length > 0 ? [shown.join(" && ")] : []), ...(ofAddresses === null ? [] : [ofAddresses])].join(
    ", and ",
  );
}

/** Addresses of the machine mean nothing to a reader: of conditions on them only the number is told. */
export function withoutAddresses(conditions: readonly ConditionInWords[]): {
  readonly told: readonly ConditionInWords[];
  readonly ofAddresses: string | null;
} {
  const told = conditions.filter(({ ofAddress }) => ofAddress !== true);
  const left = conditions.length - told.length;
  return { told, ofAddresses: left === 0 ? null : `${left} condition${left === 1 ? "" : "s"} on addresses` };
}

export function renderUnitSummary({ unit, failures, summary }: UnitResult): string {
  const { statistics, coverage, reason, complete, untold, elapsedMs } = summary;
  const { name } = unit.function;
  const isInTests = summary.starts.some(({ start }) => start.at !== null);
  const lines = [
    `tangent: ${REASONS[reason]}; ${(elapsedMs / 1000).toFixed(2)} s`,
    `  paths     ${count(statistics.paths)} complete, ${count(statistics.pending)} pending${complete ? "; every path that such arguments can take was explored" : ""}`,
    ...(isInTests ? startsText(summary.starts) : []),
    `  coverage  ${coverageText(coverage)} of ${name}`,
    ...(coverage.missingLines.length === 0 ? [] : [`  missing   lines ${ranges(coverage.missingLines)}`]),
    `  failures  ${count(failures.length)}`,
    ...untoldText([...untold.values()]),
  ];
  for (const loss of lossesOf(summary)) lines.push(`  lost      ${loss}`);
  if (summary.atLimit > 0) {
    const paths =
      summary.atLimit === 1 ? "1 path uses a pointer that is" : `${count(summary.atLimit)} paths use a pointer that is`;
    lines.push(`  lost      ${paths} NULL only because a unit has so many objects: no failures`);
  }
  if (failures.length > 0) {
    lines.push(
      "  note      no caller has been shown to pass such arguments: this is no bug of the program yet. Either a caller can",
      "            make them, or all callers check what is needed: then the precondition is what the function relies on",
      ...(isInTests ? [`            (\`tangent compose --function ${name}\` asks the callers)`] : []),
    );
  }
  return visibleLines(lines);
}

const UNTOLD = {
  tests: "in the tests' own code, which is called back",
  arguments: "where a format asks for further arguments than there are",
} as const satisfies Record<NotOfUnit, string>;

/** Failures that say nothing of the function. */
function untoldText(reasons: readonly NotOfUnit[]): readonly string[] {
  return (["tests", "arguments"] as const).flatMap((why) => {
    const times = reasons.filter((one) => one === why).length;
    return times === 0 ? [] : [`  not told  ${count(times)} ${UNTOLD[why]}: no failure of the function`];
  });
}

/** What came of the starts: a line for each way to start, and one for each problem. */
function startsText(starts: readonly ExploredStart[]): readonly string[] {
  const explored = starts.filter(({ problem }) => problem === null);
  const ways = [...new Set(explored.map(({ start }) => start.realism))].map((realism) => {
    const own = explored.filter(({ start }) => start.realism === realism);
    const pending = own.reduce((sum, one) => sum + one.pending, 0);
    const paths = own.reduce((sum, one) => sum + one.paths, 0);
    const isAll = own.every(({ complete }) => complete);
    const left = isAll ? "all there are" : pending > 0 ? `${count(pending)} pending` : "not all, see below";
    const calls = own.length === 1 ? "in a call of a test" : `in ${own.length} calls of tests`;
    const how = realism === "types" ? "made by its types" : `${calls}, where ${FREE[realism]}`;
    return `${how}: ${count(paths)} path${paths === 1 ? "" : "s"}, ${left}`;
  });
  const problems = starts.flatMap(({ start, problem }) =>
    problem === null ? [] : [`not ${startText(start)}: ${problem}`],
  );
  const assumed = new Set(explored.flatMap((one) => (one.start.at === null ? [] : one.assumed.map(lengthIn))));
  const bounds =
    assumed.size === 0
      ? []
      : [`in calls of tests no length is larger than the memory there: ${shortList([...assumed])}`];
  return [...ways, ...bounds, ...problems].map((text, n) => `  ${n === 0 ? "started " : "        "}  ${text}`);
}

/** Of `n <= 8`; how much memory there is differs from call to call. */
function lengthIn(condition: string): string {
  return condition.replace(/ <= \d+$/, "");
}

function shortList(words: readonly string[]): string {
  const left = words.length - SHOWN_FIXED;
  return `${words.slice(0, SHOWN_FIXED).join(", ")}${left > 0 ? `, ${left} more` : ""}`;
}

const SHOWN_RANGES = 12;

/** `3, 5-7`; ascending numbers. */
function ranges(lines: readonly number[]): string {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  const text = found.slice(0, SHOWN_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${text.join(", ")}${found.length > SHOWN_RANGES ? ", ..." : ""}`;
}

function coverageText({ blocks, coveredBlocks, lines, coveredLines }: UnitCoverage): string {
  return `${count(coveredLines)} of ${count(lines)} lines, ${count(coveredBlocks)} of ${count(blocks)} blocks`;
}
