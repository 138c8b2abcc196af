// The table of a comparison of search strategies: how many of the drawn targets each variant reaches, by what, and how fast; and the targets
// that only one of them reaches.

import { type DrawnTarget, keyOf } from "./target-draw.js";

/** One variant's search for one target. */
export interface AblationRow extends DrawnTarget {
  readonly variant: string;
  /** lost: its thread did not end in time, or died. absent: no program under test has it. */
  readonly outcome: "reached" | "not-reached" | "unreachable" | "covered" | "absent" | "lost";
  /** What reached it; null if nothing did. */
  readonly by: string | null;
  /** For the target, as was asked. */
  readonly limitMs: number;
  /** What the search took, by the clock and of the processor; programs were loaded and tests surveyed before. */
  readonly searchMs: number;
  readonly cpuMs: number;
  /** What loading and surveying took, for all searches that follow; 0 if nothing was to be loaded for this one. */
  readonly loadMs: number;
  /** Branches from the nearest test; null if no way leads there. */
  readonly distance: number | null;
  readonly command: string;
  /** By gcov; null: not asked. */
  readonly confirmed: boolean | null;
  readonly why: string;
}

export function ablationTable(
  rows: readonly AblationRow[],
  drawn: readonly DrawnTarget[],
  variants: readonly string[],
): string {
  const keys = new Set(drawn.map(keyOf));
  const own = new Map(
    variants.map((name) => [name, rows.filter((row) => row.variant === name && keys.has(keyOf(row)))]),
  );
  const reachedBy = (name: string): ReadonlySet<string> =>
    new Set((own.get(name) ?? []).filter(({ outcome }) => outcome === "reached").map(keyOf));
  const base = reachedBy(variants[0]);
  const lines = [
    `| variant | searched for | reached | by | median time to reach | confirmed by gcov | fewer than ${variants[0]} | more |`,
    "|---|---|---|---|---|---|---|---|",
  ];
  for (const name of variants) {
    const all = own.get(name) ?? [];
    const reached = all.filter(({ outcome }) => outcome === "reached");
    const mine = reachedBy(name);
    // Of targets that were searched for both ways.
    const searched = new Set(all.map(keyOf));
    const baseSearched = new Set((own.get(variants[0]) ?? []).map(keyOf));
    const fewer = [...base].filter((key) => searched.has(key) && !mine.has(key)).length;
    const more = [...mine].filter((key) => baseSearched.has(key) && !base.has(key)).length;
    const confirmed = reached.filter((row) => row.confirmed === true).length;
    const lost = all.filter(({ outcome }) => outcome === "lost").length;
    const time = reached.length === 0 ? "" : `${(median(reached.map(({ searchMs }) => searchMs)) / 1000).toFixed(1)} s`;
    lines.push(
      `| ${name} | ${all.length} of ${drawn.length}${lost === 0 ? "" : `, ${lost} lost`} | ${reached.length} | ` +
        `${kinds(reached)} | ${time} | ${confirmed} | ${fewer} | ${more} |`,
    );
  }
  lines.push("", "Reached by one variant only:");
  let only = 0;
  for (const target of drawn) {
    const key = keyOf(target);
    const which = variants.filter((name) => reachedBy(name).has(key));
    if (which.length !== 1) continue;
    only++;
    const row = own.get(which[0])?.find((one) => keyOf(one) === key && one.outcome === "reached");
    lines.push(
      `- ${key}: ${which[0]} (${row?.by ?? ""}, ${((row?.searchMs ?? 0) / 1000).toFixed(1)} s): ${row?.command ?? ""}`,
    );
  }
  if (only === 0) lines.push("none.");
  const loadMs = rows.reduce((sum, row) => sum + row.loadMs, 0);
  const searchMs = rows.reduce((sum, row) => sum + row.searchMs, 0);
  lines.push(
    "",
    `Searches took ${seconds(searchMs)} s; loading and surveying, not counted in them, ${seconds(loadMs)} s.`,
  );
  return lines.join("\n");
}

function kinds(reached: readonly AblationRow[]): string {
  const counts = new Map<string, number>();
  for (const { by } of reached) if (by !== null) counts.set(by, (counts.get(by) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}
