// The guest's clock: virtual, so that a run repeats exactly. It starts at a given moment and moves a microsecond at
// every question, by the instructions executed (a nanosecond each) and by what the program sleeps. A real clock would
// make every run of a program that looks at the time a different one.

export class VirtualClock {
  readonly startMs: number;
  private elapsedNs = 0;
  private readonly instructions: () => number;

  constructor(startMs: number, instructions: () => number) {
    this.startMs = startMs;
    this.instructions = instructions;
  }

  /** Nanoseconds since the start of the run; asking takes a microsecond. */
  elapsed(): number {
    this.elapsedNs += 1000;
    return this.peek();
  }

  /** The same without moving the clock. */
  peek(): number {
    return this.elapsedNs + this.instructions();
  }

  sleep(nanoseconds: number): void {
    this.elapsedNs += nanoseconds;
  }

  /** Time of day as seconds and nanoseconds. */
  now(): { seconds: number; nanoseconds: number } {
    const elapsed = this.elapsed();
    const milliseconds = this.startMs + Math.floor(elapsed / 1e6);
    return {
      seconds: Math.floor(milliseconds / 1000),
      nanoseconds: (milliseconds % 1000) * 1e6 + (elapsed % 1e6),
    };
  }

  /** Time of day in milliseconds, for the times of files; does not move the clock. */
  nowMs(): number {
    return this.startMs + this.peek() / 1e6;
  }
}
