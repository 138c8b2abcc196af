import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TryShare } from "./try-share.js";

interface Told {
  /** Share of the time that went to tries. */
  readonly share: number;
  readonly tries: number;
  /** How often tries began after something else. */
  readonly bursts: number;
}

/** A search of so long, in which tries and symbolic runs take this long each. */
function search(seconds: number, tryMs: number, isNew: (n: number) => boolean): Told {
  const share = new TryShare();
  let timeMs = 500;
  let tries = 0;
  let bursts = 0;
  let isTrying = false;
  while (timeMs < seconds * 1000) {
    const isDue = share.isDue(timeMs);
    if (isDue && !isTrying) bursts++;
    isTrying = isDue;
    timeMs += tryMs;
    if (isDue) share.tried(tryMs, isNew(tries++));
  }
  return { share: (tries * tryMs) / timeMs, tries, bursts };
}

describe("the share of inputs that are tried out", () => {
  it("is a third where they go on to cover something, however long each takes", () => {
    for (const tryMs of [0.05, 1, 20]) {
      const { share } = search(60, tryMs, (n) => n % 300 === 0);
      assert.ok(share > 0.3 && share < 0.35, `${tryMs} ms each: ${share}`);
    }
  });

  it("is small where a dozen of them did at the beginning, and grows with how often one does", () => {
    const begun = search(60, 0.05, (n) => n < 12);
    assert.ok(begun.share < 0.05, `${begun.share}`);
    const shares = [500, 1000, 5000].map((every) => search(60, 0.05, (n) => n % every === every - 1).share);
    const [often, sometimes, seldom] = shares;
    assert.ok(often > 2 * seldom && sometimes > seldom && seldom < 0.03, shares.join(" "));
  });

  it("is never nothing: what comes late is found, and then there is more", () => {
    const before = search(100, 1, () => false);
    const late = search(100, 1, (n) => n > 1000 && n % 100 === 0);
    assert.ok(before.tries > 1000, `${before.tries}`);
    assert.ok(late.tries > 5 * before.tries, `${late.tries} and ${before.tries}`);
  });

  it("is taken in bursts, one try after the other", () => {
    for (const isNew of [() => false, (n: number) => n % 100 === 0]) {
      const { tries, bursts } = search(20, 0.05, isNew);
      assert.ok(tries > 100 * bursts, `${tries} in ${bursts} bursts`);
    }
  });

  it("is not earned by runs of inputs that are known", () => {
    const share = new TryShare();
    share.learnt(340);
    assert.equal(share.isDue(1000), false);
    assert.equal(share.isDue(2000), true);
  });
});
