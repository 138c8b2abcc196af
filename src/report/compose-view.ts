// What every report of `tangent compose` says in the same words: which failures of single functions were lifted to the whole program, and
// of the others what each caller has against it.

import { KINDS } from "../findings/kinds.js";
import type { ComposeObstacle, ComposeTarget, ComposeTotals } from "../techniques/compose/compose-outcome.js";
import { type ChainLink, CUT_SHORT_BY, type UnmetState } from "../techniques/compose/compose-work.js";
import type { ConditionInWords } from "../techniques/unit/explore-unit.js";
import type { CommonResult, ResultFinding } from "./campaign-result.js";
import type { ComposeCampaignResult } from "./compose-result.js";
import { bugsInWords } from "./finding-groups.js";
import { asSentence, counted, type ShownPath, seconds } from "./finding-view.js";
import { unsuppressed } from "./suppressed.js";
import { preconditionText } from "./unit-text.js";

type Totals = ComposeCampaignResult["totals"];
type StateOf<Kind extends ComposeTarget["state"]["kind"]> = ComposeTarget & {
  readonly state: Extract<ComposeTarget["state"], { readonly kind: Kind }>;
};

export function liftedOf({ targets }: ComposeCampaignResult): readonly StateOf<"lifted">[] {
  return targets.filter((target): target is StateOf<"lifted"> => target.state.kind === "lifted");
}

/** Those first of which most is known. */
export function notLiftedOf({ targets }: ComposeCampaignResult): readonly StateOf<"not-lifted">[] {
  const rank = ({ state }: StateOf<"not-lifted">): number =>
    Math.min(WEIGHTS.length, ...state.callers.map(({ state: why }) => WEIGHTS.indexOf(why.kind)));
  return targets
    .filter((target): target is StateOf<"not-lifted"> => target.state.kind === "not-lifted")
    .sort((a, b) => rank(a) - rank(b));
}

export function openOf({ targets }: ComposeCampaignResult): readonly StateOf<"open">[] {
  return targets.filter((target): target is StateOf<"open"> => target.state.kind === "open");
}

/** From `main` to the failing function, if composition found it. */
export function chainOfFinding(result: ComposeCampaignResult, finding: string): readonly ChainLink[] {
  return liftedOf(result).find(({ state }) => state.finding === finding)?.chain ?? [];
}

/** Where the finding lies in the report, if it is there. */
export function findingOf({ findings }: CommonResult, id: string): ResultFinding | null {
  return findings.find((finding) => finding.id === id) ?? null;
}

export function kindInWords({ kind }: Pick<ComposeTarget, "kind">): string {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS].title : kind;
}

export function placeInWords(
  { file, line }: { readonly file: string | null; readonly line: number },
  shown: ShownPath,
): string {
  if (file === null) return "";
  return line > 0 ? `${shown(file)}:${line}` : shown(file);
}

/** "copy.c:12 in copy". */
export function whereOfTarget(target: ComposeTarget, shown: ShownPath): string {
  const place = placeInWords(target, shown);
  return place === "" ? target.functionName : `${place} in ${target.functionName}`;
}

/** What the failing function needs, or the nearest of its callers of which that is known; null if it is of none. */
export function needOf({ chain, functionName }: ComposeTarget): string | null {
  const link = chain.findLast(({ condition }) => condition.length > 0);
  if (link === undefined) return null;
  const text = conditionText(link.condition);
  return link.name === functionName ? text : `${text} in ${link.name}`;
}

/** Null if there is no condition. */
export function conditionText(conditions: readonly ConditionInWords[], most?: number): string | null {
  return conditions.length === 0 ? null : preconditionText(conditions, most);
}

/** `n = 65, text = "ab"`, cut if there are many. */
export function argumentsText({ arguments: values }: ChainLink, most = MOST_ARGUMENTS): string {
  const shown = values.slice(0, most).map(({ words, value }) => `${words} = ${shortValue(value)}`);
  return [...shown, ...(values.length > most ? [`${values.length - most} more`] : [])].join(", ");
}

/** Of a large object its beginning. */
export function shortValue(value: string): string {
  return value.length <= MOST_VALUE ? value : `${value.slice(0, MOST_VALUE)}…`;
}

const MOST_ARGUMENTS = 8;
const MOST_VALUE = 60;
/** Conditions of a sentence. */
const MOST_CONDITIONS = 4;

/** What says most about why a failure cannot happen comes first. */
const WEIGHTS: readonly UnmetState["kind"][] = ["contradicted", "other-shape", "not-failing", "unknown", "not-called"];

/** The most telling first. */
export function obstaclesOf({ state }: StateOf<"not-lifted">): readonly ComposeObstacle[] {
  // A caller that decides against it says more than one whose values do, and that more than runs of a test.
  const rank = ({ state: why, ...caller }: ComposeObstacle): number =>
    WEIGHTS.indexOf(why.kind) * 4 +
    (why.kind === "contradicted" && why.against.length > 0 ? 0 : 2) +
    (isTest(caller) ? 1 : 0);
  return [...state.callers].sort((a, b) => rank(a) - rank(b));
}

/** The decisive one of them, in a sentence without its full stop. */
export function reasonOf(target: StateOf<"not-lifted">, shown: ShownPath): string {
  const [first, ...others] = obstaclesOf(target);
  if (first === undefined) return "no function that was explored calls it";
  const rest = others.some(isTest)
    ? counted(others.length, "more caller or test", "more callers or tests")
    : counted(others.length, "more caller");
  const more = others.length === 0 ? "" : `; ${rest} beside that`;
  return `${obstacleInWords(first, shown)}${more}`;
}

/** "needs len > 64, but every explored way to the call in parse has len <= 64 (parse.c:120)". */
export function obstacleInWords(obstacle: ComposeObstacle, shown: ShownPath): string {
  const { state } = obstacle;
  const caller = isTest(obstacle) ? `the test ${obstacle.caller}` : obstacle.caller;
  switch (state.kind) {
    case "not-called":
      return `no explored path of ${caller} comes to the call`;
    case "other-shape":
      return `at ${counted(state.calls, "explored call")} in ${caller} the memory that it needs is not there: a pointer is null, or an object is smaller`;
    case "contradicted": {
      const needs = conditionText(
        state.needed.filter(({ text }) => text !== ""),
        MOST_CONDITIONS,
      );
      const why = againstInWords(state.against, shown);
      const has =
        why === null
          ? `no explored way to the call in ${caller} allows it`
          : `every explored way to the call in ${caller} ${why}`;
      return needs === null ? has : `needs ${needs}, but ${has}`;
    }
    case "not-failing":
      return `the condition was met at ${counted(state.calls, "call")} in runs of ${caller}, and none of them failed there`;
    case "unknown":
      return `of ${counted(state.calls, "explored call")} in ${caller} it could not be decided whether the condition can hold`;
  }
}

/** It was the whole program, run with a test's input. */
function isTest({ file, line }: Pick<ComposeObstacle, "file" | "line">): boolean {
  return file === null && line === 0;
}

/** "has len <= 64 (parse.c:120)": decisions before values that are fixed for other reasons; of some only the place is known. */
function againstInWords(against: readonly ConditionInWords[], shown: ShownPath): string | null {
  const said = against.filter(({ text, ofAddress }) => text !== "" && ofAddress !== true);
  const order = [...said.filter(({ kind }) => kind !== "pin"), ...said.filter(({ kind }) => kind === "pin")];
  const texts = order.slice(0, MOST_CONDITIONS).map((one) => withPlace(one, shown));
  const left = order.length - texts.length;
  if (texts.length > 0) return `has ${[...texts, ...(left > 0 ? [`${left} more`] : [])].join(" and ")}`;
  const places = new Set(against.map((one) => placeInWords(one, shown)).filter((place) => place !== ""));
  return places.size === 0 ? null : `is decided against it at ${[...places].slice(0, MOST_CONDITIONS).join(" and ")}`;
}

function withPlace(condition: ConditionInWords, shown: ShownPath): string {
  const place = placeInWords(condition, shown);
  const text = condition.kind === "pin" ? `${condition.text} [only this value was tried]` : condition.text;
  return place === "" ? text : `${text} (${place})`;
}

/** "41 of 60 functions tested as units, 7 failing lines, 2 of them lifted to whole inputs". */
export function extentOfComposition({ units, functions, targets, lifted }: ComposeTotals): string {
  const failing = targets === 0 ? "no failing line" : counted(targets, "failing line");
  const result = targets === 0 ? "" : `, ${lifted} of them shown by an input of the whole program`;
  return `${units} of ${counted(functions, "function")} tested by themselves, ${failing}${result}`;
}

export interface SaysNothing {
  /** "nothing was checked". */
  readonly headline: string;
  readonly why: string;
}

/**
 * Nothing was found, and the results say nothing about the programs: not one function came to be tested and no test was amplified, or no test
 * came to its end, so that no input of a whole program could show anything. Null if they do.
 */
export function composedNothing(
  result: Pick<ComposeCampaignResult, "findings" | "totals" | "unfinished" | "amplified">,
): SaysNothing | null {
  const { findings, totals, amplified } = result;
  if (findings.length > 0) return null;
  const unfinished = unfinishedInWords(result);
  const hasChecks = amplified !== undefined && amplified.totals.checks > 0;
  if (unfinished !== null && !hasChecks && brokenTests(result) >= totals.seeds) {
    return { headline: "no test could be run to its end", why: unfinished };
  }
  if (totals.units > 0 || totals.queries > 0) return null;
  const why =
    totals.functions === 0
      ? "the tests call no function that could be tested by itself"
      : `none of ${counted(totals.functions, "function")} came to be tested before the end`;
  return { headline: "nothing was checked", why: unfinished === null ? why : `${why}; ${unfinished}` };
}

/** "2 of 3 tests could not be run to their end: it was cut short by the limit of instructions (2 tests, ./test_g for one)". */
export function unfinishedInWords(result: Pick<ComposeCampaignResult, "totals" | "unfinished">): string | null {
  const { totals, unfinished = [] } = result;
  const tests = unfinishedTests(result);
  if (tests === 0) return null;
  const shown = unfinished.slice(0, SHOWN_REASONS).map(({ why, tests: count, example }) => {
    const command = example.length > SHOWN_COMMAND ? `${example.slice(0, SHOWN_COMMAND)}…` : example;
    return `${why} (${count === 1 ? command : `${counted(count, "test")}, ${command} for one`})`;
  });
  const left = unfinished.length - shown.length;
  const reasons = [...shown, ...(left > 0 ? [counted(left, "more reason")] : [])].join("; ");
  return `${tests} of ${counted(totals.seeds, "test")} could not be run to ${tests === 1 ? "its" : "their"} end: ${reasons}`;
}

function unfinishedTests({ unfinished = [] }: Pick<ComposeCampaignResult, "unfinished">): number {
  return unfinished.reduce((sum, { tests }) => sum + tests, 0);
}

/** Those of them that came to something that could not be run, or not even began. */
function brokenTests({ unfinished = [] }: Pick<ComposeCampaignResult, "unfinished">): number {
  return unfinishedTests({ unfinished: unfinished.filter(({ why }) => !why.startsWith(CUT_SHORT_BY)) });
}

const SHOWN_REASONS = 3;
const SHOWN_COMMAND = 60;

export function headlineOfComposition(
  result: Pick<ComposeCampaignResult, "findings" | "totals" | "unfinished" | "amplified">,
): string {
  const shown = unsuppressed(result.findings);
  const nothing = composedNothing(result);
  if (nothing !== null) return asSentence(nothing.headline).slice(0, -1);
  return shown.length === 0 ? "No bugs found" : bugsInWords(shown);
}

export const REASON_WORDS: { readonly [Reason in CommonResult["reason"]]: string } = {
  complete: "everything within the limits was done",
  time: "the time was used up",
  aborted: "it was stopped",
};

/** Where the time went, longest first. */
export function stepsInWords({ milliseconds }: Pick<Totals, "milliseconds">): string {
  const names = {
    profile: "running the tests",
    units: "functions by themselves",
    lifting: "callers",
    approach: "edits towards conditions",
    interpolation: "interpolants",
    whole: "whole inputs",
  } as const;
  return Object.entries(names)
    .map(([step, name]) => ({ name, ms: milliseconds[step as keyof typeof names] ?? 0 }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
    .map(({ name, ms }) => `${name} ${seconds(ms)}`)
    .join(", ");
}
