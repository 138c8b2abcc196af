import assert from "node:assert/strict";
import { test } from "node:test";
import type { AmplifyCampaignResult, ResultSeed } from "./campaign-result.js";
import { checkedInWords, extent, saysNothing, testsDone, whyNothingChecked } from "./extent.js";

const seed = (distance: number, more: Partial<ResultSeed> = {}): ResultSeed =>
  ({ distance, skipped: null, checks: 0, ...more }) as Partial<ResultSeed> as ResultSeed;
const result = (...seeds: ResultSeed[]): AmplifyCampaignResult =>
  ({ totals: {}, seeds, findings: [] }) as unknown as AmplifyCampaignResult;

test("extent: how many tests at which distance", () => {
  assert.equal(extent(result(seed(2), seed(2))), "2 tests up to distance 2");
  assert.equal(extent(result(seed(2), seed(0), seed(0))), "3 tests: 2 on their own paths, 1 up to distance 2");
  assert.equal(extent(result(seed(0))), "1 test, only on its own path");
  assert.equal(extent(result(seed(0), seed(0))), "2 tests, only on their own paths");
});

test("extent: tests that were not reached are not claimed", () => {
  assert.equal(extent(result(seed(0), seed(0), seed(-1))), "2 of 3 tests, only on their own paths");
  assert.equal(extent(result(seed(0), seed(1), seed(-1))), "2 of 3 tests: 1 on their own paths, 1 up to distance 1");
});

test("extent: tests that cannot be used are not waited for", () => {
  const skipping = result(seed(1), seed(-1, { skipped: "its program is gone" }));
  assert.equal(extent(skipping), "1 test up to distance 1");
  assert.deepEqual(testsDone(skipping), { done: 1, usable: 1 });
});

test("every dangerous operation is claimed only where it is so", () => {
  const all = seed(1, { checked: "all", checks: 5 });
  const part = seed(0, { checked: "part", checks: 2, why: ["its time was used up"] });
  const none = seed(0, { checked: "none", why: ["the program read nothing of standard input"] });
  assert.match(checkedInWords(result(all, all)), /^On the paths of 2 tests every dangerous operation.*was checked/);
  const mixed = checkedInWords(result(all, part, none, seed(-1)));
  assert.match(mixed, /^On the path of 1 test every/);
  assert.match(mixed, /Of 1 test only some were \(1 test: its time was used up\)/);
  assert.match(mixed, /Of 1 test nothing was checked \(1 test: the program read nothing of standard input\)/);
  assert.match(mixed, /1 of 4 tests were not looked at/);
  assert.doesNotMatch(checkedInWords(result(part, none)), /every dangerous/);
  assert.equal(checkedInWords(result(seed(-1))), "No test was looked at, so this says nothing.");
});

test("that nothing was checked is said with the commonest reasons, and is no success", () => {
  const unread = seed(0, { checked: "none", why: ["the program read nothing of standard input"] });
  const large = seed(0, { checked: "none", why: ["big.bin (6.0 MB) is above 1 MB and stayed as it is"] });
  const seeds = [large, unread, unread, seed(-1)];
  const why = whyNothingChecked({ seeds }, 0);
  assert.equal(
    why,
    "2 tests: the program read nothing of standard input; 1 test: big.bin (6.0 MB) is above 1 MB and stayed as it is; " +
      "1 test: it was not looked at before the end",
  );
  assert.equal(whyNothingChecked({ seeds: [...seeds, seed(0, { checks: 1 })] }, 0), null);
  assert.equal(whyNothingChecked({ seeds }, 7), null, "paths were looked for");
  assert.equal(whyNothingChecked({ seeds: [] }, 0), "no test was looked at");
  const nothing = { ...result(...seeds), nothingChecked: why ?? "" };
  assert.equal(saysNothing(nothing), why);
  assert.equal(saysNothing({ ...nothing, findings: [{}] as never }), null, "what was found was found");
  const many = [1, 2, 3, 4, 5].map((n) => seed(0, { why: [`reason ${n}`] }));
  assert.match(whyNothingChecked({ seeds: many }, 0) ?? "", /; 2 more reasons$/);
});
