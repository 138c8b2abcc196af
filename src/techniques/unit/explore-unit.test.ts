// Failures of single functions, with the arguments and the precondition in words of the source.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { placeOf, QUIET } from "../../engine/finding-ledger.js";
import { assembleSolver } from "../../solver/chain.js";
import type { DescribeOptions } from "./describe-unit.js";
import { DEFAULT_UNIT_PLAN, type UnitFailure, type UnitSummary, unitExploration } from "./explore-unit.js";
import { preconditionOf } from "./precondition.js";
import { type UnitProgram, unitProgram } from "./unit-program-fixture.js";
import { unitRunner } from "./unit-run.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum mode { OFF, ON = 4, AUTO };
struct node { int value; struct node *next; unsigned low : 3, high : 5; char name[8]; };
struct buffer { unsigned char *data; size_t length; };
struct pair { long a; int b; };
int table[64];
int limit = 3;
static int check(int n) { return n * n - 3; }

int index_of(int len, struct node *p) {
  if (len > 64 && p->next == NULL)
    return table[len];
  return 0;
}
int third(struct node *p) { return p->next->next->value; }
int text(const char *s) { if (s[0] == 'a' && s[1] == 'b' && (unsigned char)s[2] == 0xff) abort(); return 0; }
int sum(const int *v, int count) { int t = 0; for (int k = 0; k <= count; k++) t += v[k]; return t; }
int sum_right(const int *v, int count) { int t = 0; for (int k = 0; k < count; k++) t += v[k]; return t; }
int divide(int a, enum mode m) { if (m == AUTO) return 100 / (a - 7); return 0; }
int bits(struct node *p) { if (p->high == 9 && p->low > 3) abort(); return p->value; }
int copy(struct buffer *b, const char *name) {
  char local[6];
  if (b->length < 3 || b->data == NULL) return 0;
  if (b->data[0] == 7) strcpy(local, name);
  return local[0];
}
int narrow(unsigned short u, signed char c, _Bool ok) { if (u > 1000 && c < -3 && ok) abort(); return 0; }
int range(int c) { if (c >= '0' && c <= '9') abort(); return 0; }
int cases(int c) { switch (c) { case 3: case 5: abort(); case 9: return 1; } return 0; }
int two(int a) { if (a == 1) abort(); if (a == 2) abort(); return 0; }
int value(struct pair p) { if (p.a == 70000 && p.b == -2) abort(); return 0; }
int stubbed(int n) { if (check(n) == 22) return 1 / (n - n); return 0; }
int variable(void) { if (limit == 77) abort(); return 0; }
int file(FILE *f) { return fputs("x", f); }
int measured(const char *s) { if (strlen(s) == 77) abort(); return 0; }
int never(unsigned char c) {
  if (c > 300)
    return 1;
  return 0;
}
int unimportant(int a, int b, int c) { int n = 0; if (a > 5) n = 1; if (b > 5) n += 2; if (c == 3) abort(); return n; }
int at_most_one(const char *s) {
  int count = 0;
  for (int k = 0; k < 3; k++)
    if (s[k] == 'x') count++;
  if (count < 2) abort();
  return 0;
}
int shifted(long amount, const char *s, unsigned long step) {
  if (amount / 2 > 100 && amount >> 3 < 50)
    abort();
  if (s + step > s && step == 7)
    abort();
  return 0;
}
int element(struct buffer *b, size_t at) { if (at < b->length && b->data && b->data[at] == 'k') abort(); return 0; }
struct token { unsigned type : 8; unsigned more : 8; int n; };
int tokens(struct token *t) { if (t->type == 6 && t->n < 0) abort(); return 0; }
int last_of(int at) { return at > 64 ? 0 : table[at - 1]; }
int pair_equal(long first, long second) { if (first == second && first != 0) abort(); return 0; }
int small(unsigned long n, unsigned k) { if (n * 4 >> 16 == 0 && k >> 12 == 0) abort(); return 0; }
int warm(double celsius, float factor) { if (celsius * 1.5 < -30 && (int)factor == 7) abort(); return 0; }
int sums(double a, double b) { if (a + b < -30 && (int)(a + 0.5) == 7) abort(); return 0; }
int odd(double x) { if (__builtin_floor(x) == 3 && !(x <= 3.5)) abort(); return 0; }
struct wide { struct node *nodes[70]; int count; };
int beyond(struct wide *w) {
  int sum = 0;
  if (w->count == 7) sum += w->nodes[68]->value;
  return sum;
}
int within(struct wide *w, struct buffer *b) {
  int sum = 0;
  for (int k = 0; k < 70; k++) sum += w->nodes[k] != NULL;
  return sum + b->data[0];
}
int leads(struct node **p, int **v) { if ((*p)->value == 5 && (*p)->name[2] == 'n' && (*v)[3] == 7) abort(); return 0; }
struct parser { unsigned type : 2, flags : 8, state : 7, rest : 15; int low : 5, mid : 14, high : 13; };
int parsed(struct parser *q, int d) { if (q->state == 59 && !(q->flags & 1)) return table[d]; return 0; }
int crossing(struct parser *q) {
  if (q->rest == 300 && q->flags != 7 && q->mid == -300 && q->high > 100 && q->low < -3) abort();
  return 0;
}
int parts(struct parser *q) {
  if ((q->flags & 0x12) == 0x10 && q->rest & 0x4000) switch (q->state) { case 3: case 5: abort(); }
  return 0;
}
int both(struct parser *q, unsigned char c) { if (q->flags > q->state && q->flags == c && q->state > 9) abort(); return 0; }
int long_index(long at) { return table[at]; }
static const char *const titles[4] = {"alpha", "beta", "gamma", "delta"};
static const signed char classes[128] = {['a'] = 1, ['b'] = 7, ['c'] = 3, ['x'] = 3, ['z'] = 5};
int titled(unsigned which, unsigned at) { return which < 4 ? titles[which][at] : 0; }
int classed(unsigned char c, signed char k) { if (c < 128 && classes[c] < k && k < 2) abort(); return 0; }
int is_class(unsigned char c) { if (classes[c & 127]) abort(); return 0; }
int at_place(long place) { if ((int *)place == table + 3) abort(); return 0; }
int subtracted(int len) { if (len > 8) return 0; if (len - 9 >= 0) abort(); return 1; }
int main(void) { return check(1); }
`;

interface Explored {
  readonly failures: readonly UnitFailure[];
  readonly summary: UnitSummary;
  /** Arguments and precondition of each failure. */
  readonly words: readonly (readonly [string, string])[];
}

describe("a unit is explored", () => {
  let units: UnitProgram;
  before(async () => {
    units = await unitProgram(SOURCE);
  });
  const explore = (name: string, options: Partial<DescribeOptions> = {}, mostRuns = Infinity): Explored => {
    const host = { abort: { aborted: false }, memoryUsed: null };
    let runs = 0;
    const made = unitExploration(units.image, units.describe(name, options), DEFAULT_UNIT_PLAN, host);
    assert.ok(made.kind === "made", made.kind === "failed" ? made.message : "");
    const failures: UnitFailure[] = [];
    const events = made.exploration.events();
    for (;;) {
      const next = events.next();
      if (next.done === true) {
        const words = failures.map(
          (one) =>
            [
              one.arguments.map((value) => `${value.words} = ${value.value}`).join(", "),
              one.precondition.map((condition) => condition.text).join(" && "),
            ] as const,
        );
        assert.equal(next.value.unconfirmed, 0);
        assert.equal(next.value.statistics.divergences, 0);
        return { failures, summary: next.value, words };
      }
      if (next.value.kind === "failure") failures.push(next.value.failure);
      if (next.value.kind === "run" && ++runs >= mostRuns) host.abort.aborted = true;
    }
  };

  it("a failure comes with the arguments and what must hold of them", () => {
    const { failures, words, summary } = explore("index_of");
    assert.deepEqual(words, [["len = 65, *p = all zero, p->next = NULL", "p->next == NULL && len > 64"]]);
    assert.equal(failures[0].finding.kind, "global-buffer-overflow");
    assert.equal(failures[0].finding.stack[0].functionName, "index_of");
    assert.ok(failures[0].tried > 0 && failures[0].failed === failures[0].tried);
    assert.equal(summary.complete, true);
    assert.deepEqual(summary.coverage.coveredBlocks, summary.coverage.blocks);
    assert.equal(summary.coverage.coveredLines, summary.coverage.lines);
  });

  it("pointers, texts, enumerators, bit-fields and characters are named as in the source", () => {
    assert.match(explore("third").words[0][1], /^p->next == NULL$|^p->next != NULL && p->next->next == NULL$/);
    assert.deepEqual(explore("text").words, [['s = "ab\\xff"', "s[0] == 'a' && s[1] == 'b' && s[2] == -1"]]);
    assert.deepEqual(explore("divide").words, [["a = 7, m = AUTO", "m == AUTO && a == 7"]]);
    assert.equal(explore("bits").words[0][1], "p->high == 9 && p->low > 3");
    assert.equal(explore("narrow").words[0][1], "u > 1000 && c < -3 && ok");
    assert.equal(explore("range").words[0][1], "c > 47 && c < 58");
    assert.equal(explore("cases").words[0][1], "c == 3 || c == 5");
    assert.deepEqual(explore("value").words, [["p.a = 70000, p.b = -2", "p.a == 70000 && p.b == -2"]]);
  });

  it("of conditions that do not matter alone, those stay of which some must hold", () => {
    const { words, failures } = explore("at_most_one");
    assert.match(words[0][1], /^s\[\d\] != 'x' && s\[\d\] != 'x'$/);
    assert.ok(failures[0].tried > 0 && failures[0].failed === failures[0].tried);
  });

  it("conditions on bit-fields are in words of the fields, wherever their bits lie", () => {
    const crossing = explore("crossing").words;
    assert.deepEqual([...new Set(crossing[0][1].split(" && "))].sort(), [
      "q->flags != 7",
      "q->high > 100",
      "q->low < -3",
      "q->mid == -300",
      "q->rest == 300",
    ]);
    assert.match(crossing[0][0], /q->mid = -300/);
    assert.equal(explore("parsed").words[0][1], "q->state == 59 && !(q->flags & 1) && d > 63");
    const parts = "(q->flags & 0x12) == 0x10 && (q->rest & 16384) && (q->state == 3 || q->state == 5)";
    assert.equal(explore("parts").words[0][1].replace(/\(?q->state.*$/, "(q->state == 3 || q->state == 5)"), parts);
    assert.match(explore("both").words[0][1], /q->state < q->flags && (c == q->flags|q->flags == c) && q->state > 9$/);
  });

  it("a number times the size of an element is compared as the number, unless the product is cut", () => {
    assert.equal(explore("index_of").words[0][1], "p->next == NULL && len > 64");
    assert.equal(explore("long_index").words[0][1], "(at << 2) > 252");
  });

  it("addresses of the machine have names, or are marked: they say nothing to a reader", () => {
    const [titled] = explore("titled").failures;
    const [text, address] = titled.precondition;
    assert.deepEqual([text.text, text.ofAddress], ["which < 4", undefined]);
    assert.equal(address.ofAddress, true);
    assert.equal(explore("is_class").words[0][1], "classes[c & 127]");
    assert.match(explore("classed").words[0][1], /classes\[c & 127\]/);
    assert.equal(explore("at_place").words[0][1], "place == (char *)&table + 12");
  });

  it("what only an overflow makes so is told as one", () => {
    assert.equal(explore("subtracted").words[0][1], "len < 9 && len < 0 (len - 9 overflows)");
  });

  it("what a pointer to a pointer leads to is named as C would have it", () => {
    const { words } = explore("leads");
    const [, aborts] = words.find(([, when]) => when.includes("7")) ?? ["", ""];
    assert.match(aborts, /\(\*p\)->value == 5 && \(\*p\)->name\[2\] == 'n' && \(\*v\)\[3\] == 7$/);
  });

  it("floating point has words: comparisons, conversions, functions", () => {
    // Where an operation keeps the order of numbers, the comparison is one of its operand.
    const warm = "celsius <= -20.000000000000004 && factor >= 7.0 && factor <= 7.9999995";
    assert.equal(explore("warm").words[0][1], warm);
    assert.equal(explore("sums").words[0][1], "(a + b) < -30.0 && a >= 6.5 && a <= 7.499999999999999");
    assert.equal(explore("odd").words[0][1], "x >= 3.0 && x <= 3.9999999999999996 && !(x <= 3.5)");
  });

  it("shifts, elements and addresses have words too", () => {
    const shifted = explore("shifted").words.map(([, when]) => when);
    assert.ok(shifted.includes("(amount / 2) > 100 && (amount >> 3) < 50"), shifted.join("; "));
    assert.ok(
      shifted.some((when) => /step == 7/.test(when) && !/0x/.test(when)),
      shifted.join("; "),
    );
    assert.match(explore("element").words[0][1], /at < b->length && b->data\[at & 7\] == 'k'/);
    assert.equal(explore("tokens").words[0][1], "t->type == 6 && t->n < 0");
    assert.equal(explore("small").words[0][1], "(n & 0x3fffffffffffc000) == 0x0 && k < 4096");
    assert.equal(explore("pair_equal").words[0][1], "first == second && first != 0");
  });

  it("an array is as long as its length may be, so that only what leaves it fails", () => {
    const { words, failures } = explore("sum", { elements: 4 });
    assert.deepEqual(words, [["v = {0 ...}, count = 4", "count > 3"]]);
    assert.equal(failures[0].finding.kind, "heap-buffer-overflow");
    const right = explore("sum_right", { elements: 4 });
    assert.deepEqual(right.failures, []);
    assert.equal(right.summary.complete, true);
  });

  it("memory with its length in a structure, and a text that is copied too far", () => {
    const { words } = explore("copy");
    assert.equal(words.length, 1);
    assert.match(words[0][1], /b->data != NULL && b->length > 2 && b->data\[0\] == 7 && name\[0\] != 0/);
    assert.match(words[0][0], /b->length = 3/);
  });

  it("what does not matter is left out", () => {
    assert.deepEqual(
      explore("unimportant").words.map(([, when]) => when),
      ["c == 3"],
    );
  });

  it("an access before or behind its object says on which side", () => {
    assert.deepEqual(
      explore("last_of").words.map(([, when]) => when),
      ["(at - 1) < 0"],
    );
  });

  it("a pointer that is null because there are no more objects is no failure; another one is", () => {
    const beyond = explore("beyond", {}, 300);
    assert.deepEqual(beyond.words, []);
    assert.ok(beyond.summary.atLimit > 0);
    const within = explore("within", {}, 300);
    assert.deepEqual(
      within.words.map(([, when]) => when),
      ["b->data == NULL"],
    );
    assert.equal(within.failures[0].failed, within.failures[0].tried);
  });

  it("each line is told once", () => {
    assert.equal(explore("two").failures.length, 1);
  });

  it("a stub's result is input; variables are if that is wanted", () => {
    assert.equal(explore("stubbed").failures.length, 1);
    const { words } = explore("stubbed", { stubs: ["check"] });
    assert.deepEqual(
      words.map(([, when]) => when),
      ["check() == 22"],
    );
    assert.deepEqual(explore("variable").failures, []);
    const made = explore("variable", { globalBytes: 16 });
    assert.deepEqual(
      made.words.map(([, when]) => when),
      ["limit == 77"],
    );
    assert.match(made.words[0][0], /limit = 77/);
  });

  it("a function of the C library may be a stub, and lines that were not covered are told", () => {
    assert.equal(explore("measured", { stubs: ["strlen"] }).words[0][1], "strlen() == 77");
    const { coverage } = explore("never").summary;
    assert.equal(coverage.missingLines.length, 1);
    assert.equal(coverage.coveredLines, coverage.lines - 1);
  });

  it("what was not made is told with the arguments", () => {
    assert.deepEqual(explore("file").words, [["f = NULL", ""]]);
  });

  it("a precondition is expressions over named input, too", () => {
    const unit = units.describe("divide");
    const runner = unitRunner(units.image, unit, { summaries: true });
    assert.ok(runner.kind === "unit");
    const { executor } = runner;
    const bytes = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0);
    const model = executor.modelOf([
      { name: "param:0", occurrence: 0, bytes: bytes(7) },
      { name: "param:1", occurrence: 0, bytes: bytes(5) },
    ]);
    const limits = { instructions: 1e6, timeMs: Number.POSITIVE_INFINITY };
    const { end } = executor.run(model, QUIET, limits);
    assert.ok(end.kind === "finding");
    const solver = assembleSolver(executor.arena, {});
    const options = { limits, timeMs: Number.POSITIVE_INFINITY, seed: 1 };
    const found = preconditionOf(executor, solver, model, placeOf(end.finding), options);
    assert.ok(found?.complete);
    assert.deepEqual(
      found.matters.map(({ kind }) => kind),
      ["branch", "failure"],
    );
    const support = found.matters.flatMap(({ condition }) =>
      Array.from(executor.arena.support(condition), (byte) => executor.space.objectOf(byte)?.name),
    );
    assert.deepEqual(new Set(support), new Set(["param:0", "param:1"]));
    assert.equal(preconditionOf(executor, solver, model, "elsewhere", options), null);
  });
});
