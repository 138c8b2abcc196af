import assert from "node:assert/strict";
import { test } from "node:test";
import { Round, type Run } from "./round.js";

const round = (programs: string): Round<null, string> =>
  new Round(
    0,
    [...programs].map((program, n) => ({ key: `${n}`, program, label: "", work: null })),
  );

/** Which items so many hands begin, if they take one each in turn. */
function begunBy(hands: number, programs: string): string {
  const its = round(programs);
  const runs: (Run | null)[] = Array.from({ length: hands }, () => null);
  const begun: number[][] = runs.map(() => []);
  for (let turn = 0; its.hasMore; turn++) {
    const hand = turn % hands;
    const others = runs.filter((_, other) => other !== hand);
    const { index, run } = its.take(runs[hand], (program) => others.some((one) => one?.program === program));
    runs[hand] = run;
    begun[hand].push(index);
  }
  return begun.map((list) => list.join(" ")).join(" | ");
}

test("round: a single hand takes the items in their order", () => {
  assert.equal(begunBy(1, "aabbabc"), "0 1 2 3 4 5 6");
});

test("round: two hands are at two programs, and share one when there is no other", () => {
  assert.equal(begunBy(2, "aaaabbbb"), "0 1 2 3 | 4 5 6 7");
  assert.equal(begunBy(2, "aaaaaa"), "0 2 4 | 1 3 5");
  // The second has nothing of its own left, and helps.
  assert.equal(begunBy(2, "aaaaaabb"), "0 1 2 4 | 6 7 3 5");
});

test("round: every item begins once, whoever takes it", () => {
  const its = begunBy(3, "abcabcaaabbbccccda");
  const all = its.split(/[ |]+/).map(Number);
  assert.deepEqual(
    all.sort((a, b) => a - b),
    Array.from({ length: 18 }, (_, n) => n),
  );
});
