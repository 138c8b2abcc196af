// How far two places of a path are apart, in decisions. ZESTI counts every symbolic branch; then a line of 37 bytes that
// getdelim reads is 37 decisions far, and a reader of the source sees one. So here
//
//   what libc decides one after the other in one function (a scan, a comparison of strings) is one decision, and
//   a turn of a loop that decides the same as the turn before (looking for an end) is none of its own.
//
// `paper` counts as the paper does.

import type { ProgramImage } from "../jit/image.js";
import type { SiteId } from "../path/observer.js";
import { isBranching, KIND_MASK, ROW } from "../path/tree.js";

export const DECISION_METRICS = ["reader", "paper"] as const;
export type DecisionMetric = (typeof DECISION_METRICS)[number];

/** Decisions in one turn of a loop that only looks for an end. */
export const TURN = 4;
const NOTHING = -1;

type Sites = Pick<ProgramImage, "sites" | "functions" | "locations">;
const KNOWN = new WeakMap<Sites, Int32Array>();

/** For each site: a number of its function if that is of libc, NOTHING otherwise. */
function libcFunctions(image: Sites): Int32Array {
  const found = KNOWN.get(image) ?? findLibcFunctions(image);
  KNOWN.set(image, found);
  return found;
}

function findLibcFunctions(image: Sites): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(image.sites, ({ functionIndex, location }) => {
    // The location knows what was inlined.
    const { origin, functionName: name } =
      location >= 0
        ? image.locations[location]
        : { origin: image.functions[functionIndex].origin, functionName: image.functions[functionIndex].name };
    if (origin === "program") return NOTHING;
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  });
}

export class DecisionCounter {
  private readonly libc: Int32Array | null;
  /** The last decisions, as site and side. */
  private readonly recent = new Int32Array(TURN).fill(NOTHING);
  private next = 0;
  private lastLibc = NOTHING;

  constructor(
    private readonly image: Sites,
    private readonly metric: DecisionMetric,
  ) {
    this.libc = metric === "paper" ? null : libcFunctions(image);
  }

  /** That counts for itself. */
  another(): DecisionCounter {
    return new DecisionCounter(this.image, this.metric);
  }

  /** Counting begins anew. */
  begin(): void {
    this.recent.fill(NOTHING);
    this.lastLibc = NOTHING;
  }

  /** Whether a decision may be one that does not count. */
  get joins(): boolean {
    return this.libc !== null;
  }

  /** Whether this decision, which comes after (or, going backwards, before) those told since `begin`, counts. */
  counts(site: SiteId, kind: number): boolean {
    if (!isBranching(kind)) return false;
    const { libc, recent } = this;
    if (libc === null) return true;
    const inLibc = site >= 0 ? libc[site] : NOTHING;
    const isSameScan = inLibc !== NOTHING && inLibc === this.lastLibc;
    this.lastLibc = inLibc;
    // Of a choice the kind does not say which side was taken, and another value is another pin.
    const isTwoSided = (kind & KIND_MASK) === ROW.branch;
    const key = isTwoSided ? site * 2 + (kind === ROW.branch ? 0 : 1) : NOTHING;
    const isSameTurn = key >= 0 && recent.includes(key);
    recent[this.next] = key;
    this.next = (this.next + 1) % TURN;
    return !isSameScan && !isSameTurn;
  }
}
