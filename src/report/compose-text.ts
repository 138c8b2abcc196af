// What composition came to, as text for a terminal: each failure that was lifted with its chain of callers, then those that were not, each
// with what is in the way. That the latter are no bugs of the program is said where there are any.

import { coloured, visibleLines } from "../support/visible-text.js";
import type { ComposeTarget } from "../techniques/compose/compose-outcome.js";
import type { ChainLink } from "../techniques/compose/compose-work.js";
import type { ComposeCampaignResult } from "./compose-result.js";
import {
  argumentsText,
  composedNothing,
  conditionText,
  extentOfComposition,
  kindInWords,
  liftedOf,
  needOf,
  notLiftedOf,
  openOf,
  placeInWords,
  reasonOf,
  stepsInWords,
  unfinishedInWords,
  whereOfTarget,
} from "./compose-view.js";
import { counted, pathsOf, type ShownPath } from "./finding-view.js";

/** The report has them all. */
const MOST_CHAINS = 20;
const MOST_NOT_LIFTED = 20;
const CHAIN_CONDITIONS = 4;

type Paint = (style: "strong" | "faint" | "place" | "bad", text: string) => string;
const STYLES = { strong: "1", faint: "2", place: "36", bad: "31" } as const;

/** `colour`: for a terminal. */
export function renderComposition(result: ComposeCampaignResult, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? coloured(STYLES[style], text) : text);
  const shown = pathsOf(result);
  const lines = [
    ...lifted(result, shown, paint),
    ...notLifted(result, shown, paint),
    ...untried(result),
    paint("strong", extentOfComposition(result.totals)),
  ];
  // Where that is the reason why it says nothing, it is told by itself.
  const unfinished = composedNothing(result) === null ? unfinishedInWords(result) : null;
  if (unfinished !== null) lines.push(paint("bad", unfinished));
  const steps = stepsInWords(result.totals);
  if (steps !== "") lines.push(paint("faint", `time of all threads: ${steps}`));
  return visibleLines(lines);
}

/** One line a function, `main` first. */
export function chainLines(chain: readonly ChainLink[], shown: ShownPath, paint: Paint = (_, text) => text): string[] {
  return chain.map((link, index) => {
    const place = placeInWords(link, shown);
    const condition = conditionText(link.condition, CHAIN_CONDITIONS);
    const values = argumentsText(link);
    const example = values === "" ? "" : `, for example ${values}`;
    const needs = condition === null ? "" : `: ${condition}`;
    const where = place === "" ? "" : ` ${paint("place", `(${place})`)}`;
    return `    ${index === 0 ? "  " : "> "}${paint("strong", link.name)}${where}${needs}${needs === "" ? example : paint("faint", example)}`;
  });
}

function lifted(result: ComposeCampaignResult, shown: ShownPath, paint: Paint): string[] {
  const targets = liftedOf(result);
  if (targets.length === 0) return [];
  const rows = targets
    .slice(0, MOST_CHAINS)
    .flatMap((target) => [
      paint(
        "bad",
        `  ${kindInWords(target)} at ${whereOfTarget(target, shown)} (tangent show ${target.state.finding})`,
      ),
      ...chainLines(target.chain, shown, paint),
    ]);
  const left = targets.length - MOST_CHAINS;
  if (left > 0) rows.push(`  ... ${left} more in the report`);
  return ["failures of functions that an input of the whole program shows:", ...rows];
}

function notLifted(result: ComposeCampaignResult, shown: ShownPath, paint: Paint): string[] {
  const targets = notLiftedOf(result);
  if (targets.length === 0) return [];
  const rows = targets.slice(0, MOST_NOT_LIFTED).flatMap((target) => {
    const need = needOf(target);
    return [
      `  ${kindInWords(target)} at ${paint("place", whereOfTarget(target, shown))}${need === null ? "" : `: ${need}`}`,
      paint("faint", `    ${reasonOf(target, shown)}`),
    ];
  });
  const left = targets.length - MOST_NOT_LIFTED;
  if (left > 0) rows.push(`  ... ${left} more in the report`);
  return ["functions that fail by themselves, but no caller was shown to allow it (not reported as bugs):", ...rows];
}

function untried(result: ComposeCampaignResult): string[] {
  const open: readonly ComposeTarget[] = openOf(result);
  if (open.length === 0) return [];
  const what = counted(open.length, "failure of a function was", "failures of functions were");
  return [`${what} not tried on all callers: there was no time (--time); the report lists them`];
}
