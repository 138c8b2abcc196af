// Who found what, and when, as a table in Markdown: a row for each bug, a column for each tool.

export interface DeepRow {
  readonly bug: string;
  readonly package: string;
  readonly reference: string;
  readonly place: string;
  readonly tool: string;
  readonly randomSeed: number;
  readonly budgetSeconds: number;
  /** Null: not found, or it could not be done, for the reason in `problem`. */
  readonly found: {
    readonly kind: string;
    readonly processorSeconds: number;
    readonly wallSeconds: number;
    /** The input fails there in the build with AddressSanitizer too. */
    readonly native: boolean;
  } | null;
  /** Something was found there, but that input also fails with the bug mended. */
  readonly otherBug: boolean;
  readonly problem: string | null;
  readonly reason: string;
  readonly processorSeconds: number;
  readonly wallSeconds: number;
  /** Sightings elsewhere. */
  readonly others: readonly string[];
  /** What a campaign of ours counted. */
  readonly totals?: unknown;
}

export function deepTable(rows: readonly DeepRow[]): string {
  const tools = [...new Set(rows.map(({ tool }) => tool))];
  const bugs = [...new Set(rows.map(({ bug }) => bug))];
  const lines = [`| bug | place | ${tools.join(" | ")} |`, `|---|---|${tools.map(() => "---|").join("")}`];
  for (const bug of bugs) {
    const own = rows.filter((row) => row.bug === bug);
    const cells = tools.map((tool) =>
      own
        .filter((row) => row.tool === tool)
        .map(cell)
        .join(", "),
    );
    lines.push(`| ${bug}: ${own[0].reference} | ${own[0].place} | ${cells.join(" | ")} |`);
  }
  const founds = tools.map((tool) => foundBy(rows, tool).size);
  lines.push(`| **found** of ${bugs.length} | | ${founds.join(" | ")} |`);
  const alone = tools.map((tool) => {
    const others = new Set(tools.filter((other) => other !== tool).flatMap((other) => [...foundBy(rows, other)]));
    return [...foundBy(rows, tool)].filter((bug) => !others.has(bug)).length;
  });
  lines.push(`| found by no other | | ${alone.join(" | ")} |`);
  const together = new Set(tools.flatMap((tool) => [...foundBy(rows, tool)])).size;
  return `${lines.join("\n")}\n\n${together} of ${bugs.length} found by one or another\n`;
}

function foundBy(rows: readonly DeepRow[], tool: string): Set<string> {
  return new Set(rows.filter((row) => row.tool === tool && row.found !== null).map(({ bug }) => bug));
}

function cell({ found, problem, otherBug }: DeepRow): string {
  if (found !== null) return `${found.processorSeconds.toFixed(0)} s${found.native ? "" : " (not natively)"}`;
  return problem !== null ? "failed" : otherBug ? "no (another bug there)" : "no";
}
