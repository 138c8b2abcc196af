// What is asked without pins (path/unpinned-questions.ts), seen from the engine: such inputs are run, they may go elsewhere, and the
// exploration is as complete and as exact as without them.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExprRef } from "../expr/ops.js";
import { EXPLORATION_MODES } from "../path/frontier.js";
import type { EngineEvent } from "./events.js";
import type { Script, ScriptRun } from "./script-executor.js";
import { type Exploration, explore } from "./script-fixture.js";

/** Two bytes as one value. */
function word(run: ScriptRun): ExprRef {
  return run.arena.concat(run.byte(1), run.byte(0));
}

function guesses({ events }: Exploration): Extract<EngineEvent, { kind: "run-finished" }>[] {
  return events.filter((event) => event.kind === "run-finished").filter(({ origin }) => origin === "guessed");
}

/** t[n] = 1; if (n == 4242) fail(); */
const storeThenBranch: Script = (run) => {
  run.pin(0, "store-address", word(run));
  if (run.if(1, run.compare("eq", word(run), 4242))) run.fail("assertion", "main:1");
  return 0;
};

describe("questions without pins", () => {
  for (const mode of EXPLORATION_MODES) {
    it(`${mode}: a branch behind a store is taken though the store's place was made concrete`, () => {
      const { ends, statistics } = explore(storeThenBranch, { mode, limits: { paths: 4 } });
      assert.ok(ends.includes("assertion at main:1"), ends.join(", "));
      assert.equal(statistics.origins.guessed, 1);
      assert.equal(statistics.divergences, 0);
    });

    it(`${mode}: so is the failing side of a check`, () => {
      const script: Script = (run) => {
        run.pin(0, "store-address", word(run));
        run.check(1, "division-by-zero", run.compare("eq", word(run), 4242));
        return 0;
      };
      const { ends, statistics } = explore(script, { mode, limits: { paths: 4 } });
      assert.ok(ends.includes("division-by-zero at site 1"), ends.join(", "));
      assert.equal(statistics.divergences + statistics.witnessesMissed, 0);
    });

    it(`${mode}: every path is found once all the same`, () => {
      const script: Script = (run) => {
        const low = run.arena.binary("and", run.byte(0), run.constant(7));
        const place = run.pin(0, "store-address", low);
        const is = run.if(1, run.compare("eq", low, 5));
        assert.equal(is, place === 5);
        return 10 * place + (run.if(2, run.compare("ult", run.byte(1), 9)) ? 1 : 0);
      };
      const { ends, statistics } = explore(script, { mode });
      const expected: string[] = [];
      for (let place = 0; place < 8; place++) expected.push(`exit ${10 * place}`, `exit ${10 * place + 1}`);
      assert.deepEqual(ends, expected.sort());
      assert.equal(statistics.divergences, 0);
    });
  }

  it("an input may leave the path that it was made for, and that is no divergence", () => {
    const script: Script = (run) => {
      const place = run.pin(0, "store-address", word(run));
      // What the program does next depends on the place by more than conditions can say.
      if (place % 2 === 1) return run.if(1, run.compare("ult", run.byte(2), 9)) ? 1 : 2;
      return run.if(2, run.compare("eq", word(run), 4243)) ? 3 : 4;
    };
    const exploration = explore(script, { limits: { paths: 6 } });
    assert.deepEqual(
      guesses(exploration).map(({ input }) => input[0] + 256 * input[1]),
      [4243],
    );
    assert.ok(exploration.ends.includes("exit 1"), exploration.ends.join(", "));
    assert.equal(exploration.statistics.divergences, 0);
  });

  it("nothing is asked again where no pin is in the way", () => {
    const script: Script = (run) => {
      run.pin(0, "store-address", run.arena.binary("and", run.byte(0), run.constant(1)));
      if (!run.if(1, run.compare("ult", run.byte(1), 9))) return 1;
      return run.if(2, run.compare("eq", run.byte(1), 20)) ? 2 : 3;
    };
    const { engine, statistics } = explore(script);
    assert.ok(statistics.infeasible > 0);
    assert.equal(engine.recorder.unpinned.asked, 0);
  });

  it("a decision that followed from a pin still holds for the input", () => {
    const script: Script = (run) => {
      run.pin(0, "store-address", run.byte(0));
      if (!run.if(1, run.compare("ult", run.byte(0), 10))) return 1;
      const sum = run.arena.binary("add", run.byte(0), run.byte(1));
      if (!run.if(2, run.compare("ult", run.byte(1), 5))) return 2;
      return run.if(3, run.compare("eq", sum, 12)) ? 3 : 4;
    };
    // Breadth first, so that the first branch is known to follow when the last one is asked.
    const { engine, ends, events } = explore(script, { searcher: "bfs", limits: { paths: 12 } });
    const sums = guesses({ events } as Exploration).map(({ input }) => [input[0], input[0] + input[1]]);
    assert.ok(
      sums.some(([first, sum]) => first < 10 && sum === 12),
      JSON.stringify(sums),
    );
    assert.ok(ends.includes("exit 3"), ends.join(", "));
    assert.equal(engine.counters.divergences, 0);
  });

  it("what a run has done before is hardly asked for", () => {
    const script: Script = (run) => {
      let sum = run.constant(0);
      for (let i = 0; i < 6; i++) {
        run.pin(i, "store-address", run.arena.binary("and", run.byte(i), run.constant(15)));
        sum = run.arena.binary("add", sum, run.arena.binary("and", run.byte(i), run.constant(15)));
        if (run.if(8 + i, run.compare("eq", sum, 4 + i))) return i;
      }
      return 9;
    };
    const { engine, statistics } = explore(script, { limits: { paths: 2000 } });
    assert.ok(engine.recorder.unpinned.asked > 0);
    // For each branch the first time, with the pins before it; else 16, and one in 256.
    assert.ok(engine.recorder.unpinned.asked <= 6 * 4 + 16 + statistics.solver.queries / 256);
    assert.equal(statistics.divergences, 0);
  });
});
