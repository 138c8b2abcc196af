// What patch testing came to, as text for a terminal: every changed line with what is known of it, neighbours of the same fate together,
// then what the patch does to the program's behaviour, and the coverage in one sentence. Marks say what colours say, so that
// nothing is lost without them.

import type { Changes } from "../project/patch/changes.js";
import { coloured, visible, visibleLines } from "../support/visible-text.js";
import { counted, SINCE_WORDS } from "./finding-view.js";
import { shownCommand } from "./patch-input-text.js";
import type { BehaviourChange, PatchCampaignResult, PatchLine, PatchTarget } from "./patch-result.js";
import { hasLooked, NOT_LOOKED } from "./patch-view.js";

type LineState = PatchLine["state"];

const STYLES: { readonly [State in LineState]: string } = {
  covered: "32",
  reached: "36",
  "not-reached": "31",
  unreachable: "2",
  "not-executable": "2",
  "white-space": "2",
};
const MARKS: { readonly [State in LineState]: string } = {
  covered: "+",
  reached: "*",
  "not-reached": "!",
  unreachable: "x",
  "not-executable": " ",
  "white-space": "=",
};
/** Of one file; the report has them all. */
const MOST_ROWS = 60;
const MOST_BEHAVIOUR = 10;
const TEXT_WIDTH = 40;

/** `colour`: for a terminal. */
export function renderPatch(result: PatchCampaignResult, colour: boolean): string {
  const paint = (style: string, text: string): string => (colour ? coloured(style, text) : text);
  const isPatch = result.changes.files.length > 0;
  const lines = [
    ...(isPatch ? linesByFile(result, paint) : result.targets.map((target) => targetRow(result, target, paint))),
    ...behaviour(result, paint),
    ...earlierFindings(result),
    ...result.changes.notes.map((note) => `note: ${visible(note)}`),
    paint("1", isPatch ? coverageSentence(result) : targetSentence(result)),
  ];
  return visibleLines(lines);
}

type Paint = (style: string, text: string) => string;

function linesByFile(result: PatchCampaignResult, paint: Paint): string[] {
  const texts = addedTexts(result.changes);
  const files = [...new Set(result.lines.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = result.lines.filter((line) => line.file === file && line.state !== "not-executable");
    const groups = grouped(
      own.sort((a, b) => a.line - b.line),
      (line) => fateOf(result, line),
    );
    const rows = groups.slice(0, MOST_ROWS).map(({ first, last, state, fate }) => {
      const range = first === last ? `${first}` : `${first}-${last}`;
      const source = (texts.get(`${file}:${first}`) ?? "").trim().slice(0, TEXT_WIDTH).padEnd(TEXT_WIDTH);
      return paint(STYLES[state], `  ${MARKS[state]} ${range.padEnd(9)} ${visible(source)} ${visible(fate)}`.trimEnd());
    });
    const more = groups.length - rows.length;
    if (more > 0) rows.push(`    ... ${counted(more, "more group")} of lines in the report`);
    if (rows.length === 0) rows.push("    no changed line of it has code in the programs under test");
    return [visible(file), ...rows];
  });
}

interface Group {
  readonly first: number;
  readonly last: number;
  readonly state: LineState;
  readonly fate: string;
}

function grouped(lines: readonly PatchLine[], fateOfLine: (line: PatchLine) => string): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const fate = fateOfLine(line);
    const before = groups.at(-1);
    if (before !== undefined && before.last + 1 === line.line && before.state === line.state && before.fate === fate) {
      groups[groups.length - 1] = { ...before, last: line.line };
    } else groups.push({ first: line.line, last: line.line, state: line.state, fate });
  }
  return groups;
}

/** What became of a line, in words. */
function fateOf(result: PatchCampaignResult, line: PatchLine): string {
  const targets = line.targets.flatMap((index) => result.targets[index] ?? []);
  switch (line.state) {
    case "covered":
      return "by the tests";
    case "reached": {
      // What reaches the last part of a line has most often run the others.
      const target = targets.findLast(({ state }) => state.kind === "reached");
      return target === undefined ? "reached" : fateOfTarget(result, target);
    }
    case "not-reached":
    case "unreachable": {
      const kind = line.state;
      const target = targets.find(({ state }) => state.kind === kind);
      return target === undefined ? kind.replace("-", " ") : fateOfTarget(result, target);
    }
    case "not-executable":
      return "no code";
    case "white-space":
      return "white space only";
  }
}

function fateOfTarget(result: PatchCampaignResult, { state }: PatchTarget): string {
  switch (state.kind) {
    case "covered":
      return "by the tests";
    case "reached": {
      const input = result.inputs[state.input];
      return input === undefined
        ? "reached"
        : `reached: ${shownCommand(input.command, result.project)} (tangent replay ${shortId(input.id)})`;
    }
    case "unreachable":
      return `unreachable: ${state.why}`;
    case "not-reached":
      return `not reached${state.why.outOfTime ? " in its time" : ""}: ${state.why.sentence}`;
  }
}

function targetRow(result: PatchCampaignResult, target: PatchTarget, paint: Paint): string {
  const place = `${target.file}:${target.line}${target.function === "" ? "" : ` (${target.function})`}`;
  const { kind } = target.state;
  return paint(STYLES[kind], `${MARKS[kind]} ${visible(place)}: ${visible(fateOfTarget(result, target))}`);
}

/** What was added, by file and line. */
function addedTexts(changes: Changes): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { newPath, hunks } of changes.files) {
    for (const hunk of hunks) {
      let at = hunk.newStart;
      for (const { kind, text } of hunk.lines) {
        if (kind === "added") texts.set(`${newPath}:${at}`, text);
        if (kind !== "removed") at++;
      }
    }
  }
  return texts;
}

const SEVERITIES: readonly BehaviourChange["severity"][] = ["crash", "fixed", "different"];
const SEVERITY_WORDS = { crash: "REGRESSION", fixed: "mended", different: "different" } as const;

function behaviour({ behaviour: all, compared, project }: PatchCampaignResult, paint: Paint): string[] {
  const short = (text: string): string => shortened(text.replaceAll(`${project}/`, ""));
  if (compared === 0) return [];
  if (all.length === 0) return [`both versions do the same with ${counted(compared, "input")}`];
  const sorted = [...all].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const rows = sorted
    .slice(0, MOST_BEHAVIOUR)
    .flatMap(({ severity, command, differences }) => [
      paint(
        severity === "crash" ? "1;31" : "1",
        `  ${SEVERITY_WORDS[severity]}: ${visible(shownCommand(command, project))}`,
      ),
      ...differences.map(({ what, before, after }) => `    ${visible(what)}: ${short(before)} -> ${short(after)}`),
    ]);
  const more = sorted.length - MOST_BEHAVIOUR;
  if (more > 0) rows.push(`  ... and ${more} more in the report`);
  return [`behaviour that this patch changes (${all.length} of ${counted(compared, "input")}):`, ...rows];
}

/** Findings that this patch did not bring. */
function earlierFindings({ findings }: PatchCampaignResult): string[] {
  return findings
    .filter(({ since }) => since === "before")
    .map(({ id, kind, location }) => {
      const place = location === null ? "" : ` in ${location.function}`;
      return `${SINCE_WORDS.before}: ${visible(`${kind}${place}`)} (finding ${id})`;
    });
}

function shortened(text: string): string {
  const line = visible(text.trimEnd());
  return line === "" ? "nothing" : line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

/** Enough of it to be the only one. */
const SHOWN_ID = 8;

function shortId(id: string): string {
  return id.slice(0, SHOWN_ID);
}

/** "patch coverage: 12 of 30 changed lines by the tests, 25 with Tangent" */
function coverageSentence(result: PatchCampaignResult): string {
  if (!hasLooked(result)) return `patch coverage: ${NOT_LOOKED}`;
  const { lines, byTests, withTangent, unreachable } = patchCoverage(result);
  if (lines === 0) {
    const none = "patch coverage: no changed line has code in the programs under test";
    return result.targets.length === 0 ? none : `${none}; ${targetSentence(result)}, where lines were taken away`;
  }
  const never = unreachable === 0 ? "" : ` (${unreachable} can never be reached)`;
  return `patch coverage: ${byTests} of ${counted(lines, "changed line")} by the tests, ${withTangent} with Tangent${never}`;
}

export interface PatchCoverage {
  /** That have code. */
  readonly lines: number;
  readonly byTests: number;
  readonly withTangent: number;
  readonly unreachable: number;
}

export function patchCoverage(result: Pick<PatchCampaignResult, "lines">): PatchCoverage {
  const count = (state: LineState): number => result.lines.filter((line) => line.state === state).length;
  const byTests = count("covered");
  return {
    lines: result.lines.length - count("not-executable") - count("white-space"),
    byTests,
    withTangent: byTests + count("reached"),
    unreachable: count("unreachable"),
  };
}

function targetSentence({ targets, totals }: PatchCampaignResult): string {
  const reached = totals.reached > 0 ? `, ${totals.reached} more with Tangent` : "";
  return `${totals.coveredByTests} of ${counted(targets.length, "place")} reached by the tests${reached}`;
}
