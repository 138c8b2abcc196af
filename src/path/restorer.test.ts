import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { type Decision, randomDecisions } from "./decision-tree-fixture.js";
import { Exploration, type ExplorationChoices } from "./exploration-fixture.js";
import { EXPLORATION_MODES } from "./frontier.js";
import { NO_MODEL } from "./model-store.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import { Restorer, type SavedSegment, saveSegment } from "./restorer.js";
import { NO_SEGMENT, ROW, type RowIndex, type SegmentId } from "./tree.js";

function save({ tree }: Exploration): SavedSegment[] {
  const segments = tree.segmentsInOrder();
  return segments.map((segment) => ({
    ...saveSegment(tree, segment),
    parent: segments.indexOf(tree.parent[segment]),
    parentRow: tree.parentRow[segment],
  }));
}

/** Another exploration of the program, brought to where the saved one was; and how many segments could not be. */
function restore(program: Decision, choices: Partial<ExplorationChoices>, saved: readonly SavedSegment[]) {
  const exploration = new Exploration(program, choices);
  const { tree, recorder } = exploration;
  const restorer = new Restorer(tree, recorder.conditions);
  const frontier = recorder.newGround;
  recorder.newGround = restorer;
  const segments: SegmentId[] = [];
  let lost = 0;
  for (const segment of saved) {
    const above = segment.parent < 0 ? NO_SEGMENT : segments[segment.parent];
    const id = above === NO_SEGMENT ? NO_PENDING : (tree.other[tree.at(above, segment.parentRow)] as PendingId);
    restorer.start(segment);
    const begun = exploration.repeat(id, segment.input, () => restorer.runEnded());
    segments.push(begun);
    if (!restorer.isComplete) lost++;
    for (const pending of restorer.restored) {
      const kind = tree.kindOf(pending);
      const isKnown = tree.pending.model[pending] !== NO_MODEL && (kind === ROW.check || kind === ROW.assume);
      (isKnown ? exploration.known : exploration.waiting).push(pending);
    }
  }
  recorder.newGround = frontier;
  return { exploration, lost };
}

describe("restorer", () => {
  for (const mode of EXPLORATION_MODES) {
    it(`${mode}: saved anywhere and restored, the frontier is the same, and the rest is explored exactly once`, () => {
      for (let seed = 1; seed <= 40; seed++) {
        const random = new Random(seed);
        const program = randomDecisions(random, 6);
        const choices = { mode, checks: seed % 3 === 0 ? "relaxed" : "eager", seed } as const;
        const whole = new Exploration(program, choices);
        whole.runSeed(whole.randomInput());
        for (let steps = random.next() % 15; steps > 0; steps--) whole.step();
        whole.putBackChosen();
        const saved = save(whole);
        const { exploration: again, lost } = restore(program, choices, saved);
        assert.equal(lost, 0);
        assert.deepEqual(again.frontier(), whole.frontier(), `program ${seed}`);
        for (const outcome of whole.settled) again.settled.add(outcome);
        if (saved.length === 0) continue;
        again.assertSound();
        const before = whole.reached.length;
        whole.finish();
        again.finish();
        assert.deepEqual(again.reached.sort(), whole.reached.slice(before).sort());
      }
    });
  }

  it("restoring asks nothing, and what was found out before is not asked again", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const program = randomDecisions(new Random(seed), 6);
      const whole = new Exploration(program, { seed });
      whole.runSeed(whole.randomInput());
      for (let steps = 0; steps < 8; steps++) whole.step();
      const { exploration: again } = restore(program, { seed }, save(whole));
      assert.equal(again.recorder.feasibility.accounts.queries, 0);
      const { tree } = whole;
      for (const segment of tree.segmentsInOrder()) {
        // The same order of segments in both; ids may differ.
        const place = tree.segmentsInOrder().indexOf(segment);
        const twin = again.tree.segmentsInOrder()[place];
        const knowledge = (of: Exploration, id: SegmentId) =>
          Array.from({ length: of.tree.length[id] }, (_, row) => of.tree.knowledge(of.tree.at(id, row as RowIndex)));
        assert.deepEqual(knowledge(again, twin), knowledge(whole, segment));
      }
    }
  });

  it("a program whose sites have changed is noticed", () => {
    const leaf = (name: string): Decision => ({ kind: "leaf", name });
    const program = (site: number): Decision => ({
      kind: "branch",
      site: 0,
      byte: 0,
      below: 40,
      sides: [{ kind: "branch", site, byte: 1, below: 40, sides: [leaf("a"), leaf("b")] }, leaf("c")],
    });
    const whole = new Exploration(program(1));
    whole.runSeed(new Uint8Array(7));
    const saved = save(whole);
    assert.equal(restore(program(1), {}, saved).lost, 0);
    assert.equal(restore(program(2), {}, saved).lost, 1);
    assert.equal(restore(leaf("nothing"), {}, saved).lost, 1);
  });
});
