// The one confirmation: a witness is run for itself, with nothing symbolic, and all detectors watch. What an exploration predicts is a
// finding only if the concrete half of the machine, which shares nothing with expressions and solver, fails too, and fails again when that
// run is repeated (check.ts), which also brings the stacks of the memory block. A judge then asks whether the failure is the machine's
// own doing (machine-made.ts).
//
// The failure need not be the predicted one: whatever happens concretely is true.
//
// Before this, the engine runs an input that failed once more itself (engine/finding-ledger.ts). That run asks another question: is
// the *symbolic* half repeatable? It costs one run per place, it is the only confirmation of units, which have no concrete
// counterpart, and it is where a minimised witness is tried.

import type { InputValue } from "../inputs/input-value.js";
import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { ANYWHERE } from "../vm/going-on.js";
import { readHeap } from "../vm/heap.js";
import type { RunLimits, RunResult } from "../vm/run-options.js";
import { type CheckedRun, runChecked } from "./check.js";
import type { Finding } from "./finding.js";
import { machineMade, type NativeEnd } from "./machine-made.js";
import { maySomethingFollow, withFollowing } from "./what-follows.js";

export interface LoadedImage {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

export interface TestRunOptions {
  readonly seed: number;
  readonly limits: RunLimits;
  /** "inherit" shows what the program prints. */
  readonly output: "inherit" | "capture";
  /** Places of reads that are not allowed and that the run goes on behind (vm/going-on.ts): what is looked for is behind. */
  readonly goOnAt?: readonly string[];
}

export interface ConfirmationOptions {
  readonly seed: number;
  readonly limits: RunLimits;
  /** How the test ended natively, with its own values; null if nobody knows: then nothing is held to be machine-made. */
  readonly nativeEnd: NativeEnd | null;
  readonly goOnAt?: readonly string[];
}

export type Confirmation =
  | { readonly kind: "confirmed"; readonly finding: Finding }
  /** It ended otherwise: "exit 0", or in a failure that did not come again. Our bug. */
  | { readonly kind: "not-reproduced"; readonly end: string }
  /** It fails, but in a way and under circumstances that are the virtual machine's own. */
  | { readonly kind: "machine-made"; readonly finding: Finding; readonly why: string }
  /** It was cut short before it could fail. */
  | { readonly kind: "limit"; readonly limit: string };

/** A test with a witness's bytes, nothing symbolic, all detectors on. */
export function runTest(
  { image, module }: LoadedImage,
  test: TestInput,
  witness: readonly InputValue[],
  { seed, limits, output, goOnAt = [] }: TestRunOptions,
): CheckedRun {
  const passed = goOnAt.length === 0 ? {} : { goOnAt };
  const options = { ...runOptionsOf(test, witness), ...passed, seed, limits, stdout: output, stderr: output };
  return runChecked(image, options, { repeat: "always", leaks: false, heap: readHeap, keepsMachines: true }, module);
}

export function confirm(
  loaded: LoadedImage,
  test: TestInput,
  witness: readonly InputValue[],
  { seed, limits, nativeEnd, goOnAt = [] }: ConfirmationOptions,
): Confirmation {
  const { finding, result } = runTest(loaded, test, witness, { seed, limits, output: "capture", goOnAt });
  if (finding === null) {
    const { end } = result;
    return end.kind === "limit" ? { kind: "limit", limit: end.limit } : { kind: "not-reproduced", end: endText(end) };
  }
  // There was no time to run it again, and what did not fail again is not reported.
  if (finding.confirmed === null) return { kind: "limit", limit: "time" };
  if (!finding.confirmed) return { kind: "not-reproduced", end: `${finding.kind} that did not happen again` };
  const told = maySomethingFollow(finding)
    ? withFollowing(finding, nextFailure(loaded, test, witness, { seed, limits, output: "capture" }))
    : finding;
  const why =
    nativeEnd === null
      ? null
      : machineMade(
          { kind: finding.kind, object: finding.object, witness, denied: result.denied },
          test.values,
          nativeEnd,
        );
  if (why !== null) return { kind: "machine-made", finding, why };
  return { kind: "confirmed", finding: told };
}

/** What the run ends in that goes on behind all reads that are not allowed. */
function nextFailure(
  { image, module }: LoadedImage,
  test: TestInput,
  witness: readonly InputValue[],
  { seed, limits, output }: TestRunOptions,
): Finding | null {
  const options = { ...runOptionsOf(test, witness), goOnAt: ANYWHERE, seed, limits, stdout: output, stderr: output };
  return runChecked(image, options, { repeat: "never", leaks: false, heap: readHeap, keepsMachines: true }, module)
    .finding;
}

/** What was confirmed, and by which of the inputs. */
export interface ConfirmedWitness {
  readonly confirmation: Confirmation;
  readonly witness: readonly InputValue[];
}

/**
 * Of a witness and a smaller one of the same path: the smaller, if it is confirmed as the same finding. An engine compares places
 * only; whether the smaller input still misses the same kind of object, this tells.
 */
export function confirmSmaller(
  confirmed: (witness: readonly InputValue[]) => Confirmation,
  identityOf: (finding: Finding) => string,
  witness: readonly InputValue[],
  smaller: readonly InputValue[] | null,
): ConfirmedWitness {
  const first = { confirmation: confirmed(witness), witness };
  if (smaller === null) return first;
  const second = { confirmation: confirmed(smaller), witness: smaller };
  if (second.confirmation.kind !== "confirmed") return first;
  if (first.confirmation.kind !== "confirmed") return second;
  return identityOf(first.confirmation.finding) === identityOf(second.confirmation.finding) ? second : first;
}

function endText(end: RunResult["end"]): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return `signal ${end.signal}`;
    default:
      return end.kind;
  }
}
