// Breaks files in the ways that files break, and in the ways that somebody breaks them on purpose: bytes flipped, cut off, doubled,
// numbers made extreme; in JSON and in lines of JSON any value replaced by another kind of value, or by a string that is a path out of
// the project, a command, an option, or a line that a CI system would obey.

import type { Random } from "../../src/support/random.js";

function below(random: Random, limit: number): number {
  return limit <= 0 ? 0 : random.next() % limit;
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff] as const;

/** One to four changes, knowing nothing of the format. */
export function mutateBytes(original: Uint8Array, random: Random): Uint8Array {
  let bytes = Buffer.from(original);
  const rounds = 1 + below(random, 4);
  for (let round = 0; round < rounds; round++) bytes = change(bytes, random);
  return bytes;
}

function change(bytes: Buffer<ArrayBuffer>, random: Random): Buffer<ArrayBuffer> {
  const at = below(random, bytes.length);
  const length = 1 + below(random, 64);
  switch (below(random, 6)) {
    case 0: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] ^= 1 << below(random, 8);
      return copy;
    }
    case 1:
      return Buffer.from(bytes.subarray(0, at));
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 4: {
      const copy = Buffer.from(bytes);
      const value = EXTREMES[below(random, EXTREMES.length)];
      for (let i = 0; i < 4 && at + i < copy.length; i++) copy[at + i] = (value >>> (8 * i)) & 0xff;
      return copy;
    }
    default: {
      const copy = Buffer.from(bytes);
      for (let i = 0; i < length && at + i < copy.length; i++) copy[at + i] = below(random, 256);
      return copy;
    }
  }
}

/** A file of lines of JSON, or of one JSON value over several lines: some value in it becomes another. */
export function mutateJson(original: Uint8Array, random: Random, strings: readonly string[]): Uint8Array {
  const text = Buffer.from(original).toString("utf8");
  const whole = parsed(text);
  if (whole !== undefined) return Buffer.from(JSON.stringify(replaceOne(whole, random, strings), null, 1));
  const lines = text.split("\n");
  const candidates = lines.flatMap((line, index) => (parsed(line) === undefined ? [] : [index]));
  if (candidates.length === 0) return mutateBytes(original, random);
  const chosen = candidates[below(random, candidates.length)];
  lines[chosen] = JSON.stringify(replaceOne(parsed(lines[chosen]), random, strings));
  return Buffer.from(lines.join("\n"));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Walks to a random place and puts something else there. */
function replaceOne(value: unknown, random: Random, strings: readonly string[]): unknown {
  if (value !== null && typeof value === "object" && below(random, 8) !== 0) {
    const keys = Object.keys(value);
    if (keys.length > 0) {
      const key = keys[below(random, keys.length)];
      const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
      if (below(random, 12) === 0) delete copy[key];
      else copy[key] = replaceOne(copy[key], random, strings);
      return copy;
    }
  }
  // A string mostly stays one: a hostile file is well-formed.
  if (typeof value === "string" || below(random, 2) === 0) return strings[below(random, strings.length)];
  const others: readonly unknown[] = [
    null,
    -1,
    0,
    1.5,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    "",
    [[]],
    "\0",
    "x".repeat(70_000),
  ];
  return others[below(random, others.length)];
}
