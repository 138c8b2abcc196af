import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { EXPLORATION_MODES } from "../path/frontier.js";
import { SEARCHER_NAMES } from "../search/registry.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import { ExplorationFiles } from "./exploration-files.js";
import type { EngineOptions } from "./options.js";
import { ResumableExploration } from "./resumable-exploration.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import {
  assuming,
  endsOf,
  explore,
  independent,
  keyword,
  newExploration,
  outOfBounds,
  pinned,
} from "./script-fixture.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-long-runs-"));
after(() => rmSync(folder, { recursive: true }));

/** A clock that goes on by a millisecond each time it is looked at. */
function ticking(): () => number {
  let time = 0;
  return () => time++;
}

/** Works between its decisions, so that runs are cut there too. */
const working: Script = (run) => {
  let code = 0;
  for (let i = 0; i < 5; i++) {
    for (let turn = 0; turn < 7; turn++) run.work(1);
    if (run.if(i, run.compare("ult", run.byte(i), 100))) code |= 1 << i;
  }
  for (let turn = 0; turn < 30; turn++) run.work(1);
  return code;
};

const SCRIPTS: Readonly<Record<string, Script>> = {
  ...{ working, assuming, outOfBounds, pinned },
  independent: independent(5),
  keyword: keyword("while"),
};

describe("long runs", () => {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    it(`${name}: however soon runs are set aside, the paths are the same, and it is complete`, () => {
      const whole = explore(script);
      for (const mode of EXPLORATION_MODES) {
        for (const searcher of SEARCHER_NAMES) {
          for (const setAsideAfter of [1, 2, 5, 100, 300]) {
            const options = { mode, searcher, setAsideAfter, now: ticking() };
            const { ends, events, statistics } = explore(script, options);
            assert.deepEqual(ends, whole.ends, `${mode} ${searcher} ${setAsideAfter}`);
            assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: true });
            assert.equal(statistics.divergences, 0);
            assert.equal(statistics.unknown, 0);
          }
        }
      }
    });
  }

  /** Goes on for ever unless the first byte is large; then it fails. */
  const endless: Script = (run) => {
    if (run.if(0, run.compare("ult", run.byte(0), 200))) for (;;) run.work(1);
    run.fail("abort", "here");
  };

  it("an error beside a loop without end is found before the loop has run for long", () => {
    const { engine, executor } = newExploration(endless, {
      setAsideAfter: 100,
      stopAtFirstFinding: true,
      limits: { instructionsPerPath: 10 ** 9 },
    });
    assert.deepEqual(endsOf([...engine.explore()]), ["abort at here"]);
    assert.equal(engine.counters.setAside, 1);
    assert.ok(executor.runs <= 4, `${executor.runs} runs`);
  });

  it("the limit of a path is the last one: the loop is cut there, once, and exploring is not called complete", () => {
    const { events, statistics, ends } = explore(endless, {
      setAsideAfter: 100,
      limits: { instructionsPerPath: 5000 },
    });
    assert.deepEqual(ends, ["abort at here", "limit"]);
    assert.equal(statistics.setAside, 2, "after 100 instructions and after 1100");
    assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
  });

  it("what is set aside is no path, and still pending when the exploration ends", () => {
    const { statistics } = explore(endless, { setAsideAfter: 100, stopAtFirstFinding: true });
    assert.equal(statistics.paths, 1);
    assert.equal(statistics.pending, 1);
  });

  it("a path with very many decisions is set aside as well, and goes on at its last one", () => {
    const many: Script = (run) => {
      for (let i = 0; i < 60; i++) run.branch(i, run.compare("ult", run.byte(i), 100), (run.input[i] ?? 0) < 100);
      return 7;
    };
    const { engine } = newExploration(many, { setAsideAfter: 1000, searcher: "bfs", now: ticking() });
    const events: EngineEvent[] = [];
    for (const event of engine.explore()) {
      events.push(event);
      if (endsOf(events).length === 3) break;
    }
    const [first] = events.filter((event) => event.kind === "run-finished");
    assert.equal(first.depth, 10);
    assert.equal(first.isPath, false);
    assert.deepEqual(endsOf(events), ["exit 7", "exit 7", "exit 7"]);
    assert.equal(engine.counters.divergences, 0);
  });

  it("a long run has its turn although others never end to come", () => {
    // Each of the short ones takes as long on the clock as the long one would.
    const script: Script = (run) => {
      if (run.if(0, run.compare("ult", run.byte(0), 100))) {
        for (let turn = 0; turn < 5000; turn++) run.work(1);
        run.fail("abort", "behind a long loop");
      }
      for (let i = 1; i < 14; i++) run.if(i, run.compare("ult", run.byte(i), 100));
      return 0;
    };
    const { engine } = newExploration(script, {
      setAsideAfter: 100,
      searcher: "random",
      stopAtFirstFinding: true,
      now: ticking(),
    });
    assert.deepEqual(endsOf([...engine.explore()]).at(0), "abort at behind a long loop");
    assert.ok(engine.counters.paths < 8000, `${engine.counters.paths} paths before it`);
  });

  it("what the user gives is run to its end", () => {
    const script: Script = (run) => {
      for (let turn = 0; turn < 5000; turn++) run.work(1);
      return run.if(0, run.compare("ult", run.byte(0), 100)) ? 1 : 2;
    };
    const seeds = [Uint8Array.of(3), Uint8Array.of(200)];
    const { statistics, ends } = explore(script, { setAsideAfter: 100, seeds });
    assert.equal(statistics.setAside, 0);
    assert.deepEqual(ends, ["exit 1", "exit 2"]);
  });

  it("paths of a program that usually take long are not set aside again and again", () => {
    const script: Script = (run) => {
      for (let turn = 0; turn < 1000; turn++) run.work(1);
      return independent(6)(run);
    };
    const { statistics } = explore(script, { setAsideAfter: 100 });
    assert.equal(statistics.paths, 64);
    assert.ok(statistics.setAside <= 2, `${statistics.setAside}`);
  });

  it("memory that runs short may be that of runs that wait", () => {
    const script: Script = (run) => {
      for (let i = 0; i < 8; i++) run.if(i, run.compare("ult", run.byte(i), 100));
      for (;;) run.work(1);
    };
    const limits = { memoryBytes: 40_000, instructionsPerPath: 10 ** 5, paths: 200 };
    const { engine } = newExploration(script, { setAsideAfter: 100, limits });
    const get = () => 1000 * engine.tree.pending.count;
    Object.defineProperties(engine, { bytesInUse: { get }, treeBytes: { get } });
    assert.equal([...engine.explore()].at(-1)?.kind, "done");
    assert.ok(engine.counters.dropped > 0);
    assert.equal(engine.counters.divergences, 0);
    assert.ok(engine.tree.pending.count < 256);
  });

  it("a killed exploration goes on with what was set aside", () => {
    const whole = explore(working);
    for (const mode of EXPLORATION_MODES) {
      for (const setAsideAfter of [1, 3, 10, 100]) {
        const path = join(folder, `${mode}-${setAsideAfter}`);
        const ends: string[] = [];
        let rounds = 0;
        for (let isOver = false; !isOver; rounds++) {
          const exploration = resumable(working, path, { mode, setAsideAfter });
          const resumed = exploration.resume();
          assert.ok(rounds === 0 || (resumed.kind === "resumed" && (resumed.report?.lost ?? 0) === 0));
          const events: EngineEvent[] = [];
          for (const event of exploration.explore()) {
            events.push(event);
            isOver = event.kind === "done";
            if (!isOver && events.filter(({ kind }) => kind === "run-finished").length >= 5) break;
          }
          exploration.save();
          assert.equal(exploration.engine.counters.divergences, 0);
          ends.push(...endsOf(events));
          assert.ok(rounds < 200);
        }
        assert.ok(rounds > 2);
        assert.deepEqual(ends.sort(), whole.ends, `${mode} ${setAsideAfter}`);
      }
    }
  });
});

function resumable(script: Script, path: string, options: Partial<EngineOptions>): ResumableExploration {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  const solver = assembleSolver(arena, {});
  const engine = new Engine(executor, {
    ...{ random: new Random(5), searcher: "random", now: ticking(), ...options },
    solver,
  });
  const kept = { program: "working", snapshotEveryMs: Number.POSITIVE_INFINITY, flushEveryMs: 0 };
  return new ResumableExploration(engine, ExplorationFiles.open(path), kept);
}
