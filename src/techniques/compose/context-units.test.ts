import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { testWith } from "../../engine/unit-fixture.js";
import { DEFAULT_UNIT_PLAN, type UnitFailure, unitExploration } from "../unit/explore-unit.js";
import type { DescribedUnit } from "../unit/unit-inputs.js";
import { unitProgram } from "../unit/unit-program-fixture.js";
import { ContextGround } from "./context-ground.js";
import { type ContextOptions, describeContext } from "./describe-context.js";
import type { Freedom } from "./found-values.js";
import { type RecordedContext, recordContexts } from "./record-contexts.js";

const SOURCE = `
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct input { const char *base; const char *cur; int line; int (*read)(void); struct input *outer; };
union any { long number; char *text; };
struct context {
  int depth; unsigned flags : 3, mode : 5; struct input *input; void *data; union any any; char name[8]; FILE *log;
  struct context *self;
};
struct pair { int *where; int count; };
struct big { long a[4]; };
static int total = 3, unused = 4;
static struct context *current;
static const char *constant = "fixed";
static int reads(void) { return 1; }

static int next_char(struct context *context, int skip) {
  const char *at = context->input->cur;
  if (at[0] == '<' && at[1] == '!') return at[2] == 'X' ? 10 / context->depth : 1;
  if (context->mode == 17) return 2;
  if (context->name[3] == 'q' && total == 77) return 10 / (skip - 2);
  return 0;
}
static int pair_of(struct pair pair) { return pair.count == 9 ? pair.where[0] : 0; }
static long sum(struct big big) { return big.a[1] == 5 ? 10 / big.a[2] : 0; }
static int text_of(char *text) { int n = 0; while (text[n]) n++; if (n > 12) return 100 / (text[2] - 'c'); return n; }
static int raw(void *data, union any any) { return *(unsigned char *)data == 'R' ? (int)any.number : 0; }
static int slots(void *data) { return **(char **)data == 'k' ? 1 : ((long *)data)[1] == 7; }
struct item { int kind; int line; };
struct named { struct item item; char *name; long size; char word[8]; };
static int kind_of(struct item *item) { return item->kind == 3 ? ((struct named *)item)->name[0] : item[2].line; }
static int again(int n) { return n > 0 ? again(n - 1) + 1 : 0; }
static int command(const char **at) { return (*at)[0] == 'x' && (*at)[1] == 'W' ? 10 / ((*at)[2] - '0') : 1; }
static int fixed(const char *text) { return text[0] == 'f'; }
static int scan(const char *data, size_t len) { int n = 0; while (len--) n += *data++ == '!'; return n; }
struct slice { const char *begin; int size; struct { short *values, count; } inner; };
static int slice_sum(struct slice *s) {
  if (s->inner.count > 1) return s->inner.values[s->inner.count - 1];
  return s->size > 0 ? s->begin[s->size - 1] : 0;
}
static int no_length(const char *data, int size) { return size > 100 ? 10 / (size - 2000) : data[0]; }
struct string { size_t len; unsigned references; char str[2]; };
static int last_of(struct string *s) { return s->len > 0 ? 10 / (s->str[s->len - 1] - 'q') : 0; }
static int keyed(int key, char *argument, int base) {
  if (key == 'k') return argument[0];
  return key > 200 ? 10 / (base - 7) : 0;
}
static int outer(struct context *context) { return next_char(context, 1); }
static int forms(struct context *context) { return next_char(context, 0) + again(60) + fixed(constant); }

int main(int argc, char **argv) {
  static struct context context;
  struct input *input = calloc(1, sizeof *input);
  char *text = malloc(64);
  size_t size = fread(text, 1, 63, stdin);
  text[size] = 0;
  input->base = text;
  input->cur = text + 2;
  input->line = text[1];
  input->read = reads;
  context.input = input;
  context.data = text + 3;
  context.any.text = text;
  context.depth = 4;
  context.self = &context;
  current = &context;
  strcpy(context.name, "doc");
  total += text[0];
  struct pair pair = {&unused, text[0]};
  struct big big = {{1, text[0], 3, 4}};
  long *filled = malloc(16);
  filled[0] = (long)(text + (text[0] & 3));
  filled[1] = text[1];
  slots(filled);
  struct named named = {{text[0], 1}, text, 5, "abcd"};
  kind_of(&named.item);
  scan(text, size);
  short values[3] = {1, 2, 3};
  struct slice slice = {text, (int)size, {values, 3}};
  slice_sum(&slice);
  no_length(text, 1000 + text[0]);
  struct string *string = malloc(offsetof(struct string, str) + size + 1);
  string->len = size;
  memcpy(string->str, text, size + 1);
  last_of(string);
  next_char(&context, 0);
  next_char(&context, 0);
  const char **one = malloc(sizeof *one);
  *one = input->cur;
  command(one);
  keyed(input->cur[0], NULL, 7);
  return outer(&context) + forms(&context) + pair_of(pair) + (int)sum(big) + text_of(text) + raw(context.data, context.any);
}
`;

const TEST = testWith({ stdin: "ab<!Ycdefgh" });
const LIMITS = { instructions: 1e8, timeMs: 1e5 };
const OPTIONS: ContextOptions = { execution: { heapBytes: 0x1000_0000, seed: 1 }, limits: LIMITS };

describe("contexts of functions", () => {
  let ground: ContextGround;
  before(async () => {
    const { program, image } = await unitProgram(SOURCE);
    ground = new ContextGround(program, image);
  });

  const indexOf = (name: string): number =>
    ground.image.functions.findIndex((info) => info.name === name && info.origin === "program");
  const unitAt = (name: string, call: number, more: Partial<ContextOptions> = {}): DescribedUnit => {
    const described = describeContext(ground, TEST, indexOf(name), call, { ...OPTIONS, ...more });
    if (described.kind === "failed") throw new Error(described.message);
    return described.unit;
  };
  /** What is input: by object, ranges of its bytes. */
  const inputOf = ({ description }: DescribedUnit): Record<string, string> => {
    const found: Record<string, string> = {};
    description.parameters.forEach((value, n) => {
      if (value.kind === "symbolic") found[`param:${n}`] = "all";
    });
    for (const { name, symbolic } of description.context?.objects ?? []) {
      found[name] = symbolic.map(({ offset, size }) => `${offset}+${size}`).join(" ");
    }
    return found;
  };
  const failuresOf = (unit: DescribedUnit): readonly UnitFailure[] => {
    const host = { abort: { aborted: false }, memoryUsed: null };
    const made = unitExploration(ground.image, unit, DEFAULT_UNIT_PLAN, host, ground.module);
    if (made.kind === "failed") throw new Error(made.message);
    const failures: UnitFailure[] = [];
    for (const event of made.exploration.events()) {
      if (event.kind === "failure") failures.push(event.failure);
    }
    return failures;
  };
  const needsOf = ({ precondition }: UnitFailure): string => precondition.map(({ text }) => text).join(" && ");

  it("what depends on the input at the call is input; pointers, zeros at ends and other numbers stay", () => {
    const unit = unitAt("next_char", 0);
    assert.deepEqual(inputOf(unit), {
      // 11 bytes were read, of which `cur` leads to all but two, and the untyped pointer to none that are not its.
      "*(*(*param:0+8)+8)": "0+9",
      "*(*(*param:0+8)+0)": "0+2",
      "*(*param:0+8)": "16+4",
      "global:total": "0+4",
    });
    const words = unit.inputs.map(({ words: text, role, count }) => `${role} ${text} ${count}`);
    assert.deepEqual(words.sort(), [
      "target context->input 1",
      "target context->input->base 64",
      "target context->input->cur 62",
      "value total 1",
    ]);
  });

  it("everything that can be reached is input, if that is asked for", () => {
    const found = inputOf(unitAt("next_char", 0, { freedom: "all" }));
    assert.equal(found["param:1"], "all");
    assert.equal(found["param:0"], undefined);
    // depth, flags and mode, name: no pointers, and of the union nothing.
    assert.equal(found["*param:0"], "0+5 32+8");
    assert.equal(found["*(*param:0+8)"], "16+4");
    // The last zero stays.
    assert.equal(found["*(*(*param:0+8)+8)"], "0+61");
    assert.equal(found["*(*(*param:0+8)+0)"], "0+2");
    assert.equal(found["global:total"], "0+4");
    assert.equal(found["global:unused"], undefined);
  });

  it("a failure is found with the real rest of the world, in words of the source", () => {
    const failures = failuresOf(unitAt("next_char", 2, { freedom: "all" }));
    const kinds = failures.map(({ finding }) => `${finding.kind} ${finding.stack[0].line}`);
    assert.deepEqual(kinds.filter((kind) => kind.startsWith("division")).length, 2, kinds.join(", "));
    const first = failures.find((failure) => needsOf(failure).includes("depth"));
    assert.ok(first !== undefined);
    assert.match(needsOf(first), /context->depth == 0/);
    assert.match(needsOf(first), /context->input->cur\[2\] == 'X'/);
    const callers = first.finding.stack.map(({ functionName }) => functionName);
    assert.deepEqual(callers.slice(0, 3), ["next_char", "outer", "main"]);
    const other = failures.find((failure) => needsOf(failure).includes("total"));
    assert.match(needsOf(other as UnitFailure), /total == 77/);
    assert.ok(failures.every(({ failed, tried }) => failed === tried));
  });

  it("what a pointer to a pointer leads to is named as C would have it", () => {
    const [failure] = failuresOf(unitAt("command", 0));
    assert.equal(needsOf(failure), "(*at)[0] == 'x' && (*at)[1] == 'W' && (*at)[2] == '0'");
    assert.match(failure.arguments.map(({ words, value }) => `${words} = ${value}`).join(), /\*at = "xW0/);
  });

  it("what the function is given besides is told with its failure, since that may depend on it", () => {
    const failures = failuresOf(unitAt("keyed", 0));
    assert.deepEqual(failures.map(needsOf).sort(), ["key == 107", "key > 200"]);
    for (const { given } of failures)
      assert.deepEqual(given.map(({ words, value }) => `${words} ${value}`).sort(), ["argument NULL", "base 7"]);
  });

  it("structures in registers and in memory", () => {
    const unit = unitAt("pair_of", 0);
    assert.deepEqual(inputOf(unit), { "param:1": "all", "global:total": "0+4" });
    const failures = failuresOf(unitAt("sum", 0, { freedom: "all" }));
    assert.deepEqual(failures.map(needsOf), ["big.a[1] == 5 && big.a[2] == 0"]);
  });

  it("texts, and memory of no type", () => {
    const [failure] = failuresOf(unitAt("text_of", 0, { freedom: "all" }));
    assert.match(needsOf(failure), /text\[2\] == 'c'/);
    assert.equal(inputOf(unitAt("raw", 0, { freedom: "all" }))["*param:0"], "0+8");
    // Of the first eight bytes, which the input decides too, an address is kept.
    assert.equal(inputOf(unitAt("slots", 0))["*param:0"], "8+8");
    assert.deepEqual(failuresOf(unitAt("slots", 0, { freedom: "all" })), []);
    // A larger structure that begins with the one that the type names, with an address in it and a text that looks like one.
    assert.equal(inputOf(unitAt("kind_of", 0, { freedom: "all" }))["*param:0"], "0+8 16+16");
    assert.equal(inputOf(unitAt("fixed", 0, { freedom: "all" }))["*param:0"], undefined);
  });

  it("other texts in the place of those of the input, with as much memory as is there and zeros at their end", () => {
    const unit = unitAt("text_of", 0, { freedom: "texts" });
    assert.deepEqual(
      unit.texts?.map(({ object, bytes }) => `${object} ${Buffer.from(bytes)}`),
      ["*param:0 ab<!Ycdefgh"],
    );
    const [text] = unit.description.parameters;
    assert.ok(text.kind === "object");
    assert.equal(text.size, 64);
    assert.deepEqual(
      text.fields?.map(({ offset }) => offset),
      [22],
    );
    // The test's own text is too short for it.
    const [failure] = failuresOf(unit);
    assert.match(needsOf(failure), /text\[2\] == 'c'/);
    for (const name of ["fixed", "pair_of", "raw"])
      assert.equal(describeContext(ground, TEST, indexOf(name), 0, { ...OPTIONS, freedom: "texts" }).kind, "failed");
  });

  it("a number that is the length of memory beside it is at most what there is, if that is asked for", () => {
    const assumedAt = (name: string, freedom: Freedom): readonly string[] =>
      unitAt(name, 0, { freedom, boundsLengths: true }).assumptions.map(({ words }) => words);
    assert.deepEqual(assumedAt("scan", "texts"), ["len <= 64"]);
    assert.deepEqual(assumedAt("scan", "all"), ["len <= 64"]);
    assert.deepEqual(assumedAt("slice_sum", "all"), ["s->size <= 64", "s->inner.count <= 3"]);
    // The call itself has more than there is: whatever it is, it is no length.
    assert.deepEqual(assumedAt("no_length", "all"), []);
    for (const name of ["scan", "slice_sum"]) {
      assert.deepEqual(failuresOf(unitAt(name, 0, { freedom: "all", boundsLengths: true })), [], name);
      assert.notDeepEqual(failuresOf(unitAt(name, 0, { freedom: "all" })), [], `${name}, nothing bounded`);
    }
  });

  it("a structure goes on behind its end, as far as there is memory", () => {
    const unit = unitAt("last_of", 0, { freedom: "all", boundsLengths: true });
    // The zero at the end of the text stays.
    assert.equal(inputOf(unit)["*param:0"], "0+23");
    assert.deepEqual(
      unit.assumptions.map(({ words }) => words),
      ["s->len <= 12"],
    );
    const [failure, ...rest] = failuresOf(unit);
    assert.deepEqual(rest, []);
    assert.equal(failure.finding.kind, "division-by-zero");
    const word = failure.arguments.find(({ words }) => words.startsWith("s->str"));
    assert.match(word?.value ?? "", /q/);
  });

  it("bounds are kept, and what cannot be is told", () => {
    const { description, notes } = unitAt("next_char", 0, { freedom: "all", objects: 2 });
    assert.equal(description.context?.objects.length, 2);
    assert.equal(notes.length, 1);
    const near = inputOf(unitAt("next_char", 0, { freedom: "all", depth: 0 }));
    assert.equal(near["*(*param:0+8)"], undefined);
    assert.equal(near["*param:0"], "0+5 32+8");
    const late = describeContext(ground, TEST, indexOf("next_char"), 9, OPTIONS);
    assert.equal(late.kind, "failed");
    const library = ground.image.functions.findIndex(({ origin }) => origin !== "program");
    assert.equal(describeContext(ground, TEST, library, 0, OPTIONS).kind, "failed");
  });

  it("the calls of a run are recorded: from different ways, and where most depends on the input", () => {
    const recorded = recordContexts(ground, TEST, OPTIONS);
    assert.ok("contexts" in recorded);
    const of = (name: string): readonly RecordedContext[] =>
      recorded.contexts.filter((context) => context.function === indexOf(name));
    const names = ({ chain }: RecordedContext): string => chain.map((fn) => ground.image.functions[fn].name).join(" ");
    // The second call is from where the first one was.
    assert.deepEqual(
      of("next_char")
        .slice(0, 2)
        .map(({ call }) => call),
      [0, 2],
    );
    assert.deepEqual(of("next_char").slice(0, 2).map(names), ["main", "main outer"]);
    // And the last.
    const last = of("next_char").at(-1)?.call ?? 0;
    assert.ok(of("next_char").every(({ call }) => call <= last));
    assert.deepEqual(of("main").map(names), [""]);
    assert.deepEqual(
      of("again").map(({ call }) => call),
      [0, 1, 49],
    );
    assert.equal(names(of("again")[1]), "main forms again");
    assert.ok(of("next_char")[0].dependent >= 15);
    assert.equal(of("fixed")[0].dependent, 0);
    assert.equal(of("pair_of")[0].dependent, 4);
    const bounded = recordContexts(ground, TEST, { ...OPTIONS, lookMs: 0, isWanted: (fn) => fn !== indexOf("again") });
    assert.ok("contexts" in bounded);
    assert.equal(bounded.contexts.filter(({ function: fn }) => fn === indexOf("next_char")).length, 1);
    assert.equal(
      bounded.contexts.some(({ function: fn }) => fn === indexOf("again")),
      false,
    );
  });

  it("a recorded context is one that the unit comes to", () => {
    const recorded = recordContexts(ground, TEST, OPTIONS);
    assert.ok("contexts" in recorded);
    for (const { function: fn, call } of recorded.contexts) {
      const described = describeContext(ground, TEST, fn, call, OPTIONS);
      assert.equal(described.kind, "described");
      if (described.kind === "described") failuresOf(described.unit);
    }
  });
});
