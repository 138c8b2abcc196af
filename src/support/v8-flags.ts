// V8's flags for threads that run generated code. Measured: hints take the slow path of checks off the hot path (a sieve runs
// 1.5x faster), and a large module whose functions are compiled when they are first called starts at once.
//
// A thread that does thousands of short runs of a hundred programs is another matter: V8 then spends more on optimising functions
// than they ever run. There no function is optimised before it has run for about as long as optimising it takes.
//
// Flags are the whole process's; whichever thread sets them, sets them for all. bin/start.cjs sets the same before it loads anything.

import { setFlagsFromString } from "node:v8";

/**
 * What a function may execute before V8 optimises it, in its own measure (about the bytes of code that were executed); V8's own choice is
 * 1.8 million, which is one or two milliseconds.
 */
const SHORT_RUNS_BUDGET = 60_000_000;

let areHintsRead = false;

export function useV8Flags(): void {
  setFlagsFromString("--experimental-wasm-branch-hinting");
  setFlagsFromString("--wasm-lazy-compilation");
  readCompilationHints(true);
}

/** The same for a thread whose runs are short and of many programs. */
export function useV8FlagsForShortRuns(): void {
  useV8Flags();
  readCompilationHints(false);
  setFlagsFromString(`--wasm-tiering-budget=${SHORT_RUNS_BUDGET}`);
}

/** Whether modules that are made from now on say which functions V8 optimises before they run; gives what it was. */
export function readCompilationHints(areRead: boolean): boolean {
  const before = areHintsRead;
  areHintsRead = areRead;
  setFlagsFromString(`--${areRead ? "" : "no-"}experimental-wasm-compilation-hints`);
  return before;
}
