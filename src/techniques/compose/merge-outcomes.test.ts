import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComposeFunction, ComposeObstacle, ComposeTarget, ComposeTargetState } from "./compose-outcome.js";
import { mergedFunctions, mergedTargets } from "./merge-outcomes.js";

const target = (id: string, program: string, state: ComposeTargetState): ComposeTarget => ({
  ...{ id, kind: "abort", file: "/p/a.c", line: 3, functionName: "f", program, message: "", chain: [] },
  state,
});
const obstacle = (caller: string): ComposeObstacle => ({ caller, file: null, line: 0, state: { kind: "not-called" } });

test("a line that fails in several programs is told once: shown in any of them it is shown", () => {
  const merged = mergedTargets([
    target("t1", "a", { kind: "open" }),
    target("t2", "a", { kind: "not-lifted", callers: [obstacle("x")] }),
    target("t1", "b", { kind: "lifted", finding: "f" }),
    target("t2", "b", { kind: "not-lifted", callers: [obstacle("y")] }),
    target("t2", "c", { kind: "open" }),
  ]);
  assert.deepEqual(
    merged.map(({ id, program, state }) => [id, program, state.kind]),
    [
      ["t1", "b", "lifted"],
      ["t2", "a", "not-lifted"],
    ],
  );
  const [, { state }] = merged;
  assert.deepEqual(state.kind === "not-lifted" ? state.callers.map(({ caller }) => caller) : [], ["x", "y"]);
});

test("a function of several programs is told once, with all that was done with it", () => {
  const told = (program: string, more: Partial<ComposeFunction>): ComposeFunction => ({
    ...{ name: "f", file: "/p/a.c", line: 1, program, blocks: 9, coveredBlocks: 0, failures: 0 },
    ...{ contexts: 0, milliseconds: 0, problem: null, ...more },
  });
  const merged = mergedFunctions([
    {
      told: told("a", { coveredBlocks: 2, contexts: 1, milliseconds: 5, failures: 1 }),
      isTested: true,
      isCalled: true,
    },
    { told: told("b", { coveredBlocks: 4, contexts: 2, milliseconds: 7 }), isTested: true, isCalled: false },
    { told: { ...told("b", {}), line: 2 }, isTested: false, isCalled: false },
  ]);
  const [first, second] = merged;
  assert.equal(merged.length, 2);
  const { program, coveredBlocks, contexts, milliseconds, failures } = first.told;
  assert.deepEqual([program, coveredBlocks, contexts, milliseconds, failures], ["b", 4, 3, 12, 1]);
  assert.deepEqual([first.isTested, first.isCalled, second.isTested], [true, true, false]);
});
