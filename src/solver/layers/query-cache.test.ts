import assert from "node:assert/strict";
import { test } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { Query, Solver, Verdict } from "../solver.js";
import { QueryCacheLayer } from "./query-cache.js";

test("query cache: what was asked is answered however many other questions came between, until it is full", () => {
  const arena = new ExprArena();
  let asked = 0;
  const core = {
    solve: () => {
      asked++;
      return { kind: "sat" as const, model: Uint8Array.of(asked & 255) };
    },
  };
  const most = 1000;
  const cache = new QueryCacheLayer(arena, core, most);
  const question = (n: number): Query => {
    const [low, high] = [arena.constant(8, n & 255, 0), arena.constant(8, n >> 8, 0)];
    const constraints = [arena.binary("eq", arena.variable(0), low), arena.binary("eq", arena.variable(1), high)];
    return { constraints, hint: new Uint8Array(2) };
  };
  const first = Array.from({ length: most }, (_, n) => cache.solve(question(n)));
  assert.equal(asked, most);
  for (let n = most - 1; n > 0; n--) assert.deepEqual(kindOf(cache.solve(question(n))), kindOf(first[n]));
  // It was full, and has begun anew; since then each is known again.
  const since = asked;
  assert.ok(since > most && since < 2 * most + 1);
  cache.solve(question(1));
  assert.equal(asked, since);
  assert.ok(cache.hits > 0);
});

/** Needs so long for an answer, by the real clock. */
class SlowCore implements Solver {
  asked = 0;

  constructor(
    private readonly needsMs: number,
    private readonly ownLimitMs = Number.POSITIVE_INFINITY,
  ) {}

  solve({ deadlineMs = Number.POSITIVE_INFINITY }: Query): Verdict {
    this.asked++;
    const began = performance.now();
    const untilMs = Math.min(deadlineMs, began + this.needsMs, began + this.ownLimitMs);
    while (performance.now() < untilMs);
    return untilMs < began + this.needsMs ? { kind: "unknown", reason: "time" } : { kind: "unsat", core: [0] };
  }
}

function askedWithin(core: SlowCore, times: readonly number[]): string[] {
  const arena = new ExprArena();
  const cache = new QueryCacheLayer(arena, core, 100);
  const constraints = [arena.binary("eq", arena.variable(0), arena.constant(8, 7, 0))];
  const hint = new Uint8Array(1);
  return times.map((ms) => {
    const { kind } = cache.solve({ constraints, hint, deadlineMs: performance.now() + ms });
    return `${kind} ${core.asked}`;
  });
}

test("query cache: what was not answered in time is asked again with more time, and only then", () => {
  assert.deepEqual(askedWithin(new SlowCore(100), [20, 20, 10, 60, 60, 10_000, 1]), [
    "unknown 1",
    "unknown 1",
    "unknown 1",
    "unknown 2",
    "unknown 2",
    "unsat 3",
    "unsat 3",
  ]);
});

test("query cache: where the solver's own limit was in the way, more time does not help", () => {
  assert.deepEqual(askedWithin(new SlowCore(1000, 5), [500, 5000]), ["unknown 1", "unknown 1"]);
});

test("query cache: a limit that is no matter of time stays one", () => {
  const arena = new ExprArena();
  let asked = 0;
  const core = {
    solve: (): Verdict => {
      asked++;
      return { kind: "unknown", reason: "conflicts" };
    },
  };
  const cache = new QueryCacheLayer(arena, core, 100);
  const constraints = [arena.binary("eq", arena.variable(0), arena.constant(8, 7, 0))];
  const hint = new Uint8Array(1);
  assert.equal(cache.solve({ constraints, hint, deadlineMs: performance.now() + 10 }).kind, "unknown");
  assert.equal(cache.solve({ constraints, hint }).kind, "unknown");
  assert.equal(asked, 1);
});

function kindOf({ kind }: { readonly kind: string }): string {
  return kind;
}
