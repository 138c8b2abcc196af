// Findings as text for people, in the manner of AddressSanitizer, which those who debug C know how to read. Colours only
// when asked for; the text is the same without.

import { describeObject, describePlace, hex } from "../findings/classify.js";
import { type Finding, type FindingObject, userFrameOf } from "../findings/finding.js";
import { KINDS } from "../findings/kinds.js";
import { weightOf } from "../findings/severity.js";
import { followingInWords } from "../findings/what-follows.js";
import { NO_SOURCES, type ReadSource, tabWidthOf } from "../project/sources.js";
import { coloured, visible, visibleLines } from "../support/visible-text.js";
import type { RunEnd } from "../vm/run-end.js";
import type { RunResult } from "../vm/run-options.js";
import { signalName } from "../vm/signals.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import { excerpt } from "./excerpt.js";

export interface TextOptions {
  readonly colour: boolean;
  /** Paths below this directory are shown relative to it; null shows them as they are. */
  readonly relativeTo: string | null;
  readonly readSource: ReadSource;
}

export const PLAIN_TEXT: TextOptions = { colour: false, relativeTo: null, readSource: NO_SOURCES };

const STYLES = { error: "1;31", strong: "1", faint: "2", place: "36" } as const;
const FRAME_LIMIT = 40;

type Paint = (style: keyof typeof STYLES, text: string) => string;

function painter(colour: boolean): Paint {
  return (style, text) => (colour ? coloured(STYLES[style], text) : text);
}

/** The whole report of one finding, lines ended by newlines. */
export function renderFinding(finding: Finding, options: TextOptions = PLAIN_TEXT): string {
  const paint = painter(options.colour);
  const lines: string[] = [paint("error", `==tangent== ERROR: ${finding.kind}: ${headline(finding)}`)];
  lines.push(...renderStack(finding.stack, options, paint));
  const user = userFrameOf(finding);
  if (user !== null) lines.push(...renderExcerpt(user, options, paint));
  lines.push(...renderObject(finding, options, paint));
  if (finding.follows !== undefined) lines.push(paint("strong", `${followingInWords(finding.follows)}`));
  lines.push(`${KINDS[finding.kind].sentence} (CWE-${weightOf(finding).cwe})`);
  if (finding.confirmed === false) {
    lines.push(
      paint(
        "strong",
        "note: the finding did not happen again when the run was repeated; please report this to tangent",
      ),
    );
  }
  return visibleLines(lines);
}

function headline(finding: Finding): string {
  // Where the access lies is said again, at length, next to the object.
  const comma = finding.object === null ? -1 : finding.message.indexOf(", ");
  return comma < 0 || finding.access === null ? finding.message : finding.message.slice(0, comma);
}

function renderStack(stack: readonly SourceFrame[], options: TextOptions, paint: Paint): string[] {
  const lines: string[] = [];
  for (let index = 0; index < stack.length; ) {
    if (lines.length >= FRAME_LIMIT) {
      lines.push(`    ... ${stack.length - index} more`);
      break;
    }
    const frame = stack[index];
    let next = index + 1;
    while (next < stack.length && samePlace(frame, stack[next])) next++;
    const place = frame.file === null ? "" : ` ${paint("place", placeOf(frame, options))}`;
    const name = frame.origin === "program" ? paint("strong", frame.functionName) : frame.functionName;
    const repeated = next - index > 1 ? ` (${next - index} times)` : "";
    lines.push(`    #${index} ${name}${place}${repeated}`);
    index = next;
  }
  return lines;
}

function samePlace(a: SourceFrame, b: SourceFrame): boolean {
  return a.functionName === b.functionName && a.file === b.file && a.line === b.line && a.column === b.column;
}

function placeOf(frame: SourceFrame, options: TextOptions): string {
  const file = frame.file ?? "?";
  const root = options.relativeTo === null ? null : `${options.relativeTo.replace(/\/$/, "")}/`;
  const shown = root !== null && file.startsWith(root) ? file.slice(root.length) : file;
  if (frame.line === 0) return shown;
  return frame.column === 0 ? `${shown}:${frame.line}` : `${shown}:${frame.line}:${frame.column}`;
}

function renderExcerpt(frame: SourceFrame, options: TextOptions, paint: Paint): string[] {
  if (frame.file === null) return [];
  const source = options.readSource(frame.file);
  if (source === null) return [];
  const tabs = tabWidthOf(options.readSource, frame.file);
  return excerpt(source, frame.line, frame.column, 2, tabs).map((line) => paint("faint", `    ${line}`));
}

function renderObject(finding: Finding, options: TextOptions, paint: Paint): string[] {
  const { object } = finding;
  if (object === null || finding.kind === "memory-leak" || finding.kind === "unrelated-pointers") return [];
  const freed = finding.kind === "heap-use-after-free" || finding.kind === "double-free";
  const ended = freed ? "freed" : finding.kind === "stack-use-after-return" ? "returned" : null;
  if (finding.kind === "uninitialised") return renderOrigin(object, options, paint);
  const at = finding.firstBadAddress ?? finding.address ?? object.address;
  const range = `[${hex(object.address)}, ${hex(object.address + object.size)})`;
  const place =
    at === object.address && finding.access === null
      ? `${hex(at)} is ${describeObject(object, ended)} ${range}`
      : `${hex(at)} is ${describePlace(object, at, ended)} ${range}`;
  const declared = object.line > 0 && object.kind !== "heap" ? `, declared in line ${object.line}` : "";
  const lines = [`${place}${declared}`];
  if (object.freeStack !== null) lines.push("freed at", ...renderStack(object.freeStack, options, paint));
  if (object.allocationStack !== null) {
    lines.push("allocated at", ...renderStack(object.allocationStack, options, paint));
  }
  return lines;
}

/** What was never set: it may be long gone when it is used, so no addresses. */
function renderOrigin(object: FindingObject, options: TextOptions, paint: Paint): string[] {
  if (object.allocationStack !== null) {
    return ["never set; allocated at", ...renderStack(object.allocationStack, options, paint)];
  }
  return object.line > 0 ? [`never set; declared in line ${object.line}`] : [];
}

/** A line about an end that is neither a finding nor an ordinary exit; null for those. */
export function renderEnd(end: RunEnd, functionAtEnd: string | null): string | null {
  const where = functionAtEnd === null ? "" : ` in ${visible(functionAtEnd)}`;
  switch (end.kind) {
    case "exit":
    case "fault":
      return null;
    case "signal":
      return `==tangent== the program ended by ${signalName(end.signal)}\n`;
    case "silent":
      return end.why === "assumption" ? "==tangent== stopped: an assumption does not hold for this input\n" : null;
    case "unsupported":
      return `==tangent== stopped: ${visible(end.what)} is not supported${end.functionName === "" ? where : ` (in ${visible(end.functionName)})`}\n`;
    case "limit":
      return `==tangent== stopped: ${LIMIT_WORDS[end.limit]}${where}\n`;
  }
}

/** What a user should know about a run besides its end: limits that were met, operations that were refused. */
export function renderNotes(result: RunResult): string {
  const lines: string[] = [];
  if (result.memoryExhausted) {
    lines.push("the heap limit was reached and an allocation refused, which natively may have succeeded");
  }
  for (const [what, count] of Object.entries(result.denied)) {
    lines.push(`${what} was refused${count > 1 ? ` ${count} times` : ""}`);
  }
  return visibleLines(lines.map((line) => `==tangent== note: ${line}`));
}

const LIMIT_WORDS = {
  instructions: "the budget of instructions is used up",
  time: "the time limit is reached",
  output: "the program has written more than the output limit allows",
  cancelled: "cancelled",
  memory: "the program and what it started hold more memory than the limit allows",
  "symbolic-memory": "more symbolic memory than a run may have",
  blocked: "the program waits for something that can never come",
} as const;
