// What a sanitizer printed, in a few words: its name, the kind of error, and the first line of the project's own that it names.

import { basename } from "node:path";

export interface SanitizerReport {
  readonly tool: string;
  readonly kind: string;
  /** file:line, as the sanitizer has it; null if it names none. */
  readonly place: string | null;
  readonly function: string | null;
}

const ERROR = /(?:ERROR|WARNING): (\w+Sanitizer): ([^\n]*)/;
const SUMMARY = /SUMMARY: \w+Sanitizer: (\S+)/;
const RUNTIME = /^(\S[^\n]*?):(\d+)(?::\d+)?: runtime error: ([^\n]+)/gm;
const FRAME = /^\s*#\d+ 0x[0-9a-f]+ in (\S+)(?: \([^)]*\))? ([^\s:]+):(\d+)/gm;
/** The sanitizers' own functions, and libc's: nobody looks for the bug there. */
const NOT_OWN = /libsanitizer|compiler-rt|sanitizer_common|\/sysdeps\/|\/csu\/|glibc/;

/** In the order in which they were printed: UBSan goes on, AddressSanitizer ends the program. `root`: where the project's files are. */
export function sanitizerReports(output: string, root: string): SanitizerReport[] {
  const reports: SanitizerReport[] = [];
  for (const [, file, line, kind] of output.matchAll(RUNTIME)) {
    reports.push({ tool: "UndefinedBehaviorSanitizer", kind, place: `${short(file, root)}:${line}`, function: null });
  }
  const error = ERROR.exec(output);
  return error === null ? reports : [...reports, fatal(error, output, root)];
}

function fatal(error: RegExpExecArray, output: string, root: string): SanitizerReport {
  const [, tool, words] = error;
  const kind = SUMMARY.exec(output)?.[1] ?? words.split(/ (on|:|in) /)[0];
  // After the error: an earlier report of another sanitizer may have a stack too.
  const stack = output.slice(error.index).split(/\n\s*\n/)[0];
  for (const [, name, file, line] of stack.matchAll(FRAME)) {
    if (!NOT_OWN.test(file)) return { tool, kind, place: `${short(file, root)}:${line}`, function: name };
  }
  return { tool, kind, place: null, function: null };
}

interface Frame {
  readonly function: string;
  readonly file: string | null;
  readonly line: number;
}

/** Compilers differ about the line of a statement of several. */
const NEAR_LINES = 3;

/** Whether a report is of what happened in these frames; one without a place may be. */
export function isReportOf({ place, function: name }: SanitizerReport, stack: readonly Frame[]): boolean {
  if (place === null) return true;
  const at = place.lastIndexOf(":");
  const file = basename(place.slice(0, at));
  const line = Number(place.slice(at + 1));
  return stack.some((frame) => {
    if (frame.file === null || basename(frame.file) !== file) return false;
    return frame.function === name || Math.abs(frame.line - line) <= NEAR_LINES;
  });
}

export function reportInWords({ tool, kind, place, function: name }: SanitizerReport): string {
  return `${tool} sees ${kind}${place === null ? "" : ` at ${place}`}${name === null ? "" : ` in ${name}`}`;
}

function short(file: string, root: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}
