// What a technique sees of an exploration: scripted programs say what must be heard, and small C programs show what patch testing
// will do with it.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { GuidedExploration } from "./guided-exploration.js";
import type { EngineOptions } from "./options.js";
import type { Decision } from "./run-log.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import { compileUnit, executorOf, unit } from "./unit-fixture.js";

/** Of a run: the sites it decided before some position. */
interface Prefix {
  readonly position: number;
  readonly sites: readonly number[];
}

function prefixOf(decisions: readonly Decision[], end: number): Prefix {
  const before = decisions.filter(({ isImplied, position }) => !isImplied && position < end);
  return { position: end, sites: before.map(({ site }) => site) };
}

/** All kinds of decisions; also ones that held already. Each run lists the sites it told. */
function program(told: string[][]): Script {
  return (run) => {
    const list: string[] = [];
    told.push(list);
    const { arena } = run;
    run.assume(90, run.compare("ult", run.byte(7), 200));
    list.push("90");
    for (let i = 0; i < 3; i++) {
      list.push(`${i}`);
      run.if(i, run.compare("ult", run.byte(i), 100));
    }
    list.push("10");
    const pinned = run.pin(10, "store-address", arena.binary("and", run.byte(3), run.constant(3)));
    list.push("3");
    run.if(3, run.compare("ult", run.byte(4), pinned === 0 ? 50 : 60));
    const conditions = [run.compare("eq", run.byte(5), 1), run.compare("eq", run.byte(5), 2)];
    list.push("50");
    run.switch(50, [...conditions, arena.not(arena.binary("or", conditions[0], conditions[1]))]);
    list.push("60");
    run.check(60, "division-by-zero", run.compare("eq", run.byte(6), 9));
    // Held already.
    list.push("0");
    run.if(0, run.compare("ult", run.byte(0), 100));
    list.push("70");
    run.if(70, run.compare("eq", run.byte(6), 10));
    return 0;
  };
}

function script(options: Partial<EngineOptions> = {}): { exploration: GuidedExploration; told: string[][] } {
  const told: string[][] = [];
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, program(told));
  const more = { solver: assembleSolver(arena), searcher: "dfs", random: new Random(3), ...options };
  return { exploration: new GuidedExploration(executor, more, { keepsRuns: true }), told };
}

const SOURCE = `
int route(int a, int b) {
  int steps = 0;
  if (a > 10)            /* 4 */
    steps++;
  if (b == 7)            /* 6 */
    steps += 2;
  if (a == 5 && b == 3)  /* 8 */
    steps += 4;
  switch (b) {           /* 10 */
    case 40: return 40;
    case 41: return 41;
  }
  return steps;
}
int main(int argc, char **argv) { (void)argv; return route(argc, argc); }
`;
const ROUTE = unit("route", { parameters: [{ kind: "symbolic" }, { kind: "symbolic" }] });

describe("guided exploration", () => {
  for (const mode of ["pending", "eager"] as const) {
    it(`every decision of a run is heard once and in order, on known ground and on new (${mode})`, () => {
      const { exploration, told } = script({ mode, limits: { paths: 150 } });
      let runs = 0;
      for (const event of exploration.explore()) {
        if (event.kind !== "run-finished") continue;
        if (event.outcome.end.kind === "stopped") continue;
        runs++;
        const decisions = exploration.finishedRun()?.decisions ?? [];
        assert.deepEqual(
          decisions.map(({ site }) => `${site}`),
          told
            .filter((list) => list.length > 0)
            .at(-1)
            ?.slice(0, decisions.length),
          `run ${runs}`,
        );
        const own = decisions.filter(({ isImplied }) => !isImplied).map(({ position }) => position);
        assert.deepEqual(
          own,
          [...own].sort((a, b) => a - b),
        );
        assert.equal(new Set(own).size, own.length, "each has a position of its own");
      }
      assert.ok(runs > 50);
    });
  }

  it("a seed on explored ground is heard to its end", () => {
    const { exploration } = script({ seeds: [new Uint8Array(16), new Uint8Array(16)], limits: { paths: 1 } });
    const lengths: number[] = [];
    for (const event of exploration.explore()) {
      if (event.kind === "run-finished") lengths.push(exploration.finishedRun()?.decisions.length ?? 0);
      if (lengths.length === 1) exploration.engine.addSeed(new Uint8Array(16));
    }
    assert.equal(lengths[0], 10);
    for (const length of lengths) assert.equal(length, lengths[0]);
  });

  it("each decision knows the pending paths of its other sides, and they are those the engine has", () => {
    const { exploration } = script({ limits: { paths: 1 }, checks: "off" });
    for (const event of exploration.explore()) {
      if (event.kind !== "run-finished") continue;
      const { pending } = exploration.engine.tree;
      const decisions = exploration.finishedRun()?.decisions ?? [];
      const ids = decisions.flatMap((decision) => decision.pending);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(ids.length, pending.count);
      for (const { pending: others, site, position, kind } of decisions) {
        for (const id of others) {
          assert.equal(exploration.engine.tree.siteOf(id), site);
          assert.equal(pending.depth[id], position);
        }
        if (kind === "choice") assert.equal(others.length, 2);
      }
      assert.equal(decisions.find(({ isImplied }) => isImplied)?.site, 0);
    }
  });

  it("however paths are pursued, in the end each has been taken once, in either mode", () => {
    for (const mode of ["pending", "eager"] as const) {
      const { exploration } = script({ mode, checks: "off", searcher: "bfs" });
      const inputs = new Set<string>();
      let paths = 0;
      for (const event of exploration.explore()) {
        if (event.kind !== "run-finished") continue;
        if (event.isPath) {
          paths++;
          inputs.add(Buffer.from(event.input).toString("hex"));
        }
        const open = (exploration.finishedRun()?.decisions ?? []).flatMap(({ pending }) => pending);
        for (const id of open.slice(0, 3)) exploration.pursue(id);
      }
      // Three branches, one after a pinned number of two bits, a switch of three, a branch behind the check.
      assert.equal(paths, 2 ** 3 * 4 * 2 * 3 * 2, mode);
      assert.equal(inputs.size, paths, mode);
      assert.equal(exploration.engine.counters.divergences, 0);
    }
  });

  it("a path that is pursued is taken next, whatever the searcher prefers", () => {
    const { exploration } = script({ limits: { paths: 20 }, checks: "off" });
    const random = new Random(5);
    let wanted = null as Prefix | null;
    let pursued = 0;
    for (const event of exploration.explore()) {
      if (event.kind !== "run-finished") continue;
      const decisions = exploration.finishedRun()?.decisions ?? [];
      if (wanted !== null) {
        assert.deepEqual(prefixOf(decisions, wanted.position), wanted);
        pursued++;
      }
      const open = decisions.filter(({ pending, kind }) => pending.length > 0 && kind === "branch");
      const chosen = open[random.next() % Math.max(1, open.length)];
      wanted = null;
      if (chosen === undefined) continue;
      assert.equal(exploration.pursue(chosen.pending[0]), true);
      assert.equal(exploration.pursue(chosen.pending[0]), false, "it is on its way already");
      wanted = prefixOf(decisions, chosen.position);
    }
    assert.ok(pursued > 5);
  });

  describe("on C", () => {
    let image: ProgramImage;
    before(async () => {
      image = await compileUnit(SOURCE);
    });
    const lineOf = (site: number): number => image.locations[image.sites[site]?.location ?? -1]?.line ?? 0;

    function explore(paths: number): GuidedExploration {
      const executor = executorOf(image, ROUTE);
      const solver = assembleSolver(executor.arena, {});
      return new GuidedExploration(executor, { solver, limits: { paths }, searcher: "bfs" }, { keepsRuns: true });
    }

    it("a finished run has its decisions with line and side, and the blocks it executed", () => {
      const exploration = explore(1);
      for (const event of exploration.explore()) {
        if (event.kind !== "run-finished") continue;
        const run = exploration.finishedRun();
        const lines = run?.decisions.map(({ site, kind }) => `${lineOf(site)} ${kind}`);
        assert.deepEqual(lines, ["4 branch", "6 branch", "8 branch", "10 choice"]);
        // Each branch's block on the side taken was executed, and the other one was not.
        const blocks = new Set(run?.blocks);
        for (const { site, kind } of run?.decisions ?? []) {
          if (kind !== "branch") continue;
          assert.equal(image.sites[site].successors.filter((block) => blocks.has(block)).length, 1);
        }
      }
    });

    it("greedy steps towards a line: pursue the nearest other side until a run executes it", () => {
      const exploration = explore(50);
      const isReached = (blocks: readonly number[]): boolean =>
        blocks.some((block) => image.coverage[block].locations.some((at) => image.locations[at].line === 9));
      let reached = 0;
      for (const event of exploration.explore()) {
        if (event.kind !== "run-finished") continue;
        const run = exploration.finishedRun();
        if (run === null) continue;
        if (isReached(run.blocks)) {
          reached++;
          break;
        }
        const nearest = run.decisions.filter(({ site, pending }) => lineOf(site) === 8 && pending.length > 0).at(-1);
        if (nearest !== undefined) assert.ok(exploration.pursue(nearest.pending[0]));
      }
      assert.equal(reached, 1);
      assert.ok(exploration.engine.counters.runs <= 4, `${exploration.engine.counters.runs} runs`);
    });

    it("why the other side of a decision is infeasible, and the accounts", () => {
      const exploration = explore(30);
      const reasons = new Set<string>();
      for (const event of exploration.explore()) {
        if (event.kind !== "run-finished") continue;
        for (const { site, pending } of exploration.finishedRun()?.decisions ?? []) {
          for (const id of pending) {
            const core = exploration.whyInfeasible(id);
            if (core !== null) reasons.add(`${lineOf(site)} by ${core.map((place) => lineOf(place.site))}`);
          }
        }
      }
      assert.ok(reasons.has("8 by 4"), [...reasons].join("; "));
      assert.ok(exploration.solver.unsatisfiable > 0);
      assert.ok(exploration.solver.queries >= exploration.solver.unsatisfiable);
      assert.deepEqual(exploration.checks, { asked: 0, skipped: 0 });
    });
  });
});
