// Where a buffer ends. An input with a long run of one byte has executed a block that nothing executed before; if a shorter run does not, the
// block is about length, and the shortest run that executes it says where a limit is. The runs around that length are what off-by-one errors
// fail on: chance hits them once in a thousand. Found by halving, in some fifteen runs of the program.

import type { Invocation } from "../invocation.js";
import { argumentsOf, contentsOf, type EditedPart } from "./edited-parts.js";
import { joinedBytes } from "./joined-bytes.js";

/** Shorter runs have nothing to do with buffers. */
const LEAST_RUN = 24;
/** From the longest run that does not execute the block; the next longer one does, and was run already. */
const AROUND = [-1, -2, -3, 2, 3, 4];

interface ByteRun {
  readonly from: number;
  readonly length: number;
}

export class LengthSearch {
  /** A run of that length does not execute the block. */
  private low = 1;
  private high: number;
  private asked = 1;
  private isBetween = false;
  /** Null until both lengths are known. */
  private around: number[] | null = null;

  private constructor(
    private readonly part: EditedPart,
    private readonly run: ByteRun,
  ) {
    this.high = run.length;
  }

  /** Null if there is no long run in what it reads, or in its arguments. */
  static of(input: Invocation): LengthSearch | null {
    let best: { readonly part: EditedPart; readonly run: ByteRun } | null = null;
    for (const part of [...contentsOf(input), ...argumentsOf(input)]) {
      const run = longestRun(part.bytes);
      if (run.length >= Math.max(LEAST_RUN, (best?.run.length ?? 0) + 1)) best = { part, run };
    }
    return best === null ? null : new LengthSearch(best.part, best.run);
  }

  /** What is to be run next; null if all is known. */
  next(): Invocation | null {
    if (this.around !== null) {
      const length = this.around.pop();
      return length === undefined ? null : this.ofLength(length);
    }
    if (this.isBetween) this.asked = (this.low + this.high) >> 1;
    return this.ofLength(this.asked);
  }

  /** What became of it. */
  told(isExecuted: boolean): void {
    if (this.around !== null) return;
    if (isExecuted) this.high = this.asked;
    else this.low = this.asked;
    this.isBetween = true;
    // The shortest run executes it too: then it has nothing to do with length.
    if (this.high <= this.low) this.around = [];
    else if (this.high - this.low === 1) {
      const lengths = AROUND.map((step) => this.low + step).filter((length) => length > 0);
      this.around = lengths.reverse();
    }
  }

  private ofLength(length: number): Invocation | null {
    const { bytes, longest } = this.part;
    const { from, length: own } = this.run;
    const run = new Uint8Array(length).fill(bytes[from]);
    const made = joinedBytes(bytes.subarray(0, from), run, bytes.subarray(from + own));
    return made.length > longest ? null : this.part.with(made);
  }
}

function longestRun(bytes: Uint8Array): ByteRun {
  let best = { from: 0, length: 0 };
  for (let from = 0; from < bytes.length; ) {
    let to = from + 1;
    while (to < bytes.length && bytes[to] === bytes[from]) to++;
    if (to - from > best.length) best = { from, length: to - from };
    from = to;
  }
  return best;
}
