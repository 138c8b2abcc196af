// Failures of a function lifted to its callers: conditions met at the call, conflicts, and interpolants that lead around them.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { DEFAULT_UNIT_PLAN } from "../unit/explore-unit.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { unitRunner } from "../unit/unit-run.js";
import type { CallCondition } from "./compose-work.js";
import { runStage, type StageOutcome, type StagePlan } from "./unit-stage.js";

const SOURCE = `
#include <stdlib.h>
#include <string.h>
struct list { int value; struct list *next; };
struct box { struct list *first; int count; char name[8]; };
int table[16];
int mode;

int cell(int n) { return table[n]; }
int twice(int n) { return cell(2 * n + 2); }
int checked(int n) { if (n < 0 || n > 15) return 0; return cell(n); }
int constant(void) { return cell(7); }

int second(struct box *b) { return b->first->next->value; }
int open_box(struct box *b) { if (b->count < 2) return 0; return second(b); }

int named(const char *s) { if (s[0] == 'k' && s[1] == '=') abort(); return 0; }
int in_line(struct box *b) { if (b->count != 3) return 1; return named(b->name + 2); }

int by_mode(int n) { if (mode == 5) return 1 / (n - 9); return 0; }
int set_mode(int a, int n) { mode = a * 3 + 2; return by_mode(n); }

static int hash(const char *s) { unsigned h = 7; while (*s) h = h * 31 + *s++; return h & 15; }
int deep(int n, const char *s) { if (hash(s) == 3 && n == 4711) abort(); return 0; }
int caller_of_deep(const char *s, int k) {
  int n = 0;
  for (int i = 0; i < 4; i++) {
    if (k < 100) n += 1; else if (k < 200) n += 2; else n = k * 3;
  }
  return deep(n, s);
}
int main(void) { return twice(0) + checked(0) + constant() + open_box(0) + in_line(0) + set_mode(0, 0) + caller_of_deep("", 0); }
`;

const PLAN: StagePlan = {
  ...DEFAULT_UNIT_PLAN,
  timeMs: 4000,
  studyMs: 400,
  refines: true,
  leads: true,
  verify: true,
  realism: "types",
};

describe("a stage of composition", () => {
  let program: UnitProgram;
  before(async () => {
    program = await unitProgram(SOURCE);
  });

  const stage = (
    name: string,
    conditions: readonly CallCondition[] = [],
    plan: Partial<StagePlan> = {},
  ): StageOutcome => {
    const unit = program.describe(name, { globalBytes: 64 });
    const { image } = program;
    const start = { unit, make: (options: Parameters<typeof unitRunner>[2]) => unitRunner(image, unit, options) };
    const outcome = runStage(
      image,
      start,
      conditions,
      { ...PLAN, ...plan },
      { abort: { aborted: false }, memoryUsed: null },
    );
    assert.ok(!("kind" in outcome));
    return outcome;
  };
  const words = ({ parts }: CallCondition): string => parts.map(({ text }) => text).join(" && ");

  it("a failure is a condition of the function, over its named input", () => {
    const { failures } = stage("cell");
    assert.ok(failures.length >= 1);
    assert.equal(failures[0].target.functionName, "cell");
    assert.match(failures.map(words).join(), /n > 15/);
    assert.deepEqual(
      failures[0].formula.leaves.map(({ object }) => object),
      ["param:0", "param:0", "param:0", "param:0"],
    );
  });

  it("is lifted through a caller, with a condition of the caller's own", () => {
    const lifted = stage("twice", stage("cell").failures);
    assert.ok(lifted.failures.length >= 1);
    assert.deepEqual(
      lifted.failures[0].chain.map(({ name }) => name),
      ["twice", "cell"],
    );
    assert.ok(lifted.unmet.some((state) => state === null));
  });

  it("is lifted in the paper's order too, where a caller is explored first and asked then", () => {
    const { failures } = stage("twice", stage("cell").failures, { leads: false });
    assert.ok(failures.some(({ chain }) => chain.map(({ name }) => name).join() === "twice,cell"));
    const checked = stage("checked", stage("cell").failures, { leads: false, timeMs: 1500 });
    assert.deepEqual(checked.failures, []);
    assert.ok(checked.unmet.every((state) => state?.kind === "contradicted"));
  });

  it("is not lifted where the caller checks, and what is against it is told with its place", () => {
    const { failures, unmet } = stage("checked", stage("cell").failures);
    assert.deepEqual(failures, []);
    for (const state of unmet) {
      assert.ok(state?.kind === "contradicted", JSON.stringify(state));
      assert.match(state.needed.map(({ text }) => text).join(), /n/);
      assert.match(state.against.map(({ text }) => text).join(), /n (<=|<|>=|>) (15|16|0|-1)/);
      assert.ok(state.against.every(({ line }) => line > 0));
    }
  });

  it("is not lifted where the caller passes something else whatever its input is", () => {
    const { unmet } = stage("constant", stage("cell").failures);
    assert.ok(unmet.length > 0);
    for (const state of unmet)
      assert.ok(state?.kind === "contradicted" && state.needed.length > 0, JSON.stringify(state));
  });

  it("structures with pointers, texts in the middle of a structure, and variables are bound at the call", () => {
    for (const [callee, caller] of [
      ["second", "open_box"],
      ["named", "in_line"],
      ["by_mode", "set_mode"],
    ]) {
      const own = stage(callee).failures;
      assert.ok(own.length > 0, callee);
      const lifted = stage(caller, own);
      assert.ok(
        lifted.failures.some(({ chain }) => chain.length === 2),
        `${caller}: ${JSON.stringify(lifted.unmet)}`,
      );
    }
  });
});
