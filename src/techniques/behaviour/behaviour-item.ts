// Inputs run by both versions of a program, one after the other. Both are run a second time, with another clock and
// other randomness, only where they differ: most inputs are done with two runs.

import type { TestInput } from "../../inputs/test-input.js";
import type { ProgramImage } from "../../jit/image.js";
import type { RunLimits } from "../../vm/run-options.js";
import { type BehaviourDifference, type BehaviourSeverity, compareBehaviour, severityOf } from "./compare.js";
import type { VersionContext } from "./normalise.js";
import { type ObservedRun, OTHER_WORLD, runForBehaviour } from "./observe.js";

export interface ProgramVersion extends VersionContext {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

export type ComparedInput =
  | { readonly kind: "same"; readonly run: ObservedRun }
  | {
      readonly kind: "changed";
      readonly severity: BehaviourSeverity;
      readonly differences: readonly BehaviourDifference[];
      /** Of the new version. */
      readonly run: ObservedRun;
    }
  /** One of the runs was cut short, or needed what the machine does not have. */
  | { readonly kind: "unknown"; readonly why: string; readonly run: ObservedRun };

/** A call that was refused to one of them only, or more often: what follows is the machine's doing. */
function refusedOnce({ refused: before }: ObservedRun, { refused: after }: ObservedRun): string | null {
  return Object.keys({ ...before, ...after }).find((call) => before[call] !== after[call]) ?? null;
}

export function compareInput(
  before: ProgramVersion,
  after: ProgramVersion,
  test: TestInput,
  limits: RunLimits,
): ComparedInput {
  const newRun = runForBehaviour(after.image, after.module, test, limits);
  if (newRun.end.kind === "unknown") {
    return { kind: "unknown", why: `the new version: ${newRun.end.why}`, run: newRun };
  }
  const oldRun = runForBehaviour(before.image, before.module, test, limits);
  if (oldRun.end.kind === "unknown") {
    return { kind: "unknown", why: `the old version: ${oldRun.end.why}`, run: newRun };
  }
  const versions = { old: before, new: after, workingDirectory: test.workingDirectory };
  if (compareBehaviour(oldRun, newRun, versions).length === 0) return { kind: "same", run: newRun };
  const refused = refusedOnce(oldRun, newRun);
  if (refused !== null) {
    return { kind: "unknown", why: `only one version calls ${refused}, which the machine refuses`, run: newRun };
  }
  const oldAgain = runForBehaviour(before.image, before.module, test, limits, OTHER_WORLD);
  const newAgain = runForBehaviour(after.image, after.module, test, limits, OTHER_WORLD);
  // A second run that was cut short tells nothing of chance.
  const isWhole = oldAgain.end.kind !== "unknown" && newAgain.end.kind !== "unknown";
  const again = isWhole ? { old: oldAgain, new: newAgain } : null;
  const differences = compareBehaviour(oldRun, newRun, { ...versions, again });
  if (differences.length === 0) return { kind: "same", run: newRun };
  return { kind: "changed", severity: severityOf(oldRun, newRun), differences, run: newRun };
}
