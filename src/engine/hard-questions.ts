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

/** What the first question for a path may take in a search that has minutes. */
export const FIRST_QUESTION_MS = 500;
/** Each question for a path may take so many times what the one before it did; after these the last may take what the solver allows. */
const GROWTH = 5;
const LONGEST_BUT_LAST_MS = 2500;
/** What the last one takes, as far as can be said. */
const LAST_MS = 10_000;
/** Of all time, for questions that are asked again. */
const SHARE = 0.1;

export class HardQuestions implements Searcher {
  /** What a question may take, by how often the path was asked before. */
  private readonly limitsMs: readonly number[];
  /** By how often they were asked, the oldest first. */
  private readonly levels: Set<PendingId>[];
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
    firstMs: number,
  ) {
    this.beganMs = now();
    const limitsMs: number[] = [];
    for (let ms = firstMs; ms <= LONGEST_BUT_LAST_MS; ms *= GROWTH) limitsMs.push(ms);
    this.limitsMs = [...limitsMs, Number.POSITIVE_INFINITY];
    this.levels = this.limitsMs.map(() => new Set());
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
    return this.limitsMs[this.levelOf(id)];
  }

  /** The question was answered so: whether the path is to be asked again later. */
  putOff(id: PendingId, verdict: Verdict): boolean {
    const level = this.levelOf(id);
    const tookMs = this.now() - this.askedMs;
    if (level > 0) this.repeatedMs += tookMs;
    if (verdict.kind !== "unknown" || verdict.reason !== "time") return false;
    // If it was the solver's own limit, more time does not help; asking again costs nothing then (solver/layers/query-cache.ts).
    if (level + 1 >= this.limitsMs.length) return false;
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
    const expectedMs = Math.min(LAST_MS, this.limitsMs[level]);
    return this.repeatedMs + expectedMs <= SHARE * (this.now() - this.beganMs);
  }
}
