// One input that reaches changed code, as text for a terminal: what it reaches, the command, what was done to which test to get it,
// what it needs besides, and what the program did with it.

import { visibleLines } from "../support/visible-text.js";
import { counted, type ShownPath } from "./finding-view.js";
import type { PatchCampaignResult, PatchInput, PatchTarget } from "./patch-result.js";
import { shownWord } from "./shell-words.js";
import { ownPath } from "./source-path.js";

export function targetsOfInput({ inputs, targets }: PatchCampaignResult, { id }: PatchInput): readonly PatchTarget[] {
  return targets.filter(({ state }) => state.kind === "reached" && inputs[state.input]?.id === id);
}

/** Words are one character a byte. A program below the project, in a build of ours or not, is named from there. */
export function shownCommand(words: readonly string[], project: string): string {
  const [first = "", ...rest] = words;
  const root = Buffer.from(`${project}/`).toString("latin1");
  const program = first.startsWith(root) ? `./${ownPath(first.slice(root.length))}` : first;
  return [program, ...rest].map((word) => shownWord(Buffer.from(word, "latin1"))).join(" ");
}

/** More is in the report. */
const MOST_PLACES = 8;
const MOST_FILES = 20;
const MOST_OUTPUT = 2000;

/** "src/diff.c:410, src/diff.c:412 and 3 more" */
export function placesInWords(targets: readonly PatchTarget[]): string {
  const places = [...new Set(targets.map(({ file, line }) => `${file}:${line}`))];
  const more = places.length - MOST_PLACES;
  return `${places.slice(0, MOST_PLACES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function renderPatchInput(
  input: PatchInput,
  targets: readonly PatchTarget[],
  project: string,
  shown: ShownPath,
): string {
  const { id, command, seedCommand, seedId, steps, workingDirectory, stdin, tree, end, observed } = input;
  const size = (bytes: string): string => counted(Buffer.from(bytes, "base64").length, "byte");
  const files = tree.filter(({ kind }) => kind !== "missing" && kind !== "sized");
  const lines = [
    `${id}  reaches ${placesInWords(targets)}`,
    `command:   ${shownCommand(command, project)}`,
    `made from: ${shownCommand(seedCommand, project)} (test ${seedId})`,
    ...steps.map((step) => `           - ${step}`),
    `in:        ${shown(workingDirectory) || "."}`,
    ...(stdin === null ? [] : [`stdin:     ${size(stdin)}`]),
    ...files.slice(0, MOST_FILES).map(({ kind, path, bytes }, at) => {
      const what = kind === "file" ? size(bytes ?? "") : kind;
      return `${at === 0 ? "files:     " : "           "}${shown(path)} (${what})`;
    }),
    ...(files.length > MOST_FILES ? [`           and ${files.length - MOST_FILES} more`] : []),
    ...(end === "" ? [] : [`it ends:   ${end}`]),
    ...(observed === undefined ? [] : outputLines("stdout:", observed.stdout)),
    ...(observed === undefined ? [] : outputLines("stderr:", observed.stderr)),
    `run it:    tangent replay ${id}`,
  ];
  return visibleLines(lines);
}

function outputLines(label: string, bytes: string): string[] {
  const text = Buffer.from(bytes, "base64").toString("utf8");
  if (text === "") return [];
  const cut = text.length > MOST_OUTPUT ? `${text.slice(0, MOST_OUTPUT)}...` : text;
  return cut
    .replace(/\n$/, "")
    .split("\n")
    .map((line, at) => `${(at === 0 ? label : "").padEnd(11)}${line}`);
}
