import assert from "node:assert/strict";
import { test } from "node:test";
import { RememberedStatuses } from "./remembered-statuses.js";

test("what the disk said is remembered for a second, whichever path is asked for", () => {
  let nowMs = 5000;
  let asked = 0;
  const statuses = new RememberedStatuses(() => nowMs);
  const of = (path: string): unknown => statuses.of(path, () => -++asked);
  assert.deepEqual([of("/a"), of("/a"), of("/b"), of("/a")], [-1, -1, -2, -1]);
  nowMs += 900;
  assert.deepEqual([of("/a"), of("/c")], [-1, -3]);
  nowMs += 200;
  assert.deepEqual([of("/c"), of("/a"), of("/c")], [-4, -5, -4], "as old as the oldest");
});

test("many paths are not remembered for ever", () => {
  let asked = 0;
  const statuses = new RememberedStatuses(() => 0);
  for (let path = 0; path < 5000; path++) statuses.of(`/${path}`, () => -++asked);
  statuses.of("/0", () => -++asked);
  assert.equal(asked, 5001);
});
