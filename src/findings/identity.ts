// What a finding *is*, on two levels (docs/findings.md has the rule in full).
//
//   identity     program, kind, and the place: function, file, line, column of the program's innermost frame, and, while that is a
//                general helper, of its callers up to the first that is none. Baselines and suppressions live on it, so nothing in it
//                depends on a build: no address, no absolute path, no number of ours. Frames are those of the source: whether a
//                call was inlined is the translator's choice and differs between commands, so it makes no difference here.
//   group        what has one cause: the same kind in the same function on the same object, or in the same macro; over-reads of
//                whole words by the function that reads (word-read.ts). One group may have members in several programs, which
//                share the source.
//   fingerprint  the identity with source text in the place of line numbers, for a baseline that is older than the source.
//
// Where a program was when its stack or its instructions were used up is chance; there the place is the functions that recur, or
// the function alone.

import { createHash } from "node:crypto";
import { basename, isAbsolute, relative, sep } from "node:path";
import type { SourceFrame } from "../vm/stack-trace.js";
import { type Finding, userFrameOf } from "./finding.js";
import { isLibcLike } from "./general-helpers.js";
import { isWordRead, WORD_READ } from "./word-read.js";

export interface IdentityContext {
  /** The program's name or path; its last part counts. */
  readonly program: string;
  /** Files below it are named relative to it. */
  readonly root: string;
  readonly isHelper: (frame: SourceFrame) => boolean;
  /** Null if it cannot be read. */
  readonly readSource: (file: string) => string | null;
}

export interface FindingIdentity {
  /** Twelve hexadecimal digits each; `id` of the identity. */
  readonly id: string;
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
  const program = basename(context.program);
  const chain = placeOf(finding, context);
  const library = libraryCall(finding);
  const place = [...library, ...chain.map((frame) => exactPlace(finding, frame, context))].join(" | ");
  const identity = [program, what, place].join(" | ");
  const loose = [program, what, ...library, ...chain.map((frame) => loosePlace(finding, frame, context))].join(" | ");
  const reader = isWordRead(finding) ? chain.at(0) : undefined;
  const cause =
    reader === undefined
      ? [what, ...causeOf(finding, chain, context)].join(" | ")
      : `${WORD_READ} | ${reader.functionName} in ${fileOf(reader, context)}`;
  return { id: digest(identity), group: digest(cause), fingerprint: digest(loose), identity, cause, place };
}

/** The frames that make the place: innermost first, the last of them no helper if there is such a one. */
function placeOf(finding: Finding, { isHelper }: IdentityContext): readonly SourceFrame[] {
  const { stack, userFrame } = finding;
  if (finding.kind === "stack-overflow") return recurring(stack);
  if (userFrame < 0) return stack.slice(0, 1);
  const own = stack.slice(userFrame).filter(({ origin }) => origin === "program");
  const cause = own.findIndex((frame) => !isHelper(frame));
  return own.slice(0, cause < 0 ? 1 : cause + 1);
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
  const macro = macroAt(frame, context);
  if (macro !== null) return [`macro ${macro}`];
  const object = objectOf(finding, context);
  if (object !== null) return [`${frame.functionName} in ${file}`, finding.access ?? "", object];
  return [`${frame.functionName} at ${file}:${frame.line}`];
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

/**
 * The macro whose expansion a frame is in, if it is: clang places all of an expansion where the macro's name stands. A name that
 * stands there and is a macro's by its capitals, or by a definition in the same file, is one; a function's name would be followed by
 * the function's own frame.
 */
function macroAt(frame: SourceFrame, context: IdentityContext): string | null {
  const text = lineText(frame, context);
  if (text === null || frame.column < 1) return null;
  const name = /^[A-Za-z_]\w*/.exec(text.slice(frame.column - 1))?.[0];
  if (name === undefined) return null;
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && name.length > 1 && /^\s*\(/.test(text.slice(frame.column - 1 + name.length)))
    return name;
  const source = frame.file === null ? null : context.readSource(frame.file);
  return source !== null && new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}\\b`, "m").test(source) ? name : null;
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
