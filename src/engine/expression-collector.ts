// Expressions are never freed one by one; the arena keeps all that any run has made. When they take too much, those that no
// pending path needs are collected: the conditions in the execution tree are the roots, and whatever else a run needs it makes
// again. Everything remembered by reference (path conditions, negations, the solver's caches, the executor's memos) is void
// afterwards; who remembers compares the arena's generation, and the recorder is told.
//
// Between collections the arena may double, so that the work is in proportion to what was made since.

import type { Engine } from "./engine.js";

const STEPS_BETWEEN_MEASURES = 256;

export class ExpressionCollector {
  private steps = 0;
  /** What was left after the last collection. */
  private leftBytes = 0;

  constructor(
    private readonly engine: Engine,
    private readonly limitBytes: number,
  ) {}

  areDue(): boolean {
    if (++this.steps < STEPS_BETWEEN_MEASURES) return false;
    this.steps = 0;
    return this.engine.executor.arena.memory > this.limitBytes && this.areWorthIt();
  }

  /** Whether enough was made since the last time. */
  areWorthIt(): boolean {
    return this.engine.executor.arena.memory > 2 * this.leftBytes;
  }

  collect(): void {
    const { tree, recorder, executor, counters } = this.engine;
    const { listeners } = this.engine.options;
    const kept = listeners.flatMap(({ keeps }) => keeps?.() ?? []);
    const conditions = tree.conditions();
    const roots = new Int32Array(conditions.length + kept.length);
    roots.set(conditions);
    roots.set(kept, conditions.length);
    const moved = executor.arena.collect(roots);
    tree.replaceConditions(moved);
    for (const listener of listeners) listener.moved?.(moved);
    recorder.forgetExpressions();
    this.leftBytes = executor.arena.memory;
    counters.collections++;
  }
}
