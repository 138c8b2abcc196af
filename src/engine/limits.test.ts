import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { CLOSED } from "../path/tree.js";
import { assembleSolver } from "../solver/chain.js";
import type { Solver } from "../solver/solver.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { EngineOptions } from "./options.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import { explore, independent, thresholds } from "./script-fixture.js";

function newEngine(script: Script, options: Partial<EngineOptions>, solver?: (arena: ExprArena) => Solver): Engine {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  return new Engine(executor, {
    searcher: "random-path",
    random: new Random(1),
    ...options,
    solver: solver?.(arena) ?? assembleSolver(arena, {}),
  });
}

type Trimmed = Extract<EngineEvent, { kind: "memory-trimmed" }>;

describe("memory policy", () => {
  /** Two bytes compared with thresholds (mostly infeasible sides), and a lot of feasible ones. */
  const explosion: Script = (run) => {
    for (let i = 0; i < 12; i++) run.if(i, run.compare("ult", run.byte(0), 10 + i));
    for (let i = 0; i < 12; i++) run.if(20 + i, run.compare("ult", run.byte(1 + i), 100));
    return 0;
  };

  /** An engine in whose accounts a pending path takes 1000 bytes, the limit is so many paths, and nothing else counts. */
  function limitedTo(paths: number, script: Script, options: Partial<EngineOptions>): Engine {
    const limits = { ...options.limits, memoryBytes: 1000 * paths };
    const engine = newEngine(script, { ...options, limits });
    const get = () => 1000 * engine.tree.pending.count;
    Object.defineProperties(engine, { bytesInUse: { get }, treeBytes: { get } });
    return engine;
  }

  it("drops infeasible paths first and the rest at random, and says how many", () => {
    const engine = limitedTo(16, explosion, { searcher: "random", limits: { paths: 3000 } });
    const trimmed: Trimmed[] = [];
    let most = 0;
    for (const event of engine.explore()) {
      if (event.kind === "memory-trimmed") trimmed.push(event);
      if (event.kind === "run-finished") most = Math.max(most, engine.tree.pending.count);
    }
    assert.ok(trimmed.length > 0);
    const infeasible = trimmed.reduce((sum, event) => sum + event.infeasible, 0);
    const dropped = trimmed.reduce((sum, event) => sum + event.dropped, 0);
    assert.ok(infeasible > 0, "some were found infeasible");
    assert.equal(engine.counters.dropped, dropped);
    assert.equal(engine.tree.closed(CLOSED.dropped), dropped);
    assert.ok(most < 5000, `${most} pending at most`);
  });

  it("without enough infeasible ones it drops feasible ones, and exploration is not called complete", () => {
    const engine = limitedTo(50, independent(14), { searcher: "random-path" });
    const events = [...engine.explore()];
    assert.ok(engine.counters.dropped > 0);
    assert.ok(engine.counters.paths < 2 ** 14);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
  });

  it("drops nothing where the pending paths are not what fills the memory, and ends if that does not change", () => {
    let time = 0;
    const engine = newEngine(independent(14), {
      memoryUsed: () => 10 ** 10,
      limits: { memoryBytes: 10 ** 9 },
      now: () => {
        time += 10;
        return time;
      },
    });
    const last = [...engine.explore()].at(-1);
    assert.equal(engine.counters.dropped, 0);
    assert.ok(last?.kind === "done" && last.reason === "memory");
    assert.ok(engine.counters.paths > 1000);
  });

  it("what the solver keeps goes before pending paths do, and one question does not take all the time of a round", () => {
    let used = 0;
    let given = 0;
    const asked: number[] = [];
    const engine = newEngine(
      independent(12),
      { memoryUsed: () => used, limits: { memoryBytes: 10 ** 6, paths: 1500 } },
      (arena) => {
        const chain = assembleSolver(arena, {});
        return {
          solve: (query) => {
            if (query.deadlineMs !== undefined) asked.push(query.deadlineMs - performance.now());
            return chain.solve(query);
          },
          giveBack: () => {
            given++;
            // The first time it was enough.
            if (given === 1) used = 0;
          },
        };
      },
    );
    const drops: number[] = [];
    for (const event of engine.explore()) {
      if (event.kind === "run-finished" && [200, 800].includes(engine.counters.paths)) used = 2 * 10 ** 6;
      if (event.kind !== "memory-trimmed") continue;
      drops.push(engine.counters.paths);
      used = 0;
    }
    assert.equal(given, 2);
    assert.equal(drops.length, 1);
    assert.ok(drops[0] >= 800, `${drops}`);
    assert.ok(asked.length > 0 && asked.every((ms) => ms <= 100), "no question has more than 100 ms");
  });

  it("memory measured from outside counts too, and one round is enough when it falls again", () => {
    let used = 0;
    const engine = newEngine(independent(12), {
      memoryUsed: () => used,
      limits: { memoryBytes: 10 ** 6, paths: 1500 },
    });
    let trims = 0;
    for (const event of engine.explore()) {
      if (event.kind === "run-finished" && engine.counters.paths === 200) used = 2 * 10 ** 6;
      if (event.kind !== "memory-trimmed") continue;
      trims++;
      used = 0;
      assert.ok(event.dropped > 0);
    }
    assert.equal(trims, 1);
  });
});

describe("size", () => {
  it("exploring leaves nothing behind: memory follows what is pending, not what was explored", () => {
    let most = 0;
    const engine = newEngine(independent(14), { searcher: "dfs" });
    for (const event of engine.explore()) {
      if (event.kind === "run-finished") most = Math.max(most, engine.tree.bytes);
    }
    assert.equal(engine.counters.paths, 2 ** 14);
    assert.ok(most < 64 * 1024, `${most} bytes at most`);
  });

  it("a path of a million decisions is recorded and left in bounded memory and time", () => {
    const branches = 1_000_000;
    // Making a million conditions is the arena's work, not what is looked at here: they are made once.
    const conditions: ExprRef[] = [];
    const script: Script = (run) => {
      const limit = run.constant(100);
      const { input } = run;
      for (let i = conditions.length; i < branches; i++) conditions.push(run.arena.binary("ult", run.byte(i), limit));
      for (let i = 0; i < branches; i++) run.branch(i & 1023, conditions[i], (input[i] ?? 0) < 100);
      return 0;
    };
    const began = performance.now();
    const { statistics, engine } = explore(script, { searcher: "dfs", limits: { paths: 3 } });
    assert.equal(statistics.paths, 3);
    assert.equal(statistics.divergences, 0);
    assert.ok(engine.tree.bytesInUse < 60 * branches, `${engine.tree.bytesInUse / branches} bytes a decision`);
    assert.ok(performance.now() - began < 60_000);
  });
});

describe("a run that a limit cuts short", () => {
  /** The clock runs out once, at one place of one of the 16 paths. */
  function interrupted(atRun: number, beforeBranch: number, cut: () => void = () => {}): Script {
    let run = 0;
    return (script) => {
      const isSlow = ++run === atRun;
      let code = 0;
      for (let i = 0; i <= 4; i++) {
        if (isSlow && i === beforeBranch) {
          cut();
          script.timeIsUp();
        }
        if (i < 4 && script.if(i, script.compare("ult", script.byte(i), 100))) code |= 1 << i;
      }
      return code;
    };
  }

  for (let beforeBranch = 0; beforeBranch <= 4; beforeBranch++) {
    it(`before branch ${beforeBranch}: has not diverged, and what it was to reach is counted as unknown`, () => {
      const engine = newEngine(interrupted(6, beforeBranch), { searcher: "dfs" });
      const events = [...engine.explore()];
      assert.equal(engine.counters.divergences, 0);
      assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
      const { unknown, ends } = engine.counters;
      assert.equal(unknown + (ends.limit ?? 0), 1);
    });

    it(`before branch ${beforeBranch}, because all of the time is over: goes on when there is more`, () => {
      for (const atRun of [1, 2, 6, 16]) {
        let time = 0;
        const limits = { timeMs: 1000, timePerRunMs: 1000 };
        const script = interrupted(atRun, beforeBranch, () => {
          time = 1000;
        });
        const engine = newEngine(script, { searcher: "dfs", limits, now: () => time });
        assert.equal([...engine.explore()].at(-1)?.kind, "done");
        assert.equal(engine.counters.runs, atRun);
        const events = [...engine.explore()];
        assert.equal(engine.counters.divergences, 0);
        assert.equal(engine.counters.paths, 16);
        assert.equal(engine.counters.ends.limit ?? 0, 0);
        assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: true });
      }
    });
  }
});

describe("a solver that gives up", () => {
  const unwilling = (): Solver => ({ solve: () => ({ kind: "unknown", reason: "time" }) });

  it("is never taken for infeasible: every path it does not answer for is counted", () => {
    for (const mode of ["pending", "eager"] as const) {
      const engine = newEngine(thresholds(5), { mode }, unwilling);
      const events = [...engine.explore()];
      assert.equal(engine.counters.paths, 1);
      assert.equal(engine.counters.infeasible, 0);
      assert.equal(engine.tree.closed(CLOSED.unknown), 5);
      assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
    }
  });
});

describe("checks that take too long", () => {
  /** A check that cannot fail on most of 64 paths, and can on ten of them. */
  const script: Script = (run) => {
    let taken = 0;
    for (let i = 0; i < 6; i++) if (run.if(i, run.compare("ult", run.byte(i), 100))) taken++;
    const sum = run.arena.binary("add", run.byte(6), run.byte(7));
    const small = run.arena.binary("and", run.compare("ult", run.byte(6), 5), run.compare("ult", run.byte(7), 4));
    const bad = run.compare("eq", sum, 9);
    if (taken === 3 && run.value(run.byte(0)) >= 100) run.check(20, "division-by-zero", bad);
    else run.check(20, "division-by-zero", run.arena.binary("and", bad, small));
    return taken;
  };

  it("are left pending, and found all the same", () => {
    // On this clock every question takes long.
    let ms = 0;
    const now = (): number => (ms += 40);
    const { statistics, ends } = explore(script, { now, checkShare: 0.01 });
    assert.ok(statistics.solver.checksPutOff > 20, `${statistics.solver.checksPutOff}`);
    assert.equal(statistics.findings, 1);
    assert.ok(ends.includes("division-by-zero at site 20"));
    assert.equal(statistics.divergences, 0);
  });

  it("the paths are the same as if all were asked at once", () => {
    let ms = 0;
    const now = (): number => (ms += 40);
    const impatient = explore(script, { now, checkShare: 0.01 });
    const patient = explore(script, {});
    assert.deepEqual(impatient.ends, patient.ends);
    assert.equal(patient.statistics.solver.checksPutOff, 0);
  });
});
