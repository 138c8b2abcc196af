import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import type { MovedInput, MovesResult, MovesWork } from "./moved-input.js";
import { DEFAULT_MOVE_LIMITS, MovedPlan } from "./moved-plan.js";

const seed = (id: string, programContent = "p"): Seed =>
  ({ id, programContent, program: `/${programContent}`, arguments: ["./prog", id] }) as unknown as Seed;
const input = (id: string, from: string): MovedInput => ({
  seed: seed(id),
  from,
  command: ["./prog", from],
  steps: ["`a` longer by 1 byte"],
  fails: false,
});
const result = (moved: readonly MovedInput[]): MovesResult => ({
  isMoves: true,
  moved,
  tried: 9,
  leftOut: 0,
  isWhole: true,
});
const hex = (n: number): string => n.toString(16).padStart(4, "0");

/** With what was kept. */
function plan(seeds: readonly Seed[], limits = DEFAULT_MOVE_LIMITS): { plan: MovedPlan; kept: Map<string, Seed> } {
  const kept = new Map<string, Seed>();
  const made = new MovedPlan(seeds, limits, {
    keep: ({ seed: one }) => kept.set(one.id, one).size > 0,
    find: (id) => kept.get(id) ?? null,
  });
  return { plan: made, kept };
}

describe("the plan of moves", () => {
  it("has one item a program, which shares what there is of time and number", () => {
    const seeds = [seed("a"), seed("b", "q"), seed("c")];
    const items = plan(seeds, { movedOfSeed: 3, movedInputs: 10, moveMs: 4000 }).plan.items(
      seeds,
      () => new Uint32Array(1),
    );
    assert.deepEqual(
      items.map(({ program, work }) => [program, work.bases.map(({ id }) => id), work.timeMs, work.most]),
      [
        ["p", ["a", "c"], 2000, 5],
        ["q", ["b"], 2000, 5],
      ],
    );
    assert.deepEqual(items[0].needs, ["words"]);
  });

  it("takes no more than its limits of one test, nor of all", () => {
    const seeds = ["a", "b", "c"].map((id) => seed(id));
    const { plan: made, kept } = plan(seeds, { movedOfSeed: 2, movedInputs: 5, moveMs: 1 });
    const all = seeds.flatMap(({ id }, at) => [0, 1, 2, 3].map((n) => input(hex(16 * at + n), id)));
    made.absorb(result(all));
    assert.deepEqual(
      made.inputs.map(({ from }) => from),
      ["a", "a", "b", "b", "c"],
    );
    assert.equal(kept.size, 5, "what is not taken is not kept either");
  });

  it("few tests have few inputs made of them, many have more, and equal ones count once", () => {
    const many = (count: number): number => {
      const { plan: made } = plan([seed("a")], { ...DEFAULT_MOVE_LIMITS, movedOfSeed: 100 });
      made.absorb(result(Array.from({ length: count }, (_, n) => input(hex(n), "a"))));
      made.absorb(result(Array.from({ length: count }, (_, n) => input(hex(n), "a"))));
      return made.inputs.length;
    };
    assert.equal(many(5), 5);
    assert.equal(many(100), 12);
  });

  it("goes on with what an earlier campaign made, in the same order", () => {
    const seeds = [seed("a"), seed("b")];
    const { plan: before, kept } = plan(seeds);
    const made = result([input("0001", "b"), input("0002", "a")]);
    before.absorb(made);
    const memory: unknown = JSON.parse(JSON.stringify(before.memoryOf(made, 1000)));
    const after = new MovedPlan(seeds, DEFAULT_MOVE_LIMITS, {
      keep: () => assert.fail("it is there already"),
      find: (id) => kept.get(id) ?? null,
    });
    const [item] = after.items(seeds, () => new Uint32Array(1));
    assert.equal(after.recall(item, memory), true);
    assert.deepEqual(
      after.inputs.map(({ seed: one, from, command }) => [one.id, from, command]),
      before.inputs.map(({ seed: one, from, command }) => [one.id, from, command]),
    );
  });

  it("believes nothing that does not fit: then the moves are made again", () => {
    const seeds = [seed("a")];
    const { plan: made, kept } = plan(seeds);
    const [item] = made.items(seeds, () => new Uint32Array(1)) as WorkItem<MovesWork>[];
    kept.set("0002", seed("0002", "another program"));
    kept.set("0003", seed("0003"));
    const one = (id: string, from: string): unknown => ({ moved: [{ id, from, steps: ["s"], fails: false }] });
    for (const memory of [null, {}, { moved: 3 }, one("0001", "a"), one("0002", "a"), one("0003", "b")]) {
      assert.equal(made.recall(item, memory), false, JSON.stringify(memory));
    }
    assert.equal(made.inputs.length, 0);
    assert.equal(made.recall(item, one("0003", "a")), true);
  });
});
