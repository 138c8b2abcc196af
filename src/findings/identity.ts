// What a finding *is*, on two levels (docs/findings.md has the rule in full).
//
//   identity     program, kind, and the place: function and statement (statement.ts) of the program's innermost frame, and, while that is a general
//                helper, of its callers up to the first that is none. Baselines, suppressions and names in reports live on it, so nothing in
//                it depends on a build or on what is edited elsewhere: no line, no address, no path, no number of ours. Frames are those of
//                the source: whether a call was inlined is the translator's choice, so it makes no difference here.
//   group        what may have one cause: the same kind in the same function on the same object; over-reads of whole words by the function that
//                reads (word-read.ts); what fails in a function that several share. One group may have members in several programs,
//                which share the source.
//   fingerprint  and the former id: line numbers in place of statements, or the lines' text, as versions until November 2026 had them.
//
// Where a program was when its stack or its instructions were used up is chance; there the place is the functions that recur, or
// the function alone. Where a source cannot be read, a line is its number.

import { createHash } from "node:crypto";
import { basename, isAbsolute, relative, sep } from "node:path";
import type { SourceFrame } from "../vm/stack-trace.js";
import { type Finding, userFrameOf } from "./finding.js";
import { isLibcLike } from "./general-helpers.js";
import { type AccessStatement, accessAt, type Statement, statementAt } from "./statement.js";
import { isWordRead, WORD_READ } from "./word-read.js";

export interface IdentityContext {
  /** The program's name or path; its last part counts. */
  readonly program: string;
  /** Files below it are named relative to it. */
  readonly root: string;
  readonly functions: FunctionFacts;
  /** As it was compiled; null if it cannot be read. */
  readonly readSource: (file: string) => string | null;
}

/** What is known of the program's functions, whatever command has translated it (program-functions.ts). */
export interface FunctionFacts {
  isHelper(frame: SourceFrame): boolean;
  /** Whether several functions hand memory to it. */
  isShared(frame: SourceFrame): boolean;
  hasNamesakes(frame: SourceFrame): boolean;
  /** 1 if it is not known. */
  firstLineOf(frame: SourceFrame): number;
}

export interface FindingIdentity {
  /** Twelve hexadecimal digits each; `id` of the identity. */
  readonly id: string;
  /** What `id` was until November 2026. */
  readonly formerId: string;
  readonly group: string;
  readonly fingerprint: string;
  /** What they were made from, in words. */
  readonly identity: string;
  readonly cause: string;
  /** The identity without program and kind: two kinds of error at one place have the same. */
  readonly place: string;
}

export function identify(finding: Finding, context: IdentityContext): FindingIdentity {
  const what = finding.check === null ? finding.kind : `${finding.kind} ${finding.check}`;
  const accessed = finding.access === null ? what : `${what} ${finding.access}`;
  const program = basename(context.program);
  const { functions } = context;
  const chain = placeOf(finding, (frame) => functions.isHelper(frame));
  const handed = placeOf(finding, (frame) => functions.isHelper(frame) || isHanded(finding, frame, context));
  const library = libraryCall(finding);
  const place = [...library, ...handed.map((frame) => statementPlace(finding, frame, context))].join(" | ");
  const identity = [program, accessed, place].join(" | ");
  const exact = [program, what, ...library, ...chain.map((frame) => exactPlace(finding, frame, context))].join(" | ");
  const loose = [program, what, ...library, ...chain.map((frame) => loosePlace(finding, frame, context))].join(" | ");
  const reader = isWordRead(finding) ? chain.at(0) : undefined;
  const cause =
    reader === undefined
      ? [what, ...causeOf(finding, chain, context)].join(" | ")
      : `${WORD_READ} | ${reader.functionName} in ${fileOf(reader, context)}`;
  const ids = { id: digest(identity), formerId: digest(exact), group: digest(cause), fingerprint: digest(loose) };
  return { ...ids, identity, cause, place };
}

/** The frames that make the place: innermost first, the last of them no helper if there is such a one. */
function placeOf(finding: Finding, isHelper: (frame: SourceFrame) => boolean): readonly SourceFrame[] {
  const { stack, userFrame } = finding;
  if (finding.kind === "stack-overflow") return recurring(stack);
  if (userFrame < 0) return stack.slice(0, 1);
  const own = stack.slice(userFrame).filter(({ origin }) => origin === "program");
  const cause = own.findIndex((frame) => !isHelper(frame));
  return own.slice(0, cause < 0 ? 1 : cause + 1);
}

/** Memory that a shared function was handed is its caller's; its own variables are not. */
function isHanded({ access, object }: Finding, frame: SourceFrame, { functions }: IdentityContext): boolean {
  const isItsOwn = object?.kind === "stack" && object.functionName === frame.functionName;
  return access !== null && !isItsOwn && functions.isShared(frame);
}

/** Each function of the recursion once, by name; the frames are whichever come first. */
function recurring(stack: readonly SourceFrame[]): readonly SourceFrame[] {
  const times = new Map<string, number>();
  for (const { functionName } of stack) times.set(functionName, (times.get(functionName) ?? 0) + 1);
  const first = new Map<string, SourceFrame>();
  for (const frame of stack) {
    const isRecurring = (times.get(frame.functionName) ?? 0) > 1 && frame.origin === "program";
    if (isRecurring && !first.has(frame.functionName)) first.set(frame.functionName, frame);
  }
  if (first.size === 0) return stack.filter(({ origin }) => origin === "program").slice(0, 1);
  return [...first.values()].sort((a, b) => (a.functionName < b.functionName ? -1 : 1));
}

/** The function of the library that the program called, if it failed in one. */
function libraryCall({ stack, userFrame }: Finding): readonly string[] {
  const called = userFrame > 0 ? stack[userFrame - 1] : undefined;
  return called === undefined ? [] : [called.functionName];
}

/** Kinds that happen wherever the program is when something is used up. */
function isPlaceless({ kind }: Finding): boolean {
  return kind === "stack-overflow" || kind === "no-progress";
}

function statementPlace(finding: Finding, frame: SourceFrame, context: IdentityContext): string {
  const name = context.functions.hasNamesakes(frame)
    ? `${frame.functionName} in ${fileOf(frame, context)}`
    : frame.functionName;
  if (isPlaceless(finding)) return name;
  const found = statementOf(finding, frame, context);
  if (found === null) return exactPlace(finding, frame, context);
  const detail = "through" in found ? `through ${found.through}` : `at token ${found.token}`;
  return `${name}: ${textOf(found)} ${detail}`;
}

function statementOf({ access, kind }: Finding, frame: SourceFrame, context: IdentityContext): Found | null {
  const text = frame.file === null || frame.line === 0 ? null : context.readSource(frame.file);
  if (text === null) return null;
  const source = { text, firstLine: context.functions.firstLineOf(frame) };
  return access !== null || kind === "uninitialised" ? accessAt(source, frame) : statementAt(source, frame);
}
type Found = Statement | AccessStatement;

function textOf({ text, ordinal }: Found): string {
  return ordinal === 1 ? text : `${text} (number ${ordinal})`;
}

function exactPlace(finding: Finding, frame: SourceFrame, context: IdentityContext): string {
  const file = fileOf(frame, context);
  if (isPlaceless(finding) || frame.line === 0) return `${frame.functionName} in ${file}`;
  return `${frame.functionName} at ${file}:${frame.line}:${frame.column}`;
}

function loosePlace(finding: Finding, frame: SourceFrame, context: IdentityContext): string {
  const text = isPlaceless(finding) ? "" : lineText(frame, context);
  // Without its text a line is its number: better shown once too often than hidden by another of the same function.
  if (text === null) return exactPlace(finding, frame, context);
  return `${frame.functionName} in ${basename(frame.file ?? "")}: ${text.replace(/\s+/g, "")}`;
}

function causeOf(finding: Finding, chain: readonly SourceFrame[], context: IdentityContext): readonly string[] {
  const frame = chain[chain.length - 1] ?? userFrameOf(finding);
  if (frame === undefined || frame === null) return ["unknown place"];
  if (isPlaceless(finding)) return chain.map((each) => `${each.functionName} in ${fileOf(each, context)}`);
  const file = fileOf(frame, context);
  if (isHanded(finding, frame, context)) return [`${frame.functionName} in ${file}`, finding.access ?? ""];
  const object = objectOf(finding, context);
  if (object !== null) return [`${frame.functionName} in ${file}`, finding.access ?? "", object];
  const statement = statementOf(finding, frame, context);
  return [`${frame.functionName} at ${file}:${statement === null ? frame.line : ` ${textOf(statement)}`}`];
}

/** The object by what the source calls it: its name, or where its block is allocated. */
function objectOf({ object }: Finding, context: IdentityContext): string | null {
  if (object === null) return null;
  if (object.name !== null) return `${object.kind} ${object.name}`;
  const own = (object.allocationStack ?? []).filter(({ origin }) => origin === "program");
  // A function that many call for their blocks is where they are made; only allocators are looked through.
  const maker = own.find(({ functionName }) => !isLibcLike(functionName)) ?? own[0];
  return maker === undefined ? object.kind : `${object.kind} of ${maker.functionName} in ${fileOf(maker, context)}`;
}

function lineText({ file, line }: SourceFrame, { readSource }: IdentityContext): string | null {
  if (file === null || line < 1) return null;
  return readSource(file)?.split("\n")[line - 1] ?? null;
}

/** Relative to the root; a file elsewhere by its last two names, since what is before them is the machine's business. */
function fileOf({ file }: SourceFrame, { root }: IdentityContext): string {
  if (file === null) return "?";
  if (!isAbsolute(file)) return file;
  const below = relative(root, file);
  return below.startsWith("..") ? file.split(sep).slice(-2).join(sep) : below;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
