// What two runs of one input did differently, as far as it is the versions' doing: noise that has a pattern is taken
// out on both sides (normalise.ts), and what the new version does differently each time it runs is left out too. What
// remains is told in words, as the texts were, cut to where they differ.

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
    if (one.quiet === two.quiet) continue;
    const oneAgain = beforeAgain.get(what) ?? ABSENT;
    const twoAgain = afterAgain.get(what) ?? ABSENT;
    const isSteady = oneAgain.quiet === one.quiet && twoAgain.quiet === two.quiet;
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

/** One thing that can be seen of a run. */
interface Aspect {
  readonly text: string;
  /** The same if it means the same. */
  readonly quiet: string;
}
const STATUS = "exit status";
const ABSENT: Aspect = { text: "(nothing)", quiet: "" };

/** The worst first. */
function aspectsOf(
  run: ObservedRun,
  context: VersionContext,
  { workingDirectory }: ComparedVersions,
): Map<string, Aspect> {
  const aspects = new Map<string, Aspect>();
  const { finding } = run;
  const status = statusInWords(run);
  if (finding !== null) aspects.set("finding", { text: findingInWords(finding), quiet: findingKey(finding) });
  else {
    aspects.set("finding", {
      text: `none, ${/^\d/.test(status) ? "exit status " : "ended by "}${status}`,
      quiet: "none",
    });
    aspects.set(STATUS, { text: status, quiet: status });
  }
  aspects.set("standard output", streamAspect(run.stdout, context));
  aspects.set("standard error", streamAspect(run.stderr, context));
  for (const { path, kind, bytes, size, mode } of run.files) {
    const name = `the file ${shownPath(normalised(path, context), path, workingDirectory)}`;
    if (kind === "removed") aspects.set(name, { text: "(removed)", quiet: "removed" });
    else {
      const content = streamAspect(bytes, context);
      const modeText = mode.toString(8).padStart(4, "0");
      const head = kind === "file" ? "" : `${kind} `;
      aspects.set(name, {
        text: kind === "file" && bytes.length === 0 ? "(empty)" : `${head}${content.text}`,
        quiet: `${kind} ${modeText} ${size > bytes.length ? size : ""} ${content.quiet}`,
      });
    }
  }
  return aspects;
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

function streamAspect(bytes: Uint8Array, context: VersionContext): Aspect {
  const text = readable(bytes);
  return { text, quiet: normalised(text, context) };
}

/** UTF-8 if it is that; otherwise a character a byte. */
function readable(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

function shownPath(quiet: string, path: string, workingDirectory: string | undefined): string {
  const base = workingDirectory === undefined ? "" : Buffer.from(workingDirectory).toString("latin1");
  if (base !== "" && path.startsWith(`${base.replace(/\/$/, "")}/`))
    return path.slice(base.replace(/\/$/, "").length + 1);
  return quiet;
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
