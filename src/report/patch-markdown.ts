// A patch's results for a pull request: coverage in one table, then what nobody reached and why, then what behaves
// differently, failures first. Bugs follow as in every campaign (markdown.ts). What does not fit is left out and told.

import { percentOf } from "./coverage-share.js";
import { commandSegments, counted, pathsOf, plainText } from "./finding-view.js";
import { fenced, inline } from "./markdown-text.js";
import type { BehaviourChange, PatchCampaignResult, PatchTarget } from "./patch-result.js";
import {
  behaviourInWords,
  byUrgency,
  commandOfInput,
  hasLooked,
  headlineOfPatch,
  isReach,
  NOT_LOOKED,
  placeOfTarget,
  reasonsOf,
  regressionsOf,
  SEVERITY_WORDS,
  shareInWords,
  shareOfPatch,
  sourceOf,
} from "./patch-view.js";

const FILE_ROWS = 40;
const TARGET_ROWS = 30;
const BEHAVIOUR_ROWS = 10;
const DIFFERENCE_LINES = 12;
const LINE_CHARACTERS = 160;
const NAME_CHARACTERS = 200;

/** The head of the comment and its parts, each with as much as fits into so many characters. */
export function patchMarkdown(result: PatchCampaignResult, room: number): readonly string[] {
  const head = [`### Tangent: ${inline(headlineOfPatch(result))}`, "", ...coverage(result)];
  const missed = notReached(result);
  const changes = behaviour(result);
  // What the patch breaks comes before what nobody tests.
  const parts = [...(regressionsOf(result).length > 0 ? [changes, missed] : [missed, changes]), reachedInputs(result)];
  const lines = [...head];
  let size = lines.join("\n").length;
  let left = 0;
  for (const part of parts) {
    for (const block of part) {
      const length = block.join("\n").length + 1;
      if (size + length > room) left++;
      else {
        size += length;
        lines.push(...block);
      }
    }
  }
  if (left > 0) lines.push(`${counted(left, "part")} did not fit; the HTML report has them.`, "");
  return lines;
}

function coverage(result: PatchCampaignResult): string[] {
  const share = shareOfPatch(result);
  const lines = [
    inline(
      `${isReach(result) ? "" : `${result.changes.description.slice(0, NAME_CHARACTERS)}: `}${hasLooked(result) ? shareInWords(share) : NOT_LOOKED}`,
    ),
    "",
  ];
  const files = new Map<string, { all: number; tests: number; reached: number; missed: number; dead: number }>();
  for (const { file, state } of result.lines) {
    const row = files.get(file) ?? { all: 0, tests: 0, reached: 0, missed: 0, dead: 0 };
    files.set(file, row);
    if (state === "not-executable" || state === "white-space") continue;
    row.all++;
    if (state === "covered") row.tests++;
    else if (state === "reached") row.reached++;
    else if (state === "unreachable") row.dead++;
    else row.missed++;
  }
  const rows = [...files].filter(([, { all }]) => all > 0);
  if (rows.length === 0) return lines;
  lines.push(
    "| File | Changed lines | By the tests | With Tangent | Not reached | Unreachable |",
    "|---|--:|--:|--:|--:|--:|",
  );
  for (const [file, { all, tests, reached, missed, dead }] of rows.slice(0, FILE_ROWS)) {
    const after = tests + reached;
    lines.push(
      `| ${inline(file.slice(-NAME_CHARACTERS))} | ${all} | ${tests} (${percentOf(tests, all)}) | ${after} (${percentOf(after, all)}) | ${missed} | ${dead} |`,
    );
  }
  if (rows.length > FILE_ROWS) lines.push("", `and ${counted(rows.length - FILE_ROWS, "more file")}.`);
  return [...lines, ""];
}

function notReached(result: PatchCampaignResult): string[][] {
  const shown = pathsOf(result);
  const missed = result.targets.filter(({ state }) => state.kind === "not-reached" || state.kind === "unreachable");
  if (missed.length === 0) return [];
  const items = missed.slice(0, TARGET_ROWS).map((target): string[] => {
    const { state } = target;
    const what =
      state.kind === "unreachable"
        ? `cannot be reached: ${state.why}`
        : state.kind === "not-reached"
          ? state.why.sentence
          : "";
    const reasons = state.kind === "not-reached" ? reasonsOf(state.why, shown).slice(0, 6) : [];
    return [
      `- **${inline(placeOfTarget(target))}**${linesOf(target)}: ${inline(what)}`,
      ...reasons.map((reason) => `  - ${inline(reason)}`),
    ];
  });
  const rest = missed.length - items.length;
  return [["#### Not reached", ""], ...items, [...(rest > 0 ? [`- and ${counted(rest, "more place")}`] : []), ""]];
}

function linesOf({ lines }: PatchTarget): string {
  return lines.length > 1 ? ` (${lines.length} lines)` : "";
}

function behaviour(result: PatchCampaignResult): string[][] {
  if (result.compared === 0 && result.behaviour.length === 0) return [];
  const blocks = byUrgency(result.behaviour)
    .slice(0, BEHAVIOUR_ROWS)
    .map((change) => changed(change, result));
  const rest = result.behaviour.length - blocks.length;
  return [
    ["#### Behaviour that this patch changes", "", inline(behaviourInWords(result)), ""],
    ...blocks,
    ...(rest > 0 ? [[`and ${counted(rest, "more input")}.`, ""]] : []),
  ];
}

function changed(change: BehaviourChange, result: PatchCampaignResult): string[] {
  const command = plainText(commandSegments(change.command, change.command, 120));
  const lines = [
    `<details${change.severity === "crash" ? " open" : ""}>`,
    `<summary>${inline(`${SEVERITY_WORDS[change.severity]}: ${command}`)}</summary>`,
    "",
    `${inline(`From ${sourceOf(change, result)}.`)}`,
    "",
  ];
  for (const { what, before, after } of change.differences.slice(0, 5)) {
    lines.push(`${inline(what)}:`, "", ...fenced("diff", [...signed("-", before), ...signed("+", after)]), "");
  }
  return [...lines, "</details>", ""];
}

function signed(sign: string, text: string): string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, DIFFERENCE_LINES).map((line) => `${sign} ${line.slice(0, LINE_CHARACTERS)}`);
  return lines.length > DIFFERENCE_LINES
    ? [...shown, `${sign} … ${lines.length - DIFFERENCE_LINES} more lines`]
    : shown;
}

function reachedInputs({ inputs, targets }: PatchCampaignResult): string[][] {
  const rows = targets.flatMap((target) =>
    target.state.kind === "reached" ? [{ target, input: inputs[target.state.input] }] : [],
  );
  if (rows.length === 0) return [];
  const lines = rows
    .slice(0, TARGET_ROWS)
    .map(({ target, input }) => `${placeOfTarget(target)}: ${commandOfInput(input).slice(0, 2 * LINE_CHARACTERS)}`);
  return [
    [
      "<details>",
      `<summary>Inputs that reach ${counted(rows.length, "changed place")}</summary>`,
      "",
      ...fenced("", lines),
      "",
      "</details>",
      "",
    ],
  ];
}
