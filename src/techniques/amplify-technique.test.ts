import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ItemReport, WorkItem } from "../campaign/technique.js";
import type { Seed } from "../project/seed.js";
import { packedBlocks } from "../project/seed-order.js";
import type { AmplifyResult, AmplifyWork, TestWork } from "./amplify-item.js";
import { type AmplifyPlan, AmplifyTechnique, DEFAULT_AMPLIFY_PLAN } from "./amplify-technique.js";

const seed = (id: string, programContent = "p"): Seed =>
  ({ id, programContent, program: "/prog", arguments: ["./prog", id] }) as unknown as Seed;

/** A test's own run: its path, what it cost, and which blocks it executed. */
function report(path: string, timeMs: number, blocks: number): ItemReport<AmplifyResult> {
  const result = { path, blocks: packedBlocks(Uint32Array.of(blocks)), statistics: { timeMs } };
  return { isComplete: true, result: result as unknown as AmplifyResult };
}

function testOf({ work }: WorkItem<AmplifyWork>): TestWork {
  assert.ok("seed" in work);
  return work;
}

const keys = (items: readonly WorkItem<AmplifyWork>[] | null): string[] => (items ?? []).map(({ key }) => key);

describe("amplification as a technique", () => {
  it("all tests at distance 0, then one of each path, those that show most first, up to the largest distance", () => {
    const technique = new AmplifyTechnique(
      ["a", "b", "c", "d"].map((id) => seed(id)),
      {
        ...DEFAULT_AMPLIFY_PLAN,
        maxDistance: 2,
      },
    );
    const first = technique.nextRound() ?? [];
    assert.deepEqual(keys(first), ["a/0", "b/0", "c/0", "d/0"]);
    assert.deepEqual(testOf(first[0]).seed.id, "a");
    for (const [index, [path, ms, blocks]] of (
      [
        ["1", 5, 0b0001],
        ["2", 9, 0b1110],
        ["1", 1, 0b0001],
        ["3", 2, 0b0110],
      ] as const
    ).entries()) {
      technique.absorb(first[index], report(path, ms, blocks));
    }
    // b covers most, then a what is left (c has its path), and at last d.
    assert.deepEqual(keys(technique.nextRound()), ["b/1", "a/1", "d/1"]);
    assert.deepEqual(keys(technique.nextRound()), ["b/2", "a/2", "d/2"]);
    assert.equal(technique.nextRound(), null);
  });

  it("checks that are slow are put off until the near distances of the other tests are done", () => {
    const technique = new AmplifyTechnique(
      ["a", "b", "c"].map((id) => seed(id)),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 4 },
    );
    const first = technique.nextRound() ?? [];
    assert.ok(first.every((item) => testOf(item).look === 0));
    const putOff = (made: ItemReport<AmplifyResult>, nextLook: 1 | null): ItemReport<AmplifyResult> => ({
      isComplete: false,
      result: { ...made.result, isPutOff: true, nextLook } as AmplifyResult,
    });
    technique.absorb(first[0], putOff(report("1", 5, 0b0011), 1));
    technique.absorb(first[1], putOff(report("2", 9, 0b1111), 1));
    technique.absorb(first[2], report("3", 1, 0b0100));
    const second = technique.nextRound() ?? [];
    assert.deepEqual(keys(second), ["a/0", "b/0"]);
    assert.ok(second.every((item) => testOf(item).look === 1));
    technique.absorb(second[0], report("1", 5, 0b0011));
    // It had no processor.
    technique.absorb(second[1], putOff(report("2", 9, 0b1111), 1));
    const third = technique.nextRound() ?? [];
    assert.deepEqual(keys(third), ["b/0"]);
    assert.ok(third.every((item) => testOf(item).look === 1));
    technique.absorb(third[0], putOff(report("2", 9, 0b1111), null));
    assert.deepEqual(keys(technique.nextRound()), ["a/1", "c/1"]);
    assert.deepEqual(keys(technique.nextRound()), ["a/2", "c/2"]);
    const slow = technique.nextRound() ?? [];
    assert.deepEqual(keys(slow), ["b/0"]);
    assert.equal(testOf(slow[0]).look, undefined);
    technique.absorb(slow[0], report("2", 90, 0b1111));
    assert.deepEqual(keys(technique.nextRound()), ["b/1"]);
    assert.deepEqual(keys(technique.nextRound()), ["b/2"]);
    assert.deepEqual(keys(technique.nextRound()).sort(), ["a/3", "b/3", "c/3"]);
    assert.deepEqual(keys(technique.nextRound()).sort(), ["a/4", "b/4", "c/4"]);
    assert.equal(technique.nextRound(), null);
  });

  it("if there is no time for a first look at all tests, those that had one go on to distance 1 before the others", () => {
    const technique = new AmplifyTechnique(
      ["a", "b", "c"].map((id) => seed(id)),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 2 },
    );
    const first = technique.nextRound() ?? [];
    assert.equal(first.length, 3);
    assert.ok(technique.shareOfRound() < 1);
    technique.absorb(first[0], report("1", 1, 1));
    const near = technique.nextRound() ?? [];
    assert.deepEqual(keys(near), ["a/1"]);
    assert.deepEqual(keys(technique.lastRound()), ["a/plain"], "what the others cover is not to be known");
    assert.equal(technique.lastCount(), 1);
    technique.absorb(near[0], report("1", 1, 1));
    const rest = technique.nextRound() ?? [];
    assert.deepEqual(keys(rest), ["b/0", "c/0"]);
    assert.ok(rest.every((item) => testOf(item).look === 0));
    technique.absorb(rest[0], report("2", 1, 2));
    technique.absorb(rest[1], report("1", 1, 1));
    // c has a's path.
    assert.deepEqual(keys(technique.nextRound()), ["b/1"]);
    assert.deepEqual(keys(technique.nextRound()), ["a/2", "b/2"]);
  });

  it("what was done with another bound or question time is not believed: it is among the settings", () => {
    const settingsFor = (plan: Partial<AmplifyPlan>) =>
      new AmplifyTechnique([seed("a")], { ...DEFAULT_AMPLIFY_PLAN, ...plan }).settings;
    assert.deepEqual(settingsFor({ maxDistance: 2 }), settingsFor({}));
    assert.notDeepEqual(settingsFor({ bound: 4 }), settingsFor({}));
    assert.notDeepEqual(settingsFor({ solverQueryMs: 1 }), settingsFor({}));
    assert.notDeepEqual(settingsFor({ uninitialised: true }), settingsFor({}));
  });

  it("if only the tests' own paths are looked at, what is slow is looked at again as long as it takes", () => {
    const technique = new AmplifyTechnique([seed("a")], { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 0 });
    const [first] = technique.nextRound() ?? [];
    const { result } = report("1", 5, 0b1);
    // No short look would do.
    const cut = { ...result, isPutOff: true, nextLook: null } as AmplifyResult;
    technique.absorb(first, { isComplete: false, result: cut });
    const last = technique.nextRound() ?? [];
    assert.deepEqual(keys(last), ["a/0"]);
    assert.equal(testOf(last[0]).look, undefined);
    assert.equal(technique.nextRound(), null);
  });

  it("small and quick tests first, and one of megabytes last, whatever the order in which they were recorded", () => {
    const sizes = new Map([
      ["huge", 6 << 20],
      ["small", 12],
      ["middle", 0x2000],
    ]);
    const made = (id: string, content: string, ms: number): Seed =>
      ({
        ...seed(id),
        stdin: { kind: "bytes", content },
        files: [],
        recorded: { at: "", times: 1, milliseconds: ms },
      }) as Seed;
    const seeds = [
      made("huge", "huge", 1),
      made("slow", "small", 20_000),
      made("middle", "middle", 3),
      made("b", "small", 7),
      made("a", "small", 2),
    ];
    const technique = new AmplifyTechnique(seeds, DEFAULT_AMPLIFY_PLAN, (content) => sizes.get(content) ?? 0);
    assert.deepEqual(keys(technique.nextRound()), ["a/0", "b/0", "middle/0", "slow/0", "huge/0"]);
    const order = ["a", "b", "middle", "slow", "huge"];
    for (const [index, id] of order.entries()) {
      technique.absorb({ key: `${id}/0`, work: { seed: seed(id) } } as never, report(id, 1, (2 << index) - 1));
    }
    const next = keys(technique.nextRound());
    assert.equal(next.at(-1), "huge/1", "however much it covers");
    assert.equal(next[0], "slow/1");
  });

  it("tests that did not come to their end by themselves are run once more at the end, for what they cover", () => {
    const technique = new AmplifyTechnique([seed("a"), seed("b"), seed("c")], DEFAULT_AMPLIFY_PLAN);
    const [a, b] = technique.nextRound() ?? [];
    const plain = { end: "exit 0", isWhole: true, milliseconds: 1 };
    const withPlain = (isWhole: boolean): ItemReport<AmplifyResult> => {
      const { isComplete, result } = report("1", 1, 1);
      return { isComplete, result: { ...result, plain: { ...plain, isWhole } } as AmplifyResult };
    };
    technique.absorb(a, withPlain(true));
    technique.absorb(b, withPlain(false));
    assert.equal(technique.lastCount(), 2);
    const last = technique.lastRound();
    assert.deepEqual(keys(last), ["b/plain", "c/plain"]);
    technique.absorb(last[1], { isComplete: false, result: { isPlain: true, plain } });
    assert.deepEqual(keys(technique.lastRound()), ["b/plain"]);
  });

  it("what the journal says counts as what was seen, if it makes sense", () => {
    const technique = new AmplifyTechnique([seed("a"), seed("b"), seed("c")], DEFAULT_AMPLIFY_PLAN);
    const [a, b, c] = technique.nextRound() ?? [];
    const memory = technique.memoryOf(report("7", 3, 0b1));
    assert.equal(technique.recall(a, JSON.parse(JSON.stringify(memory))), true);
    assert.equal(technique.recall(b, JSON.parse(JSON.stringify(memory))), true);
    for (const nonsense of [
      null,
      7,
      "x",
      [],
      {},
      { path: 7, ms: 1, blocks: null },
      { path: "x".repeat(1000), ms: 1, blocks: null },
      { path: "7", ms: -1, blocks: null },
      { path: "7", ms: "NaN", blocks: null },
      { path: "7", ms: 1, blocks: [1] },
    ]) {
      assert.equal(technique.recall(c, nonsense), false, JSON.stringify(nonsense));
    }
    assert.deepEqual(keys(technique.nextRound()), ["a/1", "c/1"]);
  });

  it("how long it may take, and how far, is no setting that makes what was done worthless", () => {
    const near = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 1 });
    const far = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 5 });
    assert.deepEqual(near.settings, far.settings);
    const other = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, randomSeed: 2 });
    assert.notDeepEqual(near.settings, other.settings);
  });

  it("moves come after distance 1; what they make is amplified at the distance that it cost", () => {
    const made = new Map<string, Seed>();
    const technique = new AmplifyTechnique(
      ["a", "b"].map((id) => ({ ...seed(id), environment: [], files: [], stdin: { kind: "empty" } })),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 3 },
      () => 0,
      { keep: ({ seed: one }) => made.set(one.id, one).size > 0, find: () => null },
    );
    const first = technique.nextRound() ?? [];
    technique.absorb(first[0], report("1", 5, 0b01));
    technique.absorb(first[1], report("2", 5, 0b10));
    const second = technique.nextRound() ?? [];
    assert.deepEqual(keys(second), ["a/1", "b/1"]);
    assert.equal(technique.shareOfRound(), 0.7);
    // The time of that round is up when one is done.
    technique.absorb(second[0], report("1", 5, 0b01));
    const moves = technique.nextRound() ?? [];
    assert.equal(moves.length, 1);
    const { work } = moves[0];
    assert.ok("bases" in work);
    assert.deepEqual([work.bases.map(({ id }) => id), work.known], [["a", "b"], packedBlocks(Uint32Array.of(0b11))]);
    const input = (id: string, steps: string[], fails = false) =>
      ({ seed: seed(id), from: "a", command: ["./prog", "a"], steps, fails }) as const;
    const moved = [input("c", ["longer"]), input("d", ["an option", "longer"]), input("e", ["longer"], true)];
    technique.absorb(moves[0], { isComplete: true, result: { isMoves: true, moved, tried: 7, leftOut: 0 } });
    const third = technique.nextRound() ?? [];
    assert.deepEqual(keys(third), ["c/0", "e/0"]);
    assert.equal(technique.shareOfRound(), 0.2);
    assert.deepEqual([testOf(third[0]).isMade, testOf(third[0]).moved?.from], [true, "a"]);
    technique.absorb(third[1], report("4", 5, 0b10));
    const rest = technique.nextRound() ?? [];
    assert.deepEqual(keys(rest), ["b/1"], "what was not begun of the tests comes before distance 2");
    technique.absorb(rest[0], report("2", 5, 0b10));
    assert.deepEqual(keys(technique.nextRound()), ["a/2", "b/2"]);
    const fourth = technique.nextRound() ?? [];
    assert.deepEqual(keys(fourth), ["c/0", "d/0"], "what was not begun; around one that fails there is nothing new");
    technique.absorb(fourth[0], report("3", 5, 0b10));
    assert.deepEqual(keys(technique.nextRound()), ["a/3", "b/3"]);
    const fifth = technique.nextRound() ?? [];
    assert.deepEqual(keys(fifth), ["c/1", "d/0"]);
    technique.absorb(fifth[0], report("3", 5, 0b10));
    assert.deepEqual(keys(technique.nextRound()), ["d/0"], "at last what no round had the time for");
    assert.equal(technique.nextRound(), null);
  });

  it("without moves, or with the tests' own paths alone, nothing is made", () => {
    const made = { keep: () => assert.fail(), find: () => null };
    for (const plan of [{ moves: "" }, { maxDistance: 0 }]) {
      const technique = new AmplifyTechnique(
        [{ ...seed("a"), environment: [], files: [] }],
        { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 1, ...plan },
        () => 0,
        made,
      );
      for (let round = technique.nextRound(); round !== null; round = technique.nextRound()) {
        assert.ok(round.every(({ key }) => !key.startsWith("moves/")));
        assert.ok(technique.shareOfRound() === 1 || round.every(({ key }) => key.endsWith("/0")));
        for (const item of round) technique.absorb(item, report("1", 1, 1));
      }
    }
  });
});
