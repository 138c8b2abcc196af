import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sampledOf } from "../project/sample.js";
import type { AmplifyCampaignResult } from "./campaign-result.js";
import { mergeResults } from "./merge-results.js";
import { patchResult } from "./patch-fixture.js";
import { parseResult } from "./result-file.js";
import { finding, result } from "./result-fixture.js";

function merged(...results: readonly AmplifyCampaignResult[]): AmplifyCampaignResult {
  const made = mergeResults(results.map((each, n) => ({ path: `part${n}.json`, result: each })));
  assert.ok(made.kind === "merged", made.kind === "wrong" ? made.message : "");
  return made.result;
}

describe("merging results", () => {
  it("of one part is that part", () => {
    const one = result();
    const { files, ...rest } = merged(one);
    const { files: before, ...others } = one;
    assert.deepEqual(rest, others);
    assert.deepEqual(
      files.map(({ path }) => path),
      before.map(({ path }) => path).sort(),
    );
  });

  it("a finding of two parts is there once, as the one closer to its test", () => {
    const far = { ...result([finding({ id: "a1", distance: 3, foundMs: 10 })]), durationMs: 50 };
    const near = result([
      finding({ id: "a1", distance: 1, foundMs: 90 }),
      finding({ id: "b2", distance: 2, foundMs: 20 }),
    ]);
    const both = merged(far, { ...near, durationMs: 700 });
    assert.deepEqual(
      both.findings.map(({ id, distance }) => [id, distance]),
      [
        ["b2", 2],
        ["a1", 1],
      ],
    );
    assert.equal(both.durationMs, 700);
  });

  it("tests are all there, each with the part that went furthest; counts are added up", () => {
    const base = result([]);
    const [seed] = base.seeds;
    const first = { ...base, seeds: [seed, { ...seed, id: "other", distance: 0 }] };
    const second = { ...base, seeds: [{ ...seed, distance: seed.distance + 2 }], reason: "time" as const };
    const both = merged(first, second);
    assert.deepEqual(
      both.seeds.map(({ id, distance }) => [id, distance]),
      [
        [seed.id, seed.distance + 2],
        ["other", 0],
      ],
    );
    assert.equal(both.totals.seeds, 2);
    assert.equal(both.totals.checks, 2 * base.totals.checks);
    assert.equal(both.totals.distance, base.totals.distance);
    assert.equal(both.reason, "time");
  });

  it("a line that some part's tests reach is not one that we have added", () => {
    const file = { path: "/p/a.c", lines: [1, 2, 3], byTests: [1], added: [2] };
    const one = { ...result(), files: [file] };
    const two = { ...result(), files: [{ ...file, byTests: [2], added: [3] }] };
    assert.deepEqual(merged(one, two).files, [{ path: "/p/a.c", lines: [1, 2, 3], byTests: [1, 2], added: [3] }]);
  });

  it("says that nothing was checked only if no part checked anything", () => {
    const nothing = { ...result([]), nothingChecked: "the program read nothing" };
    assert.equal(merged(nothing, nothing).nothingChecked, "the program read nothing");
    assert.equal(merged(nothing, result([])).nothingChecked, undefined);
  });

  it("is a value that is read again", () => {
    const both = merged({ ...result(), sampled: sampledOf(9, 3) }, result([]));
    const read = parseResult(JSON.stringify(both), "merged.json");
    assert.equal(read.kind, "result");
  });

  it("refuses other techniques and other projects", () => {
    const mixed = mergeResults([
      { path: "a.json", result: result() },
      { path: "b.json", result: patchResult() },
    ]);
    assert.ok(mixed.kind === "wrong" && /b\.json has results of `tangent patch`/.test(mixed.message));
    const elsewhere = mergeResults([
      { path: "a.json", result: result() },
      { path: "b.json", result: { ...result(), project: "/elsewhere" } },
    ]);
    assert.ok(elsewhere.kind === "wrong" && /b\.json is of the project in \/elsewhere/.test(elsewhere.message));
  });
});
