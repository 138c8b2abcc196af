// Where a run lost precision, counted by reason. A loss is never silent: the report says why something was not explored.
// Pins are losses by their own reasons (path/observer.ts); the others are this layer's.

import { PIN_REASONS } from "../path/observer.js";

const LOSS_REASONS = [
  ...PIN_REASONS,
  /** A load at a symbolic address with too many candidates for a lookup; it was pinned. */
  "lookup-too-large",
  /** A load whose address is behind too many other lookups; it was pinned. */
  "lookup-too-deep",
  /** A symbolic value was stored where nothing may be stored: the bytes are taken for concrete. */
  "unaddressable-store",
  /** klee_make_symbolic and the like on memory that may not be written, or with an unreadable name. */
  "input-not-placed",
] as const;
export type LossReason = (typeof LOSS_REASONS)[number];

const INDEX = Object.fromEntries(LOSS_REASONS.map((reason, i) => [reason, i])) as Readonly<Record<LossReason, number>>;

export class Losses {
  private readonly counts = new Float64Array(LOSS_REASONS.length);
  private any = false;

  count(reason: LossReason): void {
    this.counts[INDEX[reason]]++;
    this.any = true;
  }

  of(reason: LossReason): number {
    return this.counts[INDEX[reason]];
  }

  /** The reasons that occurred, with how often. */
  snapshot(): Partial<Record<LossReason, number>> {
    // Most runs lose nothing, and every run is asked.
    if (!this.any) return NOTHING_LOST;
    const result: Partial<Record<LossReason, number>> = {};
    for (const reason of LOSS_REASONS) if (this.of(reason) > 0) result[reason] = this.of(reason);
    return result;
  }

  reset(): void {
    if (this.any) this.counts.fill(0);
    this.any = false;
  }
}

const NOTHING_LOST: Partial<Record<LossReason, number>> = Object.freeze({});
