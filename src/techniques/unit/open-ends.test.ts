// Structures with an array at their end that is longer than its type says: how much of it is made, and what is said of it.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { loadModule } from "../../jit/load-module.js";
import type { DescribeOptions } from "./describe-unit.js";
import { DEFAULT_UNIT_PLAN, type UnitFailure, unitExploration } from "./explore-unit.js";
import { leafAt } from "./unit-inputs.js";
import { type UnitProgram, unitProgram } from "./unit-program-fixture.js";

const SOURCE = `
#include <stddef.h>
typedef struct { size_t len; unsigned ref_cnt; char str[2]; } STRING;
struct flexible { int kind; short values[]; };
struct counted { int ref_cnt; int count; double items[1]; };
struct pair { int kind; short both[2]; };
struct owner { char *name; int len; short both[2]; };
struct nodes { int n; struct pair *list[1]; };
int dots(STRING *s) { int n = 0; for (size_t k = 0; k < s->len; k++) n += s->str[k] == '.'; return n; }
int until_zero(STRING *s) { int n = 0; while (s->str[n]) n++; return n == 5 ? 10 / (s->str[4] - 'x') : n; }
int behind(STRING *s) { return s->str[s->len + 40]; }
int flexible(struct flexible *f) { return f->values[3]; }
double counted(struct counted *c) { return c->count > 0 ? c->items[c->count - 1] : 0; }
int pair(struct pair *p) { return p->both[1]; }
int owner(struct owner *o) { return o->name[0] + o->both[1]; }
int nodes(struct nodes *all) { return all->n > 1 && all->list[1] ? all->list[1]->kind : 0; }
int main(void) { return 0; }
`;

describe("structures that go on behind their end", () => {
  let units: UnitProgram;
  before(async () => {
    units = await unitProgram(SOURCE);
  });
  const sizeOf = (name: string, options: Partial<DescribeOptions> = {}): number => {
    const [value] = units.describe(name, options).description.parameters;
    assert.ok(value.kind === "object", name);
    return value.size;
  };
  const assumedOf = (name: string): readonly string[] => units.describe(name).assumptions.map(({ words }) => words);
  const failuresOf = (name: string): readonly UnitFailure[] => {
    const plan = { ...DEFAULT_UNIT_PLAN, timeMs: 10_000 };
    const host = { abort: { aborted: false }, memoryUsed: null };
    const made = unitExploration(units.image, units.describe(name), plan, host, loadModule(units.image));
    if (made.kind === "failed") throw new Error(made.message);
    return [...made.exploration.events()].flatMap((event) => (event.kind === "failure" ? [event.failure] : []));
  };

  it("an array of one or two with a length beside it is as long as other arrays, and the length is bounded", () => {
    assert.equal(sizeOf("dots"), 12 + 9);
    assert.equal(sizeOf("dots", { string: 20 }), 12 + 21);
    assert.deepEqual(assumedOf("dots"), ["s->str[8] == 0", "s->len <= 8"]);
    assert.equal(sizeOf("counted"), 8 + 8 * 8);
    assert.deepEqual(assumedOf("counted"), ["c->count <= 8"]);
    assert.equal(sizeOf("nodes"), 8 + 2 * 8);
  });

  it("an array without a length in its type has elements", () => {
    assert.equal(sizeOf("flexible"), 4 + 8 * 2);
    assert.deepEqual(assumedOf("flexible"), []);
  });

  it("without a length of its own an array of two is one", () => {
    assert.equal(sizeOf("pair"), 8);
    assert.equal(sizeOf("owner"), 16);
  });

  it("what stays within the length does not fail, what leaves it does, in words of the structure", () => {
    for (const name of ["dots", "flexible", "counted", "nodes"]) assert.deepEqual(failuresOf(name), [], name);
    const [division, ...rest] = failuresOf("until_zero");
    assert.deepEqual(rest, []);
    assert.match(division.precondition.map(({ text }) => text).join(" && "), /s->str\[4\] == 'x'/);
    assert.ok(
      division.arguments.some(({ words, value }) => words === "s->str" && value.includes("x")),
      JSON.stringify(division.arguments),
    );
    assert.deepEqual(
      failuresOf("behind").map(({ finding }) => finding.kind),
      ["heap-buffer-overflow"],
    );
    const { types, inputs } = units.describe("dots");
    assert.equal(leafAt(types, inputs[0], 8 * 18, 8).words, "s->str[6]");
  });
});
