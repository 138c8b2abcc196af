// What a run lost, counted by reason. A loss is never silent: the report says why something was not explored. There are two kinds, and the
// table says which one each is. Where a value was pinned its other values stay pending: an exploration that comes to its end has
// run them, too. Anything else is gone, so whoever lost some of it has not seen every feasible path, whatever came to its end.

import type { PinReason } from "../path/observer.js";
import type { Unfollowed } from "../vm/machine-hooks.js";

interface Loss {
  /** As a user reads it, behind "so many times". */
  readonly words: string;
  /** Nothing is lost once nothing is pending. */
  readonly staysPending: boolean;
}

type OwnReason = "lookup-too-large" | "lookup-too-deep" | "unaddressable-store" | "input-not-placed" | "check-left-out";
export type LossReason = PinReason | OwnReason | Unfollowed;

const pinned = (what: string): Loss => ({ words: `${what} was tried one value at a time`, staysPending: true });
const gone = (words: string): Loss => ({ words, staysPending: false });

const LOSSES: Readonly<Record<LossReason, Loss>> = {
  "store-address": pinned("where something is stored"),
  "load-address": pinned("where something is read"),
  "allocation-size": pinned("the size of an allocation"),
  "copy-size": pinned("the size of a copy"),
  "floating-point": pinned("a floating-point value"),
  "system-call": pinned("what a system call is given"),
  "call-target": pinned("which function is called"),
  vector: pinned("a vector"),
  runtime: pinned("what the machine's own code is given"),
  "get-value": pinned("a value that the program wanted (klee_get_value)"),
  "lookup-too-large": pinned("a look into a large table"),
  "lookup-too-deep": pinned("a look into a table at a place out of another table"),
  "unaddressable-store": gone("input was stored where nothing may be stored, and was taken for a constant there"),
  "input-not-placed": gone("memory that was to be input could not be made so"),
  "check-left-out": gone("a check was left out (--checks off): a path that fails there was not looked for"),
  "other-process": gone("another process was begun: what it does with the input was only seen on that run"),
  "thread-order": gone("threads were run in one order of many"),
  "shown-words": gone("arguments or variables were read in /proc, where they are not input"),
  "refused-call": gone("a system call was refused, so what follows where it succeeds was not seen"),
};

const LOSS_REASONS = Object.keys(LOSSES) as LossReason[];
const INDEX = Object.fromEntries(LOSS_REASONS.map((reason, i) => [reason, i])) as Readonly<Record<LossReason, number>>;

/** In words; a reason that the table does not know says itself what it is. */
export function lossInWords(reason: string): string {
  return (LOSSES as Record<string, Loss | undefined>)[reason]?.words ?? reason;
}

/** Of losses by reason those whose other values nobody has seen; of a reason that the table does not know they are. */
export function goneOf(losses: Readonly<Record<string, number>>): readonly string[] {
  const staysPending = (reason: string): boolean =>
    (LOSSES as Record<string, Loss | undefined>)[reason]?.staysPending === true;
  return Object.keys(losses).filter((reason) => losses[reason] > 0 && !staysPending(reason));
}

export class Losses {
  private readonly counts = new Float64Array(LOSS_REASONS.length);
  private any = false;

  count(reason: LossReason): void {
    this.counts[INDEX[reason]]++;
    this.any = true;
  }

  get isNone(): boolean {
    return !this.any;
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
