// What a run of the new version did, as a result keeps it: what a test made of the input expects (patch-export.ts).

import type { ObservedRun } from "../techniques/behaviour/observe.js";
import type { PatchObserved } from "./patch-result.js";

/** Longer output is nothing that a test should hold. */
const OUTPUT_LIMIT = 64 * 1024;

/** `again`: the same input in another world (OTHER_WORLD); what differs there is not to be expected. Null: nobody looked. */
export function patchObserved(run: ObservedRun, again: ObservedRun | null): PatchObserved {
  const varies = (["stdout", "stderr"] as const).filter((name) => {
    const isOther = again !== null && Buffer.compare(run[name], again[name]) !== 0;
    return isOther || run[name].length > OUTPUT_LIMIT;
  });
  const kept = (name: "stdout" | "stderr"): string =>
    varies.includes(name) ? "" : Buffer.from(run[name]).toString("base64");
  return {
    status: run.end.kind === "exit" ? run.end.code : null,
    stdout: kept("stdout"),
    stderr: kept("stderr"),
    varies,
  };
}
