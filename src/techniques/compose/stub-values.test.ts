import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { planUnit } from "../../engine/unit-description.js";
import { exploreUnit } from "../../engine/unit-fixture.js";
import { UnitTypes } from "../unit/describe-unit.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { ProgramCalls } from "./call-profile.js";
import { type CodeFacts, codeFacts } from "./code-facts.js";
import { StubMaker } from "./stub-values.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; char name[8]; long weight; };
struct pair { int a; int b; };
struct large { long a[5]; };
struct link { char *text; long size; };

int scalar(int n) { return n + 1; }
double half(double x) { return x / 2; }
struct node *find(struct node *list, int value) {
  while (list && list->value != value) list = list->next;
  return list;
}
char *label(int n) { return n > 2 ? "many" : 0; }
void *take(size_t n) { return malloc(n); }
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
void die(const char *what) { fprintf(stderr, "%s\\n", what); exit(1); }
void stop(int n) { if (n > 1) die("one"); else die("two"); }
int parse(const char *text, int *out) { *out = text[0] - '0'; return 0; }
int parse_twice(const char *text, int *first, int *second) { return parse(text, first) || parse(text + 1, second); }
void set_weight(struct node *n, long w) { n->weight = w; }
void clear(struct node *n) { n->next = NULL; n->value = 0; }
void look(struct node *n) { printf("%d\\n", n->value); }
void fill(char *buffer, int n) { while (n-- > 0) *buffer++ = 'x'; }
void wipe(struct node *n) { unsigned char *p = (unsigned char *)n; for (int k = 0; k < 8; k++) p[k] = 0; }
int make(struct node **out) { *out = malloc(sizeof **out); return *out != 0; }
struct pair both(int n) { struct pair p = { n, n + 1 }; return p; }
struct large wide(int n) { struct large l = { { n } }; return l; }
struct link linked(char *text) { struct link l = { text, 1 }; return l; }
FILE *begin(const char *name) { return fopen(name, "r"); }
void copy(struct node *to, const struct node *from) { *to = *from; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int (*const OPERATIONS[])(int, int) = { plus, minus };
int apply(int n) { return OPERATIONS[n & 1](n, 2); }

int unit(struct node *n, int k) {
  int out = 0, other = 0, numbers[2] = { 2, 1 };
  struct node *more = 0;
  scalar(k); half(k); find(n, k); label(k); take(8); xmalloc(8); stop(k);
  parse("1", &out); parse_twice("12", &out, &other);
  set_weight(n, 1); clear(n); look(n); fill(n->name, 3); wipe(n); make(&more);
  both(1); wide(1); linked(0); begin("x"); copy(more, n);
  qsort(numbers, 2, sizeof *numbers, by_value);
  return apply(out + other);
}
int divide(void) { int n = 1; if (parse("7", &n)) return 1; return 10 / (n - 42); }
int main(void) { struct node n = { 1 }; return unit(&n, 1) + divide(); }
`;

describe("stubs of callees", () => {
  let unit: UnitProgram;
  let facts: CodeFacts;
  let maker: StubMaker;
  before(async () => {
    unit = await unitProgram(SOURCE);
    facts = codeFacts(unit.program);
    maker = new StubMaker(unit.program, unit.image, new UnitTypes(unit.program), facts);
  });
  const indexOf = (name: string): number => {
    const index = unit.image.functions.findIndex((info) => info.name === name && info.origin === "program");
    assert.ok(index >= 0, name);
    return index;
  };
  const stubOf = (name: string) => {
    const made = maker.stubsFor(indexOf("unit"), [indexOf(name)]);
    const { parameters } = unit.describe("unit").description;
    const planned = planUnit(unit.image, { function: "unit", parameters, globals: [], stubs: made.stubs });
    assert.equal(planned.kind, "planned", planned.kind === "failed" ? planned.message : "");
    return { ...made, stub: made.stubs[0] };
  };
  const realOf = (name: string): string => stubOf(name).real[0]?.why ?? "a stub";

  it("gives numbers and structures without pointers as fresh input", () => {
    for (const name of ["scalar", "half", "both"]) {
      const { stub, inputs } = stubOf(name);
      assert.equal(stub.result, undefined, name);
      assert.equal(stub.outputs, undefined, name);
      assert.deepEqual(
        inputs.map(({ object, words }) => [object, words]),
        [[`stub:${name}`, `${name}()`]],
      );
    }
  });

  it("gives a pointer as a fresh object of its type, or null", () => {
    const { result } = stubOf("find").stub;
    assert.ok(result?.kind === "object");
    assert.equal(result.size, 32);
    assert.equal(result.orNull, true);
    assert.deepEqual(
      result.fields?.map(({ offset, value }) => [offset, value.kind]),
      [[8, "object"]],
    );
    const text = stubOf("label").stub.result;
    assert.ok(text?.kind === "object");
    assert.equal(text.size, 9);
    assert.deepEqual(text.fields, [{ offset: 8, value: { kind: "bytes", bytes: [0] } }]);
  });

  it("puts out what is written through parameters, also by functions that it calls", () => {
    assert.deepEqual(stubOf("parse").stub.outputs, [{ parameter: 1, size: 4 }]);
    assert.deepEqual(stubOf("parse_twice").stub.outputs, [
      { parameter: 1, size: 4 },
      { parameter: 2, size: 4 },
    ]);
    assert.deepEqual(stubOf("set_weight").stub.outputs, [{ parameter: 0, size: 8, offset: 24 }]);
    assert.equal(stubOf("set_weight").inputs[0].object, "stub:set_weight:0+24");
    assert.deepEqual(stubOf("fill").stub.outputs, [{ parameter: 0, size: 8 }]);
    assert.equal(stubOf("look").stub.outputs, undefined);
    // Anywhere, but for the pointer in it.
    assert.deepEqual(stubOf("wipe").stub.outputs, [
      { parameter: 0, size: 8 },
      { parameter: 0, size: 16, offset: 16 },
    ]);
  });

  it("puts out a result that is too large for registers", () => {
    const { stub, inputs } = stubOf("wide");
    assert.deepEqual(stub.outputs, [{ parameter: 0, size: 40 }]);
    assert.equal(inputs[0].words, "wide()");
  });

  it("leaves real what a stub cannot stand for, and says why", () => {
    assert.match(realOf("stop"), /never returns/);
    assert.match(realOf("die"), /never returns/);
    assert.match(realOf("xmalloc"), /C library/);
    assert.match(realOf("take"), /no type is known/);
    assert.match(realOf("make"), /pointers through a parameter/);
    assert.match(realOf("copy"), /pointers through a parameter/);
    assert.match(realOf("clear"), /pointers through a parameter/);
    assert.match(realOf("linked"), /pointers inside/);
    assert.match(realOf("begin"), /cannot be made/);
  });

  it("answers more if it is to be literal, and leaves pointers as they were", () => {
    const literal = new StubMaker(unit.program, unit.image, new UnitTypes(unit.program), facts, "literal");
    const stub = (name: string) => literal.stubsFor(indexOf("unit"), [indexOf(name)]).stubs[0];
    assert.deepEqual(stub("clear").outputs, [{ parameter: 0, size: 4 }]);
    assert.deepEqual(stub("copy").outputs, [
      { parameter: 0, size: 8 },
      { parameter: 0, size: 16, offset: 16 },
    ]);
    assert.equal(stub("make").outputs, undefined);
    assert.equal(stub("take").result?.kind, "object");
    assert.equal(stub("stop"), undefined);
  });

  it("what a stub puts out is input of the unit", () => {
    const { stub } = stubOf("parse");
    const { findings, statistics } = exploreUnit(unit.image, {
      function: "divide",
      parameters: [],
      globals: [],
      stubs: [stub],
    });
    assert.deepEqual(
      findings.map(({ kind, input }) => [kind, [...input["stub:parse:1"]]]),
      [["division-by-zero", [42, 0, 0, 0]]],
    );
    assert.equal(statistics.divergences, 0);
  });

  it("knows calls through pointers and back from the library", () => {
    const calls = new ProgramCalls(unit.image, facts.indirect);
    const names = (name: string): string[] => calls.calleesOf(indexOf(name)).map((f) => unit.image.functions[f].name);
    assert.deepEqual(new Set(names("apply")), new Set(["plus", "minus"]));
    assert.ok(names("unit").includes("by_value"));
    assert.ok(!names("unit").includes("qsort"), "functions of libc have no blocks");
    assert.deepEqual(names("scalar"), []);
  });
});
