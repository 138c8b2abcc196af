// What a thread has told of a program's coverage: thousands of small tests execute the same blocks, and telling the same bytes again for each
// of them would cost more than some of the tests do. Whatever a thread has told was heard, or the thread is ended.

import type { ProgramImage } from "../jit/image.js";

/** By tests as they are, or by any run. */
type ToldBy = "tests" | "runs";

export class ToldCoverage {
  private readonly told = new WeakMap<ProgramImage, Map<ToldBy, Uint8Array>>();

  /** Whether there is a block that was not told before; from now on all of them were. */
  isNew(image: ProgramImage, coverage: Uint8Array, by: ToldBy): boolean {
    const ofImage = this.told.get(image) ?? new Map<ToldBy, Uint8Array>();
    this.told.set(image, ofImage);
    const told = ofImage.get(by) ?? new Uint8Array(coverage.length);
    ofImage.set(by, told);
    let isNew = false;
    for (let block = 0; block < coverage.length; block++) {
      if (coverage[block] === 0 || told[block] !== 0) continue;
      told[block] = 1;
      isNew = true;
    }
    return isNew;
  }
}
