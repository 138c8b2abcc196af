import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { ComposeTechnique, DEFAULT_COMPOSE_PLAN } from "./compose-technique.js";
import type { ComposeWork, UnitAccounts, WholeResult } from "./compose-work.js";

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

  it("which functions are asked for changes nothing of what an item comes to", () => {
    const [all, one] = [[], ["parse"]].map(
      (functions) => new ComposeTechnique([SEED], PLACES, { ...DEFAULT_COMPOSE_PLAN, functions }),
    );
    assert.deepEqual(one.settings, all.settings);
  });
});
