import assert from "node:assert/strict";
import { test } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { Query } from "../solver.js";
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

function kindOf({ kind }: { readonly kind: string }): string {
  return kind;
}
