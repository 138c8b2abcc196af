// The tables of the ZESTI paper, made of measured cells. Nothing is measured here.

import { basename } from "node:path";
import { missProbability, sampleOf } from "../../src/project/sample.js";
import { Random } from "../../src/support/random.js";
import type { Cell, Hit } from "./cell.js";

/** Sub-suites drawn for a point of the curve. */
const DRAWS = 100;

export interface FoundBug {
  readonly program: string;
  readonly bug: string;
  readonly distance: number;
  readonly depth: number;
  readonly command: string;
  readonly hit: Hit;
}

/** The nearest way to each bug: the smallest distance, then the smallest depth (the paper's Table I). */
export function nearest(cells: readonly Cell[], choice: string): readonly FoundBug[] {
  const best = new Map<string, FoundBug>();
  for (const { program, choice: of, distance, command, hits } of cells) {
    // Own paths are the same whatever the choice.
    if (of !== choice && distance > 0) continue;
    for (const hit of hits) {
      const key = `${program}\t${hit.bug}`;
      const known = best.get(key);
      const isNearer = known === undefined || distance < known.distance;
      if (!isNearer && (distance > known.distance || hit.depth >= known.depth)) continue;
      best.set(key, { program, bug: hit.bug, distance, depth: hit.depth, command, hit });
    }
  }
  return [...best.values()];
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

export function distanceAndDepth(cells: readonly Cell[], choice: string): string {
  const rows = nearest(cells, choice).map(({ program, bug, distance, depth, command, hit }) => [
    program,
    bug,
    distance,
    depth,
    `\`${command}\``,
    hit.paths,
    seconds(hit.milliseconds),
  ]);
  return table(["program", "bug", "distance", "depth", "from the test", "paths until then", "processor s"], rows);
}

/** For each test: the distance at which it finds the bug, or that it does not (the paper's Table III). */
export function distancesByTest(cells: readonly Cell[], choice: string): string {
  const used = cells.filter(({ choice: of, distance }) => of === choice || distance === 0);
  const most = Math.max(0, ...used.map(({ distance }) => distance));
  const columns = Array.from({ length: most + 1 }, (_, distance) => distance);
  const rows = nearest(cells, choice).map(({ program, bug }) => {
    const first = firstDistances(used, program, bug);
    const at = columns.map((column) => [...first.values()].filter((distance) => distance === column).length || ".");
    return [program, bug, first.size, ...at, [...first.values()].filter((distance) => distance === null).length || "."];
  });
  return table(["program", "bug", "tests", ...columns.map((column) => `d${column}`), "not found"], rows);
}

/** By test: where it first finds the bug; null if it does not. */
export function firstDistances(
  cells: readonly Cell[],
  program: string,
  bug: string,
): ReadonlyMap<string, number | null> {
  const first = new Map<string, number | null>();
  for (const { program: of, seed, distance, hits } of cells) {
    if (of !== program) continue;
    const known = first.get(seed) ?? null;
    const isHere = hits.some((hit) => hit.bug === bug);
    first.set(seed, isHere && (known === null || distance < known) ? distance : known);
  }
  return first;
}

/** How likely k of the tests find a bug at its smallest distance: drawn, and by the hypergeometric formula (IV-C). */
export function subSuites(cells: readonly Cell[], choice: string, sizes: readonly number[]): string {
  const used = cells.filter(({ choice: of, distance }) => of === choice || distance === 0);
  const random = new Random(1);
  const rows = nearest(cells, choice).map(({ program, bug, distance }) => {
    const first = [...firstDistances(used, program, bug).values()];
    const exposing = first.filter((at) => at === distance).length;
    const points = sizes.map((k) => {
      if (k > first.length) return "";
      let found = 0;
      for (let draw = 0; draw < DRAWS; draw++) if (sampleOf(first, k, random).includes(distance)) found++;
      const estimate = Math.round(100 * (1 - missProbability(first.length, exposing, k)));
      return `${Math.round((100 * found) / DRAWS)} / ${estimate} %`;
    });
    return [program, bug, `${exposing} of ${first.length}`, ...points];
  });
  return table(["program", "bug", "expose it", ...sizes.map((k) => `k = ${k}`)], rows);
}

/** Unique by line, and in all, on the tests' own paths (the paper's figure of checks). */
export function checksByProgram(cells: readonly Cell[]): string {
  const rows = [...new Set(cells.map(({ program }) => program))].map((program) => {
    const own = cells.filter((cell) => cell.program === program && cell.distance === 0);
    const lines = new Set(own.flatMap((cell) => cell.lines));
    const checks = own.reduce((sum, cell) => sum + cell.checks, 0);
    const some = own.filter((cell) => cell.checks > 0).length;
    const names = new Set(own.map(({ command }) => basename(command.split(" ")[0] ?? "")));
    return [program, names.size, own.length, some, lines.size, checks];
  });
  return table(["package", "programs", "tests", "with checks", "lines checked", "checks"], rows);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Processor time of a test at each distance: median and largest, and how many did not end in their time. */
export function timeByDistance(cells: readonly Cell[], choice: string): string {
  const used = cells.filter(({ choice: of, distance }) => of === choice || distance === 0);
  const distances = [...new Set(used.map(({ distance }) => distance))].sort((a, b) => a - b);
  const rows = [...new Set(used.map(({ program }) => program))].map((program) => [
    program,
    ...distances.map((distance) => {
      const own = used.filter((cell) => cell.program === program && cell.distance === distance);
      if (own.length === 0) return "";
      const times = own.map(({ milliseconds }) => milliseconds);
      const cut = own.filter(({ isWhole }) => !isWhole).length;
      return `${seconds(median(times))}, ${seconds(Math.max(...times))}; ${cut} of ${own.length} cut`;
    }),
  ]);
  return table(["program", ...distances.map((distance) => `d${distance}: median, largest`)], rows);
}

/** How many bugs each choice finds, of the programs that all of them were tried on, and the paths and the time it took. */
export function compareChoices(cells: readonly Cell[]): string {
  const choices = [...new Set(cells.map(({ choice }) => choice))];
  const programs = [...new Set(cells.map(({ program }) => program))].filter((program) =>
    choices.every((choice) => cells.some((cell) => cell.program === program && cell.choice === choice)),
  );
  const used = cells.filter(({ program }) => programs.includes(program));
  const rows = choices.map((choice) => {
    const own = used.filter((cell) => cell.choice === choice && cell.distance > 0);
    const found = nearest(used, choice);
    const sum = (of: (cell: Cell) => number): number => own.reduce((total, cell) => total + of(cell), 0);
    const hits = own.reduce((total, cell) => total + cell.hits.length, 0);
    const cut = own.filter(({ isWhole }) => !isWhole).length;
    return [
      choice,
      found.length,
      hits,
      sum(({ paths }) => paths),
      seconds(sum(({ milliseconds }) => milliseconds)),
      cut,
    ];
  });
  const head = ["choice", "bugs", "tests and distances that find one", "paths", "processor s", "cut by time"];
  return `${programs.join(", ")}:\n\n${table(head, rows)}`;
}
