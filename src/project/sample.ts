// A part of the tests instead of all of them (make test-zesti, IV-C): k of n tests, chosen at random, miss a bug that m of
// them expose with the probability that a hypergeometric draw has no success, C(n-m, k) / C(n, k). The paper's remark is
// that this falls fast: 32 of 100 tests find what 6 of 100 expose in nine cases of ten.

import type { Random } from "../support/random.js";

/** k of them, in their old order; all if there are no more. */
export function sampleOf<T>(all: readonly T[], k: number, random: Random): T[] {
  const places = all.map((_, index) => index);
  for (let i = 0; i < k && i < places.length; i++) {
    const other = i + (random.next() % (places.length - i));
    [places[i], places[other]] = [places[other], places[i]];
  }
  return places
    .slice(0, k)
    .sort((a, b) => a - b)
    .map((place) => all[place]);
}

/** That none of the m tests that expose a bug is among k of n. */
export function missProbability(n: number, m: number, k: number): number {
  if (m + k > n) return m === 0 ? 1 : 0;
  let probability = 1;
  for (let i = 0; i < k; i++) probability *= (n - m - i) / (n - i);
  return probability;
}

/** What a campaign that looks at k of n tests says of itself. */
export interface Sampled {
  readonly tests: number;
  readonly confidence: string;
}

export function sampledOf(n: number, k: number): Sampled {
  return { tests: n, confidence: confidenceText(n, k) };
}

/** One line for people: how sure one can be. */
function confidenceText(n: number, k: number): string {
  const parts = [30, 10, 5].map((percent) => {
    const exposing = Math.max(1, Math.round((n * percent) / 100));
    const found = Math.floor((1 - missProbability(n, exposing, k)) * 100);
    return `${found} % for one that ${exposing} of the ${n} tests expose`;
  });
  return `confidence that a bug is not missed by looking at ${k} of ${n} tests: ${[...new Set(parts)].join(", ")}`;
}
