// One finding in full, for the terminal: what happened, the source, the object, how the input differs from the test's, and how
// to run it. Colours only when asked for; signs say the same without them.

import { type ReadSource, tabWidthOf } from "../project/sources.js";
import { coloured, visibleLines } from "../support/visible-text.js";
import type { ResultFinding, ResultFrame } from "./campaign-result.js";
import { excerpt } from "./excerpt.js";
import { memberInWords } from "./finding-groups.js";
import {
  accessSize,
  behindInWords,
  CONFIRMED_WORDS,
  changedInputs,
  changeInWords,
  commandSegments,
  commandsOf,
  counted,
  distanceInWords,
  failsUnchanged,
  movesInWords,
  objectInWords,
  offsetInWords,
  placeOf,
  readsStdin,
  type Segment,
  type ShownPath,
  seconds,
  shownCell,
  testIdOf,
  variablesInFront,
} from "./finding-view.js";
import { type Cell, hexRows, type InputDifference, textRows } from "./input-diff.js";

export interface FindingTextOptions {
  readonly colour: boolean;
  readonly shown: ShownPath;
  readonly readSource: ReadSource;
  /** Other findings of the same cause. */
  readonly others?: readonly ResultFinding[];
  /** How composition led it up to `main`, in lines. */
  readonly chain?: readonly string[];
  /** What of the source is not as it was compiled, in words. */
  readonly source?: string;
  /** Since when the project has it, in words. */
  readonly state?: string;
}

const STYLES = { error: "1;31", strong: "1", faint: "2", place: "36", was: "31", now: "1;33" } as const;
type Paint = (style: keyof typeof STYLES, text: string) => string;
const FRAME_LIMIT = 40;
const OTHERS_LIMIT = 20;

export function renderFindingText(finding: ResultFinding, options: FindingTextOptions): string {
  const { shown } = options;
  const paint: Paint = (style, text) => (options.colour ? coloured(STYLES[style], text) : text);
  const heading = (text: string): string[] => ["", paint("strong", text)];
  const lines = [
    paint("error", `${finding.title}: ${finding.message}`),
    `${finding.sentence} (CWE-${finding.cwe}, ${finding.severity})`,
    "",
    ...source(finding.location, options, paint),
  ];
  const object = objectInWords(finding, shown);
  if (object !== null && finding.object !== null) {
    lines.push("", `object     ${object}`);
    if (finding.object.size > 0)
      lines.push(`access     ${offsetInWords(finding.object.offset, finding.object.size, accessSize(finding))}`);
  } else lines.push("");
  lines.push(
    finding.distance < 0
      ? `found by   composition: ${distanceInWords(finding)}`
      : `distance   ${finding.distance}, ${distanceInWords(finding)}`,
    `depth      ${counted(finding.depth, "condition")} on the input before it (branches, and checks that hold)`,
    `found      after ${seconds(finding.foundMs)}, from test ${testIdOf(finding)}`,
    `confirmed  ${CONFIRMED_WORDS[finding.confirmed]}${finding.known === true ? " (known: in the baseline)" : ""}`,
  );
  if (options.source !== undefined) lines.push(`source     ${options.source}`);
  if (options.state !== undefined) lines.push(`state      ${options.state}`);
  if (finding.suppressed !== undefined) lines.push(`suppressed ${finding.suppressed}`);
  const behind = behindInWords(finding);
  if (behind !== null) lines.push(`lies       ${behind}`);
  lines.push(...heading("stack"), ...stack(finding.stack, shown, paint));
  if (finding.object !== null && finding.object.free.length > 0) {
    lines.push(...heading("freed at"), ...stack(finding.object.free, shown, paint));
  }
  if (finding.object !== null && finding.object.allocation.length > 0) {
    lines.push(...heading("allocated at"), ...stack(finding.object.allocation, shown, paint));
  }
  const changed = changedInputs(finding, shown);
  const words = changeInWords(changed);
  const input = readsStdin(finding) ? " <stdin" : "";
  const moves = movesInWords(finding);
  const { test, witness } = commandsOf(finding);
  lines.push(
    ...heading(
      moves !== null
        ? `what breaks it: an input made of the test${words === null ? "" : `, with ${words} changed`}`
        : words === null
          ? failsUnchanged(finding).toLowerCase()
          : `what breaks it: ${words} changed`,
    ),
  );
  if (words !== null || moves !== null) {
    lines.push(`  test     ${segments(commandSegments(test, witness), "was", paint)}${input}`);
  }
  if (moves !== null) lines.push(`  made     ${moves}`);
  lines.push(
    `  witness  ${variablesInFront(finding)}${segments(commandSegments(witness, test), "now", paint)}${input}`,
  );
  for (const one of changed) if (!one.name.startsWith("arg")) lines.push(...difference(one, paint));
  const { others = [], chain = [] } = options;
  if (chain.length > 0) lines.push(...heading("the chain of callers, with what each needs"), ...chain);
  if (others.length > 0) {
    lines.push(...heading("the same cause shows at"));
    for (const one of others.slice(0, OTHERS_LIMIT)) {
      lines.push(`  ${one.id}  ${paint("place", memberInWords(one, finding, shown))}`);
    }
    if (others.length > OTHERS_LIMIT) lines.push(`  ... ${others.length - OTHERS_LIMIT} more`);
  }
  lines.push(
    ...heading("look further"),
    `  tangent replay ${finding.id}    runs it again in the VM`,
    `  tangent explain ${finding.id}   says where its path leaves the test's`,
    `  tangent show ${finding.id} --save DIR   writes its files and a script that runs them; tries it natively`,
  );
  return visibleLines(lines);
}

function source(location: ResultFrame | null, { shown, readSource }: FindingTextOptions, paint: Paint): string[] {
  if (location === null) return ["no place in the program is known"];
  const place = `${location.function} at ${paint("place", placeOf(location, shown))}`;
  const text = location.file === null ? null : readSource(location.file);
  if (text === null) return [place];
  const tabs = location.file === null ? 0 : tabWidthOf(readSource, location.file);
  return [place, ...excerpt(text, location.line, location.column, 4, tabs).map((line) => `  ${paint("faint", line)}`)];
}

function stack(frames: readonly ResultFrame[], shown: ShownPath, paint: Paint): string[] {
  const lines = frames.slice(0, FRAME_LIMIT).map((frame, index) => {
    const name = frame.origin === "program" ? paint("strong", frame.function) : frame.function;
    return `  #${index} ${name} ${paint("place", placeOf(frame, shown))}`;
  });
  if (frames.length > FRAME_LIMIT) lines.push(`  ... ${frames.length - FRAME_LIMIT} more`);
  return lines;
}

function segments(parts: readonly Segment[], style: "was" | "now", paint: Paint): string {
  return parts.map(({ text, changed }) => (changed ? paint(style, text) : text)).join("");
}

function difference(one: InputDifference, paint: Paint): string[] {
  const { rows, hiddenChanges } = one.isText ? textRows(one) : hexRows(one);
  const cellText = (cell: Cell): string =>
    one.isText ? shownCell(cell).text : `${cell.byte.toString(16).padStart(2, "0")} `;
  const line = (sign: string, offset: number, cells: readonly Cell[], style: "was" | "now" | null): string => {
    const text = cells.map((cell) => (cell.changed && style !== null ? paint(style, cellText(cell)) : cellText(cell)));
    // Without colours a line of carets shows which bytes are others.
    return `  ${one.isText ? "" : `${offset.toString(16).padStart(4, "0")} `}${sign} ${text.join("")}`;
  };
  const carets = (cells: readonly Cell[]): string => {
    const indent = " ".repeat(one.isText ? 4 : 9);
    return `${indent}${cells.map((cell) => (cell.changed ? "^" : " ").repeat(cellText(cell).trimEnd().length).padEnd(cellText(cell).length)).join("")}`.trimEnd();
  };
  const lines = ["", `  ${one.label} (${counted(one.witness.length, "byte")}, ${one.changedBytes} changed)`];
  for (const row of rows) {
    if (row.kind === "gap") lines.push(paint("faint", `    ... ${counted(row.bytes, "byte")} ...`));
    else if (row.kind === "same") lines.push(paint("faint", line(" ", row.offset, row.cells, null)));
    else {
      lines.push(
        line("-", row.offset, row.seed, "was"),
        line("+", row.offset, row.witness, "now"),
        carets(row.witness),
      );
    }
  }
  if (hiddenChanges > 0) lines.push(`    ${counted(hiddenChanges, "more changed byte")} not shown`);
  return lines;
}
