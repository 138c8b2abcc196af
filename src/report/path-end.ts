// How a path ended, in a few words that are the same whoever ran it: the exploration, a replay in the VM, a native run. Two
// ends agree if their words do, so a finding is named by its kind alone, and a signal by the status a shell would show.

import type { PathEnd } from "../engine/executor.js";
import type { CheckedRun } from "../findings/check.js";

/** Before a kind: an error at a place that had shown one before. Any error there agrees with it. */
export const LIKE = "error like ";

/** The run was set aside, and how it ends nobody knows yet; it has a test because it covered something new. */
export const SET_ASIDE = "set aside";

/** Whether a run that is no path ended because it was set aside, to go on later. */
export function isSetAside(end: PathEnd): boolean {
  return end.kind === "limit" || (end.kind === "stopped" && end.reason === "long");
}

export function pathEnd(end: PathEnd): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "finding":
      return end.finding.kind;
    case "limit":
      return `limit ${end.limit}`;
    case "unsupported":
      return `unsupported ${end.what}`;
    case "silent":
      return "silent";
    case "stopped":
      return `stopped ${end.reason}`;
  }
}

export function checkedEnd({ finding, result: { end } }: CheckedRun): string {
  if (finding !== null) return finding.kind;
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return `exit ${128 + end.signal}`;
    case "silent":
      return "silent";
    case "limit":
      return `limit ${end.limit}`;
    case "unsupported":
      return `unsupported ${end.what}`;
    case "fault":
      return end.fault.name;
  }
}
