// The public interface of the package: load a program, run it, read what was found.

import { renderFinding as render } from "./report/text.js";
import { safeOutput } from "./support/visible-text.js";

export type { CheckedRun, CheckOptions } from "./findings/check.js";
export { runChecked } from "./findings/check.js";
export type { Finding, FindingObject } from "./findings/finding.js";
export { KINDS, type KindName } from "./findings/kinds.js";
export type { ProgramImage } from "./jit/image.js";
export { type CompileOptions, DEFAULT_COMPILE_OPTIONS } from "./jit/options.js";
export { type LoadedProgram, type LoadResult, loadProgram } from "./program/load.js";
export type { LoadOptions, LoadProgress } from "./program/warm.js";
export { runJson } from "./report/json.js";
export { renderLcov } from "./report/lcov.js";
export { readHeap } from "./vm/heap.js";
export { runImage } from "./vm/machine.js";
export type { RunEnd } from "./vm/run-end.js";
export { DEFAULT_OPTIONS, type RunOptions, type RunResult } from "./vm/run-options.js";

/** A finding as `tangent run` prints it, ready for a terminal: nothing in it is a control sequence but our own colours. */
export function renderFinding(...parameters: Parameters<typeof render>): string {
  return safeOutput(render(...parameters));
}
