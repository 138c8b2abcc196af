// Failures that were seen and are no findings, because it is the test that is wrong on changed input: each is counted once, in words.

import type { TestsFailure } from "../techniques/tell-finding.js";

export class NotToldFailures {
  private readonly ofTests = new Set<string>();
  private readonly handedOnNulls = new Set<string>();
  private readonly refused = new Set<string>();
  private readonly misuses = new Set<string>();

  take({ failureOfTests, handedOnNull, refused, misuse }: TestsFailure): void {
    if (failureOfTests !== undefined) this.ofTests.add(failureOfTests);
    if (handedOnNull !== undefined) this.handedOnNulls.add(handedOnNull);
    if (refused !== undefined) this.refused.add(refused);
    if (misuse !== undefined) this.misuses.add(misuse);
  }

  /** In words, with how many there are. `isTold`: another input has shown the same failure, and that one is a finding. */
  counts(isTold: (id: string) => boolean): readonly (readonly [words: string, count: number])[] {
    const left = (ids: ReadonlySet<string>): number => [...ids].filter((id) => !isTold(id)).length;
    return [
      ["failures of the tests' own code on changed input", left(this.ofTests)],
      ["failures of the library on null pointers that tests hand on, on changed input", left(this.handedOnNulls)],
      ["assertions of the library about what tests hand to it, on changed input", left(this.refused)],
      ["failures on changed numbers that the library does not check", left(this.misuses)],
    ];
  }
}
