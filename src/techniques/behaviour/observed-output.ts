// What a run of the new version did, as a result keeps it: what a test made of the input expects (report/patch-export.ts), and how
// the run ended, in words.

import { signalName } from "../../vm/signals.js";
import type { ObservedRun } from "./observe.js";

/** What a test that is made of an input expects, until somebody says otherwise. */
export interface PatchObserved {
  /** Null: it was ended by a signal or a detector, which no test should expect. */
  readonly status: number | null;
  /** Base64. */
  readonly stdout: string;
  readonly stderr: string;
  /** Streams that are not the same each time, by time or chance: nothing to be expected. */
  readonly varies: readonly ("stdout" | "stderr")[];
  /** How it ended; a result of an earlier version does not say. */
  readonly how?: ObservedRun["end"]["kind"];
  /** The machine refused it a process or a connection, which it gets natively. */
  readonly isRefused?: true;
}

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
    how: run.finding === null ? run.end.kind : "finding",
    ...(Object.keys(run.refused).length === 0 ? {} : { isRefused: true }),
  };
}

/** "exit status 1", "SIGABRT", "heap-buffer-overflow in parse". */
export function endInWords({ end, finding }: ObservedRun): string {
  if (finding !== null) return `${finding.kind}${finding.function === "" ? "" : ` in ${finding.function}`}`;
  switch (end.kind) {
    case "exit":
      return `exit status ${end.code}`;
    case "signal":
      return signalName(end.signal);
    case "finding":
      return "a failure";
    case "unknown":
      return end.why;
  }
}
