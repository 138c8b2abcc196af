// Positions in the source that were looked up once, and need their module's text no more: for code that outlives the program it was first
// translated for (function-templates.ts).

import { type DebugInfo, DebugLoc, NameOnly, PositionOnly, type SourceFrame } from "../ir/debug-info.js";
import type { LinkedProgram } from "../ir/link.js";
import type { Origin } from "../ir/module.js";

/** All that is known of one position. */
class SettledPlace extends PositionOnly {
  constructor(
    private readonly known: SourceFrame | null,
    readonly origin: Origin,
  ) {
    super();
  }

  location(): DebugLoc {
    return new DebugLoc(this, 0, null);
  }
  frame(): SourceFrame | null {
    return this.known;
  }
}

/** Says whose code the positions of a program are, and settles them. */
export class Places {
  private readonly origins: ReadonlyMap<DebugInfo, Origin>;
  private readonly settled = new Map<DebugLoc, DebugLoc>();

  constructor({ modules }: LinkedProgram) {
    this.origins = new Map(modules.map(({ debug, origin }) => [debug, origin]));
  }

  originOf({ debug }: DebugLoc): Origin {
    if (debug instanceof SettledPlace) return debug.origin;
    return this.origins.get(debug instanceof NameOnly ? debug.module : debug) ?? "program";
  }

  settle(loc: DebugLoc): DebugLoc {
    const known = this.settled.get(loc);
    if (known !== undefined) return known;
    // Outer calls first: chains are as long as the inlining was deep.
    const chain: DebugLoc[] = [];
    let outer: DebugLoc | null = null;
    for (let at: DebugLoc | null = loc; at !== null; at = at.inlinedAt) {
      outer = this.settled.get(at) ?? null;
      if (outer !== null) break;
      chain.push(at);
    }
    for (let n = chain.length - 1; n >= 0; n--) {
      const { debug, id } = chain[n];
      outer = new DebugLoc(new SettledPlace(debug.frame(id), this.originOf(chain[n])), 0, outer);
      this.settled.set(chain[n], outer);
    }
    return outer as DebugLoc;
  }
}
