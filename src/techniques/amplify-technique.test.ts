import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ItemReport, WorkItem } from "../campaign/technique.js";
import type { Seed } from "../project/seed.js";
import { packedBlocks } from "../project/seed-order.js";
import type { AmplifyResult, AmplifyWork, TestWork } from "./amplify-item.js";
import { type AmplifyPlan, AmplifyTechnique, DEFAULT_AMPLIFY_PLAN } from "./amplify-technique.js";
import { type MovedInput, RANDOM_STEP } from "./moved/moved-input.js";

const seed = (id: string, programContent = "p"): Seed =>
  ({ id, programContent, program: "/prog", arguments: ["./prog", id] }) as unknown as Seed;

/** A test's own run: its path, what it cost, and which blocks it executed. */
function report(path: string, timeMs: number, blocks: number): ItemReport<AmplifyResult> {
  const statistics = { timeMs, unknown: 0, solver: { unknown: 0, queries: 0 } };
  const result = { path, blocks: packedBlocks(Uint32Array.of(blocks)), checks: 0, checksSkipped: 0, statistics };
  return { isComplete: true, result: result as unknown as AmplifyResult };
}

function testOf({ work }: WorkItem<AmplifyWork>): TestWork {
  assert.ok("seed" in work);
  return work;
}

/** Of the next round, whose items are absorbed. */
function keysOf(
  technique: AmplifyTechnique,
  made: (item: WorkItem<AmplifyWork>) => ItemReport<AmplifyResult>,
): string[] {
  const items = technique.nextRound() ?? [];
  for (const item of items) technique.absorb(item, made(item));
  return keys(items);
}

/** Nothing new comes of it. */
const done = (item: WorkItem<AmplifyWork>): ItemReport<AmplifyResult> => report(testOf(item).seed.id, 1, 0);

/** A look that was not enough. */
function putOff(made: ItemReport<AmplifyResult>, nextLook: 1 | null): ItemReport<AmplifyResult> {
  return { isComplete: true, result: { ...made.result, isPutOff: true, nextLook } as AmplifyResult };
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
    // b covers most, then a what is left (c has its path), and at last d; a program's first turn has two of them.
    assert.deepEqual(keysOf(technique, done), ["b/1", "a/1"]);
    assert.deepEqual(keysOf(technique, done), ["b/2", "a/2"]);
    assert.deepEqual(keysOf(technique, done), ["d/1"]);
    assert.deepEqual(keysOf(technique, done), ["d/2"]);
    assert.equal(technique.nextRound(), null);
  });

  it("checks that are slow are put off until the near distances of the other tests are done", () => {
    const technique = new AmplifyTechnique(
      ["a", "b", "c", "d"].map((id) => seed(id)),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 3 },
    );
    const first = technique.nextRound() ?? [];
    assert.ok(first.every((item) => testOf(item).look === 0));
    technique.absorb(first[0], putOff(report("1", 5, 0b00011), 1));
    technique.absorb(first[1], putOff(report("2", 9, 0b11111), 1));
    technique.absorb(first[2], report("3", 1, 0b00100));
    technique.absorb(first[3], report("4", 1, 0b01000));
    // What is put off as it was.
    const still = (item: WorkItem<AmplifyWork>) => putOff(done(item), 1);
    assert.deepEqual(keysOf(technique, still), ["a/0", "b/0"]);
    assert.ok(technique.shareOfRound() <= 0.1);
    assert.deepEqual(keysOf(technique, done), ["c/1", "d/1"], "a program's first turn prefers what is quick");
    assert.deepEqual(keysOf(technique, done), ["c/2", "d/2"]);
    const second = technique.nextRound() ?? [];
    assert.deepEqual(keys(second), ["a/0", "b/0"]);
    assert.ok(second.every((item) => testOf(item).look === 1) && technique.shareOfRound() <= 0.1);
    technique.absorb(second[0], report("1", 5, 0b00011));
    technique.absorb(second[1], putOff(report("2", 9, 0b11111), null));
    assert.deepEqual(keysOf(technique, done), ["a/1"]);
    assert.deepEqual(keysOf(technique, done), ["a/2"]);
    const slow = technique.nextRound() ?? [];
    assert.deepEqual(keys(slow), ["b/0"]);
    assert.equal(testOf(slow[0]).look, undefined);
    technique.absorb(slow[0], report("2", 90, 0b11111));
    assert.deepEqual(keysOf(technique, done).sort(), ["a/3", "b/3", "c/3", "d/3"], "b is quick now");
    assert.equal(technique.nextRound(), null);
  });

  it("of a program whose second looks bring nothing the others wait, until one brings something", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const technique = new AmplifyTechnique(
      names.map((id) => seed(id)),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 1 },
    );
    const first = technique.nextRound() ?? [];
    for (const item of first) technique.absorb(item, putOff(report(testOf(item).seed.id, 5, 0b1), 1));
    const second = technique.nextRound() ?? [];
    assert.equal(second.length, 6);
    assert.deepEqual(keysOf(technique, done), ["a/1", "b/1"], "what has no quick tests has a first turn, too");
    const withCheck = (made: ItemReport<AmplifyResult>, checks: number, blocks = 0b1): ItemReport<AmplifyResult> => ({
      ...made,
      result: { ...made.result, checks, blocks: packedBlocks(Uint32Array.of(blocks)) } as AmplifyResult,
    });
    const looks = [0, 0, 1, 0, 0, 0].map((checks, at) => withCheck(putOff(report(names[at], 5, 1), 1), checks));
    for (const [at, item] of second.entries()) {
      assert.equal(technique.isStillWanted(item), true, names[at]);
      technique.absorb(item, looks[at]);
    }
    assert.equal(technique.isStillWanted(second[0]), false, "three in a row brought nothing");
    technique.absorb(second[0], withCheck(putOff(report("a", 5, 1), 1), 0, 0b11));
    assert.equal(technique.isStillWanted(second[0]), true, "a block that no test had");
  });

  it("what its time cut is done again, behind everything that had no turn", () => {
    const technique = new AmplifyTechnique([seed("a"), seed("b"), seed("c")], {
      ...DEFAULT_AMPLIFY_PLAN,
      maxDistance: 1,
    });
    keysOf(technique, done);
    const cut = (item: WorkItem<AmplifyWork>): ItemReport<AmplifyResult> => ({ ...done(item), isComplete: false });
    assert.deepEqual(keysOf(technique, cut), ["a/1", "b/1"]);
    assert.deepEqual(keysOf(technique, done), ["c/1"]);
    assert.deepEqual(keysOf(technique, cut), ["a/1", "b/1"]);
    assert.deepEqual(keysOf(technique, done), ["a/1", "b/1"]);
    assert.equal(technique.nextRound(), null);
  });

  it("the journal remembers a look that was not enough: the next campaign goes on with a longer one", () => {
    const plan = { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 0 };
    const before = new AmplifyTechnique([seed("a"), seed("b")], plan);
    const [a, b] = before.nextRound() ?? [];
    const kept = [a, b].map((item, at) =>
      JSON.parse(JSON.stringify(before.memoryOf(putOff(report(`${at}`, 5, 1), at === 0 ? 1 : null), item))),
    );
    const after = new AmplifyTechnique([seed("a"), seed("b")], plan);
    const first = after.nextRound() ?? [];
    assert.ok(first.every((item, at) => after.recall(item, kept[at])));
    const [again] = after.nextRound() ?? [];
    assert.deepEqual([again.key, testOf(again).look], ["a/0", 1]);
    assert.equal(after.recall(again, kept[0]), false, "a longer look was not made yet");
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
    assert.deepEqual(
      keysOf(technique, () => report("1", 1, 1)),
      ["a/2"],
    );
    const rest = technique.nextRound() ?? [];
    assert.deepEqual(keys(rest), ["b/0", "c/0"]);
    assert.ok(rest.every((item) => testOf(item).look === 0));
    technique.absorb(rest[0], report("2", 1, 2));
    technique.absorb(rest[1], report("1", 1, 1));
    // c has a's path.
    assert.deepEqual(keysOf(technique, done), ["b/1"]);
    assert.deepEqual(keysOf(technique, done), ["b/2"]);
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
    const next = [1, 2, 3].flatMap(() => keysOf(technique, done)).filter((key) => key.endsWith("/1"));
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
    const memory = technique.memoryOf(report("7", 3, 0b1), a);
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
    technique.absorb(c, report("8", 3, 0b1));
    assert.deepEqual(keys(technique.nextRound()), ["a/1", "c/1"]);
  });

  it("how long it may take, and how far, is no setting that makes what was done worthless", () => {
    const near = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 1 });
    const far = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 5 });
    assert.deepEqual(near.settings, far.settings);
    const other = new AmplifyTechnique([], { ...DEFAULT_AMPLIFY_PLAN, randomSeed: 2 });
    assert.notDeepEqual(near.settings, other.settings);
  });

  it("edits by chance come first, moves behind a first turn at distance 1; what they make is amplified at the distance that it cost", () => {
    const made = new Map<string, Seed>();
    const technique = new AmplifyTechnique(
      ["a", "b"].map((id) => ({ ...seed(id), environment: [], files: [], stdin: { kind: "empty" } })),
      { ...DEFAULT_AMPLIFY_PLAN, maxDistance: 3 },
      () => 0,
      { keep: ({ seed: one }) => made.set(one.id, one).size > 0, find: () => null },
    );
    const input = (id: string, steps: string[], fails = false) =>
      ({ seed: seed(id), from: "a", command: ["./prog", "a"], steps, fails }) as const;
    const madeOf = (moved: MovedInput[]): ItemReport<AmplifyResult> => ({
      isComplete: true,
      result: { isMoves: true, moved, tried: 7, leftOut: 0, isWhole: true },
    });
    const edits = technique.nextRound() ?? [];
    assert.ok(edits.length === 1 && "bases" in edits[0].work && edits[0].work.isByChance === true);
    assert.equal(technique.shareOfRound(), 0.1);
    technique.absorb(edits[0], madeOf([input("x", [RANDOM_STEP], true)]));
    const failing = technique.nextRound() ?? [];
    assert.deepEqual(keys(failing), ["x/0"]);
    assert.equal(technique.rankOf(failing[0]), 1, "what a test's own path shows is better told");
    technique.absorb(failing[0], done(failing[0]));
    const first = technique.nextRound() ?? [];
    assert.deepEqual([keys(first), technique.rankOf(first[0])], [["a/0", "b/0"], 0]);
    technique.absorb(first[0], report("1", 5, 0b01));
    technique.absorb(first[1], report("2", 5, 0b10));
    const second = technique.nextRound() ?? [];
    assert.deepEqual(keys(second), ["a/1", "b/1"]);
    assert.equal(technique.shareOfRound(), 0.3);
    // The time of that round is up when one is done.
    technique.absorb(second[0], report("1", 5, 0b01));
    const moves = technique.nextRound() ?? [];
    assert.equal(moves.length, 1);
    const { work } = moves[0];
    assert.ok("bases" in work && work.isByChance !== true);
    assert.deepEqual([work.bases.map(({ id }) => id), work.known], [["a", "b"], packedBlocks(Uint32Array.of(0b11))]);
    const moved = [input("c", ["longer"]), input("d", ["an option", "longer"]), input("e", ["longer"], true)];
    technique.absorb(moves[0], madeOf(moved));
    const third = technique.nextRound() ?? [];
    assert.deepEqual(keys(third), ["c/0", "e/0"]);
    assert.equal(technique.shareOfRound(), 0.2);
    assert.deepEqual([testOf(third[0]).isMade, testOf(third[0]).moved?.from], [true, "a"]);
    technique.absorb(third[1], report("4", 5, 0b10));
    assert.deepEqual(keysOf(technique, done), ["a/2", "b/2"]);
    assert.deepEqual(keysOf(technique, done), ["b/1"], "what was not begun of the tests");
    assert.deepEqual(keysOf(technique, done), ["c/0"], "what was not begun of them");
    assert.deepEqual(keysOf(technique, done), ["c/1", "d/0"], "around one that fails there is nothing new");
    assert.deepEqual(keysOf(technique, done), ["a/3", "b/3"]);
    assert.deepEqual(keysOf(technique, done), ["c/2", "d/1"]);
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
        for (const item of round) technique.absorb(item, report("1", 1, 1));
      }
    }
  });
});
