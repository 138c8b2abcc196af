import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Model } from "../solver/solver.js";
import { Random } from "../support/random.js";
import type { TriedOutcome } from "./executor.js";
import { charactersJoined, type EditedPart, InputEdits, type KnownWords } from "./input-edits.js";
import { InputTries } from "./input-tries.js";
import type { Script } from "./script-executor.js";
import { explore } from "./script-fixture.js";

const WORDS: KnownWords = { whole: [Buffer.from("define"), Buffer.from("open")], parts: [Buffer.from("table")] };

function editsOf(parts: readonly EditedPart[], words = WORDS): InputEdits {
  return new InputEdits(new Random(5), words, () => parts);
}

describe("edits of inputs", () => {
  it("stay in the parts that are given, and in their size", () => {
    const edits = editsOf([
      { first: 2, size: 6 },
      { first: 10, size: 1 },
    ]);
    const from = new Uint8Array(12).fill(0xee);
    const other = new Uint8Array(12).fill(0xdd);
    for (let i = 0; i < 2000; i++) {
      const made = edits.edited(from, other);
      assert.ok(made !== null);
      assert.equal(made.length, 12);
      for (const outside of [0, 1, 8, 9, 11]) assert.equal(made[outside], 0xee);
    }
    assert.ok(from.every((byte) => byte === 0xee));
  });

  it("put in words, parts of the other input, and take bytes out", () => {
    const edits = editsOf([{ first: 0, size: 16 }]);
    const from = Buffer.from("0123456789abcdef");
    const other = Buffer.from("ABCDEFGHIJKLMNOP");
    const texts = new Set<string>();
    for (let i = 0; i < 3000; i++) texts.add(Buffer.from(edits.edited(from, other) ?? []).toString("latin1"));
    const some = (pattern: RegExp): boolean => [...texts].some((text) => pattern.test(text));
    assert.ok(some(/define/) && some(/table/) && some(/open/));
    assert.ok(some(/^define0123456789$/), "a word before everything moves the rest");
    assert.ok(some(/^define6789abcdef$/), "a word over what was there");
    assert.ok(some(/^0123.*CDE/));
    assert.ok(some(/^0123(5|6|7).*f[\0\n]+$/));
  });

  it("take characters that were read one at a time for a text", () => {
    const places = [0, 4, 5, 6, 7, 9, 20];
    const sizes = [4, 1, 1, 1, 2, 1, 1];
    const joined = charactersJoined(places.map((first, index) => ({ first, size: sizes[index] })));
    assert.deepEqual(
      joined.map((part) => [part.first, part.size]),
      [
        [0, 4],
        [4, 3],
        [7, 2],
        [9, 1],
        [20, 1],
      ],
    );
  });

  it("need neither words nor bytes", () => {
    assert.equal(editsOf([]).edited(new Uint8Array(4), new Uint8Array(4)), null);
    assert.equal(editsOf([{ first: 0, size: 0 }]).edited(new Uint8Array(4), new Uint8Array(4)), null);
    const edits = editsOf([{ first: 0, size: 3 }], { whole: [], parts: [] });
    for (let i = 0; i < 500; i++) assert.equal(edits.edited(new Uint8Array(0), new Uint8Array(0))?.length, 3);
  });
});

/** Tries that take a millisecond each, for so long; how many there were in each second. */
function triesIn(seconds: number, isNew: (n: number) => boolean): number[] {
  const clock = { timeMs: 0 };
  let tried = 0;
  const tries = newTries((): readonly number[] => {
    clock.timeMs++;
    return isNew(tried++) ? [1] : [];
  });
  tries.covered(new Uint8Array(2));
  const counts = new Array<number>(seconds).fill(0);
  for (; clock.timeMs < seconds * 1000; clock.timeMs++) {
    const second = Math.floor(clock.timeMs / 1000);
    if (tries.tryOne(clock, () => NO_LIMITS) === null) continue;
    counts[second]++;
    // The run took its millisecond already.
    clock.timeMs--;
  }
  return counts;
}

const NO_LIMITS = { instructions: 1, timeMs: 1 };

/** Runs of which each covers what is said; edits change nothing. */
function newTries(newBlocks: () => readonly number[], edited = (from: Model): Model | null => from): InputTries {
  const end = { kind: "exit", code: 0 } as const;
  const run = { end, instructions: 1, objects: [], losses: {}, hits: Uint8Array.of(1) };
  const tryOut = (): TriedOutcome => ({ ...run, newBlocks: newBlocks() });
  return new InputTries({ tryOut }, { edited }, new Random(1));
}

describe("inputs that are tried out", () => {
  it("begin after half a second, once there is something to edit", () => {
    const tries = newTries(() => []);
    const after = (timeMs: number): unknown => tries.tryOne({ timeMs }, () => NO_LIMITS);
    assert.equal(after(10_000), null);
    tries.covered(new Uint8Array(2));
    assert.equal(after(100), null);
    assert.ok(after(10_000) !== null);
  });

  it("get a third of the time while something comes of them, and next to none if nothing does", () => {
    const fruitful = triesIn(10, (n) => n % 10 === 0);
    assert.ok(
      fruitful.slice(1).every((count) => count > 300 && count < 400),
      fruitful.join(" "),
    );
    const vain = triesIn(60, () => false);
    const within = (seconds: number): number => vain.slice(0, seconds).reduce((sum, count) => sum + count);
    assert.ok(within(10) < 10_000 * 0.05 && within(60) < 60_000 * 0.03, vain.join(" "));
    assert.ok(vain[59] > 0 && vain[59] < 50, vain.join(" "));
  });

  it("go on from inputs that do something more often, though nothing new is covered", () => {
    const run = { end: { kind: "exit", code: 0 }, instructions: 1, newBlocks: [], objects: [], losses: {} } as const;
    // A loop that the first byte says how often to go through; an edit adds one.
    const tryOut = (input: Model): TriedOutcome => ({ ...run, hits: input.slice(0, 1) });
    const tried: number[] = [];
    const edited = (from: Model): Model => {
      tried.push(from[0] + 1);
      return Uint8Array.of(from[0] + 1);
    };
    const tries = new InputTries({ tryOut }, { edited }, new Random(1));
    tries.covered(Uint8Array.of(1));
    for (let i = 0; i < 200; i++) tries.tryOne({ timeMs: 1000 }, () => NO_LIMITS);
    assert.deepEqual([...new Set(tried)].sort(), [2, 3, 4, 5]);
  });
});

/** Of four letters only a sum of them counts, which is made concrete: no question leads to the word. */
const hashed: Script = (run) => {
  run.cover(99);
  let hash = 0;
  for (let i = 0; i < 4; i++) hash = Math.imul(hash, 31) + run.pin(i, "load-address", run.byte(i));
  if (hash !== wordHash("open")) return 0;
  run.cover(100);
  return run.if(60, run.compare("eq", run.byte(5), 77)) ? 2 : 1;
};

function wordHash(word: string): number {
  let hash = 0;
  for (const letter of Buffer.from(word)) hash = Math.imul(hash, 31) + letter;
  return hash;
}

describe("an exploration that tries out edits", () => {
  const limits = { paths: 300 };
  const edits = (): InputEdits => editsOf([{ first: 0, size: 6 }]);
  /** A clock on which a question takes a millisecond. */
  const clock = (): (() => number) => {
    let ms = 0;
    return () => ms++;
  };

  it("comes where no question leads, and goes on from there", () => {
    const without = explore(hashed, { limits, now: clock() });
    assert.equal(without.executor.coverage[100], 0);
    const { ends, executor, events, statistics } = explore(hashed, { limits, now: clock(), inputMaker: edits() });
    assert.equal(executor.coverage[100], 1);
    assert.ok(ends.includes("exit 1") && ends.includes("exit 2"));
    assert.ok(statistics.tried > 0 && statistics.divergences === 0);
    const shown = events.filter((event) => event.kind === "run-finished" && event.origin === "tried");
    assert.ok(shown.length >= 2, "it was tried out, and then run like a seed");
  });

  it("finds every path once all the same", () => {
    const script: Script = (run) => {
      let code = 0;
      for (let i = 0; i < 6; i++) if (run.if(i, run.compare("ult", run.byte(i), 60 + i))) code |= 1 << i;
      return code;
    };
    const all = explore(script, { now: clock(), inputMaker: edits() });
    assert.deepEqual(all.ends, explore(script, {}).ends);
    assert.equal(new Set(all.ends).size, 64);
  });

  it("reports a failure that an edit shows", () => {
    const script: Script = (run) => {
      let hash = 0;
      for (let i = 0; i < 4; i++) hash = Math.imul(hash, 31) + run.pin(i, "load-address", run.byte(i));
      run.cover(3);
      if (hash === wordHash("open")) run.fail("assertion", "main:7");
      return 0;
    };
    const { statistics, ends } = explore(script, { limits, now: clock(), inputMaker: edits() });
    assert.equal(statistics.findings, 1);
    assert.ok(ends.includes("assertion at main:7"));
  });
});
