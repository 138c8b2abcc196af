import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { type Decision, outcomesOf, randomDecisions } from "./decision-tree-fixture.js";
import { Exploration } from "./exploration-fixture.js";
import { CHECK_POLICIES, EXPLORATION_MODES } from "./frontier.js";

/** What a whole exploration must reach: a violated assumption may come up, and must not come up twice. */
function expectedOutcomes(program: Decision, failures: boolean): string[] {
  const all = [...outcomesOf(program).keys()];
  return all.filter((outcome) => !outcome.startsWith("violates") && (failures || !outcome.startsWith("fails"))).sort();
}

function assertComplete(exploration: Exploration, expected: readonly string[]): void {
  const reached = exploration.reached.filter((outcome) => !outcome.startsWith("violates"));
  assert.deepEqual(reached.sort(), expected);
  const violated = exploration.reached.filter((outcome) => outcome.startsWith("violates"));
  assert.equal(new Set(violated).size, violated.length);
  const { tree } = exploration;
  assert.ok(tree.finished);
  assert.equal(tree.rows + tree.segments + tree.pending.count + tree.models.count, 0, "nothing is left behind");
}

describe("recorder, on random trees of decisions", () => {
  for (const mode of EXPLORATION_MODES) {
    for (const checks of ["eager", "relaxed"] as const) {
      it(`${mode}, checks ${checks}: every outcome is reached exactly once, and as predicted`, () => {
        for (let seed = 1; seed <= 60; seed++) {
          const program = randomDecisions(new Random(seed), 6);
          const exploration = new Exploration(program, { mode, checks, seed });
          exploration.runSeed(exploration.randomInput());
          exploration.finish(seed % 3 === 0 ? 2 : Number.POSITIVE_INFINITY);
          assertComplete(exploration, expectedOutcomes(program, true));
        }
      });
    }

    it(`${mode}: between any two runs each outcome is reached or belongs to exactly one pending path`, () => {
      for (let seed = 1; seed <= 30; seed++) {
        const checks = CHECK_POLICIES[seed % CHECK_POLICIES.length];
        const exploration = new Exploration(randomDecisions(new Random(seed), 5), { mode, checks, seed });
        exploration.runSeed(exploration.randomInput());
        do {
          exploration.assertSound();
          if (seed % 2 === 0) exploration.runSeed(exploration.randomInput());
          exploration.assertSound();
        } while (exploration.step());
        exploration.assertSound();
      }
    });
  }

  it("checks off: what would fail is never reached, everything else is", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const program = randomDecisions(new Random(seed), 6);
      const exploration = new Exploration(program, { checks: "off", seed });
      // An input that passes every check: one that fails by itself is a path as any other.
      exploration.runSeed(new Uint8Array(7));
      exploration.finish();
      assertComplete(exploration, expectedOutcomes(program, false));
    }
  });

  it("seeds alone: whatever they do, nothing is recorded twice and the rest stays pending", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const exploration = new Exploration(randomDecisions(new Random(seed), 6), { seed });
      for (let run = 0; run < 40; run++) exploration.runSeed(exploration.randomInput());
      assert.equal(new Set(exploration.reached).size, exploration.reached.length);
      exploration.assertSound();
    }
  });

  it("dropping pending paths loses what lies below them and nothing else", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed);
      const program = randomDecisions(random, 6);
      const exploration = new Exploration(program, { mode: EXPLORATION_MODES[seed % 2], seed });
      exploration.runSeed(exploration.randomInput());
      const dropped: string[] = [];
      do {
        const { waiting } = exploration;
        if (waiting.length === 0 || random.next() % 3 > 0) continue;
        const victim = waiting[random.next() % waiting.length];
        dropped.push(...exploration.outcomesBelow(victim));
        exploration.drop(victim);
        exploration.tree.compact();
        exploration.tree.models.compact();
        exploration.assertSound();
      } while (exploration.step());
      const expected = expectedOutcomes(program, true).filter((outcome) => !dropped.includes(outcome));
      assertComplete(exploration, expected);
    }
  });

  it("collecting expressions between runs changes nothing", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const program = randomDecisions(new Random(seed), 6);
      const exploration = new Exploration(program, { mode: EXPLORATION_MODES[seed % 2], seed });
      exploration.runSeed(exploration.randomInput());
      do {
        const before = exploration.frontier();
        exploration.collectExpressions();
        assert.deepEqual(exploration.frontier(), before);
      } while (exploration.step());
      assertComplete(exploration, expectedOutcomes(program, true));
    }
  });

  it("a listener hears every decision with its place on the path, also where the ground is known", () => {
    const program = randomDecisions(new Random(9), 6);
    const exploration = new Exploration(program, { checks: "off" });
    const heard: { position: number; row: number }[] = [];
    exploration.recorder.listeners.push({ decision: (_s, _k, _h, position, row) => heard.push({ position, row }) });
    const input = exploration.randomInput();
    exploration.runSeed(input);
    const first = heard.splice(0);
    const told = first.filter(({ row }) => row >= 0);
    assert.deepEqual(
      told.map(({ position }) => position),
      told.map((_, place) => place),
    );
    exploration.runSeed(input);
    assert.deepEqual(
      heard.map(({ position }) => position),
      first.map(({ position }) => position),
    );
  });
});
