import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Invocation } from "../../inputs/invocation.js";
import { argumentGrowths, type Growth } from "../../inputs/moves/growth.js";
import { contextOf, poolOf } from "../../inputs/moves/pool.js";
import { bytesOf } from "../../inputs/moves/shown-text.js";
import type { ProgramImage } from "../../jit/image.js";
import { Random } from "../../support/random.js";
import type { GivenTests } from "../reach/given-tests.js";
import { MoveTrials, type Trial } from "./move-trials.js";

const TEST: Invocation = {
  program: "tool",
  arguments: [bytesOf("abc")],
  environment: [],
  workingDirectory: "/home/test",
  umask: 0o22,
  stdin: { kind: "empty" },
  tree: [],
};

function growth(): Growth {
  const context = contextOf(TEST, poolOf({ words: [], others: [], preferred: [], random: new Random(1) }));
  for (const one of argumentGrowths(context)) if (one.key === "argument 0, its last byte") return one;
  assert.fail("no growth");
}

/** A program of which only the length of its argument counts: `behaviour` gives the exit status; null is an abort. */
function trials(behaviour: (length: number) => number | null, looks = true, most = 1000): [MoveTrials, Trial] {
  const run = ({ arguments: [word] }: Invocation) => {
    const code = behaviour(word.length);
    const end = code === null ? { kind: "signal", signal: 6 } : { kind: "exit", code };
    return { end, instructions: looks ? 100 + word.length : 100, coverage: new Uint8Array(4) };
  };
  const tests = { run, lend: run };
  const made = new MoveTrials({} as ProgramImage, tests as unknown as GivenTests, most, () => false);
  return [made, made.base(TEST)];
}

describe("trials of growths", () => {
  it("find the one length that fails, between harmless and refused ones", () => {
    const [made, base] = trials((length) => (length < 40 ? 0 : length === 40 ? null : 1));
    const { changes, limits } = made.climb(growth(), base);
    const failing = changes.filter(({ trial }) => trial.place !== null);
    assert.deepEqual(
      failing.map(({ amount }) => amount),
      [37],
    );
    assert.ok(limits.some(({ amount }) => amount === 36));
    assert.ok(made.runs < 20, `${made.runs} runs`);
  });

  it("give the smallest amount that fails", () => {
    const [made, base] = trials((length) => (length < 777 ? 0 : null));
    const { changes } = made.climb(growth(), base);
    assert.deepEqual(
      changes.map(({ amount }) => amount),
      [774],
    );
  });

  it("stop soon where the program does not look", () => {
    const [made, base] = trials(() => 0, false);
    assert.deepEqual(made.climb(growth(), base), { changes: [], limits: [], rungs: [] });
    assert.equal(made.runs, 2);
  });

  it("run nothing twice, and no more than they may", () => {
    const [made, base] = trials((length) => length % 7, true, 30);
    made.climb(growth(), base);
    const { runs } = made;
    assert.ok(runs <= 30, `${runs} runs`);
    assert.equal(made.run(growth().make(1), base), null);
    assert.equal(made.runs, runs);
  });
});
