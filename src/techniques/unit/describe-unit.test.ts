// Units by the types of C programs, as plain data.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { planUnit } from "../../engine/unit-description.js";
import { signatureText } from "./describe-unit.js";
import { findUnit, nearest } from "./find-unit.js";
import { leafAt } from "./unit-inputs.js";
import { type UnitProgram, unitProgram } from "./unit-program-fixture.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
enum mode { OFF, ON = 4 };
struct node { int value; struct node *next; unsigned low : 3, high : 5; char *name; };
struct buffer { unsigned char *data; size_t length; int (*compare)(const void *, const void *); };
struct pair { char *text; long n; };
struct large { long a[3]; char *text; };
struct mixed { double d; int i; };
union both { int i; char *p; };
struct holder { union both u; struct node *list[2]; struct { short in; }; };
struct item { char *name; long quantity; };
struct stock { struct item *items; size_t count; size_t capacity; struct item *parent; int size; };
struct hidden;
int total;
static int *cursor = &total;
int letters[3];

int numbers(int a, unsigned char b, enum mode m, double d, _Bool ok) { return a + b + m + (int)d + ok + *cursor; }
int text(const char *s) { return s[0]; }
long sum(const int *values, int count) { long r = 0; for (int k = 0; k < count; k++) r += values[k]; return r; }
int bytes(const char *buf, size_t len, int flags) { return len ? buf[0] + flags : 0; }
int list(struct node *p) { return p->next ? p->next->value + p->name[0] : 0; }
int alone(struct node *p) { return p->value; }
static struct item *item_of(struct stock *s) { return s->items; }
int stocked(struct stock *s) { return item_of(s) ? s->count : 0; }
int buffers(struct buffer *b) { return b->length ? b->compare(b->data, 0) : 0; }
int registers(struct pair p, struct mixed m) { return p.n + m.i; }
int copied(struct large l) { return l.a[0]; }
struct large hidden_result(int n) { struct large l = {{n}, 0}; return l; }
int words(char **list, int **out, void *any) { return list[0] != 0 && out && any; }
int unknown(FILE *f, struct hidden *h) { return f != 0 && h != 0; }
struct __dirstream { int position; };
int position(struct __dirstream *d) { return d->position; }
int held(struct holder *h) { return h->in + (h->list[0] != 0) + h->u.i; }
int called(int (*f)(const void *, const void *), int (*g)(long)) { return f ? f(0, 0) : g(0); }
int further(int n, ...) { return n; }
int wide(__int128 w, long double l, int n) { return n + (int)w + (int)l; }
struct hooks { void *(*allocate)(size_t); void (*release)(void *); };
static struct hooks own_hooks = {malloc, free};
void *hooked(struct hooks *h, size_t amount) { void *p = (h ? h : &own_hooks)->allocate(amount); h->release(p); return p; }
struct page { struct node *nodes[70]; int used; };
static int first_of(struct page *a) { return a->nodes[a->used]->value; }
int copied_page(struct page *to, struct page *from, struct node *p) { *to = *from; return first_of(to) + p->name[0]; }
static int same(const void *a, const void *b) { return a == b; }
static int small(int n) { return n; }
int main(int argc, char **argv) { qsort(argv, argc, 8, same); return small(letters[0]); }
`;

describe("a unit by its types", () => {
  let units: UnitProgram;
  before(async () => {
    units = await unitProgram(SOURCE);
  });
  const symbolic = { kind: "symbolic" } as const;

  it("numbers are symbolic, and named as in the source", () => {
    const unit = units.describe("numbers");
    assert.deepEqual(unit.description.parameters, [symbolic, symbolic, symbolic, symbolic, symbolic]);
    assert.deepEqual(
      unit.inputs.map(({ object, words }) => [object, words]),
      [
        ["param:0", "a"],
        ["param:1", "b"],
        ["param:2", "m"],
        ["param:3", "d"],
        ["param:4", "ok"],
      ],
    );
    assert.equal(signatureText(unit), "int numbers(int a, unsigned char b, enum mode m, double d, _Bool ok)");
  });

  it("a text has a zero at its end; memory with a length has none, and the length is bounded", () => {
    const zero = { kind: "bytes", bytes: [0] };
    assert.deepEqual(units.describe("text", { string: 5 }).description.parameters, [
      { kind: "object", size: 6, fields: [{ offset: 5, value: zero }] },
    ]);
    const sum = units.describe("sum", { elements: 4 });
    assert.deepEqual(sum.description.parameters, [{ kind: "object", size: 16 }, symbolic]);
    assert.deepEqual(sum.assumptions, [
      { object: "param:1", offset: 0, bytes: 4, signed: true, atMost: 4, words: "count <= 4" },
    ]);
    const bytes = units.describe("bytes");
    assert.deepEqual(bytes.description.parameters, [{ kind: "object", size: 8 }, symbolic, symbolic]);
    assert.deepEqual(
      bytes.assumptions.map(({ words }) => words),
      ["len <= 8"],
    );
  });

  it("objects are given out breadth first and in turns: no parameter is null for want of them", () => {
    const { description, fixed } = units.describe("copied_page");
    const [to, from, p] = description.parameters;
    const made = (value: typeof to): number =>
      value.kind === "object" ? (value.fields ?? []).filter((field) => field.value.kind === "object").length : -1;
    // 64 objects: three parameters, and what they lead to in turns, whose own pointers have nothing left.
    assert.deepEqual([made(to), made(from), made(p)], [30, 30, 1]);
    const [left] = fixed.filter(({ cause }) => cause === "limit");
    assert.deepEqual([left.words, left.owner, left.offset], ["to->nodes[30]", "*param:0", 240]);
  });

  it("a list is made to a bounded length, each pointer null or not", () => {
    const { description, inputs, fixed } = units.describe("list", { depth: 1, string: 2 });
    const [first] = description.parameters;
    assert.ok(first.kind === "object" && first.size === 32);
    assert.equal(first.orNull, undefined);
    const next = first.fields?.[0].value;
    assert.ok(next?.kind === "object" && next.orNull === true);
    assert.deepEqual(
      next.fields?.map(({ offset, value }) => [offset, value.kind]),
      [
        [8, "null"],
        [24, "null"],
      ],
    );
    assert.deepEqual(
      fixed.map(({ words }) => words),
      ["p->next->next", "p->next->name"],
    );
    const target = inputs.find(({ object }) => object === "*(*param:0+8)");
    assert.ok(target !== undefined);
    const unit = units.describe("list");
    assert.equal(leafAt(unit.types, target, 0, 32).words, "p->next->value");
    assert.deepEqual(
      [leafAt(unit.types, target, 128, 3).words, leafAt(unit.types, target, 131, 5).bits],
      ["p->next->low", 5],
    );
    const nullable = units.describe("list", { null: true }).description.parameters[0];
    assert.ok(nullable.kind === "object" && nullable.orNull === true);
  });

  it("a length inside of a structure bounds the memory beside it; a pointer to a function leads to one", () => {
    const { assumptions, description, fixed } = units.describe("buffers");
    assert.deepEqual(
      assumptions.map(({ object, offset, words }) => [object, offset, words]),
      [["*param:0", 8, "b->length <= 8"]],
    );
    const [object] = description.parameters;
    assert.ok(object.kind === "object");
    assert.deepEqual(
      object.fields?.map(({ value }) => value.kind),
      ["object", "function"],
    );
    assert.deepEqual(
      fixed.map(({ words, value }) => [words, value]),
      [["b->compare", "same"]],
    );
    const stocked = units.describe("stocked", { depth: 1 });
    assert.deepEqual(
      stocked.assumptions.map(({ words }) => words),
      ["s->count <= 2", "s->capacity <= 2"],
    );
    const called = units.describe("called");
    assert.deepEqual(
      called.description.parameters.map(({ kind }) => kind),
      ["function", "null"],
    );
    assert.match(called.fixed[1].why, /no function of this type/);
    assert.deepEqual(
      units.describe("hooked").fixed.map(({ words, value }) => [words, value]),
      [
        ["h->allocate", "malloc"],
        ["h->release", "free"],
      ],
    );
  });

  it("a pointer that nothing uses is null", () => {
    const { description, notes, inputs } = units.describe("alone");
    const [object] = description.parameters;
    assert.ok(object.kind === "object");
    assert.deepEqual(
      object.fields?.map(({ value }) => value.kind),
      ["null", "null"],
    );
    assert.deepEqual(notes, ["2 pointers (p->next, ...) are NULL: nothing that the function calls uses them"]);
    assert.equal(inputs.length, 1);
    const { fixed, notes: told } = units.describe("stocked", { depth: 1 });
    assert.deepEqual(fixed, []);
    assert.match(told[0], /^3 pointers \(s->parent, /);
  });

  it("structures by value are passed as the calling convention says", () => {
    const registers = units.describe("registers");
    assert.deepEqual(
      registers.description.parameters.map(({ kind }) => kind),
      ["object", "symbolic", "symbolic", "symbolic"],
    );
    const words = registers.inputs.map((input) => leafAt(registers.types, input, 0, 64).words);
    assert.deepEqual(words, ["p.text", "p.text[0]", "p.n", "m.d", "m.i"]);
    const copied = units.describe("copied");
    const [large] = copied.description.parameters;
    assert.ok(large.kind === "object" && large.size === 32 && large.fields?.[0].offset === 24);
    assert.equal(leafAt(copied.types, copied.inputs[0], 64, 64).words, "l.a[1]");
    const result = units.describe("hidden_result");
    assert.equal(result.hiddenResult, true);
    assert.deepEqual(result.description.parameters, [{ kind: "object", size: 32, bytes: [] }, symbolic]);
    assert.equal(result.inputs[0].object, "param:1");
    const wide = units.describe("wide");
    assert.deepEqual(
      wide.parameters.map(({ name, first, count }) => [name, first, count]),
      [
        ["w", 0, 2],
        ["l", 2, 1],
        ["n", 3, 1],
      ],
    );
  });

  it("pointers to pointers, to anything, and what cannot be made", () => {
    const { description, fixed } = units.describe("words");
    const [list, out, any] = description.parameters;
    assert.ok(list.kind === "object" && out.kind === "object" && any.kind === "object");
    assert.deepEqual(
      list.fields?.map(({ value }) => value.kind),
      ["object", "object", "null"],
    );
    assert.deepEqual([out.size, out.fields?.length, any.size], [8, 1, 16]);
    assert.deepEqual(
      fixed.map(({ words }) => words),
      ["list[2]"],
    );
    const unknown = units.describe("unknown");
    assert.deepEqual(unknown.description.parameters, [{ kind: "null" }, { kind: "null" }]);
    assert.match(unknown.fixed[0].why, /FILE \* is not made/);
    const librarys = units.describe("position");
    assert.deepEqual(librarys.description.parameters, [{ kind: "null" }], "only libc knows what is in it");
    const held = units.describe("held", { depth: 1 });
    assert.ok(held.notes.includes("h->u: pointers in a union are free numbers"));
    const [object] = held.description.parameters;
    assert.ok(object.kind === "object");
    assert.deepEqual(
      object.fields?.map(({ offset }) => offset),
      [8, 16],
    );
    assert.match(units.describe("further").notes[0], /further arguments/);
  });

  it("variables are input if that is wanted, their pointers stay", () => {
    assert.deepEqual(units.describe("small").description.globals, []);
    const { description, inputs } = units.describe("small", { globalBytes: 4096 });
    const { globals } = description;
    assert.ok(Array.isArray(globals));
    const names = globals.map(({ variable }) => (typeof variable === "string" ? variable : variable.name)).sort();
    assert.deepEqual(names, ["cursor", "letters", "own_hooks", "total"]);
    assert.ok(inputs.some(({ object, words }) => object === "global:total" && words === "total"));
    const cursor = globals.find(({ variable }) => typeof variable !== "string" && variable.name === "cursor");
    assert.deepEqual(cursor?.fields, [{ offset: 0, value: { kind: "initial" } }]);
  });

  it("stubs have results of their types", () => {
    const { description, inputs } = units.describe("main", { stubs: ["small", "hidden_result"] });
    assert.deepEqual(
      description.stubs.map(({ function: name }) => (typeof name === "string" ? name : name.name)),
      ["small", "hidden_result"],
    );
    assert.ok(inputs.some(({ words }) => words === "small()"));
  });

  it("every description fits its function", () => {
    for (const fn of units.program.functions) {
      if (fn.module.origin !== "program") continue;
      const { description } = units.describe(fn.name, { globalBytes: 64 });
      const planned = planUnit(units.image, description);
      assert.equal(planned.kind, "planned", fn.name);
    }
  });

  it("a name that is not there is answered with the nearest ones", () => {
    const found = findUnit(units.program, "bufers", null);
    assert.ok(found.kind === "not-found");
    assert.match(found.message, /no function bufers; there is buffers/);
    assert.match(findUnit(units.program, "text", "other.c").kind, /not-found/);
    assert.deepEqual(nearest("parse", ["parse_all", "prase", "unrelated"]), ["prase", "parse_all"]);
  });
});
