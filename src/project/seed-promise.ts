// Which recorded tests are looked at first when nothing is known of them but what was recorded. Four things make one promising: it is the
// first of its kind (options, input, end) for its program; its program has not had its turn for a while; it has input that could be
// another (of a program without any only literals can vary); and it is a test of its program at all. A suite of a large project starts `rm` and `cat` a thousand times to prepare and clean up: those tests say little
// of `rm`, and come last.
//
// Nothing is left out, and of equal tests the order stays.

import type { BlobName, Seed } from "./seed.js";
import { isLarge } from "./seed-order.js";

/**
 * A thread keeps a few programs ready; tests of the others would have theirs got ready again and again. So a program's first turn has some
 * tests, each later one four times as many: all programs have theirs early, and few are got ready more than a handful of times.
 */
export interface Turns {
  /** Getting a program ready takes as long as so many of its tests do. */
  readonly testsPerLoading: number;
  readonly testsOfFirstTurn: number;
}

/** Own paths: 0.3 to 0.4 s for a program against 15 ms for a test. */
export const OWN_PATH_TURNS: Turns = { testsPerLoading: 24, testsOfFirstTurn: 16 };
/** What is near them takes a second and more for each test. */
export const NEAR_PATH_TURNS: Turns = { testsPerLoading: 1, testsOfFirstTurn: 2 };
const TURNS_GROW = 4;
/** A directory belongs to the program that is in this much fewer directories than another. */
const RARER = 2;
/** A program with more than this share of all tests is what the project is about, whatever else its tests start. */
const MOST_HELPING = 0.2;
/** With so few directories nothing can be said. */
const LEAST_DIRECTORIES = 8;

/** For each program the first test of each kind before all others; tests that read megabytes stay last. */
export function firstOfKindFirst(seeds: readonly Seed[], sizeOf: (content: BlobName) => number): Seed[] {
  const known = new Set<string>();
  const first: Seed[] = [];
  const others: Seed[] = [];
  for (const seed of seeds) {
    const fresh = kindsOf(seed).filter((kind) => !known.has(kind));
    const isFirst = fresh.length > 0 && !isLarge(seed, sizeOf);
    if (isFirst) for (const kind of fresh) known.add(kind);
    (isFirst ? first : others).push(seed);
  }
  return [...first, ...others];
}

/** What a test has that others of its program may not have: options without their values, kinds of input, its end. */
function kindsOf({ programContent, arguments: words = [], stdin, files = [], end }: Seed): string[] {
  const options = words
    .slice(1)
    .filter((word) => /^-./.test(word))
    .map((word) => word.replace(/=.*$/s, "").replace(/\d+/g, "0"));
  const ending = end?.kind === "exit" ? `exit ${end.code}` : (end?.kind ?? "");
  const kinds = [...options, `stdin ${stdin?.kind ?? ""}`, `files ${Math.min(files.length, 3)}`, ending];
  return kinds.map((kind) => `${programContent} ${kind}`);
}

/**
 * Programs in turns, those with many tests more often; a program with a single test waits until getting it ready is worth it. Tests without
 * input come after those that have some, and after all others those in which a program only helps. Of one program the order stays, but for
 * that.
 */
export function inTurns(seeds: readonly Seed[], sizes: Turns): Seed[] {
  const helps = helpers(seeds);
  const [own, helping] = [seeds.filter((seed) => !helps(seed)), seeds.filter(helps)];
  const [given, others] = [own.filter(hasInput), own.filter((seed) => !hasInput(seed))];
  return [given, others, helping].flatMap((part) => turns(part, sizes));
}

function hasInput({ arguments: words = [], stdin, files = [] }: Seed): boolean {
  return words.length > 1 || stdin?.kind === "bytes" || files.some(({ content }) => content !== null);
}

function turns(seeds: readonly Seed[], sizes: Turns): Seed[] {
  const counts = new Map<string, number>();
  for (const { programContent } of seeds) counts.set(programContent, (counts.get(programContent) ?? 0) + 1);
  const numbers = new Map([...counts.keys()].map((content, number) => [content, number]));
  const begun = new Map<string, number>();
  const placed = seeds.map((seed) => {
    const { programContent } = seed;
    const before = begun.get(programContent) ?? 0;
    begun.set(programContent, before + 1);
    const count = counts.get(programContent) ?? 1;
    const at = (costBefore(before, count, sizes) + sizes.testsPerLoading) / Math.sqrt(count);
    return { seed, at, number: numbers.get(programContent) ?? 0 };
  });
  return placed.sort((a, b) => a.at - b.at || a.number - b.number).map(({ seed }) => seed);
}

/** Of the turn in which a program's next test is: the tests before it, and half of those that it has more than the first one. */
function costBefore(before: number, count: number, { testsOfFirstTurn }: Turns): number {
  let begin = 0;
  let size = testsOfFirstTurn;
  for (; before >= begin + size; size *= TURNS_GROW) begin += size;
  return begin + Math.max(0, Math.min(size, count - begin) - testsOfFirstTurn) / 2;
}

/**
 * Whether a test is one in which its program only helps: another program of the project, which fewer tests start, was started in the same
 * directory, as suites have a directory for each test. A program that is alone in most of its directories, or that very many tests start, is what the project is about.
 */
function helpers(seeds: readonly Seed[]): (seed: Seed) => boolean {
  const programs = new Map<string, Set<string>>();
  const directories = new Map<string, Set<string>>();
  for (const { workingDirectory, programContent } of seeds) {
    addTo(programs, workingDirectory, programContent);
    addTo(directories, programContent, workingDirectory);
  }
  if (programs.size < LEAST_DIRECTORIES) return () => false;
  const rarest = new Map(
    Array.from(programs, ([directory, all]) => {
      const sizes = Array.from(all, (program) => directories.get(program)?.size ?? 0);
      return [directory, sizes.reduce((least, size) => Math.min(least, size), Number.POSITIVE_INFINITY)];
    }),
  );
  const helpsIn = (program: string, directory: string): boolean =>
    RARER * (rarest.get(directory) ?? Number.POSITIVE_INFINITY) <= (directories.get(program)?.size ?? 0);
  const counts = new Map<string, number>();
  for (const { programContent } of seeds) counts.set(programContent, (counts.get(programContent) ?? 0) + 1);
  const general = new Set<string>();
  for (const [program, places] of directories) {
    if ((counts.get(program) ?? 0) > MOST_HELPING * seeds.length) continue;
    const helping = [...places].filter((directory) => helpsIn(program, directory)).length;
    if (2 * helping > places.size) general.add(program);
  }
  return ({ programContent, workingDirectory }) =>
    general.has(programContent) && helpsIn(programContent, workingDirectory);
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key) ?? new Set<string>();
  map.set(key, set);
  set.add(value);
}
