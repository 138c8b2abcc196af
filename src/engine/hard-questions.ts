// Hard questions wait. Of most pending paths it is known in a millisecond whether they are feasible; of a few (products, hashes) not in
// ten seconds, and while one of those is asked nothing else is done. So the first question for a path is a short one. If it is not
// answered, the path is put off, and asked again with more time, when nothing else is left or when such questions have had less than their
// share of the time. Only one that has had all the time that the solver allows is given up.
//
// A searcher around the searcher, so that nobody else need know of it. While a path waits here it cannot be selected: a searcher that walks
// the tree would choose it out of turn.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Searcher } from "../search/searcher.js";
import type { Verdict } from "../solver/solver.js";

/** In milliseconds: what each question for a path may take. The last may take what the solver allows. */
const LIMITS_MS: readonly number[] = [500, 2500, Number.POSITIVE_INFINITY];
/** What the last one takes, as far as can be said. */
const LAST_MS = 10_000;
/** Of all time, for questions that are asked again. */
const SHARE = 0.1;
/** A question that ended long before its limit was ended by the solver's own, and more time would not help. */
const USED_UP = 0.8;

export class HardQuestions implements Searcher {
  /** By how often they were asked, the oldest first. */
  private readonly levels: Set<PendingId>[] = LIMITS_MS.map(() => new Set());
  private waiting = 0;
  /** What was taken last, and how often it was asked before. */
  private taken: PendingId = NO_PENDING;
  private takenLevel = 0;
  private askedMs = 0;
  private repeatedMs = 0;
  private readonly beganMs: number;

  constructor(
    private readonly others: Searcher,
    private readonly tree: ExecutionTree,
    private readonly now: () => number,
  ) {
    this.beganMs = now();
  }

  get size(): number {
    return this.others.size + this.waiting;
  }

  get bytes(): number {
    return this.others.bytes;
  }

  /** Whether it was put off and waits here. */
  holds(id: PendingId): boolean {
    return this.waiting > 0 && this.levels.some((level) => level.has(id));
  }

  /** The question for a path that was just taken begins: what it may take. */
  begin(id: PendingId): number {
    this.askedMs = this.now();
    return LIMITS_MS[this.levelOf(id)];
  }

  /** The question was answered so: whether the path is to be asked again later. */
  putOff(id: PendingId, verdict: Verdict): boolean {
    const level = this.levelOf(id);
    const tookMs = this.now() - this.askedMs;
    if (level > 0) this.repeatedMs += tookMs;
    if (verdict.kind !== "unknown" || verdict.reason !== "time") return false;
    if (level + 1 >= LIMITS_MS.length || tookMs < USED_UP * LIMITS_MS[level]) return false;
    this.levels[level + 1].add(id);
    this.waiting++;
    this.tree.pending.selectable[id] = 0;
    return true;
  }

  add(id: PendingId): void {
    this.others.add(id);
  }

  take(): PendingId {
    this.taken = NO_PENDING;
    if (this.waiting === 0) return this.others.take();
    const isAll = this.others.size === 0;
    for (const [level, ids] of this.levels.entries()) {
      if (!(isAll || this.isTimeFor(level))) continue;
      for (const id of ids) {
        this.remove(id);
        this.taken = id;
        this.takenLevel = level;
        this.others.retaken?.(id);
        return id;
      }
    }
    return this.others.take();
  }

  remove(id: PendingId): void {
    if (!this.levels.some((level) => level.delete(id))) {
      this.others.remove(id);
      return;
    }
    this.waiting--;
    this.tree.pending.selectable[id] = 1;
  }

  coverageGrew(): void {
    this.others.coverageGrew?.();
  }

  private levelOf(id: PendingId): number {
    return id === this.taken ? this.takenLevel : 0;
  }

  private isTimeFor(level: number): boolean {
    const expectedMs = Math.min(LAST_MS, LIMITS_MS[level]);
    return this.repeatedMs + expectedMs <= SHARE * (this.now() - this.beganMs);
  }
}
