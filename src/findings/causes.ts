// Which findings of one campaign have one cause, beyond what each alone can say (identity.ts). An access that leaves its object lands
// wherever the input says: in a redzone, a constant, another object, freed memory, nowhere. The detectors have a name for each of
// these; the user has one mistake in one place. So memory errors at the same place are of the group of the first of them.

import type { FindingIdentity } from "./identity.js";
import type { KindName } from "./kinds.js";

/** What an access through a wrong address can turn out to be. A null pointer is another mistake: nothing was there to leave. */
const LANDINGS: ReadonlySet<KindName> = new Set<KindName>([
  "heap-buffer-overflow",
  "stack-buffer-overflow",
  "global-buffer-overflow",
  "argument-overflow",
  "heap-use-after-free",
  "stack-use-after-return",
  "stack-use-after-scope",
  "wild-access",
  "read-only-write",
]);

export class Causes {
  private readonly groups = new Map<string, string>();

  /** The identity, with the group of an earlier finding of the same cause. */
  joined(kind: KindName, identity: FindingIdentity): FindingIdentity {
    if (!LANDINGS.has(kind)) return identity;
    const group = this.groups.get(identity.place);
    if (group === undefined) {
      this.groups.set(identity.place, identity.group);
      return identity;
    }
    return { ...identity, group };
  }
}
