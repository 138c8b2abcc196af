// Progress of slow preparations on a terminal: one line that rewrites itself, nothing at all when standard error is a
// file, and nothing for what takes less than two seconds.

import type { LoadProgress } from "../program/warm.js";
import { ERASE_LINE, safeOutput } from "../support/visible-text.js";

const PATIENCE_MS = 2000;
const INTERVAL_MS = 100;

export const STAGE_WORDS: Readonly<Record<LoadProgress["stage"], string>> = {
  compile: "reading the program's IR",
  libc: "compiling the C library (once)",
  translate: "translating",
};

export class ProgressLine {
  private readonly started = performance.now();
  private last = 0;
  private shown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  update({ stage, done, total }: LoadProgress): void {
    const now = performance.now();
    if (!this.stream.isTTY || now - this.started < PATIENCE_MS || now - this.last < INTERVAL_MS) return;
    this.last = now;
    this.shown = true;
    const count = total > 1 ? ` ${done}/${total}` : "";
    this.stream.write(safeOutput(`${ERASE_LINE}tangent: ${STAGE_WORDS[stage]}${count}`));
  }

  clear(): void {
    if (this.shown) this.stream.write(safeOutput(ERASE_LINE));
    this.shown = false;
  }
}
