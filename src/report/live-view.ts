// What an exploration looks like while it runs: on a terminal a few lines that redraw themselves in place, elsewhere a
// line every few seconds, with --quiet nothing. What it shows is plain data (ExploreStatus), so that it can come from
// another thread and be tested without one.

import { ERASE_TO_END_OF_LINE, eraseFrom, safeOutput, visible } from "../support/visible-text.js";

export interface ExploreStatus {
  readonly elapsedMs: number;
  /** Of the run's time limit; null without one. */
  readonly limitMs: number | null;
  readonly paths: number;
  readonly pathsPerSecond: number;
  readonly pending: number;
  readonly coveredBlocks: number;
  /** Blocks of the program's own code, libc's not counted; 0 if unknown. */
  readonly totalBlocks: number;
  /** Since a path covered something new. */
  readonly sinceNewMs: number;
  /** Share of the time spent solving, and the share of that spent on what turned out infeasible; 0 to 1. */
  readonly solverShare: number;
  readonly unsatisfiableShare: number;
  readonly instructions: number;
  readonly memoryBytes: number;
  /** Newest last: kind and place. */
  readonly findings: readonly string[];
  /** Trouble that a user should see at once: divergences, unknown verdicts, dropped paths, a full disk. */
  readonly troubles: readonly string[];
}

const SHOWN_FINDINGS = 5;
const LINE_INTERVAL_MS = 5000;
const DRAW_INTERVAL_MS = 200;

export function renderStatus(status: ExploreStatus, title: string, columns: number): string[] {
  const time =
    status.limitMs === null ? clock(status.elapsedMs) : `${clock(status.elapsedMs)} of ${clock(status.limitMs)}`;
  const lines = [
    `${title}  ${time}`,
    `  paths     ${count(status.paths)} (${count(Math.round(status.pathsPerSecond))}/s), ${count(status.pending)} pending`,
    `  coverage  ${coverage(status)}, something new ${clock(status.sinceNewMs)} ago`,
    `  solver    ${percent(status.solverShare)} of the time, ${percent(status.unsatisfiableShare)} of that for infeasible paths`,
    `  memory    ${count(Math.round(status.memoryBytes / (1 << 20)))} MB`,
    `  findings  ${status.findings.length}`,
  ];
  const hidden = Math.max(0, status.findings.length - SHOWN_FINDINGS);
  if (hidden > 0) lines.push(`    ... ${hidden} before these`);
  for (const finding of status.findings.slice(hidden)) lines.push(`    ${finding}`);
  for (const trouble of status.troubles) lines.push(`  note      ${trouble}`);
  return lines.map((line) => visible(line).slice(0, Math.max(20, columns - 1)));
}

export function renderStatusLine(status: ExploreStatus): string {
  const parts = [
    clock(status.elapsedMs),
    `${count(status.paths)} paths (${count(Math.round(status.pathsPerSecond))}/s)`,
    `${count(status.pending)} pending`,
    coverage(status),
    `solver ${percent(status.solverShare)}`,
    status.findings.length === 1 ? "1 finding" : `${status.findings.length} findings`,
  ];
  return `tangent: ${parts.join(", ")}\n`;
}

function coverage({ coveredBlocks, totalBlocks }: ExploreStatus): string {
  if (totalBlocks === 0) return `${count(coveredBlocks)} blocks covered`;
  return `${count(coveredBlocks)} of ${count(totalBlocks)} blocks covered (${percent(coveredBlocks / totalBlocks)})`;
}

/** 1:05, 2:00:00. */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** 12,345 */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Where a view is drawn. */
export interface ViewStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export class LiveView {
  private drawnLines = 0;
  private lastMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: ViewStream,
    private readonly title: string,
    private readonly now: () => number,
  ) {}

  update(status: ExploreStatus): void {
    const now = this.now();
    const isTerminal = this.stream.isTTY === true;
    // The first line of a log comes after the first interval, not at once: most runs end before.
    if (!isTerminal && this.lastMs === Number.NEGATIVE_INFINITY) this.lastMs = now;
    if (now - this.lastMs < (isTerminal ? DRAW_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.lastMs = now;
    if (!isTerminal) {
      this.draw(renderStatusLine(status));
      return;
    }
    const lines = renderStatus(status, this.title, this.stream.columns ?? 80);
    this.draw(`${this.erasure()}${lines.map((line) => `${line}${ERASE_TO_END_OF_LINE}\n`).join("")}`);
    this.drawnLines = lines.length;
  }

  /** Prints something lasting above the view. */
  print(text: string): void {
    this.clear();
    this.draw(text);
    this.lastMs = this.stream.isTTY === true ? Number.NEGATIVE_INFINITY : this.lastMs;
  }

  clear(): void {
    if (this.drawnLines > 0) this.draw(this.erasure());
    this.drawnLines = 0;
  }

  /** Back to the view's first line, and everything from there on gone. */
  private erasure(): string {
    return this.drawnLines === 0 ? "" : eraseFrom(this.drawnLines);
  }

  private draw(text: string): void {
    this.stream.write(safeOutput(text));
  }
}
