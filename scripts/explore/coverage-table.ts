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
  /** Which of its seeds, and which random numbers. */
  readonly seed: string;
  readonly randomSeed: number;
  readonly mode: string;
  readonly searcher: string;
  readonly checks: string;
  readonly rows: readonly CoverageRow[];
  /** Kind and place of each. */
  readonly findings: readonly string[];
  readonly divergences: number;
  /** Of the solver's time, what went to questions without an answer. */
  readonly unsatisfiable: number;
  /** Lines of the program that it covered: `file:line`. */
  readonly lines: readonly string[];
  /** Planted faults that it found, by number; null: none were planted. */
  readonly faults: readonly number[] | null;
  /** What its tests cover natively; null: not asked. */
  readonly native: NativeComparison | null;
  /** Empty: all is well. */
  readonly problem: string;
}

/** Lines by our own account and by gcov's, of files that both know. */
export interface NativeComparison {
  readonly tests: number;
  readonly ours: number;
  readonly natively: number;
  readonly both: number;
  /** Lines with code, as gcov counts them. */
  readonly known: number;
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
  const head = ["program", "seed", "searcher", "pending: instructions", "paths", "solver", "eager: instructions", "paths", "solver", "pending / eager", "trouble"]; // biome-ignore format: a row
  const lines = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`];
  const sums = new Map<string, [number, number]>();
  for (const pending of outcomes.filter(({ mode }) => mode === "pending")) {
    const eager = outcomes.find(
      (other) =>
        other.mode === "eager" &&
        other.subject === pending.subject &&
        other.seed === pending.seed &&
        other.randomSeed === pending.randomSeed &&
        other.checks === pending.checks &&
        other.searcher === pending.searcher,
    );
    if (eager === undefined) continue;
    const pair: [number, number] = [last(pending).instructions, last(eager).instructions];
    const key = `${pending.seed} | ${pending.searcher}`;
    const sum = sums.get(key) ?? [0, 0];
    sums.set(key, [sum[0] + pair[0], sum[1] + pair[1]]);
    const cells = [
      pending.subject,
      pending.seed,
      pending.searcher,
      ...numbers(pending),
      ...numbers(eager),
      ratio(pair),
      [trouble(pending), trouble(eager)].filter((text) => text !== "").join("; ") || "-",
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  for (const [key, pair] of sums) lines.push(`| all | ${key} | ${pair[0]} | | | ${pair[1]} | | | ${ratio(pair)} | |`);
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

/** Every run for itself; of those that differ in their random numbers only, the mean and the spread. */
export function runsTable(outcomes: readonly Outcome[]): string {
  const head = ["program", "seed", "mode", "searcher", "checks", "instructions", "paths", "findings", "solver", "of it without an answer", "trouble"]; // biome-ignore format: a row
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const { subject, seed, mode, searcher, checks } = outcome;
    const key = [subject, seed, mode, searcher, checks].join(" | ");
    groups.set(key, [...(groups.get(key) ?? []), outcome]);
  }
  const rows = [...groups].map(([key, group]) => {
    const instructions = spread(group.map((outcome) => last(outcome).instructions));
    const paths = spread(group.map((outcome) => last(outcome).paths));
    const findings = spread(group.map((outcome) => outcome.findings.length));
    const [first] = group;
    const unsatisfiable = `${(100 * first.unsatisfiable).toFixed(0)} %`;
    const cells = [key, instructions, paths, findings, numbers(first)[2], unsatisfiable, trouble(first) || "-"];
    return `| ${cells.join(" | ")} |`;
  });
  return `${[`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows].join("\n")}\n`;
}

function spread(values: readonly number[]): string {
  const mean = Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return values.length === 1 ? String(mean) : `${mean} (${Math.min(...values)} to ${Math.max(...values)})`;
}

/** Lines that a program's runs covered: each, and all of them together. */
export function combinedTable(outcomes: readonly Outcome[]): string {
  const subjects = [...new Set(outcomes.map(({ subject }) => subject))];
  const names = [...new Set(outcomes.map(nameOfRun))];
  const rows = subjects.map((subject) => {
    const own = outcomes.filter((outcome) => outcome.subject === subject);
    const each = names.map((name) => own.find((outcome) => nameOfRun(outcome) === name)?.lines.length ?? "");
    return `| ${[subject, ...each, new Set(own.flatMap(({ lines }) => lines)).size].join(" | ")} |`;
  });
  const head = ["program: lines", ...names, "together"];
  return `${[`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows].join("\n")}\n`;
}

function nameOfRun({ seed, mode, searcher, checks }: Pick<Outcome, "seed" | "mode" | "searcher" | "checks">): string {
  return [seed, mode, searcher, ...(checks === "eager" ? [] : [checks])].join(" ");
}

/** What was found, and how many of the program's runs found it. */
export function findingsTable(outcomes: readonly Outcome[]): string {
  const runs = new Map<string, number>();
  for (const { subject, findings } of outcomes) {
    for (const finding of new Set(findings)) {
      const key = `${subject} | ${finding}`;
      runs.set(key, (runs.get(key) ?? 0) + 1);
    }
  }
  const rows = [...runs].map(([key, count]) => {
    const all = outcomes.filter(({ subject }) => key.startsWith(`${subject} | `)).length;
    return `| ${key} | ${count} of ${all} |`;
  });
  return `${["| program | finding | runs |", "|---|---|---|", ...rows].join("\n")}\n`;
}

/** Planted faults found by each mode and searcher, with each seed, and by all runs together; of each row how many there were. */
export function faultsTable(outcomes: readonly Outcome[], planted: ReadonlyMap<string, number>): string {
  const own = outcomes.filter(({ faults }) => faults !== null);
  const subjects = [...new Set(own.map(({ subject }) => subject))];
  const rows = [...new Set(own.map(nameOfRun))];
  const found = (some: readonly Outcome[]): Set<string> =>
    new Set(some.flatMap(({ subject, faults }) => (faults ?? []).map((fault) => `${subject} ${fault}`)));
  const cells = (title: string, some: readonly Outcome[]): string => {
    const each = subjects.map((subject) => found(some.filter((outcome) => outcome.subject === subject)).size);
    return `| ${[title, ...each, found(some).size].join(" | ")} |`;
  };
  const counts = subjects.map((subject) => planted.get(subject) ?? 0);
  const lines = [
    `| ${["planted faults found", ...subjects, "all"].join(" | ")} |`,
    `|${subjects.map(() => "---|").join("")}---|---|`,
    `| ${["planted", ...counts, counts.reduce((sum, count) => sum + count, 0)].join(" | ")} |`,
    ...rows.map((name) => cells(name, own.filter((outcome) => nameOfRun(outcome) === name))), // biome-ignore format: short
    ...["pending", "eager"].map((mode) => cells(`all of ${mode}`, own.filter((outcome) => outcome.mode === mode))), // biome-ignore format: short
    cells("all runs", own),
  ];
  return `${lines.join("\n")}\n`;
}

/** Our own coverage of lines beside gcov's of the same tests. */
export function nativeTable(outcomes: readonly Outcome[]): string {
  const head = ["program", "run", "tests", "lines: ours", "gcov", "both", "with code", "planted faults found"];
  const rows = outcomes.flatMap(({ native, ...outcome }) => {
    if (native === null) return [];
    const numbers = [native.tests, native.ours, native.natively, native.both, native.known];
    const faults = outcome.faults?.length ?? "";
    return [`| ${[outcome.subject, nameOfRun(outcome), ...numbers, faults].join(" | ")} |`];
  });
  return `${[`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows].join("\n")}\n`;
}

/** The lines of an lcov file that were executed. */
export function linesOfLcov(text: string): string[] {
  let file = "";
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("SF:")) file = line.slice(3);
    const match = /^DA:(\d+),(\d+)/.exec(line);
    return match !== null && match[2] !== "0" ? [`${file}:${match[1]}`] : [];
  });
}
