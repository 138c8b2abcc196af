// Findings and the facts of a run as JSON, under one versioned schema. Fields may be added; a change of meaning or a
// removal raises the version.

import type { CheckedRun } from "../findings/check.js";
import type { Finding, FindingObject } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { KINDS } from "../findings/kinds.js";
import { weightOf } from "../findings/severity.js";
import type { RunEnd } from "../vm/run-end.js";
import { signalName } from "../vm/signals.js";
import type { SourceFrame } from "../vm/stack-trace.js";

export const JSON_VERSION = 1;

export interface JsonFrame {
  readonly function: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly origin: SourceFrame["origin"];
}

function frame(from: SourceFrame): JsonFrame {
  const { functionName, file, line, column, origin } = from;
  return { function: functionName, file, line, column, origin };
}

function frames(from: readonly SourceFrame[] | null): JsonFrame[] | null {
  return from === null ? null : from.map(frame);
}

function objectJson(object: FindingObject | null): unknown {
  if (object === null) return null;
  const { functionName, allocationStack, freeStack, ...rest } = object;
  return {
    ...rest,
    function: functionName,
    allocationStack: frames(allocationStack),
    freeStack: frames(freeStack),
  };
}

export function findingJson(finding: Finding, identity: FindingIdentity | null = null): Record<string, unknown> {
  const kind = KINDS[finding.kind];
  const user = finding.stack[finding.userFrame];
  return {
    ...(identity ?? {}),
    kind: finding.kind,
    title: kind.title,
    ...weightOf(finding),
    message: finding.message,
    check: finding.check,
    access: finding.access,
    size: finding.size,
    address: finding.address,
    firstBadAddress: finding.firstBadAddress,
    location: user === undefined ? null : frame(user),
    stack: frames(finding.stack),
    object: objectJson(finding.object),
    confirmed: finding.confirmed,
  };
}

function endJson(end: RunEnd): Record<string, unknown> {
  switch (end.kind) {
    case "exit":
      return { kind: "exit", code: end.code };
    case "signal":
      return { kind: "signal", signal: end.signal, name: signalName(end.signal) };
    case "fault":
      return { kind: "finding" };
    case "silent":
      return { kind: "silent", why: end.why };
    case "unsupported":
      return { kind: "unsupported", what: end.what, function: end.functionName };
    case "limit":
      return { kind: "limit", limit: end.limit };
  }
}

/** The whole run as one JSON value. */
export function runJson(
  run: CheckedRun,
  identityOf: (finding: Finding) => FindingIdentity | null = () => null,
): Record<string, unknown> {
  const { result, finding, leaks, uninitialised = [], unrelatedPointers = [] } = run;
  return {
    tool: "tangent",
    version: JSON_VERSION,
    end: endJson(result.end),
    findings: [...uninitialised, ...unrelatedPointers, ...(finding === null ? [] : [finding]), ...leaks].map((one) =>
      findingJson(one, identityOf(one)),
    ),
    leaksSkipped: run.leaksSkipped,
    statistics: {
      instructions: result.instructions,
      elapsedMs: Math.round(result.elapsedMs * 1000) / 1000,
      memoryPeakBytes: result.memoryPeakBytes,
      memoryExhausted: result.memoryExhausted,
      systemCalls: result.syscalls,
      denied: result.denied,
    },
    filesRead: result.filesRead,
  };
}
