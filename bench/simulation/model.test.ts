import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type SimulatedItem, type SimulationSettings, simulate } from "./model.js";

const IDEAL: Omit<SimulationSettings, "rounds" | "workers"> = {
  ahead: 2,
  coordinatorMs: 0,
  wayMs: 0,
  programMs: 0,
  slowShare: 0,
  slowFactor: 1,
  lifeMs: Number.POSITIVE_INFINITY,
  leaseMs: 15_000,
  replacedMs: 1000,
  randomSeed: 1,
};

function items(count: number, ms: number): SimulatedItem[] {
  return Array.from({ length: count }, () => ({ ms, program: "a" }));
}

describe("the simulation of a campaign over a queue", () => {
  it("equal items without any cost are divided among the workers", () => {
    for (const workers of [1, 2, 5, 100]) {
      const { wallMs, busyShare } = simulate({ ...IDEAL, rounds: [items(100, 10)], workers });
      assert.equal(wallMs, 1000 / workers);
      assert.equal(busyShare, 1);
    }
  });

  it("a round waits for its longest item, and the next one for the round", () => {
    const rounds = [[...items(9, 1), { ms: 50, program: "a" }], items(10, 1)];
    assert.equal(simulate({ ...IDEAL, rounds, workers: 1000 }).wallMs, 51);
  });

  it("the coordinator's time is one after the other, however many workers there are", () => {
    const { wallMs, coordinatorShare } = simulate({
      ...IDEAL,
      coordinatorMs: 2,
      rounds: [items(1000, 1)],
      workers: 500,
    });
    assert.ok(wallMs >= 2000 && wallMs < 2010);
    assert.ok(coordinatorShare > 0.99);
  });

  it("orders on their way do not keep workers waiting if there is one more than they do", () => {
    const settings = { ...IDEAL, wayMs: 5, rounds: [items(100, 10)], workers: 1 };
    assert.ok(simulate(settings).wallMs < 1000 + 11);
    assert.ok(simulate({ ...settings, ahead: 1, rounds: [items(100, 1)] }).wallMs > 100 * 3);
  });

  it("a program is got ready once by each worker that needs it", () => {
    const rounds = [[...items(10, 1), ...items(10, 1).map((item) => ({ ...item, program: "b" }))]];
    assert.equal(simulate({ ...IDEAL, programMs: 100, rounds, workers: 1 }).wallMs, 220);
  });

  it("slow machines do less, and hold up the end", () => {
    const rounds = [items(100, 10)];
    const { wallMs } = simulate({ ...IDEAL, slowShare: 0.5, slowFactor: 4, rounds, workers: 2 });
    assert.ok(wallMs >= 800 && wallMs <= 840, String(wallMs));
  });

  it("what a worker vanishes with is done again after its lease", () => {
    const settings = { ...IDEAL, rounds: [items(1000, 100)], workers: 10, lifeMs: 2000, leaseMs: 500, replacedMs: 100 };
    const { wallMs, lost, busyShare } = simulate(settings);
    assert.ok(lost > 10);
    assert.ok(wallMs > 10_000 && busyShare < 1);
    assert.deepEqual(simulate(settings), simulate(settings));
    assert.ok(simulate({ ...settings, randomSeed: 2 }).wallMs > 10_000);
  });

  it("nothing to do takes no time", () => {
    assert.equal(simulate({ ...IDEAL, rounds: [[], []], workers: 3 }).wallMs, 0);
  });
});
