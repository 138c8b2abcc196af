// Functions drawn at random from several programs, evenly, and what came of exploring each of them.

import { basename } from "node:path";
import type { Random } from "../../src/support/random.js";

export interface UnitFunction {
  readonly program: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface UnitRow extends UnitFunction {
  readonly status: number | null;
  readonly seconds: number;
  /** Null for those that ran. */
  readonly problem: string | null;
  readonly result: {
    readonly blocks: number;
    readonly coveredBlocks: number;
    readonly paths: number;
    readonly complete: boolean;
    readonly divergences: number;
    readonly unconfirmed: number;
    readonly failures: readonly UnitRowFailure[];
    /** Recorded tests call it. */
    readonly isCalled: boolean;
  } | null;
}

export interface UnitRowFailure {
  readonly kind: string;
  readonly conditions: number;
  /** `a.c:7`. */
  readonly place: string;
  /** How the function was started: `input`, `texts`, `context` or `types`. */
  readonly start: string;
}

/** What the program's own input decides at a real call; everything else is made up. */
const REAL_STARTS: ReadonlySet<string> = new Set(["input", "texts"]);

/** Failing lines, and those of them that no real call with another input shows: what tests teach of preconditions excludes them. */
export function failingLines({ failures }: Pick<NonNullable<UnitRow["result"]>, "failures">): {
  readonly all: number;
  readonly madeUp: number;
} {
  const key = ({ kind, place }: UnitRowFailure): string => `${kind} ${place}`;
  const real = new Set(failures.filter(({ start }) => REAL_STARTS.has(start)).map(key));
  const all = new Set(failures.map(key));
  return { all: all.size, madeUp: all.size - real.size };
}

/** One from each program in turn, until there are enough or none is left. */
export function drawFunctions(
  pools: readonly (readonly UnitFunction[])[],
  count: number,
  random: Random,
): UnitFunction[] {
  const left = pools.map((pool) => [...pool]);
  const drawn: UnitFunction[] = [];
  while (drawn.length < count && left.some((pool) => pool.length > 0)) {
    for (const pool of left) {
      if (pool.length > 0 && drawn.length < count) drawn.push(...pool.splice(random.next() % pool.length, 1));
    }
  }
  return drawn;
}

export function unitTable(rows: readonly UnitRow[]): string {
  const lines = [
    "| program | functions | run | explored to the end | blocks covered | median cover | with failures | failing lines | called by tests | failing lines of these | of them only made up |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
  ];
  const programs = [...new Set(rows.map(({ program }) => program))];
  for (const program of programs)
    lines.push(
      tableRow(
        basename(program),
        rows.filter((row) => row.program === program),
      ),
    );
  lines.push(tableRow("**all**", rows));
  return `${lines.join("\n")}\n`;
}

function tableRow(name: string, rows: readonly UnitRow[]): string {
  const results = rows.flatMap(({ result }) => (result === null ? [] : [result]));
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const called = results.filter(({ isCalled }) => isCalled);
  const shares = results
    .filter(({ blocks }) => blocks > 0)
    .map(({ coveredBlocks, blocks }) => coveredBlocks / blocks)
    .sort((a, b) => a - b);
  const cells = [
    name,
    rows.length,
    results.length,
    results.filter(({ complete }) => complete).length,
    `${sum(({ coveredBlocks }) => coveredBlocks)} of ${sum(({ blocks }) => blocks)}`,
    shares.length === 0 ? "-" : `${Math.round(100 * shares[Math.floor(shares.length / 2)])} %`,
    results.filter(({ failures }) => failures.length > 0).length,
    sum((result) => failingLines(result).all),
    called.length,
    called.reduce((total, result) => total + failingLines(result).all, 0),
    called.reduce((total, result) => total + failingLines(result).madeUp, 0),
  ];
  return `| ${cells.join(" | ")} |`;
}
