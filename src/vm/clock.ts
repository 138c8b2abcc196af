// The guest's clock: virtual, so that a run repeats exactly. It starts at a given moment and moves a microsecond at
// every question, by the instructions executed (a nanosecond each) and by what the program sleeps. A real clock would
// make every run of a program that looks at the time a different one.

import type { Timestamp } from "./files/open-file.js";

export class VirtualClock {
  readonly startMs: number;
  /** Beside its instructions: what the process has slept and asked. */
  waitedNs = 0;
  private readonly instructions: () => number;

  constructor(startMs: number, instructions: () => number) {
    this.startMs = startMs;
    this.instructions = instructions;
  }

  /** Nanoseconds since the start of the run; asking takes a microsecond. */
  elapsed(): number {
    this.waitedNs += 1000;
    return this.peek();
  }

  /** The same without moving the clock. */
  peek(): number {
    return this.waitedNs + this.instructions();
  }

  sleep(nanoseconds: number): void {
    this.waitedNs += nanoseconds;
  }

  /** Time of day; asking takes a microsecond. */
  now(): Timestamp {
    return this.at(this.elapsed());
  }

  /** Time of day without moving the clock, for the times of files. */
  timeOfDay(): Timestamp {
    return this.at(this.peek());
  }

  private at(elapsedNs: number): Timestamp {
    const milliseconds = Math.floor(this.startMs) + Math.floor(elapsedNs / 1e6);
    return {
      seconds: Math.floor(milliseconds / 1000),
      nanoseconds: (milliseconds % 1000) * 1e6 + (elapsedNs % 1e6),
    };
  }
}
