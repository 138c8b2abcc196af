import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { EXPLORATION_MODES } from "../path/frontier.js";
import { SEARCHER_NAMES } from "../search/registry.js";
import { assembleSolver } from "../solver/chain.js";
import { QueryCacheLayer } from "../solver/layers/query-cache.js";
import type { Query, Solver, Verdict } from "../solver/solver.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import { FIRST_QUESTION_MS } from "./hard-questions.js";
import type { EngineOptions } from "./options.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import { endsOf, explore, independent, keyword, outOfBounds, pinned } from "./script-fixture.js";

/** Questions that have the variable `hard` take `needsMs` by a clock of its own; with less time they are not answered. */
class SlowSolver implements Solver {
  ms = 0;
  readonly limits: number[] = [];

  constructor(
    private readonly arena: ExprArena,
    private readonly next: Solver,
    private readonly hard: number,
    private readonly needsMs: number,
    private readonly msEach: number,
  ) {}

  solve(query: Query): Verdict {
    this.ms += this.msEach;
    const goal = query.constraints[query.constraints.length - 1];
    if (![...this.arena.support(goal)].includes(this.hard)) return this.next.solve({ ...query, deadlineMs: Infinity });
    // The limit is by the real clock, which has hardly moved since.
    const limitMs = Math.ceil((query.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now());
    this.limits.push(limitMs);
    this.ms += Math.min(limitMs, this.needsMs);
    if (limitMs < this.needsMs) return { kind: "unknown", reason: "time" };
    return this.next.solve({ ...query, deadlineMs: Infinity });
  }
}

function exploreSlowly(
  script: Script,
  hard: number,
  needsMs: number,
  options: Partial<EngineOptions> = {},
  msEach = 1,
) {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  const solver = new SlowSolver(arena, assembleSolver(arena, {}), hard, needsMs, msEach);
  const engine = new Engine(executor, {
    ...{ random: new Random(7), searcher: "dfs", firstQuestionMs: FIRST_QUESTION_MS, now: () => solver.ms },
    ...options,
    solver,
  });
  const events: EngineEvent[] = [...engine.explore()];
  return { engine, solver, events, ends: endsOf(events), statistics: engine.statistics() };
}

describe("hard questions", () => {
  for (const [name, script] of Object.entries({
    independent: independent(5),
    keyword: keyword("while"),
    outOfBounds,
    pinned,
  })) {
    it(`${name}: however long questions take, the paths are the same, and it is complete`, () => {
      const { ends } = explore(script);
      for (const mode of EXPLORATION_MODES) {
        for (const searcher of SEARCHER_NAMES) {
          for (const needsMs of [100, 1000, 5000]) {
            const slow = exploreSlowly(script, 1, needsMs, { mode, searcher });
            assert.deepEqual(slow.ends, ends, `${mode} ${searcher} ${needsMs}`);
            assert.deepEqual(slow.events.at(-1), { kind: "done", reason: "exhausted", complete: true });
            assert.equal(slow.statistics.pending, 0);
          }
        }
      }
    });
  }

  it("are asked shortly at first, and everything else is done before they are asked again", () => {
    const { solver, events } = exploreSlowly(independent(4), 0, 5000, { searcher: "bfs" });
    const [first, second, third, ...more] = solver.limits;
    assert.ok(first > 400 && first <= 500, `${first}`);
    assert.ok(second > 2400 && second <= 2500, `${second}`);
    assert.deepEqual([third, more], [Number.POSITIVE_INFINITY, []]);
    const paths = events.filter((event) => event.kind === "run-finished");
    const firstByte = paths.map(({ input }) => (input[0] ?? 0) < 100);
    assert.deepEqual(
      firstByte,
      Array.from({ length: 16 }, (_, n) => n < 8),
    );
  });

  it("a search that has little time asks even more shortly", () => {
    const { solver, ends } = exploreSlowly(independent(4), 0, 5000, { searcher: "bfs", firstQuestionMs: 50 });
    const rounded = solver.limits.map((ms) => Math.round(ms / 50) * 50);
    assert.deepEqual(rounded, [50, 250, 1250, Number.POSITIVE_INFINITY]);
    assert.deepEqual(ends, explore(independent(4)).ends);
  });

  it("are asked again by a solver that remembers what it has answered, and so are others that ask the same", () => {
    const arena = new ExprArena();
    const real = assembleSolver(arena, {});
    let unanswered = 0;
    const slow: Solver = {
      solve: (query) => {
        const { deadlineMs = Number.POSITIVE_INFINITY } = query;
        const goal = query.constraints[query.constraints.length - 1];
        const readyMs = performance.now() + (arena.support(goal).includes(3) ? 12 : 0);
        while (performance.now() < Math.min(readyMs, deadlineMs));
        // By what it was given: a machine that lets it wait past the deadline makes no answer of it.
        if (deadlineMs >= readyMs) return real.solve({ ...query, deadlineMs: Number.POSITIVE_INFINITY });
        unanswered++;
        return { kind: "unknown", reason: "time" };
      },
    };
    const options = { firstQuestionMs: 2, searcher: "bfs", solver: new QueryCacheLayer(arena, slow, 1000) };
    // The last byte decides last: eight paths ask the same of it.
    const script = independent(4);
    const engine = new Engine(new ScriptExecutor(arena, script), options);
    const events = [...engine.explore()];
    assert.ok(unanswered >= 1);
    assert.deepEqual(endsOf(events), explore(script).ends);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: true });
  });

  it("what the solver itself gives up early is not asked again", () => {
    const arena = new ExprArena();
    let asked = 0;
    const refusing: Solver = {
      solve: () => {
        asked++;
        return { kind: "unknown", reason: "time" };
      },
    };
    const options = { searcher: "dfs", firstQuestionMs: FIRST_QUESTION_MS, now: () => 0, solver: refusing } as const;
    const remembering = { ...options, solver: new QueryCacheLayer(arena, refusing, 100) };
    const engine = new Engine(new ScriptExecutor(arena, independent(3)), remembering);
    const events = [...engine.explore()];
    assert.equal(asked, 3);
    assert.equal(events.filter(({ kind }) => kind === "unknown").length, 3);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
  });

  it("between others they get a tenth of the time", () => {
    const slow = (msEach: number): number[] => {
      const options = { limits: { paths: 1200 }, searcher: "bfs" };
      const { solver, engine } = exploreSlowly(independent(12), 0, 5000, options, msEach);
      assert.equal(engine.counters.paths, 1200);
      return solver.limits.map((ms) => Math.round(ms / 500));
    };
    assert.deepEqual(slow(1), [1]);
    assert.deepEqual(slow(40), [1, 5]);
    assert.deepEqual(slow(400), [1, 5, Number.POSITIVE_INFINITY]);
  });
});
