import assert from "node:assert/strict";
import { test } from "node:test";
import type { Query, Verdict } from "../solver.js";
import { TimeLimitLayer } from "./time-limit.js";

test("a question has its own time, and never more than whoever asks has", () => {
  const seen: (number | undefined)[] = [];
  const next = {
    solve: ({ deadlineMs }: Query): Verdict => {
      seen.push(deadlineMs);
      return { kind: "unknown", reason: "time" };
    },
  };
  const layer = new TimeLimitLayer(5000, next);
  const query = { constraints: [], hint: new Uint8Array(0) };
  const began = performance.now();
  layer.solve(query);
  layer.solve({ ...query, deadlineMs: began + 1 });
  layer.solve({ ...query, deadlineMs: began + 1e9 });
  const [none, soon, late] = seen;
  assert.equal(soon, began + 1);
  for (const own of [none, late]) assert.ok(own !== undefined && own >= began + 5000 && own < began + 1e8);
});
