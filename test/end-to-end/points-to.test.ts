// Points-to over a C program as patch testing sees it: with its libc, after optimisation. Each way that a function pointer takes in real
// programs is here once: tables, hooks, unions, variable arguments, libc's callbacks, handlers of signals.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { IrFunction } from "../../src/ir/module.js";
import { PointsTo } from "../../src/ir/points-to/points-to.js";
import type { Body, InstructionOf } from "../../src/ir/values.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { countedBodies } from "../../src/program/counted-bodies.js";
import { loadProgram } from "../../src/program/load.js";
import { loadLinkedProgram } from "../../src/program/load-linked.js";

const SOURCE = `
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define NEVER __attribute__((noinline))
NEVER static int zero(int x) { return x; }
NEVER static int one(int x) { return x + 1; }
NEVER static int two(int x) { return x + 2; }
NEVER static int three(int x) { return x + 3; }
NEVER static int four(int x) { return x + 4; }
NEVER static int five(int x) { return x + 5; }
static const struct entry { const char *name; int flags; int (*run)(int); } table[] = {
  { "zero", 0, zero }, { "one", 1, one } };
struct hooks { int (*first)(int); int (*second)(int); };
struct tagged { int kind; union { int (*function)(int); char *text; char bytes[16]; } u; };
NEVER int from_table(int i) { return table[i].run(i); }
NEVER int from_hooks(struct hooks *h) { return h->second(1); }
NEVER int from_union(struct tagged *t) { return t->kind == 1 ? t->u.function(1) : t->u.text[0]; }
NEVER int from_arguments(int n, ...) {
  va_list list;
  va_start(list, n);
  int (*f)(int) = va_arg(list, int (*)(int));
  va_end(list);
  return f(n);
}
NEVER static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
NEVER static int compare_back(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
NEVER static void at_end(void) { puts("end"); }
NEVER static void handler(int n) { (void)n; puts("signal"); }
NEVER void sort_one(int *v) { qsort(v, 3, sizeof *v, compare); }
NEVER void sort_back(int *v) { qsort(v, 3, sizeof *v, compare_back); }
int main(int argc, char **argv) {
  int v[3] = { 3, 1, 2 };
  sort_one(v);
  sort_back(v);
  atexit(at_end);
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  struct hooks *h = malloc(sizeof *h);
  h->first = one;
  h->second = two;
  struct tagged t = { 1, { .function = three } };
  if (argc > 5) { t.kind = 2; t.u.text = argv[1]; }
  return from_table(argc & 1) + from_hooks(h) + from_union(&t) + from_arguments(1, four) + five(v[0]);
}
`;

describe("points-to over a program", () => {
  let directory = "";
  let analysis: PointsTo;
  const functions = new Map<string, { readonly fn: IrFunction; readonly body: Body }>();

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "points-to-"));
    const source = join(directory, "program.c");
    writeFileSync(source, SOURCE);
    const options = { env: process.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
    const loaded = await loadProgram([source], options);
    assert.equal(loaded.kind, "loaded");
    const linked = await loadLinkedProgram([source], options);
    assert.equal(linked.kind, "linked");
    if (loaded.kind !== "loaded" || linked.kind !== "linked") return;
    const counted = countedBodies(linked.program, linked.layout, AMPLIFY_COMPILE_OPTIONS, loaded.image);
    for (const { fn, body } of counted) functions.set(fn.name, { fn, body });
    const bodies = new Map(counted.map(({ fn, body }) => [fn, body]));
    const bodyOf = (fn: IrFunction): Body => {
      const body = bodies.get(fn);
      if (body === undefined) throw new Error(fn.name);
      return body;
    };
    analysis = new PointsTo(linked.program, [...bodies.keys()], bodyOf, linked.layout);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  function callsOf(name: string): InstructionOf<"call">[] {
    const { body } = functions.get(name) ?? { body: { blocks: [] } };
    return body.blocks.flatMap(({ instructions }) => instructions.flatMap((i) => (i.op === "call" ? [i] : [])));
  }
  const names = (list: Iterable<IrFunction>): string[] => [...list].map(({ name }) => name).sort();
  function indirect(name: string): string[][] {
    const calls = analysis.indirectCalls();
    return callsOf(name).flatMap((call) => (calls.has(call) ? [names(calls.get(call) ?? [])] : []));
  }

  it("tables, hooks on the heap, unions and variable arguments", () => {
    assert.deepEqual(indirect("from_table"), [["one", "zero"]]);
    assert.deepEqual(indirect("from_hooks"), [["two"]]);
    assert.deepEqual(indirect("from_union"), [["three"]]);
    assert.deepEqual(indirect("from_arguments"), [["four"]]);
  });

  it("what libc calls back, for all calls of it and for one", () => {
    const qsort = functions.get("qsort")?.fn;
    const exit = functions.get("exit")?.fn;
    assert.ok(qsort !== undefined && exit !== undefined);
    assert.deepEqual(names(analysis.mayCallBack(qsort)), ["compare", "compare_back"]);
    assert.deepEqual(names(analysis.mayCallBack(exit)), ["at_end"]);
    const [call] = callsOf("sort_one").filter((i) => names(analysis.calleesOf(i)).includes("qsort"));
    assert.deepEqual(names(analysis.callBacksAt(call)), ["compare"]);
  });

  it("handlers of signals", () => {
    assert.ok(names(analysis.systemCalls()).includes("handler"));
    const raise = functions.get("raise")?.fn;
    assert.ok(raise !== undefined);
    assert.ok(names(analysis.mayCallBack(raise)).includes("handler"));
  });
});
