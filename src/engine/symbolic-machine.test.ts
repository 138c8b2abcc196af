import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { Engine } from "./engine.js";
import { QUIET } from "./finding-ledger.js";
import type { UnitDescription } from "./unit-description.js";
import type { UnitExecutor, UnitOptions } from "./unit-executor.js";
import { compileUnit, executorOf } from "./unit-fixture.js";

const SOURCE = `
#include <stdlib.h>
#include <string.h>
int total = 7;
static char kept[64];
int helper(int n) { return n + 1; }
int judge(const char *text, int n) {
  total += n;
  char *copy = malloc(16);
  strcpy(copy, text);
  if (copy[0] == 'x' && helper(n) > 10) kept[n & 63] = copy[1];
  int result = total > 100 ? kept[3] : copy[2] == 'q';
  free(copy);
  return result;
}
int deep(int a, int b) {
  char large[4096];
  memset(large, a, sizeof large);
  switch (b) { case 1: return large[a & 4095]; case 7: return 2; case 9: return 3; }
  return a * b == 391 ? -1 : 0;
}
int main(void) { return judge("abc", 1) + deep(1, 2); }
`;

const JUDGE: UnitDescription = {
  function: "judge",
  parameters: [{ kind: "object", size: 6 }, { kind: "symbolic" }],
  globals: [{ variable: "total" }],
  stubs: [],
};
const DEEP: UnitDescription = {
  function: "deep",
  parameters: [{ kind: "symbolic" }, { kind: "symbolic" }],
  globals: [],
  stubs: [],
};

describe("a machine that is used again", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  function made(description: UnitDescription, options: UnitOptions = {}): UnitExecutor {
    return executorOf(image, description, options);
  }

  /** Everything that an exploration says: inputs in their order, ends, decisions. */
  function told(executor: UnitExecutor): string[] {
    const solver = assembleSolver(executor.arena, {});
    const lines: string[] = [];
    for (const event of new Engine(executor, { solver, limits: { paths: 40 } }).explore()) {
      if (event.kind !== "run-finished") continue;
      const { input, outcome, depth } = event;
      const objects = outcome.objects.map(({ name, size, firstVariable }) => `${name} ${size} ${firstVariable}`);
      lines.push(
        `${Buffer.from(input).toString("hex")} ${outcome.end.kind} ${depth} ${outcome.instructions} ${objects}`,
      );
    }
    return lines;
  }

  it("does what a new one does", () => {
    const first = made(JUDGE);
    const other = made(DEEP);
    assert.notEqual(first.program.machine, other.program.machine);
    const expected = told(first);
    const expectedOther = told(other);
    assert.ok(expected.length > 5 && expectedOther.length > 3);
    const { machine } = first.program;
    first.release();
    const again = made(DEEP);
    assert.equal(again.program.machine, machine);
    assert.deepEqual(told(again), expectedOther);
    again.release();
    other.release();
    for (let turn = 0; turn < 3; turn++) {
      const third = made(JUDGE);
      assert.deepEqual(told(third), expected);
      third.release();
    }
  });

  it("has no hooks, stubs and objects of the one before", () => {
    let calls = 0;
    const hook = (): null => {
      calls++;
      return null;
    };
    const first = made(JUDGE, { hooks: [{ function: "helper", hook }] });
    told(first);
    assert.ok(calls > 0);
    first.release();
    const before = calls;
    const second = made(JUDGE);
    assert.ok(second.space.objects.length <= 3);
    told(second);
    assert.equal(calls, before);
    second.release();
  });

  it("belongs to nobody once it was given back", () => {
    const first = made(DEEP);
    first.release();
    first.release();
    const second = made(DEEP);
    const third = made(DEEP);
    assert.notEqual(second.program.machine, third.program.machine);
    second.release();
    third.release();
    const limits = { instructions: 1e6, timeMs: 1000 };
    assert.throws(() => first.run(first.firstInput, QUIET, limits), /given back/);
  });
});
