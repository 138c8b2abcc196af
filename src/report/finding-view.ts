// What every report says about a finding in the same words: paths relative to the project, commands as shell words with
// the changed bytes marked, the object in a sentence, the ways to look further.

import { isAbsolute, relative } from "node:path";
import { placeOfLiteral } from "../support/literal-names.js";
import type { CommonResult, ResultFinding, ResultFrame } from "./campaign-result.js";
import { shortChange } from "./changed-source.js";
import { type Cell, differenceOf, type InputDifference } from "./input-diff.js";
import { escaped, shownWord } from "./shell-words.js";
import { sourcePath } from "./source-path.js";

/** A stretch of text whose bytes are all changed, or all as in the test. */
export interface Segment {
  readonly text: string;
  readonly changed: boolean;
}

export type ShownPath = (path: string) => string;

/** Below one of these: relative to the first such; elsewhere: as it is. */
export function pathsBelow(...roots: readonly string[]): ShownPath {
  return (path) => {
    if (!isAbsolute(path)) return path;
    for (const root of roots) {
      const below = relative(root, path);
      if (below !== "" && !below.startsWith("..")) return below;
    }
    return path;
  };
}

/** Relative to the project, and to its sources if it is a build's own folder. */
export function pathsOf({ project, sources }: Pick<CommonResult, "project" | "sources">): ShownPath {
  return sources === undefined ? pathsBelow(project) : pathsBelow(project, sources);
}

/** A command with paths below the project relative to it, for reports that are read elsewhere. */
export function shownWords(words: readonly string[], shown: ShownPath): readonly string[] {
  return words.map((word) => (isAbsolute(word) ? shown(word) : word));
}

export function placeOf(frame: ResultFrame | null, shown: ShownPath): string {
  if (frame === null || frame.file === null) return "";
  const file = sourcePath(frame.file, shown);
  return frame.line === 0
    ? file
    : frame.column === 0
      ? `${file}:${frame.line}`
      : `${file}:${frame.line}:${frame.column}`;
}

/** The innermost frame of the program itself, in words. */
export function whereOf(finding: ResultFinding, shown: ShownPath): string {
  const { location } = finding;
  if (location === null) return "an unknown place";
  const place = placeOf({ ...location, column: 0 }, shown);
  return place === "" ? location.function : `${place} in ${location.function}`;
}

/** What patch testing knows of the version before. */
export const SINCE_WORDS: { readonly [Since in NonNullable<ResultFinding["since"]>]: string } = {
  patch: "fails only since this patch",
  before: "failed before this patch too",
};

const SAFE_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The recorded test that a finding is of, however far its input is from it. */
export function testIdOf({ seedId, moved }: Pick<ResultFinding, "seedId" | "moved">): string {
  return moved?.from ?? seedId;
}

/** The argv of its test and of its own input, in the project's own names: the directory they ran in may be gone by now. */
export function commandsOf({
  seedCommand,
  witnessCommand,
  workingDirectory,
  moved,
}: Pick<ResultFinding, "seedCommand" | "witnessCommand" | "workingDirectory" | "moved">): {
  readonly test: readonly string[];
  readonly witness: readonly string[];
} {
  const directory = Buffer.from(workingDirectory).toString("latin1");
  // The program's name stays one: without a slash it would be looked for elsewhere.
  const here = (word: string, at: number): string => (at === 0 ? word : fromDirectory(word, directory));
  return { test: (moved?.command ?? seedCommand).map(here), witness: witnessCommand.map(here) };
}

function fromDirectory(word: string, directory: string): string {
  const at = directory.length < 2 ? -1 : word.indexOf(`${directory}/`);
  if (at < 0 || (at > 0 && !/[=:]/.test(word[at - 1]))) return word;
  return word.slice(0, at) + word.slice(at + directory.length + 1);
}

/** A copy of ours in front of a word is none of the project's names. */
const COPY = /^\/(?:[^=:]*\/)?\.tangent\/(?:build|patch\/(?:new|old))\//;

function ownWords(words: readonly string[]): readonly string[] {
  return words.map((word, at) => word.replace(COPY, at === 0 ? "./" : ""));
}

/** What moves did to the test; null if its input has the size that it had. */
export function movesInWords({ moved }: Pick<ResultFinding, "moved">): string | null {
  return moved === undefined ? null : moved.steps.join(", then ");
}

/** A command as shell words, each word's bytes compared with the other command's word at the same place. */
export function commandSegments(
  words: readonly string[],
  others: readonly string[],
  wordLimit = 400,
): readonly Segment[] {
  const segments: Segment[] = [];
  const add = (text: string, changed: boolean): void => {
    const last = segments[segments.length - 1];
    if (last !== undefined && last.changed === changed) {
      segments[segments.length - 1] = { text: last.text + text, changed };
    } else segments.push({ text, changed });
  };
  const own = ownWords(others);
  for (const [index, word] of ownWords(words).entries()) {
    if (index > 0) add(" ", false);
    const other = own[index] ?? "";
    const shown = word.slice(0, wordLimit);
    const isAscii = /^[\x20-\x7e]*$/.test(shown);
    const isSafe = isAscii && SAFE_WORD.test(shown);
    const isGone = shown.length < other.length && other.startsWith(shown);
    if (!isSafe) add(isAscii ? "'" : "$'", shown === "" && other !== "");
    for (let at = 0; at < shown.length; at++) {
      const byte = shown.charCodeAt(at) & 0xff;
      const text = isSafe
        ? shown[at]
        : isAscii
          ? shown[at] === "'"
            ? "'\\''"
            : shown[at]
          : escaped(Uint8Array.of(byte));
      add(text, shown[at] !== other[at]);
    }
    if (!isSafe) add("'", isGone);
    if (word.length > wordLimit) add(`… ${word.length - wordLimit} more bytes`, false);
  }
  return segments;
}

export function plainText(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}

/** The folder that reports propose for its reproducer. */
export function savedName({ id }: Pick<ResultFinding, "id">): string {
  return `tangent-${id}`;
}

/** What is read besides the arguments: "<stdin" as a shell would write it. */
const VARIABLE = "env:";

export function readsStdin(finding: ResultFinding): boolean {
  return finding.inputs.some(({ name }) => name === "stdin");
}

/** What the input is of a finding whose witness is the input it began with; `moves`: what is known to have made it. */
export function unchangedInput({ isMade }: Pick<ResultFinding, "isMade">, moves: string | null): string {
  if (moves !== null) return "that";
  return isMade === true ? "one that edits made of a test" : "the test's own";
}

/** The same as a sentence. */
export function failsUnchanged({ isMade }: Pick<ResultFinding, "isMade">): string {
  return isMade === true ? "An input that was made, not recorded, fails as it is" : "The test itself fails";
}

/** Before the command of an input that was made: variables that are part of it. Empty for recorded tests, which have their environment. */
export function variablesInFront({ isMade, inputs }: Pick<ResultFinding, "isMade" | "inputs">): string {
  if (isMade !== true) return "";
  const variables = inputs.filter(({ name }) => name.startsWith(VARIABLE));
  return variables
    .map(
      ({ name, witness }) => `${name.slice(VARIABLE.length)}=${shownWord(upToZero(Buffer.from(witness, "base64")))} `,
    )
    .join("");
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** The inputs that differ first; those that do not are of no interest to anybody. */
export function changedInputs(finding: ResultFinding, shown: ShownPath): readonly InputDifference[] {
  const directory = Buffer.from(finding.workingDirectory).toString("latin1");
  const own = (path: string): string =>
    path.startsWith(`${directory}/`) ? fromDirectory(path, directory) : shown(path);
  return finding.inputs.map((input) => differenceOf(input, own)).filter(({ changedBytes }) => changedBytes > 0);
}

/** "2 bytes of argument 1, 1 byte of standard input"; null if nothing differs. */
export function changeInWords(changed: readonly InputDifference[]): string | null {
  if (changed.length === 0) return null;
  return changed
    .map((one) => {
      const words = `${counted(one.changedBytes, "byte")} of ${one.label}`;
      const place = placeOfLiteral(one.name);
      if (place === null) return words;
      const change = shortChange(one.seed, one.witness, place);
      return place.argument === undefined ? `${words} (${change})` : `${one.label} (${change})`;
    })
    .join(", ");
}

const OBJECT_WORDS: { readonly [kind: string]: string } = {
  heap: "a block from malloc",
  stack: "a local variable",
  global: "a global variable",
  argument: "an argument",
  mapping: "mapped memory",
};

/** The object next to which the access was, as a sentence without its full stop. */
export function objectInWords(finding: ResultFinding, shown: ShownPath): string | null {
  const { object } = finding;
  if (object === null) return null;
  const what = OBJECT_WORDS[object.kind] ?? object.kind;
  const name = object.name === null ? what : `${object.name}, ${what}`;
  const declared =
    object.line > 0 ? `, declared at ${object.file === null ? "line " : `${shown(object.file)}:`}${object.line}` : "";
  return `${name} of ${counted(object.size, "byte")}${declared}`;
}

/** Bytes of the access, as the message says; 1 if it does not. */
export function accessSize({ message, kind }: Pick<ResultFinding, "message" | "kind">): number {
  // There the message names the size of the object, and one byte of it.
  if (kind === "uninitialised") return 1;
  return Math.max(1, Number(/ of (\d+) bytes?\b/.exec(message)?.[1] ?? 1));
}

/** A sentence of its own: a capital first, one full stop at the end. */
export function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Where the access lies, from the object's start. */
export function offsetInWords(offset: number, size: number, access = 1): string {
  if (offset >= 0 && offset < size && offset + access > size) {
    return `from offset ${offset} to ${counted(offset + access - size, "byte")} after its end`;
  }
  if (offset < 0) return `${counted(-offset, "byte")} before its start`;
  if (offset >= size)
    return offset === size ? "right after its end" : `${counted(offset - size, "byte")} after its end`;
  return `offset ${offset} inside it`;
}

/** Of composition. */
const WAYS: Readonly<Record<NonNullable<ResultFinding["by"]>, string>> = {
  unit: "a failure of one function, led up its callers to an input of the whole program",
  main: "the whole program was explored from a test, or from a changed one",
  edit: "a test that was changed at random fails",
  approach: "a test that was changed towards what a function needs to fail, fails elsewhere",
};

/** For a tag or a cell: "distance 1", "composed". */
export function distanceName(distance: number): string {
  return distance < 0 ? "composed" : `distance ${distance}`;
}

export function distanceInWords({
  distance,
  moved,
  by = "unit",
}: Pick<ResultFinding, "distance" | "moved" | "by">): string {
  if (distance < 0) return WAYS[by];
  if (moved !== undefined) {
    const moves = moved.steps.length;
    const made = `an input that ${moves === 1 ? "1 move" : `${moves} moves`} made of the test`;
    return distance <= moves ? `on the path of ${made}` : `${distance - moves} further away from the path of ${made}`;
  }
  if (distance === 0) return "on the test's own path";
  return `on a path that leaves the test's ${distance === 1 ? "1 branch" : `${distance} branches`} before a dangerous operation`;
}

/** What the run comes by before this finding; null if nothing. */
export function behindInWords({ behind = [] }: ResultFinding): string | null {
  if (behind.length === 0) return null;
  const ids = behind.map(({ id }) => id).join(", ");
  const what = behind.length === 1 ? `finding ${ids}` : `findings ${ids}`;
  return `behind ${what}: the run goes on after that bad read, as with -fsanitize-recover`;
}

export const CONFIRMED_WORDS = {
  vm: "in the VM: the input was run again and failed again",
  native: "natively: the program itself crashed with this input",
  sanitizer: "natively, under a sanitizer",
} as const;

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en-US").replaceAll(",", " ")} ${count === 1 ? noun : plural}`;
}

export function seconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  const minutes = Math.floor(total / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(total % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** One byte as text shows it: itself, or an escape. */
export function shownCell({ byte }: Cell): { readonly text: string; readonly isEscape: boolean } {
  if (byte === 0x0a) return { text: "\\n", isEscape: true };
  if (byte === 0x09) return { text: "\\t", isEscape: true };
  if (byte === 0x0d) return { text: "\\r", isEscape: true };
  if (byte === 0) return { text: "\\0", isEscape: true };
  if (byte < 0x20 || byte >= 0x7f) return { text: `\\x${byte.toString(16).padStart(2, "0")}`, isEscape: true };
  return { text: String.fromCharCode(byte), isEscape: false };
}

const SEVERITY_ORDER = ["critical", "high", "medium", "low"];
/** Worst first, then closest to the tests, then in the order they were found. */
export function byImportance(findings: readonly ResultFinding[]): readonly ResultFinding[] {
  const rank = ({ severity }: ResultFinding): number => {
    const index = SEVERITY_ORDER.indexOf(severity);
    return index < 0 ? SEVERITY_ORDER.length : index;
  };
  return [...findings].sort((a, b) => rank(a) - rank(b) || a.distance - b.distance || a.foundMs - b.foundMs);
}
