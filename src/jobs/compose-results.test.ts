import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FoundOnce } from "../campaign/found-once.js";
import type { WorkItem } from "../campaign/technique.js";
import type { Seed } from "../project/seed.js";
import { seedId } from "../project/seed-store.js";
import { distanceInWords } from "../report/finding-view.js";
import { parseResult } from "../report/result-file.js";
import type { ComposeTarget } from "../techniques/compose/compose-outcome.js";
import type {
  ComposedFinding,
  ComposeItemResult,
  ComposeWork,
  UnitAccounts,
} from "../techniques/compose/compose-work.js";
import { ComposeResults } from "./compose-results.js";

const SEED: Seed = {
  id: "5eed",
  program: "/p/prog",
  programContent: "content",
  arguments: ["./prog", "x"],
  environment: [],
  workingDirectory: "/p",
  umask: 0,
  stdin: { kind: "empty" },
  files: [],
  end: { kind: "exit", code: 0 },
  recorded: { at: "", milliseconds: 1, times: 1 },
};
const ACCOUNTS: UnitAccounts = {
  ...{ paths: 3, runs: 4, solverMs: 1.6, milliseconds: 9, isComplete: true, blocks: 5, coveredBlocks: 4 },
  ...{ coveredFirst: 4, contexts: 1, interpolants: 0, interpolantsUsed: 0, interpolationMs: 0 },
  isCached: false,
};
const TARGET: ComposeTarget = {
  ...{ id: "t1", kind: "abort", file: "/p/a.c", line: 3, functionName: "f", program: "/p/prog", message: "it aborts" },
  chain: [],
  state: { kind: "open" },
};
const item = (work: ComposeWork): WorkItem<ComposeWork> => ({ key: "k", program: "content", label: "f", work });
const WHOLE = item({ kind: "whole", seed: SEED, isMade: false, explores: false, conditions: [], timeMs: 1 });
const UNIT = item({ kind: "unit", function: 1, contexts: [], starts: [], stubs: [], conditions: [], timeMs: 1 });

function newResults(targets: readonly ComposeTarget[]): {
  readonly results: ComposeResults;
  readonly found: FoundOnce;
} {
  const found = new FoundOnce();
  const milliseconds = { profile: 0, units: 0, lifting: 0, approach: 0, interpolation: 0, whole: 0 };
  const counts = { seeds: 1, functions: 2, units: 1, uncalled: 1, targets: 1, lifted: 0, notFailing: 0 };
  const technique = {
    targets: () => targets,
    functions: () => [],
    totals: () => ({ ...counts, interpolants: 0, interpolantsUsed: 0, cached: 0, milliseconds }),
  };
  const campaign = () => ({ found, elapsedMs: () => 10 });
  const madeOf = () => ({ from: "0", command: ["./prog"], steps: ["argument 1 changed"] });
  const programNames = new Map([["content", "/p/prog"]]);
  return { results: new ComposeResults({ root: "/p", technique, campaign, madeOf, programNames }), found };
}

function addFinding(found: FoundOnce, id: string, from = WHOLE): void {
  const identity = { id, formerId: id, group: "", fingerprint: "", identity: "", cause: "" };
  const finding = { kind: "abort", stack: [], userFrame: -1, object: null, message: "it aborts" };
  const one = { finding, identity, witness: [], seedValues: [], witnessCommand: ["./prog", "y"], depth: 1 };
  found.add({ found: one as never, item: from, place: [0, 0, 0, 0], atMs: 3 });
}

const composed = (target: string, finding: string): ComposedFinding => ({
  finding,
  target: { ...TARGET, id: target },
  chain: [{ function: 0, name: "main", file: null, line: 0, condition: [], arguments: [] }],
});

describe("results of a composition", () => {
  it("adds up what items report, and says what was left out", () => {
    const { results } = newResults([]);
    const ended = (of: WorkItem<ComposeWork>, result: ComposeItemResult): void =>
      void results.take({ kind: "item-ended", item: of, report: { isComplete: true, result } });
    ended(UNIT, { kind: "unit", problem: null, failures: [], unmet: [], accounts: { ...ACCOUNTS, queries: 7 } });
    ended(UNIT, { kind: "unit", problem: "no types", failures: [], unmet: [], accounts: ACCOUNTS });
    const unmet = [{ condition: 0, state: { kind: "unknown", calls: 1 } }] as const;
    ended(WHOLE, { kind: "whole", validated: [], unmet, accounts: { ...ACCOUNTS, isComplete: false } });
    const profile = item({ kind: "profile", facts: true, seeds: [SEED], mutations: 0, again: null, timeMs: 1 });
    ended(profile, {
      kind: "profile",
      facts: null,
      profile: { executions: [] },
      failed: [],
      made: [],
      literalTests: [],
      contexts: [],
      problems: ["its file is gone"],
      milliseconds: 1,
    });
    const { totals, notExplored, notes, timeline, unfinished } = results.result("time", 12.4);
    assert.equal(totals.paths, 9);
    assert.equal(totals.queries, 7);
    assert.equal(totals.solverMs, 5);
    assert.equal(totals.functions, 2);
    assert.deepEqual(notExplored, {
      "functions that cannot be tested by themselves": 1,
      "whole runs for a failure of which not all paths were explored": 1,
      "conditions of a call that could not be decided": 1,
      "tests that could not be run": 1,
    });
    assert.deepEqual(notes, ["./prog x: its file is gone"]);
    assert.deepEqual(unfinished, [{ why: "its file is gone", tests: 1, example: "./prog x" }]);
    assert.equal(timeline.length, 4);
  });

  it("failures that are the tests' own doing are counted, each once, and are no chains", () => {
    const { results } = newResults([]);
    for (const value of [
      { failureOfTests: "a" },
      { failureOfTests: "a" },
      { handedOnNull: "b" },
      { refused: "d" },
      { misuse: "c" },
    ])
      results.take({ kind: "item-event", item: WHOLE, event: { kind: "own", value } });
    assert.deepEqual(results.result("time", 5).notExplored, {
      "failures of the tests' own code on changed input": 1,
      "failures of the library on null pointers that tests hand on, on changed input": 1,
      "assertions of the library about what tests hand to it, on changed input": 1,
      "failures on changed numbers that the library does not check": 1,
    });
  });

  it("of a test whose literals were changed the finding's test is the recorded one", () => {
    const { results, found } = newResults([]);
    const recorded = { ...SEED, id: seedId(SEED) };
    const seed = { ...recorded, id: "0", literals: [{ name: "literal:/p/t.c:1", content: "c" }] };
    const work = { kind: "whole", seed, isMade: true, explores: false, conditions: [], timeMs: 1 } as const;
    addFinding(found, "f1", item(work));
    const [finding] = results.result("time", 5).findings;
    assert.equal(finding.seedId, recorded.id);
    assert.equal(finding.isMade, undefined);
  });

  it("a finding says what came to it", () => {
    const whole = { kind: "whole", seed: SEED, explores: false, conditions: [], timeMs: 1 } as const;
    const works: ComposeWork[] = [
      { ...whole, isMade: false, conditions: [{}] as never },
      { ...whole, isMade: false, explores: true },
      { ...whole, isMade: true },
      { ...whole, isMade: true, editedBy: "approach" },
    ];
    const ways = works.map((work) => {
      const { results, found } = newResults([]);
      addFinding(found, "f1", item(work));
      return results.result("time", 5).findings[0].by;
    });
    assert.deepEqual(ways, ["unit", "main", "edit", "approach"]);
    const { results, found } = newResults([]);
    addFinding(found, "f1", item({ ...whole, isMade: true }));
    const [made] = results.result("time", 5).findings;
    assert.deepEqual(made.moved?.steps, ["argument 1 changed"], "and what is different in an input that was made");
    assert.match(distanceInWords(made), /changed at random/);
  });

  it("a finding makes its target lifted, though its item was cut short or its target is unknown", () => {
    const { results, found } = newResults([{ ...TARGET, id: "t0" }, TARGET]);
    for (const [target, id] of [
      ["t1", "aaa"],
      ["t9", "bbb"],
    ]) {
      addFinding(found, id);
      const value = composed(target, id);
      assert.equal(results.take({ kind: "item-event", item: WHOLE, event: { kind: "own", value } }), null);
    }
    const lost = { kind: "item-lost", item: WHOLE, why: "overdue", message: "" } as const;
    assert.match(results.take(lost) ?? "", /^f: it did not end/);
    const result = results.result("aborted", 5);
    assert.deepEqual(
      result.targets.map(({ id, state, chain }) => [id, state, chain.length]),
      [
        ["t1", { kind: "lifted", finding: "aaa" }, 1],
        ["t9", { kind: "lifted", finding: "bbb" }, 1],
        ["t0", { kind: "open" }, 0],
      ],
    );
    assert.equal(result.totals.targets, 3);
    assert.equal(result.totals.lifted, 2);
    assert.equal(result.targets[1].message, "it aborts");
    assert.equal(result.targets[1].program, "/p/prog");
    assert.deepEqual(
      result.findings.map(({ id, seedId, distance }) => [id, seedId, distance]),
      [
        ["aaa", "5eed", -1],
        ["bbb", "5eed", -1],
      ],
    );
    assert.equal(parseResult(JSON.stringify(result), "r.json").kind, "result");
  });
});
