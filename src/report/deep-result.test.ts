import assert from "node:assert/strict";
import { test } from "node:test";
import { composeResult } from "./compose-fixture.js";
import { deepResult } from "./deep-result.js";
import { parseResult } from "./result-file.js";
import { finding, result } from "./result-fixture.js";

const FILE = "/project/src/a b.c";

test("deep result: findings of both once each, times from the first start, coverage together", () => {
  const first = result([finding({ id: "aaa" }), finding({ id: "bbb" })]);
  const files = [{ path: FILE, lines: [2, 3, 6, 7], byTests: [2, 6], added: [3, 7] }];
  const second = composeResult({
    findings: [finding({ id: "bbb" }), finding({ id: "ccc", foundMs: 100 })],
    files,
    timeline: [{ ms: 50, blocks: 3, findings: 1 }],
    notes: ["one"],
  });
  const deep = deepResult({ ...first, notes: ["one", "two"], reason: "time" }, second);
  assert.deepEqual(
    deep.findings.map(({ id, foundMs }) => [id, foundMs]),
    [
      ["aaa", 1234],
      ["bbb", 1234],
      ["ccc", 5100],
    ],
  );
  assert.equal(deep.durationMs, 10_000);
  assert.equal(deep.reason, "time", "half of it was cut short");
  assert.deepEqual(deep.files, [{ path: FILE, lines: [2, 3, 6, 7], byTests: [2, 3, 6], added: [7] }]);
  assert.deepEqual(deep.timeline.at(-1), { ms: 5050, blocks: 9, findings: 2 }, "nothing is lost on the way");
  assert.equal(deep.totals.paths, 2468);
  assert.equal(deep.totals.units, 4);
  assert.equal(deep.notExplored["solver gave up"], 6);
  assert.deepEqual(deep.notes, ["one", "two"]);
  assert.equal(deep.amplified?.seeds.length, 2);
  assert.equal(parseResult(JSON.stringify(deep), "deep.json").kind, "result");
});
