// How the exploration of a unit goes, on a terminal: one line that rewrites itself, from the third second on, and nothing in a file.

import { ERASE_LINE, safeOutput, visible } from "../support/visible-text.js";
import type { StartsSummary } from "../techniques/compose/explore-starts.js";
import { count } from "./live-view.js";

const PATIENCE_MS = 2000;

export class UnitProgress {
  private isShown = false;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly name: string,
    private readonly limitMs: number,
  ) {}

  update({ elapsedMs, statistics, coverage }: StartsSummary, failures: number): void {
    if (this.stream.isTTY !== true || elapsedMs < PATIENCE_MS) return;
    const time = `${Math.floor(elapsedMs / 1000)} of ${Math.round(this.limitMs / 1000)} s`;
    const paths = `${count(statistics.paths)} paths, ${coverage.coveredBlocks} of ${coverage.blocks} blocks`;
    const text = `tangent unit ${visible(this.name)}: ${time}, ${paths}, ${failures} failures`;
    this.stream.write(safeOutput(`${ERASE_LINE}${text}`));
    this.isShown = true;
  }

  clear(): void {
    if (this.isShown) this.stream.write(safeOutput(ERASE_LINE));
    this.isShown = false;
  }
}
