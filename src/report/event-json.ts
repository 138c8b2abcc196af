// The events of an exploration as JSON, a line each, for other programs (--json). Every line has `event` and `seconds`;
// fields may be added. What happens many thousand times a second and says nothing by itself (a question to the solver) is
// left out: its numbers come with `progress`.

import type { EngineEvent } from "../engine/events.js";
import type { RunOutcome } from "../engine/executor.js";
import { type InputValue, objectName } from "../inputs/input-value.js";
import { pathEnd } from "./path-end.js";

/** Null for events that make no line. */
export function eventJson(
  event: EngineEvent,
  valuesOf: (input: Uint8Array, objects: RunOutcome["objects"]) => readonly InputValue[],
): Record<string, unknown> | null {
  switch (event.kind) {
    case "run-finished": {
      if (!event.isPath) return null;
      const { outcome, input, origin, depth } = event;
      return {
        event: "path",
        origin,
        depth,
        end: pathEnd(outcome.end),
        instructions: outcome.instructions,
        newBlocks: outcome.newBlocks.length,
        input: inputJson(valuesOf(input, outcome.objects)),
      };
    }
    case "coverage-grew":
      return { event: "coverage", blocks: event.covered, new: event.blocks };
    case "divergence":
      return { event: "divergence", divergence: event.divergence };
    case "finding-not-reproduced":
      return { event: "finding-not-reproduced", kind: event.finding.kind, at: event.finding.stackKey };
    case "finding-unconfirmed":
      return { event: "finding-unconfirmed", kind: event.finding.kind, at: event.finding.stackKey };
    case "unknown":
      return { event: "unknown", site: event.site, depth: event.depth, reason: event.reason };
    case "memory-trimmed":
      return { event: "memory-trimmed", infeasible: event.infeasible, dropped: event.dropped, bytes: event.bytes };
    case "done":
      return { event: "done", reason: event.reason, complete: event.complete };
    default:
      return null;
  }
}

/** Bytes in hexadecimal by object. */
export function inputJson(values: readonly InputValue[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [objectName(value), Buffer.from(value.bytes).toString("hex")]));
}
