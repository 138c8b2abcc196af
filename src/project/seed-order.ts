// In which order tests are looked at beyond their own paths: the one that covers most first, then always the one that covers
// most of what those before it did not (additional-coverage prioritisation, as regression testing knows it), and when nothing
// new is left, the same again with the rest. A budget that ends early has then seen each part of the program once, rather
// than the first test's part from all sides. Of equal ones the cheaper goes first, if it is much cheaper: a few milliseconds are the machine's
// mood, and a campaign is to find the same again.

import type { BlobName, Seed } from "./seed.js";

export interface SeedProfile {
  readonly id: string;
  readonly milliseconds: number;
  /** One bit per block of the program; null if it is not known. */
  readonly blocks: Uint32Array | null;
}

/** Classes of a test's size in bytes and of its native time: what is in a class is done before what is in a later one. */
const SIZE_CLASSES = [0x1000, 0x1_0000, 0x10_0000] as const;
const TIME_CLASSES = [100, 1000, 10_000] as const;
/** Of a test's own path, explored: below a second all cost the same. */
const EXPLORED_CLASSES = [1000, 10_000, 100_000] as const;
/** More bytes than the last class has are worse than any time: a run with so many symbolic bytes is slow. */
const LARGEST_CLASS = TIME_CLASSES.length + 1;

/**
 * Before anything is known but what was recorded: small and quick tests first, so that a budget that ends early has seen most of
 * them, and not one that reads megabytes. Equal ones stay in their order.
 */
export function cheapestFirst(seeds: readonly Seed[], sizeOf: (content: BlobName) => number): readonly Seed[] {
  const costs = seeds.map((seed) => {
    const bytes = inputBytes(seed, sizeOf);
    const ms = nativeMs(seed);
    const size = classOf(bytes, SIZE_CLASSES);
    const isLargest = size === SIZE_CLASSES.length;
    return { seed, bytes, ms, rank: isLargest ? LARGEST_CLASS : Math.max(size, classOf(ms, TIME_CLASSES)) };
  });
  return costs.sort((a, b) => a.rank - b.rank || a.bytes - b.bytes || a.ms - b.ms).map(({ seed }) => seed);
}

/** It reads so much that whatever is done with it comes after all others. */
export function isLarge(seed: Seed, sizeOf: (content: BlobName) => number): boolean {
  return inputBytes(seed, sizeOf) >= SIZE_CLASSES[SIZE_CLASSES.length - 1];
}

function inputBytes({ arguments: words = [], stdin, files = [] }: Seed, sizeOf: (content: BlobName) => number): number {
  const ofWords = words.reduce((sum, { length }) => sum + length, 0);
  const ofFiles = files.reduce((sum, { content }) => sum + (content === null ? 0 : sizeOf(content)), 0);
  return ofWords + ofFiles + (stdin?.kind === "bytes" ? sizeOf(stdin.content) : 0);
}

function nativeMs({ recorded }: Seed): number {
  const micros = recorded?.processorMicroseconds;
  return micros === undefined ? (recorded?.milliseconds ?? 0) : micros / 1000;
}

function classOf(value: number, classes: readonly number[]): number {
  const at = classes.findIndex((most) => value < most);
  return at < 0 ? classes.length : at;
}

/** Bits of what is not 0. */
export function blocksOf(coverage: Uint8Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(coverage.length / 32));
  for (let i = 0; i < coverage.length; i++) if (coverage[i] !== 0) bits[i >>> 5] |= 1 << (i & 31);
  return bits;
}

export function packedBlocks(bits: Uint32Array): string {
  return Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength).toString("base64");
}
export function unpackedBlocks(text: string): Uint32Array {
  const bytes = Buffer.from(text, "base64");
  const bits = new Uint32Array(bytes.length >>> 2);
  for (let i = 0; i < bits.length; i++) bits[i] = bytes.readUInt32LE(4 * i);
  return bits;
}

/** Their ids; equal ones stay in their order. */
export function orderSeeds(profiles: readonly SeedProfile[]): string[] {
  const costOf = ({ milliseconds }: SeedProfile): number => classOf(milliseconds, EXPLORED_CLASSES);
  const byCost = [...profiles].sort((a, b) => costOf(a) - costOf(b));
  const known = byCost.filter(({ blocks }) => blocks !== null);
  const rest = byCost.filter(({ blocks }) => blocks === null).map(({ id }) => id);
  const words = known.reduce((most, { blocks }) => Math.max(most, blocks?.length ?? 0), 0);
  const order: string[] = [];
  let waiting = known;
  while (waiting.length > 0) {
    const chosen = chooseOnce(waiting, words);
    for (const profile of chosen) order.push(profile.id);
    const taken = new Set(chosen);
    waiting = waiting.filter((profile) => !taken.has(profile));
  }
  return [...order, ...rest];
}

/**
 * Until nothing new is left. What a test adds only gets less as others are chosen, so that one whose addition was counted just now and is
 * not below what the others had before is the best, without counting theirs again.
 */
function chooseOnce(profiles: readonly SeedProfile[], words: number): SeedProfile[] {
  const seen = new Uint32Array(words);
  const chosen: SeedProfile[] = [];
  const gains = new Float64Array(profiles.map(({ blocks }) => gainOf(blocks, seen)));
  // Most first; of equal ones the cheaper, which is before the other.
  let waiting = profiles.map((_, index) => index).sort((a, b) => gains[b] - gains[a] || a - b);
  if (waiting.length > 0 && gains[waiting[0]] === 0) return [...profiles];
  while (waiting.length > 0) {
    const best = bestOf(waiting, gains, (index) => gainOf(profiles[index].blocks, seen));
    if (gains[best] === 0) break;
    chosen.push(profiles[best]);
    profiles[best].blocks?.forEach((word, index) => {
      seen[index] |= word;
    });
    waiting = waiting.filter((index) => index !== best && gains[index] > 0);
  }
  return chosen;
}

/** Of those whose old gains are in falling order; counts again only as many as it must, and puts all in order again. */
function bestOf(waiting: number[], gains: Float64Array, gainNow: (index: number) => number): number {
  let best = -1;
  for (const index of waiting) {
    if (best >= 0 && gains[index] < gains[best]) break;
    gains[index] = gainNow(index);
    if (best < 0 || gains[index] > gains[best] || (gains[index] === gains[best] && index < best)) best = index;
  }
  waiting.sort((a, b) => gains[b] - gains[a] || a - b);
  return best;
}

function gainOf(blocks: Uint32Array | null, seen: Uint32Array): number {
  let gain = 0;
  for (let i = 0; i < (blocks?.length ?? 0); i++) {
    let word = (blocks as Uint32Array)[i] & ~seen[i];
    for (; word !== 0; word &= word - 1) gain++;
  }
  return gain;
}
