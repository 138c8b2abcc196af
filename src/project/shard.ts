// One of several equal parts of the tests, for machines that share them without talking to each other (`--shard 3/10`, then `tangent
// merge`). Which part a test belongs to follows from what it is, not from the order of recording: a machine that recorded the
// same suite by itself takes the same tests. Tests of one program are dealt out one by one, so that every part has some of each.

import type { Seed } from "./seed.js";

export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

const MOST_PARTS = 10_000;

/** "3/10"; null if it is not of this form. */
export function readShard(text: string): Shard | null {
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text);
  if (match === null) return null;
  const [part, parts] = [Number(match[1]), Number(match[2])];
  return part >= 1 && part <= parts && parts <= MOST_PARTS ? { part, parts } : null;
}

export function shardOf<S extends Pick<Seed, "id" | "program">>(seeds: readonly S[], { part, parts }: Shard): S[] {
  const dealt = [...seeds].sort((a, b) => compare(a.program, b.program) || compare(a.id, b.id));
  const own = new Set(dealt.filter((_, index) => index % parts === part - 1));
  return seeds.filter((seed) => own.has(seed));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
