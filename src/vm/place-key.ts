// Where a run failed, in one line: what an exploration compares while it runs, thousands of times, and what a confirmation compares with.
// It is made from the stack alone. The finding's identity (findings/identity.ts) needs more, and is made once per finding that is shown.

import { type SourceFrame, visibleFrames } from "./stack-trace.js";

const KEY_CALLERS = 4;

/**
 * What tells two findings apart: the innermost position in the program itself with the library functions it was in, and
 * which functions called, each named once: recursion and the line of a caller make a new stack of the same mistake.
 */
export function placeKeyOf(frames: readonly SourceFrame[]): string {
  const own = visibleFrames(frames);
  if (own.length === 0) return "";
  const first = Math.max(
    0,
    own.findIndex(({ origin }) => origin === "program"),
  );
  const library = own.slice(0, first).map(({ functionName }) => functionName);
  const place = `${own[first].functionName}:${own[first].line}:${own[first].column}`;
  const callers = [...new Set(own.slice(first).map(({ functionName }) => functionName))].slice(1, KEY_CALLERS + 1);
  return [...library, place, ...callers].join(" < ");
}
