import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { relevanceOf } from "./relevance.js";

const COUNT = 11;
const MAIN = 0;

function execution(...calls: readonly (readonly [number, number])[]): Float64Array {
  const ran = new Set(calls.flat());
  const own = [...calls, ...[...ran].map((f) => [f, f] as const)];
  return Float64Array.from(new Set(own.map(([f, g]) => f * COUNT + g))).sort();
}

/** The executions of the paper's example (section 3.2); f1 to f10 are 1 to 10. */
const PAPER = [
  execution([MAIN, 1], [1, 5], [5, 7]),
  execution([MAIN, 1], [1, 5], [5, 8], [8, 9]),
  execution([MAIN, 1], [1, 5], [5, 7], [5, 8], [8, 9], [8, 10]),
  execution([MAIN, 1], [1, 3], [3, 6], [6, 10]),
];

test("relevance is the paper's", () => {
  const { of } = bound(relevanceOf([{ executions: PAPER }], COUNT));
  // f5 ran in three executions, in two of them it called f7, which ran in those two.
  assert.equal(of(5, 7), (2 / 3 + 2 / 2) / 2);
  // f5 came to call f10 in one of three; f10 ran in two.
  assert.equal(of(5, 10), (1 / 3 + 1 / 2) / 2);
  assert.equal(of(10, 5), of(5, 10));
  assert.equal(of(MAIN, 1), 1);
  assert.equal(of(MAIN, 7), (2 / 4 + 2 / 2) / 2);
  // They ran together, but neither called the other.
  assert.equal(of(7, 8), 0);
  assert.equal(of(2, 5), 0, "f2 never ran");
});

function bound(relevance: ReturnType<typeof relevanceOf>): { of(f: number, g: number): number } {
  return { of: (f, g) => relevance.of(f, g) };
}

test("executions that are alike are counted as often as they were seen, in one profile or in several", () => {
  const often = relevanceOf([{ executions: PAPER, times: [1, 1, 1, 5] }], COUNT);
  const many = relevanceOf([{ executions: PAPER }, { executions: [PAPER[3], PAPER[3], PAPER[3], PAPER[3]] }], COUNT);
  for (let f = 0; f < COUNT; f++) {
    for (let g = 0; g < COUNT; g++) assert.equal(often.of(f, g), many.of(f, g));
    assert.equal(often.runsOf(f), many.runsOf(f));
  }
  assert.equal(often.runsOf(3), 5);
  assert.equal(often.of(6, 10), (5 / 5 + 5 / 6) / 2);
});

test("functions that call each other are counted once an execution", () => {
  const relevance = relevanceOf([{ executions: [execution([1, 2], [2, 3], [3, 1], [3, 4])] }], COUNT);
  for (const [f, g] of [
    [1, 2],
    [2, 1],
    [1, 3],
    [1, 4],
    [2, 4],
  ]) {
    assert.equal(relevance.of(f, g), 1, `${f} ${g}`);
  }
});

test("a function that ran without a caller counts as run", () => {
  const relevance = relevanceOf([{ executions: [execution([1, 2]), execution([2, 2], [3, 3])] }], COUNT);
  assert.equal(relevance.of(1, 2), (1 + 1 / 2) / 2);
  assert.equal(relevance.of(2, 3), 0);
});

test("the threshold is the relevance of the last pair of that share", () => {
  const relevance = relevanceOf([{ executions: PAPER }], COUNT);
  const all: number[] = [];
  for (let f = 0; f < COUNT; f++) for (let g = f + 1; g < COUNT; g++) all.push(relevance.of(f, g));
  const occurring = all.filter((value) => value > 0).sort((a, b) => b - a);
  for (const share of [0.05, 0.3, 0.5, 0.9, 1]) {
    assert.equal(relevance.threshold(share), occurring[Math.ceil(occurring.length * share) - 1], `${share}`);
  }
  assert.ok(relevance.threshold(0) > 1);
  assert.ok(relevanceOf([], COUNT).threshold(0.3) > 1);
});

test("it is what a plain count gives, on random executions", () => {
  const random = new Random(7);
  const executions = Array.from({ length: 40 }, () => {
    const calls = Array.from({ length: 1 + (random.next() % 14) }, () => [
      random.next() % COUNT,
      random.next() % COUNT,
    ]) as [number, number][];
    return execution(...calls);
  });
  const relevance = relevanceOf([{ executions }], COUNT);
  const reaching = executions.map((pairs) => {
    const reach = Array.from({ length: COUNT }, () => new Array<boolean>(COUNT).fill(false));
    for (const pair of pairs) reach[Math.floor(pair / COUNT)][pair % COUNT] = true;
    const ran = reach.map((row, f) => row[f]);
    for (let k = 0; k < COUNT; k++)
      for (let f = 0; f < COUNT; f++) for (let g = 0; g < COUNT; g++) reach[f][g] ||= reach[f][k] && reach[k][g];
    return { reach, ran };
  });
  for (let f = 0; f < COUNT; f++) {
    for (let g = 0; g < COUNT; g++) {
      if (f === g) continue;
      const together = reaching.filter(({ reach }) => reach[f][g] || reach[g][f]).length;
      const runs = (h: number): number => reaching.filter(({ ran }) => ran[h]).length;
      const expected = together === 0 ? 0 : (together / runs(f) + together / runs(g)) / 2;
      assert.equal(relevance.of(f, g), expected, `${f} ${g}`);
    }
  }
});
