// What to do when memory runs short (Pending Constraints, "Releasing memory pressure"): pending paths are asked for feasibility
// in random order and the infeasible ones dropped, because a feasible one may stand for a large part of the program; when as
// many are left as must go, they go at random. What turned out feasible keeps its input and need not be asked again.
// Departure: the questions have a budget of time, because with a million pending paths they would never end.
//
// The engine counts its own bytes; a measure from outside (the process's size) may be given too. That one falls late or never
// after something was dropped, because the room of what is dropped is kept for what comes. So between the two limits the tree
// may be as large as it was when the lower one was reached, and no larger. Above both, a round of dropping is followed by the next
// only when the tree has grown again or some time has passed; and where the tree is too small to matter nothing is dropped. If
// memory stays short, the exploration ends.

import { type IdColumn, idColumn } from "../path/id-column.js";
import { NO_MODEL } from "../path/model-store.js";
import type { PendingId } from "../path/pending-table.js";
import { CLOSED, ROW } from "../path/tree.js";
import type { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";

/** Measuring costs some microseconds; but a single run may make many pending paths. */
const STEPS_BETWEEN_MEASURES = 256;
const GROWTH_BETWEEN_MEASURES = 1 << 14;
/** Trimming goes below the limit by this share, or it would be needed again at once. */
const SLACK = 0.1;
/** The share of the pending paths that goes in one round. */
const LEAST_SHARE = 0.1;
const MOST_SHARE = 0.5;
/** A tree below this share of the limit is not what fills the memory. */
const MATTERS_SHARE = 0.02;
/** There is always room for a tree of this share of the limit: without one there is nothing to explore. */
const LEAST_ROOM_SHARE = 0.05;
/** The next round: when the tree has grown by this factor, or after this time. */
const REGROWTH = 1.1;
const PAUSE_MS = 2000;
/** Rounds in a row after which nothing helps. */
const HOPELESS_ROUNDS = 20;
/** Time for questions in one round, and for one of them. */
const BUDGET_MS = 2000;
const QUESTION_MS = 100;

export class MemoryPolicy {
  private steps = 0;
  private pendingMeasured = 0;
  /** While memory is short but not used up: there is room for a tree of so many bytes. */
  private room = Number.POSITIVE_INFINITY;
  private rounds = 0;
  private treeBytesLeft = 0;
  private trimmedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly engine: Engine) {}

  get isHopeless(): boolean {
    return this.rounds >= HOPELESS_ROUNDS;
  }

  /** Whether pending paths are to be dropped now. */
  isShort(): boolean {
    const { engine } = this;
    const { memoryBytes, memoryEndBytes = memoryBytes } = engine.limits;
    if (memoryBytes === Number.POSITIVE_INFINITY) return false;
    const { count } = engine.tree.pending;
    if (++this.steps < STEPS_BETWEEN_MEASURES && count - this.pendingMeasured < GROWTH_BETWEEN_MEASURES) return false;
    this.steps = 0;
    this.pendingMeasured = count;
    let short = this.used() > memoryBytes;
    if (short && engine.expressions.areWorthIt()) {
      engine.expressions.collect();
      short = this.used() > memoryBytes;
    }
    // Circuits of a large question may be more than all pending paths, and are made again in a second.
    if (short) engine.options.solver.giveBack?.();
    short = short && this.used(true) > memoryBytes;
    if (!short) {
      this.rounds = 0;
      this.room = Number.POSITIVE_INFINITY;
      return false;
    }
    if (this.used() <= memoryEndBytes) {
      this.rounds = 0;
      const { treeBytes } = engine;
      if (this.room === Number.POSITIVE_INFINITY) this.room = Math.max(treeBytes, LEAST_ROOM_SHARE * memoryBytes);
      return treeBytes >= this.room;
    }
    const nowMs = engine.options.now();
    const isPaused = nowMs - this.trimmedMs < PAUSE_MS;
    if (isPaused && engine.treeBytes < REGROWTH * this.treeBytesLeft) return false;
    if (!isPaused) this.rounds++;
    this.trimmedMs = nowMs;
    this.treeBytesLeft = engine.treeBytes;
    return engine.treeBytes > MATTERS_SHARE * memoryBytes;
  }

  trim(): EngineEvent {
    const { engine } = this;
    const { tree, counters } = engine;
    const ids = this.candidates();
    let excess = this.excess(ids.length);
    const infeasibleBefore = counters.infeasible;
    const droppedBefore = counters.dropped;
    const { now } = engine.options;
    const deadline = Math.min(now() + BUDGET_MS, engine.recorder.feasibility.endsMs);
    let left = ids.length;
    for (let place = 0; place < ids.length && excess > 0; place++) {
      const id = ids[place];
      left--;
      engine.searcher.remove(id);
      if (left < excess || now() > deadline) {
        this.drop(id);
        excess--;
      } else if (!this.keep(id)) excess--;
    }
    tree.compact();
    tree.models.compact();
    this.treeBytesLeft = engine.treeBytes;
    return {
      kind: "memory-trimmed",
      infeasible: counters.infeasible - infeasibleBefore,
      dropped: counters.dropped - droppedBefore,
      bytes: this.used(true),
    };
  }

  /** Whether the path may stay: it is feasible, and its input is kept. */
  private keep(id: PendingId): boolean {
    const { engine } = this;
    const { tree } = engine;
    if (tree.pending.model[id] === NO_MODEL && tree.kindOf(id) !== ROW.fork) {
      const verdict = engine.solve(id, QUESTION_MS);
      if (verdict.kind !== "sat") {
        // With more time it might have been known, so it is dropped as others are.
        if (verdict.kind === "unsat") engine.giveUp(id, verdict);
        else this.drop(id);
        return false;
      }
      tree.setModel(id, verdict.model);
    }
    engine.searcher.add(id);
    return true;
  }

  private drop(id: PendingId): void {
    const { tree, counters } = this.engine;
    tree.close(id, CLOSED.dropped);
    counters.dropped++;
  }

  private used(collectFirst = false): number {
    const own = this.engine.bytesInUse;
    const measured = this.engine.options.memoryUsed?.(collectFirst) ?? 0;
    return Math.max(own, measured);
  }

  /** How many of the pending paths must go. */
  private excess(pending: number): number {
    const over = this.used() - this.engine.limits.memoryBytes * (1 - SLACK);
    const share = Math.min(MOST_SHARE, Math.max(LEAST_SHARE, over / this.engine.treeBytes));
    return Math.min(pending, Math.ceil(pending * share));
  }

  /** In random order. In a typed array: there may be a million, and memory is short. */
  private candidates(): IdColumn<PendingId> {
    const { pending } = this.engine.tree;
    const { random } = this.engine.options;
    let count = 0;
    for (let id = 0; id < pending.end; id++) if (this.engine.isWaiting(id as PendingId)) count++;
    const ids = idColumn<PendingId>(count);
    for (let id = pending.end - 1; id >= 0; id--) {
      if (this.engine.isWaiting(id as PendingId)) ids[--count] = id as PendingId;
    }
    for (let i = ids.length - 1; i > 0; i--) {
      const other = random.next() % (i + 1);
      const id = ids[i];
      ids[i] = ids[other];
      ids[other] = id;
    }
    return ids;
  }
}
