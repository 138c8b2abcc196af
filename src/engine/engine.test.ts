import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHECK_POLICIES, EXPLORATION_MODES } from "../path/frontier.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { SEARCHER_NAMES } from "../search/registry.js";
import { Random } from "../support/random.js";
import type { EngineEvent } from "./events.js";
import type { Script } from "./script-executor.js";
import {
  assuming,
  endsOf,
  explore,
  figureOne,
  independent,
  keyword,
  newExploration,
  outOfBounds,
  pinned,
  thresholds,
} from "./script-fixture.js";

/** Programs, and the ends of all their paths. */
const PROGRAMS: Readonly<Record<string, { script: Script; ends: readonly string[] }>> = {
  independent: { script: independent(6), ends: numbers(0, 64) },
  thresholds: { script: thresholds(5), ends: ["exit 0", "exit 16", "exit 24", "exit 28", "exit 30", "exit 31"] },
  keyword: { script: keyword("select"), ends: [...numbers(0, 6), "exit 100", "exit 101", "exit 102"] },
  pinned: { script: pinned, ends: [...numbers(0, 4), ...numbers(10, 14), "exit 99"] },
  assuming: { script: assuming, ends: ["exit 0", "exit 2", "exit 4"] },
  outOfBounds: {
    script: outOfBounds,
    ends: ["exit 1", "exit 2", "exit 2", "exit 3", "exit 3", "out-of-bounds-read at site 3"],
  },
  figureOne: {
    script: figureOne(5, 1000),
    ends: [...Array<string>(32).fill("assertion at main:26"), ...Array<string>(32).fill("exit 0")],
  },
};

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => `exit ${from + i}`);
}

function count(events: readonly EngineEvent[], kind: EngineEvent["kind"]): number {
  return events.filter((event) => event.kind === kind).length;
}

describe("engine", () => {
  for (const [name, { script, ends }] of Object.entries(PROGRAMS)) {
    for (const mode of EXPLORATION_MODES) {
      for (const searcher of [...SEARCHER_NAMES, "dfs+random"]) {
        it(`${name}: ${mode} exploration by ${searcher} finds every path once and nothing else`, () => {
          const { statistics, ends: found, events, engine } = explore(script, { mode, searcher });
          assert.deepEqual(found, [...ends].sort());
          assert.equal(statistics.paths, ends.length);
          assert.equal(statistics.divergences, 0);
          assert.equal(engine.recorder.follower.renamed, 0);
          assert.equal(statistics.witnessesMissed, 0);
          assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: true });
          assert.equal(engine.tree.finished, true);
          assert.equal(
            engine.tree.rows + engine.tree.segments + engine.tree.pending.count + engine.tree.models.count,
            0,
          );
          assert.equal(engine.searcher.size, 0);
        });
      }
    }
  }

  for (const [name, { script, ends }] of Object.entries(PROGRAMS)) {
    for (const mode of EXPLORATION_MODES) {
      it(`${name}: ${mode} exploration is not disturbed by collecting expressions between any two steps`, () => {
        const { engine, executor } = newExploration(script, { mode, searcher: "random" });
        const events: EngineEvent[] = [];
        for (const event of engine.explore()) {
          events.push(event);
          if (event.kind === "run-finished") engine.expressions.collect();
        }
        assert.deepEqual(endsOf(events), [...ends].sort());
        assert.equal(engine.counters.divergences, 0);
        assert.ok(executor.arena.generation > 2);
      });
    }
  }

  it("is repeatable: the same seed of randomness gives the same events", () => {
    for (const mode of EXPLORATION_MODES) {
      const first = explore(keyword("abcdefgh"), { mode, searcher: "interleaved", random: new Random(3) });
      const second = explore(keyword("abcdefgh"), { mode, searcher: "interleaved", random: new Random(3) });
      assert.deepEqual(first.events, second.events);
      const other = explore(independent(6), { mode, searcher: "random", random: new Random(4) });
      const third = explore(independent(6), { mode, searcher: "random", random: new Random(5) });
      assert.notDeepEqual(inputs(other.events), inputs(third.events));
    }
  });

  it("pending mode follows a known path to its end without a question; eager mode asks at each branch", () => {
    const pending = explore(independent(12), { mode: "pending", limits: { paths: 1 } });
    assert.equal(pending.statistics.solver.queries, 0);
    const eager = explore(independent(12), { mode: "eager", limits: { paths: 1 } });
    assert.equal(eager.statistics.solver.queries, 12);
  });

  it("both modes ask as often when everything is explored", () => {
    const pending = explore(thresholds(8), { mode: "pending" });
    const eager = explore(thresholds(8), { mode: "eager" });
    assert.equal(pending.statistics.solver.queries, eager.statistics.solver.queries);
    assert.equal(pending.statistics.infeasible, pending.statistics.solver.unsatisfiable);
  });

  it("the paper's Figure 1: one solver call is enough in pending mode, eager mode needs many and runs more", () => {
    const script = figureOne(9, 5000);
    const options = { searcher: "random-path", stopAtFirstFinding: true, random: new Random(2) } as const;
    const pending = explore(script, { ...options, mode: "pending" });
    const eager = explore(script, { ...options, mode: "eager" });
    assert.equal(count(pending.events, "finding-confirmed"), 1);
    assert.equal(count(eager.events, "finding-confirmed"), 1);
    assert.equal(pending.statistics.solver.queries, 1);
    assert.equal(pending.statistics.paths, 2);
    assert.ok(eager.statistics.solver.queries > 100, `${eager.statistics.solver.queries} questions`);
    assert.ok(eager.statistics.instructionsRerun > 0);
    assert.equal(pending.events.at(-1)?.kind, "done");
  });

  it("a finding is run twice before it is reported, and reported once", () => {
    const { executor, statistics, events } = explore(figureOne(3, 10));
    assert.equal(count(events, "finding-confirmed"), 1);
    assert.equal(statistics.findingsRepeated, 7);
    assert.equal(executor.runs, statistics.runs + 1);
  });

  it("a finding that does not happen again is counted and not reported", () => {
    let failures = 0;
    const { statistics, events } = explore((run) => {
      if (run.if(0, run.compare("eq", run.byte(0), 7)) && failures++ === 0) run.fail("abort", "main:1");
      return 0;
    });
    assert.equal(statistics.findingsNotReproduced, 1);
    assert.equal(count(events, "finding-confirmed"), 0);
  });

  it("a finding whose second run is cut short is told as not confirmed, and is no contradiction", () => {
    let failures = 0;
    const { statistics, events } = explore((run) => {
      if (!run.if(0, run.compare("eq", run.byte(0), 7))) return 0;
      return failures++ === 0 ? run.fail("abort", "main:1") : run.timeIsUp();
    });
    assert.equal(count(events, "finding-unconfirmed"), 1);
    assert.equal(count(events, "finding-confirmed"), 0);
    assert.equal(statistics.findingsNotReproduced, 0);
  });

  it("a witness that did not fail again does not close its place: the next one is tried, a few times", () => {
    let failures = 0;
    const flaky = (good: number): Script => {
      failures = 0;
      return (run) => {
        for (let i = 0; i < 4; i++) run.if(i, run.compare("eq", run.byte(i), 7));
        // An odd run of its input fails, its repetition does not, until a good one comes.
        if (failures++ % 2 === 0 || failures > good) run.fail("abort", "main:1");
        return 0;
      };
    };
    const second = explore(flaky(2));
    assert.equal(second.statistics.findingsNotReproduced, 1);
    assert.equal(second.statistics.findings, 1);
    const never = explore(flaky(Number.POSITIVE_INFINITY));
    assert.equal(never.statistics.findings, 0);
    assert.equal(never.statistics.findingsNotReproduced, 4, "then the place is left alone");
  });

  it("a finding that its listener withdraws is told again with the next witness", () => {
    const { engine } = newExploration(figureOne(3, 10), {});
    const inputs: string[] = [];
    for (const event of engine.explore()) {
      if (event.kind !== "finding-confirmed") continue;
      inputs.push(event.input.join(" "));
      if (inputs.length === 1) engine.withdraw(event.finding);
    }
    assert.equal(new Set(inputs).size, 2);
    assert.equal(engine.statistics().findings, 1);
  });

  it("a witness is brought as near to its seed as its path allows, if it still fails", () => {
    const script: Script = (run) => {
      if (!run.if(0, run.arena.binary("ult", run.constant(9), run.byte(1)))) return 0;
      if (!run.if(1, run.arena.binary("ult", run.constant(9), run.byte(2)))) return 1;
      return run.fail("abort", "main:1");
    };
    const { engine, executor } = newExploration(script, { seeds: [Uint8Array.of(5, 5, 5, 5)], limits: { paths: 2 } });
    engine.addSeed(Uint8Array.of(9, 200, 201, 7));
    const found = [...engine.explore()].filter((event) => event.kind === "finding-confirmed");
    assert.deepEqual(
      found.map(({ input, smaller }) => [[...input], [...(smaller ?? [])]]),
      [
        [
          [9, 200, 201, 7],
          [5, 69, 69, 5],
        ],
      ],
    );
    assert.equal(executor.runs, engine.statistics().runs + 1, "one more run, as without");
  });

  it("a smaller witness that does not fail is not shown", () => {
    const { engine } = newExploration(
      (run) => {
        if (!run.if(0, run.compare("ult", run.byte(0), 5))) return 0;
        // Something that the path's conditions do not say.
        return run.input[1] === 3 ? run.fail("abort", "main:1") : 1;
      },
      { seeds: [Uint8Array.of(9, 1)] },
    );
    engine.addSeed(Uint8Array.of(1, 3));
    const found = [...engine.explore()].filter((event) => event.kind === "finding-confirmed");
    assert.deepEqual(
      found.map(({ input, smaller }) => [[...input], smaller]),
      [[[1, 3], null]],
    );
  });

  it("a witness of a failing check is run before anything else is explored", () => {
    const { events } = explore(outOfBounds, { seeds: [Uint8Array.of(3, 200)] });
    const origins = events.flatMap((event) => (event.kind === "run-finished" ? [event.origin] : []));
    assert.deepEqual(origins.slice(0, 2), ["seed", "witness"]);
  });

  it("checks: relaxed leaves the failing side pending, off never takes it", () => {
    const relaxed = explore(outOfBounds, { checks: "relaxed" });
    assert.deepEqual(relaxed.ends, [...PROGRAMS.outOfBounds.ends].sort());
    const off = explore(outOfBounds, { checks: "off" });
    // Whoever fails there takes a path, too.
    assert.deepEqual(off.events.at(-1), { kind: "done", reason: "exhausted", complete: false });
    assert.ok(off.statistics.losses["check-left-out"] > 0);
    assert.deepEqual(off.ends, ["exit 1", "exit 2", "exit 2", "exit 3", "exit 3"]);
    const some = explore(outOfBounds, { checks: (site) => (site === 3 ? "off" : "eager") });
    assert.equal(some.statistics.findings, 0);
  });

  it("an operation that fails on the very first input does not hide what lies behind it", () => {
    const script: Script = (run) => {
      run.check(0, "division-by-zero", run.compare("eq", run.byte(0), 0));
      return run.if(1, run.compare("ult", run.byte(0), 9)) ? 1 : 2;
    };
    for (const mode of EXPLORATION_MODES) {
      for (const checks of CHECK_POLICIES) {
        const { ends, statistics } = explore(script, { mode, checks });
        assert.deepEqual(ends, ["division-by-zero at site 0", "exit 1", "exit 2"]);
        assert.equal(statistics.divergences, 0);
      }
    }
  });

  it("an access that fails first leads on to the objects that it may reach, one that fails later is a finding and the end", () => {
    // Two objects, [0, 10) and [20, 30), and a gap on either side of the second.
    const script: Script = (run) => {
      const index = run.byte(0);
      const at = run.value(index);
      const within = (from: number, to: number) =>
        run.arena.binary("ult", run.arena.binary("sub", index, run.constant(from)), run.constant(to - from));
      const [object] = [0, 20].filter((from) => at >= from && at < from + 10);
      if (object === undefined) {
        const gap = at < 20 ? within(10, 20) : within(30, 256);
        run.check(0, "out-of-bounds-read", gap);
      } else run.check(0, "out-of-bounds-read", run.arena.not(within(object, object + 10)));
      return object;
    };
    for (const mode of EXPLORATION_MODES) {
      for (const searcher of SEARCHER_NAMES) {
        const failure = "out-of-bounds-read at site 0";
        const later = explore(script, { mode, searcher });
        assert.deepEqual(later.ends, ["exit 0", failure]);
        const first = explore(script, { mode, searcher, seeds: [Uint8Array.of(15)] });
        assert.ok(first.ends.includes(failure));
        assert.ok(first.ends.some((end) => end.startsWith("exit")));
        assert.equal(first.statistics.divergences + later.statistics.divergences, 0);
      }
    }
  });

  it("a check is not asked any more when its site has shown its finding often enough", () => {
    const script: Script = (run) => {
      for (let i = 0; i < 5; i++) run.if(i, run.compare("ult", run.byte(i), 100));
      run.check(9, "division-by-zero", run.compare("eq", run.byte(6), 9));
      return 0;
    };
    const { statistics, engine } = explore(script, { witnessesPerSite: 2 });
    assert.equal(statistics.findings, 1);
    assert.equal(engine.recorder.frontier.checksAsked, 3);
    assert.equal(engine.recorder.frontier.checksSkipped, 29);
  });

  it("a contradictory assumption ends the path as infeasible and is no path", () => {
    const { statistics, engine } = explore((run) => {
      run.assume(0, run.arena.binary("ult", run.constant(5), run.byte(0)));
      run.assume(1, run.compare("ult", run.byte(0), 3));
      return 0;
    });
    assert.equal(statistics.paths, 0);
    assert.equal(engine.recorder.frontier.assumptionsInfeasible, 1);
  });

  it("a seed that takes a pending path saves the question; one that takes a known path is a duplicate", () => {
    const seeds = [Uint8Array.of(0), Uint8Array.of(200), Uint8Array.of(1)];
    const { statistics, events } = explore(thresholds(1), { seeds });
    assert.equal(statistics.solver.queries, 0);
    assert.equal(statistics.paths, 2);
    assert.deepEqual(
      events.flatMap((event) => (event.kind === "run-finished" ? [event.isPath] : [])),
      [true, true, false],
    );
  });

  it("stops at each of its limits and says which", () => {
    const reason = (options: Parameters<typeof explore>[1]) => {
      const last = explore(independent(10), options).events.at(-1);
      return last?.kind === "done" ? last.reason : null;
    };
    let time = 0;
    assert.equal(reason({ limits: { paths: 5 } }), "paths");
    assert.equal(reason({ limits: { timeMs: 100 }, now: () => time++ }), "time");
    assert.equal(reason({ limits: { solverTimeMs: 20 }, now: () => time++ }), "solver-time");
    assert.equal(reason({ abort: { aborted: true } }), "aborted");
    const deep = explore(independent(10), { limits: { depth: 3 } });
    assert.equal(deep.statistics.depthLimited, 8);
    assert.deepEqual(deep.events.at(-1), { kind: "done", reason: "exhausted", complete: false });
    const long = explore(figureOne(2, 1000), { limits: { instructionsPerPath: 100 } });
    assert.equal(long.statistics.ends.limit, 8);
  });

  it("a run that does not follow its prediction is a divergence: counted, described, not explored", () => {
    let runs = 0;
    const { statistics, events } = explore((run) => {
      run.if(runs++ === 0 ? 1 : 2, run.compare("ult", run.byte(0), 5));
      return 0;
    });
    assert.equal(statistics.divergences, 1);
    const divergence = events.find((event) => event.kind === "divergence");
    assert.ok(divergence?.kind === "divergence");
    assert.deepEqual(divergence.divergence, {
      position: 0,
      reason: "another decision than predicted",
      expectedSite: 1,
      site: 2,
    });
  });

  it("a run that fails on the way to its target is a finding all the same, and told as finished", () => {
    for (const stops of [false, true]) {
      let runs = 0;
      const { statistics, events } = explore((run) => {
        const isFirst = runs++ === 0;
        if (!isFirst && !stops) run.fail("abort", "main:1");
        run.if(isFirst ? 1 : 2, run.compare("ult", run.byte(0), 5));
        if (!isFirst) run.fail("abort", "main:1");
        return 0;
      });
      assert.equal(statistics.divergences, 1);
      assert.equal(statistics.findings, 1);
      assert.equal(count(events, "run-finished"), statistics.runs);
      assert.equal(count(events, "finding-confirmed"), 1);
    }
  });

  it("a listener sees every decision, and what is known of the other side", () => {
    const seen: string[] = [];
    explore(thresholds(2), {
      listeners: [{ decision: (site, _kind, _holds, position) => seen.push(`${site}@${position}`) }],
    });
    assert.deepEqual(seen, ["0@0", "1@1", "0@0", "1@1", "0@0", "1@1"]);
  });

  it("the core of an infeasible path names earlier branches by site and occurrence", () => {
    const cores: string[] = [];
    const script: Script = (run) => {
      let count = 0;
      run.if(5, run.compare("ult", run.byte(1), 9));
      for (const byte of [0, 2, 0]) run.if(6, run.compare("ult", run.byte(byte), 10 + count++));
      return 0;
    };
    explore(script, {
      listeners: [
        {
          infeasible: (goal, core) =>
            cores.push(`${goal.site}#${goal.occurrence} by ${core.map((p) => `${p.site}#${p.occurrence}`).join(" ")}`),
        },
      ],
      limits: { paths: 2 },
    });
    assert.deepEqual(cores, ["6#2 by 6#0"]);
  });

  it("a technique can ask why a pending path is infeasible, and what is known of the other side of each branch", () => {
    const script = thresholds(3);
    const known: string[] = [];
    const { engine } = newExploration(script, {
      listeners: [
        {
          decision: (site, _kind, _holds, _position, row) => known.push(`${site} ${engine.tree.knowledge(row)}`),
        },
      ],
    });
    const exploration = engine.explore();
    for (let next = exploration.next(); next.done !== true; next = exploration.next()) {
      if (next.value.kind === "run-finished") break;
    }
    const { pending } = engine.tree;
    const whys = ([0, 1, 2] as PendingId[]).map((id) => {
      assert.ok(pending.isLive(id));
      return engine.whyInfeasible(id)?.map(({ site, occurrence }) => `${site}#${occurrence}`) ?? null;
    });
    assert.deepEqual(whys[0], null);
    assert.deepEqual(whys[1], ["0#0"]);
    assert.equal(whys[2]?.length, 1);
    assert.equal(pending.count, 3, "asking changes nothing");
    for (let next = exploration.next(); next.done !== true; next = exploration.next());
    assert.deepEqual(known.slice(0, 6), ["0 open", "1 open", "2 open", "0 explored", "1 open", "2 open"]);
    assert.ok(known.includes("2 infeasible") || known.includes("1 infeasible") || known.includes("0 explored"));
  });

  it("a searcher of one's own decides the order", () => {
    const sites: number[] = [];
    explore(independent(3), {
      searcher: ({ tree }) => {
        const held: PendingId[] = [];
        return {
          get size() {
            return held.length;
          },
          bytes: 0,
          add: (id) => held.push(id),
          take: () => {
            held.sort((a, b) => tree.siteOf(b) - tree.siteOf(a));
            const id = held.pop() ?? NO_PENDING;
            if (id >= 0) sites.push(tree.siteOf(id));
            return id;
          },
          remove: (id) => held.splice(held.indexOf(id), 1),
        };
      },
    });
    assert.deepEqual(sites, [0, 1, 1, 2, 2, 2, 2]);
  });
});

function inputs(events: readonly EngineEvent[]): Uint8Array[] {
  return events.flatMap((event) => (event.kind === "run-finished" ? [event.input] : []));
}
