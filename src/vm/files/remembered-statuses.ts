// What the disk said of its paths a moment ago. A program that is run a thousand times a second asks for the same directories each time; what
// is remembered is at most a second old, so that a file which somebody makes meanwhile is seen soon.

import type { FileStatus } from "./open-file.js";

const OLDEST_MS = 1000;
const MOST = 4096;

export class RememberedStatuses {
  private readonly known = new Map<string, FileStatus | number>();
  private sinceMs = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** As remembered, or as `ask` says. */
  of(path: string, ask: () => FileStatus | number): FileStatus | number {
    const known = this.known.get(path);
    if (known !== undefined && this.now() - this.sinceMs < OLDEST_MS) return known;
    if (known !== undefined || this.known.size >= MOST) this.known.clear();
    if (this.known.size === 0) this.sinceMs = this.now();
    const status = ask();
    this.known.set(path, status);
    return status;
  }
}
