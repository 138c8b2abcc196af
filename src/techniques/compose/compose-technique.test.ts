import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { ComposeTechnique, DEFAULT_COMPOSE_PLAN } from "./compose-technique.js";
import type { CallCondition, ComposePart, ComposeWork, UnitAccounts, WholeResult } from "./compose-work.js";
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

const CONDITION: Omit<CallCondition, "function" | "target"> = {
  ...{ formula: { bytes: new Uint8Array(), roots: [] } as unknown as CallCondition["formula"], parts: [], exact: null },
  ...{ realism: "input", texts: [], within: null, chain: [], tried: 1, failed: 1 },
};

interface Imagined {
  readonly without?: readonly ComposePart[];
  readonly functions: number;
  /** Each function fails, and nothing shows that it can. */
  readonly fails?: boolean;
  readonly rounds: number;
}

/** Of a program that is only imagined, whose tests were profiled. */
function profiled(count: number, without: readonly ComposePart[] = []): ComposeTechnique {
  const plan = { ...DEFAULT_COMPOSE_PLAN, budgetMs: 120_000, without };
  const technique = new ComposeTechnique([SEED], PLACES, plan);
  const [profiling] = technique.nextRound() ?? [];
  const functions = Array.from({ length: count }, (_, index) => {
    return { index, name: `f${index}`, file: "f.c", line: 1, blocks: 9, dangerous: 2, callees: [], isOfTests: false };
  });
  const facts = { functions, functionCount: count + 1, main: count };
  const found = { profile: { executions: [] }, contexts: [], failed: [], made: [], literalTests: [], problems: [null] };
  const profile = { kind: "profile", facts, ...found, milliseconds: 10 } as const;
  technique.absorb(profiling, { isComplete: true, result: profile });
  return technique;
}

/** What is done behind the first round: items take all of their time. */
function itemsOf({ without = [], functions: count, fails = false, rounds }: Imagined): readonly ComposeWork[] {
  const technique = profiled(count, without);
  const works: ComposeWork[] = [];
  const failureOf = (fn: number): CallCondition => {
    const target = { id: `t${fn}`, kind: "null-dereference", file: "f.c", line: fn, functionName: `f${fn}` };
    return { ...CONDITION, function: fn, target };
  };
  for (let round = 0; round < rounds; round++) {
    for (const item of technique.nextRound() ?? []) {
      const { work } = item;
      works.push(work);
      if (work.kind !== "unit" && work.kind !== "whole") continue;
      const accounts = { ...ACCOUNTS, milliseconds: work.timeMs, isComplete: false };
      const failures = fails && work.kind === "unit" ? [failureOf(work.function)] : [];
      const result =
        work.kind === "unit"
          ? ({ kind: "unit", problem: null, failures, unmet: [], accounts } as const)
          : ({ kind: "whole", validated: [], unmet: [], accounts } as const);
      technique.absorb(item, { isComplete: true, result });
    }
  }
  return works;
}

/** Two programs with one library's function, which has another number in each; it fails in the first. */
function libraryOf(
  validated: boolean,
  rounds = 3,
): {
  readonly technique: ComposeTechnique;
  readonly works: readonly ComposeWork[];
} {
  const seeds = ["a", "b"].map((name) => ({ ...SEED, id: name, program: `/p/${name}`, programContent: name }));
  const places = seeds.map(({ programContent: content, program: path }) => ({ content, path, name: content }));
  const technique = new ComposeTechnique(seeds, places, {
    ...DEFAULT_COMPOSE_PLAN,
    budgetMs: 120_000,
    without: ["main"],
  });
  const target = { id: "t", kind: "abort", file: "lib.c", line: 3, functionName: "parse" };
  const works: ComposeWork[] = [];
  for (const item of technique.nextRound() ?? []) {
    const index = item.program === "a" ? 0 : 1;
    const fact = { name: "parse", file: "lib.c", line: 1, blocks: 9, dangerous: 2, callees: [], isOfTests: false };
    const own = { ...fact, index: 1 - index, name: `own_${item.program}`, dangerous: 0 };
    const seed = seeds[index];
    const contexts = [{ function: index, seed, call: 0, chain: [], dependent: 9 - index }];
    const facts = { functions: [{ ...fact, index }, own], functionCount: 3, main: 2 };
    const found = { profile: { executions: [] }, failed: [], made: [], literalTests: [], problems: [null] };
    const result = { kind: "profile", facts, contexts, ...found, milliseconds: 10 } as const;
    technique.absorb(item, { isComplete: true, result });
  }
  for (let round = 0; round < rounds; round++) {
    for (const item of technique.nextRound() ?? []) {
      const { work } = item;
      works.push(work);
      if (work.kind === "unit") {
        const chain = [{ function: 0, name: "parse", file: "lib.c", line: 1, condition: [], arguments: [] }];
        const failures = item.program === "a" ? [{ ...CONDITION, function: 0, target, chain }] : [];
        const result = { kind: "unit", problem: null, failures, unmet: [], accounts: ACCOUNTS } as const;
        technique.absorb(item, { isComplete: true, result });
      } else if (work.kind === "whole") {
        const shown = work.conditions.map((_, condition) => ({ condition, finding: "f" }));
        technique.absorb(item, { isComplete: true, result: { ...RESULT, validated: validated ? shown : [] } });
      }
    }
  }
  return { technique, works };
}

describe("composition of several programs with one library", () => {
  const wholeOf = (works: readonly ComposeWork[], seed: string) =>
    works.flatMap((work) => (work.kind === "whole" && work.seed.id === seed ? [work] : []));

  it("what a function fails with in one program is asked of the tests of the other, under its number there", () => {
    const [asked] = wholeOf(libraryOf(false).works, "b");
    assert.deepEqual(
      asked?.conditions.map(({ function: index, chain }) => [index, chain[0].function]),
      [[1, 1]],
    );
  });

  it("a line that one program has shown is told once, and not asked for again", () => {
    const { technique, works } = libraryOf(true);
    assert.deepEqual(
      technique.targets().map(({ id, state }) => [id, state.kind]),
      [["t", "lifted"]],
    );
    assert.equal(technique.totals().targets, 1);
    assert.equal(technique.totals().functions, 3);
    const rounds = wholeOf(works, "a").length + wholeOf(works, "b").length;
    assert.ok(rounds <= 2, `asked ${rounds} times`);
  });
});

describe("what a composition is at", () => {
  it("functions are counted as in the result, each once for all programs", () => {
    const { technique } = libraryOf(false, 0);
    assert.equal(technique.phase(), "profiling the tests");
    const items = technique.nextRound() ?? [];
    const { functions } = technique.totals();
    assert.equal(technique.phase(), `functions 0 of ${functions}`);
    const unit = items.find(({ work }) => work.kind === "unit");
    assert.ok(unit !== undefined);
    const result = { kind: "unit", problem: null, failures: [], unmet: [], accounts: ACCOUNTS } as const;
    technique.absorb(unit, { isComplete: true, result });
    assert.equal(technique.totals().units, 1);
    assert.equal(technique.phase(), `functions 1 of ${functions}`);
  });
});

describe("composition as a technique", () => {
  it("what an earlier campaign did took none of this one's time", () => {
    const technique = new ComposeTechnique([SEED], PLACES, DEFAULT_COMPOSE_PLAN);
    assert.ok(technique.recall(ITEM, JSON.parse(JSON.stringify(RESULT))));
    assert.equal(technique.totals().milliseconds.whole, 0);
    technique.absorb(ITEM, { isComplete: true, result: RESULT });
    assert.equal(technique.totals().milliseconds.whole, ACCOUNTS.milliseconds);
  });

  it("what an earlier campaign knows of functions is there before anything is begun, and is not done again", () => {
    const technique = profiled(9, ["main", "mutations", "approach"]);
    const known = new Set<string>();
    technique.resumes((key) => / f[246] f\.c (0|1) $/.test(key));
    const unit = { kind: "unit", problem: null, failures: [], unmet: [], accounts: ACCOUNTS } as const;
    for (const item of technique.nextRound() ?? []) {
      known.add(item.key);
      assert.ok(technique.recall(item, JSON.parse(JSON.stringify(unit))));
    }
    assert.equal(known.size, 6, "three functions, each in two rounds");
    assert.equal(technique.totals().units, 3);
    assert.equal(technique.totals().milliseconds.units, 0);
    for (let items = technique.nextRound(); items !== null; items = technique.nextRound()) {
      for (const item of items) {
        assert.ok(!known.has(item.key), item.key);
        technique.absorb(item, { isComplete: true, result: unit });
      }
    }
    assert.equal(technique.totals().units, 9);
  });

  it("running the tests took as long as it took, not as long as it might", () => {
    const technique = new ComposeTechnique([SEED], PLACES, DEFAULT_COMPOSE_PLAN);
    const [item] = technique.nextRound() ?? [];
    assert.equal(item.work.kind, "profile");
    const profile = {
      facts: null,
      profile: { executions: [] },
      contexts: [],
      failed: [],
      made: [],
      literalTests: [],
      problems: [null],
    };
    technique.absorb(item, { isComplete: true, result: { kind: "profile", ...profile, milliseconds: 12 } });
    assert.equal(technique.totals().milliseconds.profile, 12);
  });

  it("main has time to be explored however many functions there are", () => {
    const times = itemsOf({ functions: 400, rounds: 40 }).flatMap((one) => (one.kind === "whole" ? [one.timeMs] : []));
    assert.ok(times.length > 1 && times.every((timeMs) => timeMs >= 3_000), `${times}`);
  });

  it("exploring towards conditions leaves functions their later rounds", () => {
    const works = itemsOf({ functions: 40, fails: true, rounds: 200 });
    let exploringMs = 0;
    let unitMs = 0;
    let longestMs = 0;
    const last = works.findLastIndex(({ kind }) => kind === "unit");
    for (const one of works.slice(0, last)) {
      if (one.kind === "unit") unitMs += one.timeMs;
      if (one.kind !== "whole" || !one.explores || one.conditions.length === 0) continue;
      exploringMs += one.timeMs;
      longestMs = Math.max(longestMs, one.timeMs);
      assert.ok(exploringMs <= unitMs + 2 * longestMs, `${exploringMs} ms of exploring, ${unitMs} of units`);
    }
    assert.ok(exploringMs > 0);
    const units = works.filter(({ kind }) => kind === "unit");
    assert.equal(units.length, 40 * DEFAULT_COMPOSE_PLAN.rounds);
  });

  it("coverage before and after refinement is counted where there was one", () => {
    const technique = new ComposeTechnique([SEED], PLACES, DEFAULT_COMPOSE_PLAN);
    const unit = { kind: "unit", function: 1, contexts: [], starts: [], stubs: [], conditions: [], timeMs: 1 } as const;
    for (const interpolants of [0, 2]) {
      const accounts = { ...ACCOUNTS, interpolants, coveredFirst: 3 };
      const result = { kind: "unit", problem: null, failures: [], unmet: [], accounts } as const;
      technique.absorb({ ...ITEM, work: unit }, { isComplete: true, result });
    }
    assert.deepEqual(technique.totals().refined, { functions: 1, blocks: 5, before: 3, after: 4 });
  });

  it("what is left out is not done", () => {
    const kindsOf = (...without: readonly ComposePart[]): string[] =>
      [...new Set(itemsOf({ without, functions: 400, rounds: 40 }).map(({ kind }) => kind))].sort();
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
