// Limits of time, on real C that spends its time where nobody counts instructions: with symbolic values, in the solver, in
// copies. Bounds are generous: a machine may be busy; what did not end before took a minute or never ended.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { EngineLimits, EngineOptions } from "./options.js";
import type { EngineStatistics } from "./statistics.js";
import { compileUnit, executorOf, unit } from "./unit-fixture.js";

const SOURCE = `
typedef unsigned __int128 wide;
int endless(unsigned char *p) {
  unsigned sum = 0;
  for (unsigned i = 0;; i++) {
    sum = sum * 31 + (p[i % 16] ^ (sum >> 7));
    if (sum % 1000 == 7) sum += i;
  }
}
int factor(unsigned long a, unsigned long b) {
  if (a > 1 && b > 1 && (wide)a * b == (wide)13249961062380153451ull * 14488038916154245697ull) return 1;
  return 0;
}
int copies(unsigned char *p) {
  static char from[1 << 24], to[1 << 24];
  if (p[0] == 'x') return 1;
  for (;;) __builtin_memcpy(to, from, sizeof from);
}
int main(int argc, char **argv) { (void)argv; return factor(argc, argc); }
`;

const ENDLESS = unit("endless", { parameters: [{ kind: "object", size: 16 }] });
const FACTOR = unit("factor", { parameters: [{ kind: "symbolic" }, { kind: "symbolic" }] });
const COPIES = unit("copies", { parameters: [{ kind: "object", size: 1 }] });
/** Far more than any of these needs, far less than those that escaped took. */
const GENEROUS_MS = 15_000;

describe("limits of time", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  interface Explored {
    readonly events: readonly EngineEvent[];
    readonly statistics: EngineStatistics;
    readonly tookMs: number;
  }

  function explore(
    what: ReturnType<typeof unit>,
    limits: Partial<EngineLimits>,
    options: Partial<EngineOptions> = {},
  ): Explored {
    const executor = executorOf(image, what);
    const solver = assembleSolver(executor.arena, { timeMs: 120_000 });
    const engine = new Engine(executor, { searcher: "dfs", ...options, solver, limits });
    const startedMs = performance.now();
    const events = [...engine.explore()];
    return { events, statistics: engine.statistics(), tookMs: performance.now() - startedMs };
  }

  it("a run that is symbolic all over ends with the exploration's time, and goes on when there is more", () => {
    const { events, statistics, tookMs } = explore(ENDLESS, { timeMs: 300 });
    assert.ok(tookMs < GENEROUS_MS, `${tookMs} ms`);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "time", complete: false });
    assert.equal(statistics.paths, 0);
    assert.ok(statistics.pending > 0);
  });

  it("a run that uses up its own time is a path that met a limit, not one that was too deep", () => {
    const { statistics, tookMs } = explore(ENDLESS, { timePerRunMs: 200, paths: 1 });
    assert.ok(tookMs < GENEROUS_MS, `${tookMs} ms`);
    assert.equal(statistics.ends.limit, 1);
    assert.equal(statistics.depthLimited, 0);
  });

  it("a wish to stop ends the run under way, which goes on when there is more", () => {
    const startedMs = performance.now();
    const abort = {
      get aborted(): boolean {
        return performance.now() - startedMs > 300;
      },
    };
    const { events, statistics, tookMs } = explore(ENDLESS, {}, { abort });
    assert.ok(tookMs < GENEROUS_MS, `${tookMs} ms`);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "aborted", complete: false });
    assert.equal(statistics.ends.limit ?? 0, 0);
  });

  it("a question that the solver cannot answer ends with the exploration's time, and its path stays pending", () => {
    const { events, statistics, tookMs } = explore(FACTOR, { timeMs: 2000 });
    assert.ok(tookMs < 2000 + GENEROUS_MS, `${tookMs} ms`);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "time", complete: false });
    assert.equal(statistics.unknown, 0);
    assert.equal(statistics.pending, 1);
  });

  it("copies without end use up a run's instructions and its time", () => {
    const byTime = explore(COPIES, { timePerRunMs: 300, paths: 1 });
    assert.ok(byTime.tookMs < GENEROUS_MS, `${byTime.tookMs} ms`);
    assert.equal(byTime.statistics.ends.limit, 1);
    // Each copy counts as two million instructions, so fifty of them are enough.
    const byInstructions = explore(COPIES, { instructionsPerPath: 100_000_000, paths: 1 });
    assert.equal(byInstructions.statistics.ends.limit, 1);
    assert.ok(byInstructions.statistics.instructions < 120_000_000);
  });
});
