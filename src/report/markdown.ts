// A pull-request comment: one table that is read in ten seconds, and each finding folded below it. Code hosts cut comments
// at 65,536 characters, so details that do not fit are left out and told.

import { NO_SOURCES, type ReadSource } from "../project/sources.js";
import type { CampaignResult, ResultFinding } from "./campaign-result.js";
import { chainsMarkdown, notLiftedMarkdown } from "./compose-markdown.js";
import { composedNothing, extentOfComposition, type SaysNothing, unfinishedInWords } from "./compose-view.js";
import { divergencesInWords } from "./divergences.js";
import { excerpt } from "./excerpt.js";
import { extent, sampledInWords, saysNothing } from "./extent.js";
import { bugsInWords, type FindingGroup, groupsOf, memberInWords } from "./finding-groups.js";
import {
  asSentence,
  behindInWords,
  byImportance,
  CONFIRMED_WORDS,
  changedInputs,
  changeInWords,
  commandSegments,
  commandsOf,
  counted,
  distanceInWords,
  distanceName,
  failsUnchanged,
  movesInWords,
  pathsOf,
  placeOf,
  plainText,
  readsStdin,
  type ShownPath,
  SINCE_WORDS,
  seconds,
  shownCell,
  variablesInFront,
  whereOf,
} from "./finding-view.js";
import { type Cell, hexRows, type InputDifference, textRows } from "./input-diff.js";
import { fenced, inline } from "./markdown-text.js";
import { patchMarkdown } from "./patch-markdown.js";
import { isCounted } from "./suppressed.js";

export interface MarkdownOptions {
  readonly readSource: ReadSource;
}

const SIZE_LIMIT = 60_000;
/** What a patch itself may take of it. */
const PATCH_ROOM = 35_000;
/** Chains of callers; and once more for failures that were not lifted. */
const CHAINS_ROOM = 15_000;
const TABLE_LIMIT = 50;
const MEMBER_LIMIT = 20;
const DIFF_LIMITS = { changedRows: 8, context: 1, rowBytes: 120 };

export function renderMarkdown(result: CampaignResult, options: Partial<MarkdownOptions> = {}): string {
  const { readSource = NO_SOURCES } = options;
  const shown = pathsOf(result);
  const all = byImportance(result.findings);
  const fresh = all.filter(isCounted);
  const groups = groupsOf(fresh);
  const left = all.filter(({ suppressed }) => suppressed !== undefined);
  const old = all.length - fresh.length - left.length;
  const parts = [...headOf(result, fresh, old)];
  const diverged = divergencesInWords(result);
  if (diverged !== null) parts.push(`${diverged}.`, "");
  if (fresh.length > 0) {
    parts.push("| Severity | What | Where | Distance | Id |", "|---|---|---|---|---|");
    for (const { first, members } of groups.slice(0, TABLE_LIMIT)) {
      const more = members.length === 1 ? "" : ` and ${counted(members.length - 1, "more place")}`;
      parts.push(
        `| ${cell(first.severity)} | ${cell(first.title)} | ${cell(`${whereOf(first, shown)}${more}`)} | ${first.distance < 0 ? distanceName(first.distance) : first.distance} | \`${first.id}\` |`,
      );
    }
    if (groups.length > TABLE_LIMIT) parts.push("", `and ${counted(groups.length - TABLE_LIMIT, "more bug")}.`);
    parts.push("");
  }
  for (const hint of result.hints ?? []) parts.push(`> ${inline(hint)}`, "");
  parts.push(...suppressedLines(left, shown));
  let size = parts.join("\n").length;
  let omitted = 0;
  for (const group of groups) {
    const text = details(group, shown, readSource);
    if (size + text.length > SIZE_LIMIT) omitted++;
    else {
      parts.push(text);
      size += text.length;
    }
  }
  if (omitted > 0) parts.push(`The details of ${counted(omitted, "bug")} did not fit; the HTML report has them.`, "");
  return `${parts.join("\n").trimEnd()}\n`;
}

/** All that stands above the table of findings. */
function headOf(result: CampaignResult, fresh: readonly ResultFinding[], old: number): readonly string[] {
  const { totals, durationMs } = result;
  switch (result.technique) {
    case "amplify": {
      const checks = counted(result.totals.checks, "check");
      const why = saysNothing(result);
      return [
        ...(why === null ? headline(fresh, old) : nothingChecked({ headline: "nothing was checked", why })),
        `${extent(result)} in ${seconds(durationMs)}: ${checks}, ${counted(totals.paths, "path")}.${known(old)}`,
        ...(result.sampled === undefined ? [] : ["", sampledInWords(result).trimEnd()]),
        "",
      ];
    }
    case "patch":
      return [...patchMarkdown(result, PATCH_ROOM), ...bugsOfPatch(fresh, old)];
    case "compose": {
      const nothing = composedNothing(result);
      const unfinished = nothing === null ? unfinishedInWords(result) : null;
      const before = result.amplified === undefined ? "" : `${extent(result.amplified)}; `;
      return [
        ...(nothing === null ? headline(fresh, old) : nothingChecked(nothing)),
        `${before}${extentOfComposition(result.totals)} in ${seconds(durationMs)}.${known(old)}`,
        "",
        ...(unfinished === null ? [] : [`${inline(unfinished)}.`, ""]),
        ...chainsMarkdown(result, CHAINS_ROOM),
        ...notLiftedMarkdown(result, CHAINS_ROOM),
      ];
    }
  }
}

function nothingChecked({ headline: head, why }: SaysNothing): string[] {
  return [`### Tangent: ${head}`, "", `${cell(why)}.`, ""];
}

function headline(fresh: readonly ResultFinding[], old: number): string[] {
  const count = fresh.length === 0 ? "no new bugs" : bugsInWords(fresh, old > 0 ? "new bug" : "bug");
  return [`### Tangent: ${fresh.length + old === 0 ? "no bugs found" : count}`, ""];
}

function bugsOfPatch(fresh: readonly ResultFinding[], old: number): string[] {
  const count = fresh.length === 0 ? "No new bugs" : asSentence(bugsInWords(fresh, old > 0 ? "new bug" : "bug"));
  return ["#### Bugs", "", `${asSentence(fresh.length + old === 0 ? "No bugs found" : count)}${known(old)}`, ""];
}

/** Suppressed findings, folded. */
function suppressedLines(findings: readonly ResultFinding[], shown: ShownPath): string[] {
  if (findings.length === 0) return [];
  const lines = findings
    .slice(0, TABLE_LIMIT)
    .map((one) => `- \`${one.id}\` ${inline(`${one.title} at ${whereOf(one, shown)}: ${one.suppressed}`)}`);
  if (findings.length > TABLE_LIMIT) lines.push(`- and ${findings.length - TABLE_LIMIT} more`);
  const head = `<details>\n<summary>${counted(findings.length, "finding is", "findings are")} suppressed by tangent.toml</summary>\n`;
  return [head, ...lines, "", "</details>", ""];
}

function known(old: number): string {
  return old > 0 ? ` ${counted(old, "finding was", "findings were")} known before.` : "";
}

function details({ first: finding, members }: FindingGroup, shown: ShownPath, readSource: ReadSource): string {
  const { location } = finding;
  const lines = [
    "<details>",
    `<summary>${inline(`${finding.title} at ${whereOf(finding, shown)}`)}</summary>`,
    "",
    `${inline(asSentence(finding.message))} ${inline(finding.sentence)} (CWE-${finding.cwe})${finding.since === undefined ? "" : ` The program **${SINCE_WORDS[finding.since]}**.`}`,
    "",
  ];
  const source = location?.file === null || location === null ? null : readSource(location.file);
  if (source !== null && location !== null) {
    lines.push(
      ...fenced(
        "c",
        excerpt(source, location.line, location.column, 3).map((line) => line.slice(0, 200)),
      ),
      "",
    );
  }
  const behind = behindInWords(finding);
  if (behind !== null) lines.push(`It lies ${inline(behind)}.`, "");
  const changed = changedInputs(finding, shown);
  const words = changeInWords(changed);
  const { test, witness } = commandsOf(finding);
  const input = readsStdin(finding) ? " < stdin" : "";
  lines.push(
    changeSentence(finding, words),
    "",
    ...fenced("diff", [
      ...(words === null && finding.moved === undefined
        ? []
        : [`- ${plainText(commandSegments(test, witness))}${input}`]),
      `+ ${variablesInFront(finding)}${plainText(commandSegments(witness, test))}${input}`,
      ...changed.filter(({ name }) => !name.startsWith("arg")).flatMap(differenceLines),
    ]),
    "",
    ...memberLines(finding, members, shown),
    ...fenced(
      "",
      finding.stack.slice(0, 20).map((frame, index) => `#${index} ${frame.function} ${placeOf(frame, shown)}`),
    ),
    "",
    `${asSentence(distanceName(finding.distance)).slice(0, -1)} (${distanceInWords(finding)}), depth ${finding.depth}. Confirmed ${CONFIRMED_WORDS[finding.confirmed]}. Run it: \`tangent replay ${finding.id}\``,
    "",
    "</details>",
    "",
  );
  return lines.join("\n");
}

function differenceLines(one: InputDifference): string[] {
  const { rows, hiddenChanges } = one.isText ? textRows(one, DIFF_LIMITS) : hexRows(one, DIFF_LIMITS);
  const line = (cells: readonly Cell[]): string =>
    one.isText
      ? cells.map((one) => shownCell(one).text).join("")
      : cells.map(({ byte }) => byte.toString(16).padStart(2, "0")).join(" ");
  const lines = [`@@ ${one.label} @@`];
  for (const row of rows) {
    if (row.kind === "gap") continue;
    if (row.kind === "same") lines.push(`  ${line(row.cells)}`);
    else lines.push(`- ${line(row.seed)}`, `+ ${line(row.witness)}`);
  }
  if (hiddenChanges > 0) lines.push(`@@ ${counted(hiddenChanges, "more changed byte")} @@`);
  return lines;
}

/** The other places of a cause, by their ids. */
function memberLines(first: ResultFinding, members: readonly ResultFinding[], shown: ShownPath): string[] {
  const others = members.filter(({ id }) => id !== first.id);
  if (others.length === 0) return [];
  const lines = others
    .slice(0, MEMBER_LIMIT)
    .map((member) => `- \`${member.id}\` ${inline(memberInWords(member, first, shown))}`);
  if (others.length > MEMBER_LIMIT) lines.push(`- and ${counted(others.length - MEMBER_LIMIT, "more place")}`);
  return ["The same cause shows at:", "", ...lines, ""];
}

function cell(text: string): string {
  return inline(text);
}

function changeSentence(finding: ResultFinding, words: string | null): string {
  const moves = movesInWords(finding);
  if (moves !== null) {
    return `Made of the test: ${inline(moves)}${words === null ? "" : `; then ${inline(words)} changed`}:`;
  }
  return words === null ? `${failsUnchanged(finding)}:` : `Compared with the test, ${inline(words)} changed:`;
}
