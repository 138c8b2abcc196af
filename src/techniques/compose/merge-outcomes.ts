// A library's tests are many programs that all have the library in them: its functions and their failing lines are told once, whatever the
// number of programs that they were tested in.

import type { ComposeFunction, ComposeTarget, ComposeTargetState } from "./compose-outcome.js";

const STATES: readonly ComposeTargetState["kind"][] = ["lifted", "not-lifted", "open"];

/** Of lines that failed in several programs: where it was shown, else where most was tried. Those that were lifted first. */
export function mergedTargets(targets: readonly ComposeTarget[]): readonly ComposeTarget[] {
  const merged = new Map<string, ComposeTarget>();
  for (const target of targets) {
    const known = merged.get(target.id);
    merged.set(target.id, known === undefined ? target : mergedTarget(known, target));
  }
  return [...merged.values()].sort((a, b) => rank(a) - rank(b));
}

function rank({ state }: ComposeTarget): number {
  return STATES.indexOf(state.kind);
}

function mergedTarget(a: ComposeTarget, b: ComposeTarget): ComposeTarget {
  if (rank(a) !== rank(b)) return rank(a) < rank(b) ? a : b;
  if (a.state.kind !== "not-lifted" || b.state.kind !== "not-lifted") return a;
  return { ...a, state: { kind: "not-lifted", callers: [...a.state.callers, ...b.state.callers] } };
}

/** A function of one program. */
export interface FunctionOutcome {
  readonly told: ComposeFunction;
  readonly isTested: boolean;
  /** By a test. */
  readonly isCalled: boolean;
}

/** Of a function in several programs: all that was done with it, and the most that was covered. */
export function mergedFunctions(outcomes: readonly FunctionOutcome[]): readonly FunctionOutcome[] {
  const merged = new Map<string, FunctionOutcome>();
  for (const one of outcomes) {
    const { name, file, line } = one.told;
    const key = `${name} ${file ?? ""}:${line}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? one : mergedFunction(known, one));
  }
  return [...merged.values()];
}

function mergedFunction(a: FunctionOutcome, b: FunctionOutcome): FunctionOutcome {
  const { told: most } = a.told.coveredBlocks >= b.told.coveredBlocks ? a : b;
  const told = {
    ...most,
    failures: Math.max(a.told.failures, b.told.failures),
    contexts: a.told.contexts + b.told.contexts,
    milliseconds: a.told.milliseconds + b.told.milliseconds,
    problem: a.told.problem === null || b.told.problem === null ? null : most.problem,
  };
  return { told, isTested: a.isTested || b.isTested, isCalled: a.isCalled || b.isCalled };
}
