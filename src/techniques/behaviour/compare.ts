// What two runs of one input did differently, as far as it is the versions' doing: noise that has a pattern is taken
// out on both sides (normalise.ts), and what the new version does differently each time it runs is left out too. What
// remains is told in words, as the texts were, cut to where they differ.

import type { FileChange } from "../../vm/files/overlay-changes.js";
import { signalName } from "../../vm/signals.js";
import { normalised, type VersionContext } from "./normalise.js";
import type { ObservedFinding, ObservedRun } from "./observe.js";

export interface BehaviourDifference {
  /** `standard output`, `standard error`, `exit status`, `the file out.txt`, `finding`. */
  readonly what: string;
  /** As text for people; cut if it is long. */
  readonly before: string;
  readonly after: string;
}

export type BehaviourSeverity = "crash" | "fixed" | "different";

export interface ComparedVersions {
  readonly old: VersionContext;
  readonly new: VersionContext;
  /** Where the input ran: files are named from there. */
  readonly workingDirectory?: string;
  /** Both once more, in another world: what one of them does differently there is chance. */
  readonly again?: { readonly old: ObservedRun; readonly new: ObservedRun } | null;
}

const NO_CONTEXT: ComparedVersions = { old: { roots: [] }, new: { roots: [] } };

export function compareBehaviour(
  oldRun: ObservedRun,
  newRun: ObservedRun,
  versions: ComparedVersions = NO_CONTEXT,
): BehaviourDifference[] {
  if (oldRun.end.kind === "unknown" || newRun.end.kind === "unknown") return [];
  const { again = null } = versions;
  const before = aspectsOf(oldRun, versions.old, versions);
  const after = aspectsOf(newRun, versions.new, versions);
  const beforeAgain = again === null ? before : aspectsOf(again.old, versions.old, versions);
  const afterAgain = again === null ? after : aspectsOf(again.new, versions.new, versions);
  // The status of a run that failed is no second fact.
  const hasFailed = oldRun.finding !== null || newRun.finding !== null;
  const differences: BehaviourDifference[] = [];
  for (const what of new Set([...after.keys(), ...before.keys()])) {
    if (hasFailed && what === STATUS) continue;
    const one = before.get(what) ?? ABSENT;
    const two = after.get(what) ?? ABSENT;
    if (one.isLike(two)) continue;
    // What a run that failed did not come to is no second fact either.
    if (newRun.finding !== null && two.isPartOf(one)) continue;
    if (oldRun.finding !== null && one.isPartOf(two)) continue;
    const oneAgain = beforeAgain.get(what) ?? ABSENT;
    const twoAgain = afterAgain.get(what) ?? ABSENT;
    const isSteady = oneAgain.isLike(one) && twoAgain.isLike(two);
    if (!isSteady && !differsBesides(one.quiet, two.quiet, oneAgain.quiet, twoAgain.quiet)) continue;
    differences.push({ what, ...shownDifference(one, two) });
  }
  return differences;
}

/** A crash: a finding, a signal or a status that a shell makes of one, in the new version only. */
export function severityOf(oldRun: ObservedRun, newRun: ObservedRun): BehaviourSeverity {
  const before = isCrash(oldRun);
  const after = isCrash(newRun);
  return before === after ? "different" : after ? "crash" : "fixed";
}

function isCrash({ end }: ObservedRun): boolean {
  return end.kind === "finding" || end.kind === "signal" || (end.kind === "exit" && end.code >= 126);
}

/** One thing that can be seen of a run. Long output is looked at for noise only if it differs at all. */
class Aspect {
  private madeQuiet: string | null = null;

  constructor(
    /** For people. */
    readonly text: string,
    /** What must be the same besides: the kind of a file, its mode. */
    readonly rest: string,
    private readonly quieten: (text: string) => string,
  ) {}

  /** The same if it means the same. */
  get quiet(): string {
    this.madeQuiet ??= `${this.rest}\n${this.quieten(this.text)}`;
    return this.madeQuiet;
  }

  /** The beginning of the other one, or nothing yet. */
  isPartOf(other: Aspect): boolean {
    if (this === ABSENT) return true;
    return other !== ABSENT && other.rest === this.rest && other.text.startsWith(this.text);
  }

  isLike(other: Aspect): boolean {
    return (this.text === other.text && this.rest === other.rest) || this.quiet === other.quiet;
  }
}
const STATUS = "exit status";
const ABSENT = new Aspect("(nothing)", "absent", () => "");

/** The worst first. */
function aspectsOf(
  run: ObservedRun,
  context: VersionContext,
  { workingDirectory }: ComparedVersions,
): Map<string, Aspect> {
  const aspects = new Map<string, Aspect>();
  const { finding } = run;
  const status = statusInWords(run);
  if (finding !== null) aspects.set("finding", new Aspect(findingInWords(finding), "", () => findingKey(finding)));
  else {
    const end = `none, ${/^\d/.test(status) ? "exit status " : "ended by "}${status}`;
    aspects.set("finding", new Aspect(end, "", () => "none"));
    aspects.set(STATUS, new Aspect(status, "", (text) => text));
  }
  aspects.set("standard output", contentAspect(run.stdout, "", context));
  aspects.set("standard error", contentAspect(run.stderr, "", context));
  for (const file of run.files) {
    const name = `the file ${shownPath(file.path, context, workingDirectory)}`;
    let free = name;
    // Temporary files have one name, once chance is taken out of it.
    for (let number = 2; aspects.has(free); number++) free = `${name} (${number})`;
    aspects.set(free, fileAspect(file, context));
  }
  return aspects;
}

function fileAspect({ kind, bytes, size, mode }: FileChange, context: VersionContext): Aspect {
  if (kind === "removed") return new Aspect("(removed)", kind, () => "");
  const rest = `${kind}, mode ${mode.toString(8).padStart(4, "0")}${size > bytes.length ? `, ${size} bytes` : ""}`;
  return contentAspect(bytes, rest, context);
}

function statusInWords({ end }: ObservedRun): string {
  return end.kind === "exit" ? String(end.code) : end.kind === "signal" ? signalName(end.signal) : end.kind;
}

function findingInWords({ kind, message, function: name, file, line }: ObservedFinding): string {
  const place = file === null ? "" : ` at ${file}:${line}`;
  return `${kind}${name === "" ? "" : ` in ${name}`}${place}: ${message}`;
}

/** Lines move with every patch, and addresses with every build. */
function findingKey({ kind, function: name, file }: ObservedFinding): string {
  return `${kind} ${name} ${file === null ? "" : file.slice(file.lastIndexOf("/") + 1)}`;
}

function contentAspect(bytes: Uint8Array, rest: string, context: VersionContext): Aspect {
  const text = utf8Of(bytes);
  const quieten = (shown: string): string => normalised(shown, context);
  if (text !== null) return new Aspect(text, rest, quieten);
  const escaped = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\xff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
  // An escape is not the same as a text that says the same.
  return new Aspect(escaped, `${rest} no UTF-8`, quieten);
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** From where the program was started, if it lies there. */
function shownPath(path: string, context: VersionContext, workingDirectory = ""): string {
  const base = `${Buffer.from(workingDirectory).toString("latin1").replace(/\/+$/, "")}/`;
  return base.length > 1 && path.startsWith(base) ? path.slice(base.length) : normalised(path, context);
}

/** Whether old and new differ in lines that stay as they are when both run again. */
function differsBesides(before: string, after: string, beforeAgain: string, afterAgain: string): boolean {
  const [one, two, oneAgain, twoAgain] = [before, after, beforeAgain, afterAgain].map((text) => text.split("\n"));
  // Without the same number of lines nobody can say which of them belong together.
  if ([two, oneAgain, twoAgain].some(({ length }) => length !== one.length)) return false;
  return one.some((line, at) => line !== two[at] && line === oneAgain[at] && two[at] === twoAgain[at]);
}

const SHOWN_CHARACTERS = 2000;
const SHOWN_BEFORE = 200;

/** Both texts around their first difference. */
function shownDifference(before: Aspect, after: Aspect): { readonly before: string; readonly after: string } {
  // It is not the content.
  if (before.text === after.text) return { before: before.rest, after: after.rest };
  const note = sameLines(before.quiet, after.quiet) ? "(the same lines in another order)\n" : "";
  const at = firstDifference(before.text, after.text);
  const from = Math.max(before.text.length, after.text.length) <= SHOWN_CHARACTERS ? 0 : lineStart(before.text, at);
  return { before: cut(before.text, from), after: `${note}${cut(after.text, from)}` };
}

function sameLines(before: string, after: string): boolean {
  const sorted = (text: string): string => text.split("\n").sort().join("\n");
  return before.length === after.length && sorted(before) === sorted(after);
}

function firstDifference(before: string, after: string): number {
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && before[at] === after[at]) at++;
  return at;
}

/** A line or two before, so that it is seen where it is. */
function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", Math.max(0, at - SHOWN_BEFORE)) + 1;
}

function cut(text: string, from: number): string {
  const part = text.slice(from, from + SHOWN_CHARACTERS);
  const head = from > 0 ? `… ${from} characters before this\n` : "";
  const left = text.length - from - part.length;
  return `${head}${part}${left > 0 ? `\n… ${left} characters after this` : ""}`;
}
