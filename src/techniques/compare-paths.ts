// Where the path of one input leaves that of another: both are run with the input symbolic, every decision on the input is
// noted, and the two lists are walked side by side. After a parting the lists differ by what only one of them did (another turn
// of a loop, a function called); the walk goes on at the nearest place where both are at the same branch again. A complete
// alignment would find fewer differences in theory, at a cost that grows with the square of a path.

import type { PathEnd } from "../engine/executor.js";
import { ProgramExecutor } from "../engine/program-executor.js";
import type { ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import type { PathObserver, SiteId } from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import { TEST_HEAP_BYTES } from "./test-limits.js";

/** One input's side of a decision. */
export interface Side {
  /** branch: whether the condition was true, as the translated program has it. */
  readonly taken: boolean;
  /** What holds of the input there, in the arena's words. */
  readonly holds: string;
}

export interface Parting {
  readonly site: SiteId;
  /** Input bytes that decide here, by name. */
  readonly bytes: readonly string[];
  readonly first: Side;
  readonly second: Side;
  /** Whether they were at the same branch again later. */
  readonly meetsAgain: boolean;
  /** What only the second decided before that, or its end. */
  readonly afterwards: readonly Decision[];
  /** Of those, how many are left out. */
  readonly moreAfterwards: number;
}

export interface Decision {
  readonly site: SiteId;
  readonly side: Side;
}

export interface PathComparison {
  /** Decisions that both made alike before the first parting. */
  readonly common: number;
  readonly decisions: readonly [number, number];
  readonly partings: readonly Parting[];
  readonly ends: readonly [PathEnd, PathEnd];
}

const MAX_DECISIONS = 2_000_000;
/** How far ahead the walk looks for where the paths meet again. */
const MEETING_WINDOW = 400;
const MAX_PARTINGS = 200;
const SHOWN_EXPRESSION = 160;
const SHOWN_BYTES = 8;
/** Of those that only the witness made after a parting. */
const SHOWN_DECISIONS = 6;

class DecisionLog implements PathObserver {
  readonly sites: SiteId[] = [];
  readonly holds: ExprRef[] = [];
  readonly sides: boolean[] = [];
  /** What tells sides apart: 0 or 1 for a branch, the expression for a choice (both runs share one arena). */
  readonly keys: number[] = [];

  constructor(readonly not: (e: ExprRef) => ExprRef) {}

  branch(site: SiteId, condition: ExprRef, taken: boolean): void {
    this.add(site, taken ? condition : this.not(condition), taken, taken ? 1 : 0);
  }
  choose(site: SiteId, taken: ExprRef): void {
    this.add(site, taken, true, taken);
  }
  check(): void {}
  pin(): void {}
  assume(_site: SiteId, _condition: ExprRef, holds: boolean): void {
    if (!holds) throw new RunStopped("assumption");
  }

  private add(site: SiteId, holds: ExprRef, taken: boolean, key: number): void {
    if (this.sites.length >= MAX_DECISIONS) throw new RunStopped("depth");
    this.sites.push(site);
    this.holds.push(holds);
    this.sides.push(taken);
    this.keys.push(key);
  }
}

/** `first`: usually the test's own bytes; `second`: the witness. */
export function comparePaths(
  image: ProgramImage,
  test: TestInput,
  first: readonly InputValue[],
  second: readonly InputValue[],
  limits: { readonly instructions: number; readonly timeMs: number },
  /** Places of bad reads that both go on behind. */
  goOnAt: readonly string[] = [],
): PathComparison {
  const executor = new ProgramExecutor(image, {
    inputs: test.inputs,
    name: test.program,
    workingDirectory: test.workingDirectory,
    environment: test.environment,
    heapBytes: TEST_HEAP_BYTES,
    seed: 1,
    describe: () => {},
    given: test.given,
  });
  if (goOnAt.length > 0) executor.goOnBehindReads(false, goOnAt);
  const { arena, space } = executor;
  const logs = [first, second].map((values) => {
    const log = new DecisionLog((e) => arena.not(e));
    const { end } = executor.run(space.seed(values), log, limits);
    return { log, end };
  });
  const [a, b] = logs;
  const words = (log: DecisionLog, at: number): Side => ({
    taken: log.sides[at],
    holds: printExpr(arena, log.holds[at], (index) => space.nameOf(index), SHOWN_EXPRESSION),
  });
  const walked = walk(a.log, b.log);
  return {
    common: walked.common,
    decisions: [a.log.sites.length, b.log.sites.length],
    partings: walked.partings.map(({ at, other, meets }) => {
      const until = meets ?? b.log.sites.length;
      const own = isOwn(image);
      const more: number[] = [];
      for (let n = other + 1; n < until; n++) if (own(b.log.sites[n])) more.push(n);
      const afterwards = more.slice(0, SHOWN_DECISIONS).map((n) => ({ site: b.log.sites[n], side: words(b.log, n) }));
      return {
        site: a.log.sites[at],
        bytes: Array.from(arena.support(a.log.holds[at]).subarray(0, SHOWN_BYTES), (index) => space.nameOf(index)),
        first: words(a.log, at),
        second: words(b.log, other),
        meetsAgain: meets !== null,
        afterwards,
        moreAfterwards: more.length - afterwards.length,
      };
    }),
    ends: [a.end, b.end],
  };
}

/** Whether a site is in the program itself, not in a library. */
function isOwn({ sites, locations }: ProgramImage): (site: SiteId) => boolean {
  return (site) => locations[sites[site]?.location]?.origin === "program";
}

interface Sequence {
  readonly sites: readonly SiteId[];
  readonly keys: readonly number[];
}

interface WalkedParting {
  readonly at: number;
  readonly other: number;
  /** Where in the second they meet again. */
  readonly meets: number | null;
}

/** Exported for its test: the walk over two lists of decisions. */
export function walk(
  a: Sequence,
  b: Sequence,
): { readonly common: number; readonly partings: readonly WalkedParting[] } {
  const partings: WalkedParting[] = [];
  let common = -1;
  let i = 0;
  let j = 0;
  while (i < a.sites.length && j < b.sites.length && partings.length < MAX_PARTINGS) {
    if (a.sites[i] === b.sites[j] && a.keys[i] === b.keys[j]) {
      i++;
      j++;
      continue;
    }
    if (common < 0) common = i;
    if (a.sites[i] === b.sites[j]) {
      const next = meeting(a.sites, i + 1, b.sites, j + 1);
      partings.push({ at: i, other: j, meets: next?.j ?? null });
      if (next === null) break;
      i = next.i;
      j = next.j;
      continue;
    }
    const next = meeting(a.sites, i, b.sites, j);
    if (next === null) break;
    i = next.i;
    j = next.j;
  }
  return { common: common < 0 ? Math.min(i, j) : common, partings };
}

/** The nearest places from here on where both are at the same site, and at the same one after it. */
function meeting(
  a: readonly SiteId[],
  i: number,
  b: readonly SiteId[],
  j: number,
): { readonly i: number; readonly j: number } | null {
  const isEnd = (at: number, list: readonly SiteId[]): boolean => at >= list.length;
  for (let sum = 0; sum <= MEETING_WINDOW; sum++) {
    for (let ahead = 0; ahead <= sum; ahead++) {
      const x = i + ahead;
      const y = j + sum - ahead;
      if (isEnd(x, a) || isEnd(y, b) || a[x] !== b[y]) continue;
      if (isEnd(x + 1, a) || isEnd(y + 1, b) || a[x + 1] === b[y + 1]) return { i: x, j: y };
    }
  }
  return null;
}
