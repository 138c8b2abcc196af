import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { UnitDescription } from "./unit-description.js";
import { summaryOf } from "./unit-executor.js";
import { compileUnit, type ExploredUnit, executorOf, exploreUnit, unit } from "./unit-fixture.js";
import { KeptSummaries } from "./unit-summary.js";

const SOURCE = `
#include <string.h>
#include <stdlib.h>
struct account { int balance; short kind; char name[6]; long *log; };
int total = 5;
unsigned char seen[8];
static const int rates[6] = {3, 1, 4, 1, 5, 9};

int max(int a, int b) { if (a > b) return a; return b; }
unsigned mix(unsigned a, unsigned b) {
  unsigned r = a;
  if (a & 1) r = r * 3 + b;
  if (b > 1000) r ^= b >> 3;
  if ((a ^ b) % 5 == 2) r -= a;
  return r;
}
int classify(signed char c, unsigned char d) {
  switch (c) {
    case 1: return d;
    case 2: case 3: return -d;
    case -7: return d * d;
    default: return d < 10 ? c : rates[d % 6];
  }
}
int withdraw(struct account *from, int amount) {
  if (amount <= 0) return -1;
  if (from->kind == 2) { from->kind = 3; return -2; }
  if (from->balance < amount) { from->name[0] = '!'; return -3; }
  from->balance -= amount;
  total += amount;
  return from->balance;
}
long store(struct account *a, unsigned n) { if (n < 8) seen[n] = 1; *a->log = n * 2; return (long)&a->name; }
void same(int *p) { int v = *p; if (v > 3) *p = v; else memset(p, 0, 4); }
void drop(char *p) { if (*p == 'd') free(p); }
unsigned long long twin(unsigned a, unsigned b) {
  unsigned long long r = (unsigned long long)a * b;
  if (r >> 32) return r + a;
  return r;
}
int share(int a, int b) {
  if (a > 100) return a / b;
  return b;
}
int pick(unsigned n) { return rates[n]; }
int main(void) { return max(1, 2) + share(1, 1); }
`;

const SYMBOLIC = { kind: "symbolic" } as const;

interface Mismatch {
  readonly holding: number;
  readonly result: readonly number[] | null;
  readonly expected: readonly number[] | null;
}

/** Random inputs that do not agree with the explored paths: on exactly one the condition holds, and it tells the result and memory. */
function mismatches(
  { executor, summaries }: Pick<ExploredUnit, "executor" | "summaries">,
  inputs: number,
  random = new Random(11),
): Mismatch[] {
  const { arena, space } = executor;
  const evaluator = new Evaluator(arena);
  const quiet = { branch() {}, choose() {}, check() {}, pin() {}, assume() {} };
  const found: Mismatch[] = [];
  const value = (low: number, high: number, expression: ExprRef): number[] =>
    expression === 0 ? [low, high] : [evaluator.low(expression), evaluator.high(expression)];
  for (let n = 0; n < inputs; n++) {
    const model = new Uint8Array(space.size);
    random.fill(model);
    // Small numbers are where programs decide.
    for (let k = 0; k < model.length; k++)
      if (random.next() % 3 !== 0) model[k] = [0, 0, 1, 2, 5, 255][random.next() % 6];
    executor.run(model, quiet, { instructions: 1e7, timeMs: 1e7 });
    const expected = executor.lastResult?.flatMap(({ low, high }) => [low, high]) ?? null;
    evaluator.load(model);
    const holding = summaries.filter(({ summary }) =>
      summary.path.every(({ condition }) => evaluator.holds(condition)),
    );
    const summary = holding[0]?.summary;
    const result = summary?.result?.flatMap(({ low, high, expression }) => value(low, high, expression)) ?? null;
    const isSame = JSON.stringify(result) === JSON.stringify(expected);
    if (holding.length !== 1 || !isSame) found.push({ holding: holding.length, result, expected });
    else checkMemory(summary.writes, evaluator);
  }

  function checkMemory(writes: ExploredUnit["summaries"][number]["summary"]["writes"], values: Evaluator): void {
    const { u8 } = executor.program.machine.memory;
    for (const { name, address, initial } of executor.values.placed) {
      const after = Uint8Array.from(initial);
      for (const { object, offset, size, value: written } of writes) {
        if (object !== name) continue;
        const words = [values.low(written), values.high(written)];
        for (let k = 0; k < size; k++) after[offset + k] = words[k >> 2] >>> ((k & 3) * 8);
      }
      assert.deepEqual(u8.slice(address, address + initial.length), after, name);
    }
  }
  return found;
}

describe("summaries of a unit's runs", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  const explore = (name: string, more: Partial<UnitDescription>): ExploredUnit => {
    const explored = exploreUnit(image, unit(name, more));
    assert.equal(explored.isComplete, true, name);
    assert.equal(explored.statistics.divergences, 0);
    return explored;
  };
  const pair = { parameters: [SYMBOLIC, SYMBOLIC] } as const;

  it("max has two paths; each has one condition and a parameter as its result", () => {
    const { executor, summaries } = explore("max", pair);
    assert.equal(summaries.length, 2);
    for (const { summary } of summaries) {
      assert.equal(summary.path.length, 1);
      assert.equal(summary.path[0].kind, "branch");
      assert.equal(image.sites[summary.path[0].site].kind, "branch");
      assert.deepEqual(summary.writes, []);
    }
    const { arena } = executor;
    const [first, second] = summaries.map(({ summary }) => summary);
    assert.equal(arena.not(first.path[0].condition), second.path[0].condition);
    assert.notEqual(first.result?.[0].expression, second.result?.[0].expression);
  });

  for (const [name, more] of Object.entries<Partial<UnitDescription>>({
    max: pair,
    mix: pair,
    classify: pair,
    twin: pair,
    withdraw: {
      parameters: [{ kind: "object", size: 24 }, SYMBOLIC],
      globals: [{ variable: "total" }],
    },
    store: {
      parameters: [
        { kind: "object", size: 24, fields: [{ offset: 16, value: { kind: "object", size: 8 } }] },
        SYMBOLIC,
      ],
      globals: [{ variable: "seen" }],
    },
    same: { parameters: [{ kind: "object", size: 4 }] },
    share: pair,
  })) {
    it(`${name}: for every input exactly one path condition holds, and its expressions say what the unit does`, () => {
      assert.deepEqual(mismatches(explore(name, more), 300), []);
    });
  }

  it("a path that ends in a finding has the condition of the failure, and fails for all its inputs", () => {
    const { summaries } = explore("share", pair);
    const failed = summaries.filter(({ end }) => end === "division-by-zero");
    assert.equal(failed.length, 1);
    const { path, result } = failed[0].summary;
    assert.deepEqual([path.at(-1)?.kind, result], ["failure", null]);
    assert.equal(image.sites[path.at(-1)?.site ?? -1].kind, "division");
    const picked = exploreUnit(image, unit("pick", { parameters: [SYMBOLIC] }));
    // Other objects that the same mistake reaches are not explored: of those no path has the condition.
    const wrong = mismatches(picked, 300).filter(({ holding }) => holding > 0);
    assert.deepEqual(wrong, []);
  });

  it("writes are told by object and offset, also of variables that are no input", () => {
    const account = { kind: "object", size: 24, bytes: [50] } as const;
    const { executor, summaries } = explore("withdraw", { parameters: [account, SYMBOLIC] });
    const { arena } = executor;
    const shown = summaries.map(({ summary }) =>
      summary.writes.map(({ object, offset, size, value }) => {
        const known = arena.isConstant(value) ? `${arena.constantLow(value)}` : "expression";
        return `${object}+${offset}:${size}=${known}`;
      }),
    );
    assert.deepEqual(shown.sort(), [
      [],
      ["*param:0+0:4=expression", "global:total+0:4=expression"],
      ["*param:0+6:1=33"],
    ]);
  });

  it("a byte that is what it was is no write, and one that was freed is told", () => {
    const { summaries } = explore("same", { parameters: [{ kind: "object", size: 4 }] });
    assert.deepEqual(summaries.map(({ summary }) => summary.writes.length).sort(), [0, 1]);
    const drop = explore("drop", { parameters: [{ kind: "object", size: 4 }] });
    assert.deepEqual(drop.summaries.map(({ summary }) => summary.freed).sort(), [[], ["*param:0"]]);
  });

  it("summaries are kept while unused expressions are collected in between", () => {
    const kept = new KeptSummaries();
    const executor = executorOf(image, unit("mix", pair), { summaries: true });
    const engine = new Engine(executor, {
      solver: assembleSolver(executor.arena, {}),
      searcher: "dfs",
      listeners: [kept],
    });
    for (const event of engine.explore()) {
      if (event.kind !== "run-finished" || !event.isPath) continue;
      const summary = summaryOf(event.outcome);
      if (summary !== null) kept.add(summary);
      engine.expressions.collect();
    }
    assert.equal(engine.counters.collections, 8);
    const summaries = kept.all.map((summary) => ({ summary, end: "0" }));
    assert.deepEqual(mismatches({ executor, summaries }, 200), []);
  });

  it("a pointer is told by the object it leads into", () => {
    const log = { offset: 16, value: { kind: "object", size: 8 } } as const;
    const { executor, summaries } = explore("store", {
      parameters: [
        { kind: "object", size: 24, fields: [log] },
        { kind: "concrete", value: 3 },
      ],
    });
    const [result] = summaries[0].summary.result ?? [];
    assert.deepEqual(executor.values.placeOf(result.low >>> 0), { object: "*param:0", offset: 6 });
    assert.deepEqual(
      summaries[0].summary.writes.map(({ object, offset }) => [object, offset]),
      [
        ["*(*param:0+16)", 0],
        ["global:seen", 3],
      ],
    );
  });
});
