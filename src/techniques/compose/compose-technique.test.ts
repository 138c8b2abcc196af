import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { ComposeTechnique, DEFAULT_COMPOSE_PLAN } from "./compose-technique.js";
import type { ComposePart, ComposeWork, UnitAccounts, WholeResult } from "./compose-work.js";
import { queryMsOf } from "./whole-run.js";

const SEED: Seed = {
  ...{ id: "5eed", program: "/p/prog", programContent: "content", arguments: ["./prog"], environment: [] },
  ...{ workingDirectory: "/p", umask: 0, stdin: { kind: "empty" }, files: [], end: { kind: "exit", code: 0 } },
  recorded: { at: "", milliseconds: 1, times: 1 },
};
const ACCOUNTS: UnitAccounts = {
  ...{ paths: 3, runs: 4, solverMs: 1.6, milliseconds: 9, isComplete: true, blocks: 5, coveredBlocks: 4 },
  ...{ coveredFirst: 4, contexts: 1, interpolants: 0, interpolantsUsed: 0, interpolationMs: 0 },
  isCached: false,
};
const RESULT: WholeResult = { kind: "whole", validated: [], unmet: [], accounts: ACCOUNTS };
const work = { kind: "whole", seed: SEED, isMade: false, conditions: [], explores: false, timeMs: 1 } as const;
const ITEM: WorkItem<ComposeWork> = { key: "k", program: "content", label: "./prog", work };
const PLACES = [{ content: "content", path: "/p/prog", name: "prog" }];

/** What is done in some rounds behind the first, of a program with many functions of which none fails. */
function itemsOf(without: readonly ComposePart[]): readonly ComposeWork[] {
  const plan = { ...DEFAULT_COMPOSE_PLAN, budgetMs: 120_000, without };
  const technique = new ComposeTechnique([SEED], PLACES, plan);
  const [profiling] = technique.nextRound() ?? [];
  const functions = Array.from({ length: 400 }, (_, index) => {
    return { index, name: `f${index}`, file: "f.c", line: 1, blocks: 9, dangerous: 2, callees: [] };
  });
  const facts = { functions, functionCount: 401, main: 400 };
  const found = { profile: { executions: [] }, contexts: [], failed: [], made: [], problems: [null] };
  const profile = { kind: "profile", facts, ...found, milliseconds: 10 } as const;
  technique.absorb(profiling, { isComplete: true, result: profile });
  const works: ComposeWork[] = [];
  for (let round = 0; round < 40; round++) {
    for (const item of technique.nextRound() ?? []) {
      const { work } = item;
      works.push(work);
      if (work.kind !== "unit") continue;
      const accounts = { ...ACCOUNTS, milliseconds: work.timeMs };
      const result = { kind: "unit", problem: null, failures: [], unmet: [], accounts } as const;
      technique.absorb(item, { isComplete: true, result });
    }
  }
  return works;
}

describe("composition as a technique", () => {
  it("what an earlier campaign did took none of this one's time", () => {
    const technique = new ComposeTechnique([SEED], PLACES, DEFAULT_COMPOSE_PLAN);
    assert.ok(technique.recall(ITEM, JSON.parse(JSON.stringify(RESULT))));
    assert.equal(technique.totals().milliseconds.whole, 0);
    technique.absorb(ITEM, { isComplete: true, result: RESULT });
    assert.equal(technique.totals().milliseconds.whole, ACCOUNTS.milliseconds);
  });

  it("running the tests took as long as it took, not as long as it might", () => {
    const technique = new ComposeTechnique([SEED], PLACES, DEFAULT_COMPOSE_PLAN);
    const [item] = technique.nextRound() ?? [];
    assert.equal(item.work.kind, "profile");
    const profile = { facts: null, profile: { executions: [] }, contexts: [], failed: [], made: [], problems: [null] };
    technique.absorb(item, { isComplete: true, result: { kind: "profile", ...profile, milliseconds: 12 } });
    assert.equal(technique.totals().milliseconds.profile, 12);
  });

  it("main has time to be explored however many functions there are", () => {
    const times = itemsOf([]).flatMap((one) => (one.kind === "whole" ? [one.timeMs] : []));
    assert.ok(times.length > 1 && times.every((timeMs) => timeMs >= 3_000), `${times}`);
  });

  it("what is left out is not done", () => {
    const kindsOf = (...without: readonly ComposePart[]): string[] =>
      [...new Set(itemsOf(without).map(({ kind }) => kind))].sort();
    assert.deepEqual(kindsOf(), ["profile", "unit", "whole"]);
    assert.deepEqual(kindsOf("units"), ["profile", "whole"]);
    assert.deepEqual(kindsOf("main"), ["profile", "unit"]);
    assert.deepEqual(kindsOf("units", "mutations"), ["whole"]);
  });

  it("one question about main may not take all of its time, and none takes longer than is allowed", () => {
    const of = (timeMs: number): number => queryMsOf({ conditions: [], timeMs }, { solverQueryMs: 2_000 });
    assert.deepEqual([100, 3_000, 600_000].map(of), [50, 150, 2_000]);
  });

  it("which functions are asked for changes nothing of what an item comes to", () => {
    const [all, one] = [[], ["parse"]].map(
      (functions) => new ComposeTechnique([SEED], PLACES, { ...DEFAULT_COMPOSE_PLAN, functions }),
    );
    assert.deepEqual(one.settings, all.settings);
  });
});
