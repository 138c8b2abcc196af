// Which findings a user means: by the beginning of an id. An id that a finding had formerly is as good, unless one has it now.

import type { ResultFinding } from "./campaign-result.js";

export type Identified = Pick<ResultFinding, "id" | "formerIds">;

export function namedBy<One extends Identified>(findings: readonly One[], word: string): readonly One[] {
  if (word === "") return [];
  const now = findings.filter(({ id }) => id.startsWith(word));
  return now.length > 0 ? now : findings.filter(({ formerIds = [] }) => formerIds.some((id) => id.startsWith(word)));
}

/** Its id, and those it had. */
export function idsOf({ id, formerIds = [] }: Identified): readonly string[] {
  return [id, ...formerIds.filter((former) => former !== id)];
}

/** Whether two are one finding, as far as ids say so: several may have had one id formerly, when less was told apart. */
export function isSameFinding(one: Identified, other: Identified): boolean {
  return idsOf(other).includes(one.id) || idsOf(one).includes(other.id);
}
