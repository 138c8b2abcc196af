// The .err text that stands beside a .ktest whose path ended in an error, and the suffix that names the kind of error in
// its file name, as KLEE has them: scripts count *.ptr.err and read the lines File: and Line:. Our own, finer kind and
// message follow under Info:, where KLEE puts what it knows about the address.
// Departure: no `assembly.ll line:` and no such number in the frames, since there is no assembly.ll.

import { type Finding, userFrameOf } from "../findings/finding.js";
import type { KindName } from "../findings/kinds.js";
import { visibleLines } from "../support/visible-text.js";
import { FALSE_ASSUMPTION } from "../vm/run-end.js";

interface KleeError {
  /** The file is testNNNNNN.SUFFIX.err. */
  readonly suffix: string;
  readonly words: string;
}

const OUT_OF_BOUND: KleeError = { suffix: "ptr", words: "memory error: out of bound pointer" };
const USE_AFTER: KleeError = { suffix: "ptr", words: "memory error: use after free" };
const UNDEFINED: KleeError = { suffix: "undefined_behavior", words: "undefined behavior" };
/** Kinds that KLEE has no word for, and those of the program itself (klee_report_error). */
const OTHER: KleeError = { suffix: "user", words: "" };

const ERRORS: { readonly [Kind in KindName]?: KleeError } = {
  "heap-buffer-overflow": OUT_OF_BOUND,
  "stack-buffer-overflow": OUT_OF_BOUND,
  "global-buffer-overflow": OUT_OF_BOUND,
  "argument-overflow": OUT_OF_BOUND,
  "null-dereference": OUT_OF_BOUND,
  "wild-access": OUT_OF_BOUND,
  "negative-size": OUT_OF_BOUND,
  "heap-use-after-free": USE_AFTER,
  "stack-use-after-return": USE_AFTER,
  "stack-use-after-scope": USE_AFTER,
  "double-free": { suffix: "ptr", words: "memory error: invalid pointer: free" },
  "invalid-free": { suffix: "free", words: "memory error: free of an address that is no heap block's" },
  "read-only-write": { suffix: "read_only", words: "memory error: object read only" },
  "division-by-zero": { suffix: "div", words: "divide by zero" },
  "division-overflow": { suffix: "overflow", words: "overflow on division" },
  abort: { suffix: "abort", words: "abort failure" },
  "assertion-failure": { suffix: "assert", words: "ASSERTION FAIL" },
  "undefined-behaviour": UNDEFINED,
  "unreachable-reached": { suffix: "exec", words: "reached unreachable instruction" },
  trap: { suffix: "abort", words: "abort failure" },
  "stack-overflow": { suffix: "exec", words: "stack overflow" },
  "memcpy-overlap": UNDEFINED,
  "wild-call": { suffix: "exec", words: "invalid function pointer" },
  "wild-jump": { suffix: "exec", words: "invalid label address" },
  "missing-argument": { suffix: "ptr", words: "memory error: variable argument that was not passed" },
  "invalid-longjmp": { suffix: "exec", words: "invalid longjmp" },
};

/** UBSan's checks that KLEE names apart. */
const CHECKS: { readonly [check: string]: KleeError } = {
  "add-overflow": { suffix: "overflow", words: "overflow on addition" },
  "sub-overflow": { suffix: "overflow", words: "overflow on subtraction" },
  "mul-overflow": { suffix: "overflow", words: "overflow on multiplication" },
  "negate-overflow": { suffix: "overflow", words: "overflow on negation" },
  "divrem-overflow": { suffix: "overflow", words: "overflow on division or remainder" },
  "shift-out-of-bounds": { suffix: "overshift", words: "overshift error" },
  "out-of-bounds": OUT_OF_BOUND,
};

/** What klee_report_error was given: `FILE:LINE: MESSAGE (SUFFIX)`, and a suffix that may stand in a file's name. */
const REPORTED = /^(.*):(\d+): (.*) \(([\w.-]{1,40})\)$/s;

function errorOf(finding: Finding): KleeError {
  if (finding.message === FALSE_ASSUMPTION) {
    return { suffix: "user", words: "invalid klee_assume call (provably false)" };
  }
  const reported = finding.kind === "reported-error" ? REPORTED.exec(finding.message) : null;
  if (reported !== null) return { suffix: reported[4].replace(/\.err$/, ""), words: reported[3] };
  return (finding.check === null ? undefined : CHECKS[finding.check]) ?? ERRORS[finding.kind] ?? OTHER;
}

/** ptr, assert, div, ...: what stands before .err in the file's name. */
export function kleeSuffix(finding: Finding): string {
  return errorOf(finding).suffix;
}

export function renderKleeError(finding: Finding): string {
  const { words } = errorOf(finding);
  const said = finding.kind === "assertion-failure" ? `${words}: ${assertionText(finding.message)}` : words;
  const lines = [`Error: ${said === "" ? finding.message : said}`];
  const user = userFrameOf(finding);
  const reported = finding.kind === "reported-error" ? REPORTED.exec(finding.message) : null;
  if (reported !== null && reported[1] !== "") lines.push(`File: ${reported[1]}`, `Line: ${reported[2]}`);
  else if (user?.file != null) lines.push(`File: ${user.file}`, `Line: ${user.line}`);
  lines.push("Stack: ");
  finding.stack.forEach(({ functionName, file, line }, index) => {
    lines.push(`\t#${index} in ${functionName} ()${file === null ? "" : ` at ${file}:${line}`}`);
  });
  lines.push("Info: ", `\tkind: ${finding.kind}`, `\tmessage: ${finding.message}`);
  if (finding.address !== null) lines.push(`\taddress: ${finding.address}`);
  if (finding.object !== null) {
    const { kind, name, address, size } = finding.object;
    lines.push(`\tnext: ${kind} object${name === null ? "" : ` ${name}`} at ${address} of size ${size}`);
  }
  return visibleLines(lines);
}

/** KLEE's text for a path that ended at a call of a function that is defined nowhere; null if it ended otherwise. */
export function renderKleeExternal(end: string): { readonly callee: string; readonly text: string } | null {
  const called = /^unsupported (a call of (\S+?),? .*)$/s.exec(end);
  if (called === null) return null;
  const [, what, callee] = called;
  return { callee, text: visibleLines([`Error: failed external call: ${callee}`, "Info: ", `\tmessage: ${what}`]) };
}

/** The expression alone, which the message has in quotes; else all of it. */
function assertionText(message: string): string {
  return /`(.*)'/s.exec(message)?.[1] ?? message;
}
