// Programs whose paths can be counted by hand, and what a test wants to know of an exploration of one.

import { ExprArena } from "../expr/arena.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { EngineOptions } from "./options.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import type { EngineStatistics } from "./statistics.js";

/** Independent branches, one a byte: 2^n paths. */
export function independent(branches: number): Script {
  return (run) => {
    let code = 0;
    for (let i = 0; i < branches; i++) if (run.if(i, run.compare("ult", run.byte(i), 100))) code |= 1 << i;
    return code;
  };
}

/** One byte compared with n thresholds in ascending order: n + 1 of the 2^n paths are feasible. */
export function thresholds(count: number): Script {
  return (run) => {
    let code = 0;
    for (let i = 0; i < count; i++) if (run.if(i, run.compare("ult", run.byte(0), (i + 1) * 10))) code |= 1 << i;
    return code;
  };
}

/** A word letter by letter, the rest a choice: one path a prefix, and three for the whole word. */
export function keyword(word: string): Script {
  return (run) => {
    for (let i = 0; i < word.length; i++) {
      if (!run.if(i, run.compare("eq", run.byte(i), word.charCodeAt(i)))) return i;
    }
    const last = run.byte(word.length);
    const low = run.compare("ult", last, 10);
    const high = run.arena.binary("ult", run.constant(20), last);
    const middle = run.arena.binary("and", run.arena.not(low), run.arena.not(high));
    return 100 + run.switch(word.length, [low, high, middle]);
  };
}

/** A pinned index below 4, then a branch: 8 paths, and a guard for the rest. */
export const pinned: Script = (run) => {
  if (!run.if(0, run.compare("ult", run.byte(0), 4))) return 99;
  const index = run.pin(1, "store-address", run.byte(0));
  return run.if(2 + index, run.compare("ult", run.byte(1), 50)) ? index : 10 + index;
};

/** Only even bytes below 6 count: 3 paths after an assumption that the empty input satisfies, and two that it does not. */
export const assuming: Script = (run) => {
  run.assume(0, run.compare("ult", run.byte(0), 6));
  run.assume(1, run.compare("eq", run.arena.binary("and", run.byte(0), run.constant(1)), 0));
  run.assume(2, run.arena.binary("ult", run.constant(7), run.byte(1)));
  if (run.if(3, run.compare("eq", run.byte(0), 0))) return 0;
  return run.if(4, run.compare("eq", run.byte(0), 2)) ? 2 : 4;
};

/** A table of 10 entries read at a symbolic index, on two paths: out of bounds on one of them. */
export const outOfBounds: Script = (run) => {
  const index = run.byte(0);
  const guarded = run.if(0, run.compare("ult", run.byte(1), 128));
  if (guarded && !run.if(1, run.compare("ult", index, 10))) return 1;
  run.check(guarded ? 2 : 3, "out-of-bounds-read", run.arena.binary("ule", run.constant(10), index));
  return run.if(4, run.compare("ult", index, 5)) ? 2 : 3;
};

/**
 * The shape of the paper's Figure 1: a flag is tested first, two loops branch a lot on other bytes, expensive work
 * follows, and an assertion on the flag fails.
 */
export function figureOne(bytes: number, work: number): Script {
  return (run) => {
    const flag = run.if(0, run.compare("eq", run.byte(0), 0));
    for (let i = 1; i <= bytes; i++) {
      run.work(10);
      if (run.if(i, run.compare("ult", run.byte(i), 100))) run.work(10);
    }
    run.work(work);
    if (!flag) run.fail("assertion", "main:26");
    return 0;
  };
}

export interface Exploration {
  readonly engine: Engine;
  readonly executor: ScriptExecutor;
  readonly events: readonly EngineEvent[];
  readonly statistics: EngineStatistics;
  /** Exit codes and findings of all paths, sorted. */
  readonly ends: readonly string[];
}

export function explore(script: Script, options: Partial<EngineOptions> = {}): Exploration {
  const { engine, executor } = newExploration(script, options);
  return finish(engine, executor);
}

export function newExploration(
  script: Script,
  options: Partial<EngineOptions>,
): { engine: Engine; executor: ScriptExecutor } {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  const solver = assembleSolver(arena, {});
  const engine = new Engine(executor, { random: new Random(7), searcher: "dfs", ...options, solver });
  return { engine, executor };
}

function finish(engine: Engine, executor: ScriptExecutor): Exploration {
  const events: EngineEvent[] = [];
  const exploration = engine.explore();
  for (;;) {
    const next = exploration.next();
    if (next.done === true) return { engine, executor, events, statistics: next.value, ends: endsOf(events) };
    events.push(next.value);
  }
}

export function endsOf(events: readonly EngineEvent[]): string[] {
  const ends: string[] = [];
  for (const event of events) {
    if (event.kind !== "run-finished" || !event.isPath) continue;
    const { end } = event.outcome;
    if (end.kind === "exit") ends.push(`exit ${end.code}`);
    else if (end.kind === "finding") ends.push(`${end.finding.kind} at ${end.finding.stackKey}`);
    else ends.push(end.kind);
  }
  return ends.sort();
}
