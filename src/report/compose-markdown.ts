// A composition in a pull-request comment: the chains of callers that lead to failures, and, folded, the failures of functions that no
// caller was shown to allow. As much of them as there is room for.

import type { ComposeCampaignResult } from "./compose-result.js";
import { conditionText, kindInWords, liftedOf, needOf, notLiftedOf, reasonOf, whereOfTarget } from "./compose-view.js";
import { asSentence, counted, pathsOf } from "./finding-view.js";
import { inline } from "./markdown-text.js";

const CHAIN_CONDITIONS = 4;

/** Below the head and above the table of findings. */
export function chainsMarkdown(result: ComposeCampaignResult, room: number): string[] {
  const shown = pathsOf(result);
  const rows = liftedOf(result).map((target) => {
    const links = target.chain.map(({ name, condition }) => {
      const needs = conditionText(condition, CHAIN_CONDITIONS);
      return `**${inline(name)}**${needs === null ? "" : ` (${inline(needs)})`}`;
    });
    return `- ${inline(`${kindInWords(target)} at ${whereOfTarget(target, shown)}`)} \`${target.state.finding}\`: ${links.join(" → ")}`;
  });
  return rows.length === 0 ? [] : ["How the program comes there:", "", ...fitting(rows, room, "more chain"), ""];
}

export function notLiftedMarkdown(result: ComposeCampaignResult, room: number): string[] {
  const shown = pathsOf(result);
  const targets = notLiftedOf(result);
  if (targets.length === 0) return [];
  const rows = targets.map((target) => {
    const need = needOf(target);
    const what = `${kindInWords(target)} at ${whereOfTarget(target, shown)}${need === null ? "" : ` if ${need}`}`;
    return `- ${inline(what)}: ${inline(reasonOf(target, shown))}`;
  });
  const what = counted(targets.length, "function fails", "failures of functions");
  const summary = targets.length === 1 ? `${what} by itself` : what;
  return [
    "<details>",
    `<summary>${inline(asSentence(`${summary}, but no caller was shown to allow it: not reported as bugs`))}</summary>`,
    "",
    ...fitting(rows, room, "more failure"),
    "",
    "</details>",
    "",
  ];
}

function fitting(rows: readonly string[], room: number, noun: string): string[] {
  const kept: string[] = [];
  let size = 0;
  for (const row of rows) {
    size += row.length + 1;
    if (size > room) break;
    kept.push(row);
  }
  const left = rows.length - kept.length;
  return left === 0 ? kept : [...kept, `- and ${counted(left, noun)} in the HTML report`];
}
