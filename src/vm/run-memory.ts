// One account of the memory that the host holds for a run: heaps of the process and of all that it starts, what is in pipes, written
// files, what is noted for children to come. Each of these has a limit of its own, but a program may have hundreds of them at once.
//
// Whoever is refused says so as the system would (ENOMEM) where it can, and else ends the run (`must`).

import { RunStop } from "./run-end.js";

export class RunMemory {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  has(bytes: number): boolean {
    return bytes <= this.left;
  }

  /** False, and nothing is taken, if there is not so much. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  must(bytes: number): void {
    if (!this.take(bytes)) throw new RunStop({ kind: "limit", limit: "memory" });
  }

  give(bytes: number): void {
    this.left += bytes;
  }
}
