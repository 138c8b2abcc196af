// Progress over time as CSV, a row per sample: what plots of coverage are drawn from. The first column is the time, so
// that any spreadsheet or gnuplot draws it as it is. Rows are kept only when something changed, since an exploration
// samples far more often than it progresses.

export interface ProgressSample {
  readonly elapsedMs: number;
  /** Instructions of the program's own code in covered blocks; blocks covered. */
  readonly coveredInstructions: number;
  readonly coveredBlocks: number;
  readonly paths: number;
  readonly pending: number;
  readonly findings: number;
  readonly solverMs: number;
}

const COLUMNS = "seconds,covered_instructions,covered_blocks,paths,pending,findings,solver_seconds";

export class CoverageCsv {
  private last: ProgressSample | null = null;
  private lines: string[] = [COLUMNS];

  add(sample: ProgressSample): void {
    const { last } = this;
    if (last !== null && last.paths === sample.paths && last.coveredBlocks === sample.coveredBlocks) return;
    this.last = sample;
    this.lines.push(
      [
        (sample.elapsedMs / 1000).toFixed(3),
        sample.coveredInstructions,
        sample.coveredBlocks,
        sample.paths,
        sample.pending,
        sample.findings,
        (sample.solverMs / 1000).toFixed(3),
      ].join(","),
    );
  }

  /** The rows not taken yet, each ended by a newline; the head comes with the first. */
  take(): string {
    const text = this.lines.map((line) => `${line}\n`).join("");
    this.lines = [];
    return text;
  }
}
