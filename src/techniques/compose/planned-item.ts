// An item of work as it is planned, before it is known which thread does it.

import { createHash } from "node:crypto";
import type { WorkItem } from "../../campaign/technique.js";
import type { CallCondition, ComposeWork } from "./compose-work.js";

/** An item without its program. */
export type Planned = Omit<WorkItem<ComposeWork>, "program" | "needs">;

/** Tells items of the same function apart by what they are asked. */
export function digest(conditions: readonly CallCondition[]): string {
  const hash = createHash("sha256");
  for (const { function: index, target, formula } of conditions)
    hash.update(`${index} ${target.id} ${JSON.stringify(formula)}\n`);
  return conditions.length === 0 ? "" : hash.digest("hex").slice(0, 16);
}
