// Is a failure the machine's own doing? The machine starts no processes, has no network, and its standard output is no file: a program that
// calls abort because of that has no bug. Memory errors are true wherever they happen; but a failure that the system would
// have shown natively (abort, a failed assertion, a division by zero, a null pointer, a page without access, an exhausted stack, no end) is
// believed only if
//   - the input differs from the test's, or the test died of a signal natively too, and
//   - nothing was refused to the run that the program would have got natively.

import { type InputValue, isUnchanged } from "../inputs/input-value.js";
import type { FindingObject } from "./finding.js";
import type { KindName } from "./kinds.js";

const SHOWN_BY_THE_SYSTEM: ReadonlySet<KindName> = new Set<KindName>([
  ...(["abort", "assertion-failure", "reported-error", "division-by-zero", "division-overflow"] as const),
  ...(["null-dereference", "trap", "stack-overflow", "no-progress"] as const),
]);

/** Refusals that programs meet natively too, and are ready for. */
const ORDINARY_REFUSALS = /^(ioctl |rseq|membarrier|copy_file_range|openat2|sendfile|splice|.*xattr)/;

/** How the test itself ended when it was recorded. */
export type NativeEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  | { readonly kind: "unknown" }
  /** It was made, and nobody ran it natively: that it fails as it is says nothing against it. */
  | { readonly kind: "never-ran" };

export interface Failure {
  readonly kind: KindName;
  /** What the access missed or was refused; null if that is not known. */
  readonly object: FindingObject | null;
  readonly witness: readonly InputValue[];
  /** What was refused to the failing run, by name. */
  readonly denied: Readonly<Record<string, number>>;
}

/** In words why the failure is not to be reported; null if it is. */
export function machineMade(failure: Failure, seed: readonly InputValue[], seedEnd: NativeEnd): string | null {
  if (!SHOWN_BY_THE_SYSTEM.has(failure.kind) && !isRefusedPage(failure)) return null;
  const isKnown = seedEnd.kind !== "signal" && seedEnd.kind !== "never-ran";
  if (isKnown && isUnchanged(failure.witness, seed)) {
    const natively =
      seedEnd.kind === "exit" ? `ended with exit ${seedEnd.code}` : "went on as another program, or was cut short";
    return `${failure.kind} in the virtual machine, where the test itself ${natively}`;
  }
  const refused = Object.keys(failure.denied).filter((name) => !ORDINARY_REFUSALS.test(name));
  return refused.length === 0 ? null : `${failure.kind} after the virtual machine refused ${refused.join(", ")}`;
}

/** Inside of memory that the program itself made inaccessible: natively the processor stops there, and tests that want that catch the signal. */
function isRefusedPage({ object }: Failure): boolean {
  return object !== null && object.kind === "mapping" && object.offset >= 0 && object.offset < object.size;
}
