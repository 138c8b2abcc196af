// What comes behind a read that is not allowed. Natively a small over-read ends nothing: the program goes on with what lies there,
// and a write in the wrong place may follow two lines on. A report of the read alone would call it slight. So the failing run is
// made once more, with every such read carried out (vm/going-on.ts), and if it then fails worse, the finding says so.
//
// What lies behind an object is not the same natively, so only what gives the program away is told, not that it stops.

import type { Finding, FollowingFailure } from "./finding.js";
import { KINDS } from "./kinds.js";
import { isOutOfBounds, weightOf } from "./severity.js";

/** Whether more may come behind it, natively. */
export function maySomethingFollow({ kind, access }: Finding): boolean {
  return access === "read" && (isOutOfBounds(kind) || kind === "heap-use-after-free");
}

/** The finding with what ended the run that went on; as it is if that is no worse. */
export function withFollowing(finding: Finding, next: Finding | null): Finding {
  if (next === null || next.access === "read" || KINDS[next.kind].harm !== "takeover") return finding;
  if (weightOf(next).score <= weightOf(finding).score) return finding;
  const { kind, access, address, size, object } = next;
  const frame = next.stack[next.userFrame] ?? next.stack[0] ?? null;
  const follows: FollowingFailure = { kind, access, address, size, object, frame };
  return { ...finding, follows, message: `${finding.message}; ${followingInWords(follows)}` };
}

export function followingInWords({ kind, access, size, frame }: FollowingFailure): string {
  const bytes = `${size} byte${size === 1 ? "" : "s"}`;
  const what = access === "write" ? `a write of ${bytes}` : "a failure";
  const line = frame?.file == null ? "" : ` (${frame.file.slice(frame.file.lastIndexOf("/") + 1)}:${frame.line})`;
  const place = frame === null ? "" : ` in ${frame.functionName}${line}`;
  return `natively the program goes on with what lies there, and ${what} may follow${place}: ${kind}`;
}
