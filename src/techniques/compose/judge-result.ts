// What a journal kept of an item, judged before it is believed: anybody may have written it.

import { whole } from "../../support/shape.js";
import type { ComposeItemResult, ComposeWork } from "./compose-work.js";
import { unitResultShape, wholeResultShape } from "./summary-shape.js";

/** Null if it makes no sense. */
export function judgedResult(work: ComposeWork, memory: unknown): ComposeItemResult | null {
  if (work.kind !== "unit" && work.kind !== "whole") return null;
  const { length } = work.conditions;
  const shape = work.kind === "unit" ? unitResultShape(whole, length) : wholeResultShape(length);
  return shape(memory) ? (memory as ComposeItemResult) : null;
}
