// The table of a measurement: per project the targets, who covers them, and what gcov says of the inputs.

export interface TargetRow {
  readonly id: string;
  readonly function: string;
  /** Branches from the nearest test. */
  readonly distance: number | null;
  /** suite: by the suite natively, but not in the VM. */
  readonly state: "covered" | "suite" | "reached" | "not-reached" | "unreachable";
  readonly by: string | null;
  readonly milliseconds: number;
  readonly command: string;
  /** By gcov; null: not asked. */
  readonly confirmed: boolean | null;
  readonly why: string;
}

export interface PatchRow {
  readonly project: string;
  readonly commit: string;
  readonly seeds: number;
  readonly lines: number;
  readonly without: readonly string[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly targets: readonly TargetRow[];
  readonly findings: readonly string[];
  readonly behaviour: readonly {
    readonly severity: string;
    readonly command: string;
    readonly what: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  }[];
  readonly compared: number;
  readonly failed: boolean;
}

const DISTANCES = [1, 2, 4, 8, 16, 32, Number.POSITIVE_INFINITY];

export function patchTable(rows: readonly PatchRow[]): string {
  const projects = [...new Set(rows.map(({ project }) => project))];
  const lines = [
    "| project | commits | targets | by the suite | by Tangent in addition | confirmed by gcov | not reached | unreachable |",
    "|---|---|---|---|---|---|---|---|",
  ];
  const row = (name: string, own: readonly PatchRow[]): string => {
    const targets = own.flatMap((one) => one.targets);
    const count = (state: TargetRow["state"]): number => targets.filter((target) => target.state === state).length;
    const reached = targets.filter(({ state }) => state === "reached");
    const confirmed = reached.filter((target) => target.confirmed === true).length;
    const bySuite = count("covered") + count("suite");
    const open = targets.length - bySuite - count("unreachable");
    const share = open === 0 ? "" : ` (${Math.round((100 * reached.length) / open)} % of ${open})`;
    return `| ${name} | ${own.length} | ${targets.length} | ${bySuite} | ${reached.length}${share} | ${confirmed} | ${count("not-reached")} | ${count("unreachable")} |`;
  };
  for (const project of projects) {
    lines.push(
      row(
        project,
        rows.filter((one) => one.project === project),
      ),
    );
  }
  lines.push(row("all", rows), "", "| distance of the nearest test | targets | reached |", "|---|---|---|");
  const open = rows
    .flatMap(({ targets }) => targets)
    .filter(({ state }) => state === "reached" || state === "not-reached");
  let from = 0;
  for (const upTo of DISTANCES) {
    const own = open.filter(({ distance }) => distance !== null && distance > from && distance <= upTo);
    const name =
      upTo === Number.POSITIVE_INFINITY
        ? `more than ${from}`
        : upTo === from + 1
          ? `${upTo}`
          : `${from + 1} to ${upTo}`;
    lines.push(`| ${name} | ${own.length} | ${own.filter(({ state }) => state === "reached").length} |`);
    from = upTo;
  }
  const none = open.filter(({ distance }) => distance === null);
  lines.push(`| no way from any test | ${none.length} | ${none.filter(({ state }) => state === "reached").length} |`);
  const ways = new Map<string, number>();
  for (const { by } of open) if (by !== null) ways.set(by, (ways.get(by) ?? 0) + 1);
  lines.push("", `reached by: ${[...ways].map(([name, count]) => `${name} ${count}`).join(", ")}`);
  return lines.join("\n");
}
