// The numbers of qualification by real programs: reading a run's coverage.csv, and the table that compares pending with eager.

export interface CoverageRow {
  readonly seconds: number;
  readonly instructions: number;
  readonly blocks: number;
  readonly paths: number;
  readonly solverSeconds: number;
}

export interface Outcome {
  readonly subject: string;
  readonly seeded: boolean;
  readonly mode: string;
  readonly searcher: string;
  readonly rows: readonly CoverageRow[];
  readonly findings: number;
  readonly divergences: number;
  /** Empty: all is well. */
  readonly problem: string;
}

/** By the names of the columns; a row that was cut off in the middle is left out. */
export function parseCoverage(csv: string): CoverageRow[] {
  const [head, ...lines] = csv.split("\n");
  const columns = head.split(",");
  const column = (cells: readonly string[], name: string): number => Number(cells[columns.indexOf(name)] ?? "x");
  return lines
    .map((line) => line.split(","))
    .filter((cells) => cells.length === columns.length)
    .map((cells) => ({
      seconds: column(cells, "seconds"),
      instructions: column(cells, "covered_instructions"),
      blocks: column(cells, "covered_blocks"),
      paths: column(cells, "paths"),
      solverSeconds: column(cells, "solver_seconds"),
    }))
    .filter((row) => Object.values(row).every((value) => Number.isFinite(value)));
}

function last({ rows }: Outcome): CoverageRow {
  return rows[rows.length - 1] ?? { seconds: 0, instructions: 0, blocks: 0, paths: 0, solverSeconds: 0 };
}

/** Pending beside eager, a line for each program, seeding and searcher; then the sums, as in the paper's comparison. */
export function coverageTable(outcomes: readonly Outcome[]): string {
  const head = ["program", "seeded", "searcher", "pending: instructions", "paths", "solver", "eager: instructions", "paths", "solver", "pending / eager", "trouble"]; // biome-ignore format: a row
  const lines = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`];
  const sums = new Map<string, [number, number]>();
  for (const pending of outcomes.filter(({ mode }) => mode === "pending")) {
    const eager = outcomes.find(
      (other) =>
        other.mode === "eager" &&
        other.subject === pending.subject &&
        other.seeded === pending.seeded &&
        other.searcher === pending.searcher,
    );
    if (eager === undefined) continue;
    const pair: [number, number] = [last(pending).instructions, last(eager).instructions];
    const key = `${pending.seeded ? "seeded" : "unseeded"}, ${pending.searcher}`;
    const sum = sums.get(key) ?? [0, 0];
    sums.set(key, [sum[0] + pair[0], sum[1] + pair[1]]);
    const cells = [
      pending.subject,
      pending.seeded ? "yes" : "no",
      pending.searcher,
      ...numbers(pending),
      ...numbers(eager),
      ratio(pair),
      [trouble(pending), trouble(eager)].filter((text) => text !== "").join("; ") || "-",
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  for (const [key, pair] of sums) lines.push(`| all | ${key} | | ${pair[0]} | | | ${pair[1]} | | | ${ratio(pair)} | |`);
  return `${lines.join("\n")}\n`;
}

function numbers(outcome: Outcome): string[] {
  const { instructions, paths, solverSeconds, seconds } = last(outcome);
  return [String(instructions), String(paths), `${((100 * solverSeconds) / Math.max(0.001, seconds)).toFixed(0)} %`];
}

function ratio([pending, eager]: readonly [number, number]): string {
  return eager === 0 ? "-" : (pending / eager).toFixed(2);
}

function trouble({ problem, divergences }: Outcome): string {
  if (problem !== "") return problem;
  return divergences > 0 ? `${divergences} divergences` : "";
}
