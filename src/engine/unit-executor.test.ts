import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { makeUnit } from "./unit-executor.js";
import { compileUnit, executorOf, exploreUnit, numberIn, unit } from "./unit-fixture.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x, y; struct point *next; const char *name; };
int limit = 10;
static int counter;
int table[4] = {1, 2, 3, 4};
int *cursor = table;

int divide(int a, int b) { if (a > 100) return a / (b - 7); return 0; }
int far(struct point *p) {
  if (p->x * 3 + p->y != 1001) return 0;
  if (p->x == 333) abort();
  return 1;
}
int second(struct point *p) {
  if (!p) return -1;
  if (!p->next) return -2;
  if (p->next->x == 42) return 1;
  return 0;
}
int below(int n) { counter++; if (n < limit) return 1; return 2; }
int at(unsigned n) { return cursor[n]; }
int last(const char *s) { return s[strlen(s)]; }
int span(const char *from, const char *to) {
  int n = 0;
  while (from < to) if (*from++ == 'x') n++;
  return n;
}
int narrow(_Bool flag, signed char c, unsigned short s) {
  if (flag) { if (c < -100) return 1; return 2; }
  if (s > 65000) return 3;
  return 4;
}
long wide(__int128 v) { if (v >> 64 == 5 && (long)v == 77) return 1; return 0; }
double half(double d) { return d / 2; }
struct large { long a[4]; };
long sum(struct large l) { if (l.a[0] == 3 && l.a[3] == 9) return 1; return 0; }
struct point *give(struct point *p) { free(p); return 0; }
static int hidden(int n) { return n == 9; }
int sums(int n, ...) { return n; }
int apply(int (*f)(int), int n) { if (f(n)) return 5; return 6; }
int first(void) { FILE *file = fopen("/given.txt", "r"); if (!file) return 1; printf("%c", fgetc(file)); fflush(stdout); return 0; }
int main(int argc, char **argv) {
  return hidden(argc);
}
`;

const SYMBOLIC = { kind: "symbolic" } as const;
const POINT = 24;

describe("units", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  it("a run starts at any function, and an input is found for what goes wrong in it", () => {
    const { findings, isComplete, statistics } = exploreUnit(
      image,
      unit("divide", { parameters: [SYMBOLIC, SYMBOLIC] }),
    );
    assert.equal(findings.length, 1);
    const [{ kind, input }] = findings;
    assert.equal(kind, "division-by-zero");
    assert.ok(numberIn(input["param:0"]) > 100);
    assert.equal(numberIn(input["param:1"]), 7);
    assert.equal(isComplete, true);
    assert.equal(statistics.divergences, 0);
  });

  it("a static function is found too, and functions that main never reaches", () => {
    const { summaries } = exploreUnit(image, unit("hidden", { parameters: [SYMBOLIC] }));
    assert.equal(summaries.length, 1);
    assert.equal(exploreUnit(image, unit("below", { parameters: [SYMBOLIC] })).summaries.length, 2);
  });

  it("a parameter points to a fresh symbolic object", () => {
    const far = unit("far", { parameters: [{ kind: "object", size: POINT }] });
    const { findings, isComplete } = exploreUnit(image, far);
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ["abort"],
    );
    const bytes = findings[0].input["*param:0"];
    assert.equal(numberIn(bytes.slice(0, 4)), 333);
    assert.equal(numberIn(bytes.slice(4, 8)), 2);
    assert.equal(isComplete, true);
  });

  it("the object ends where it ends: an access behind it is found", () => {
    const { findings } = exploreUnit(image, unit("last", { parameters: [{ kind: "object", size: 3 }] }));
    assert.deepEqual(
      findings.map(({ kind, input }) => [kind, input["*param:0"].includes(0)]),
      [["read", false]],
    );
  });

  it("objects point to objects, and a pointer may be null", () => {
    const inner = { kind: "object", size: POINT, orNull: true } as const;
    const outer = { kind: "object", size: POINT, orNull: true, fields: [{ offset: 8, value: inner }] } as const;
    const { summaries, isComplete, statistics } = exploreUnit(image, unit("second", { parameters: [outer] }));
    const results = summaries.map(({ summary }) => summary.result?.[0].low);
    assert.deepEqual(results.sort(), [-1, -2, 0, 1]);
    assert.equal(isComplete, true);
    assert.equal(statistics.divergences, 0);
  });

  it("two parameters point into one object", () => {
    const from = { kind: "object", size: 3 } as const;
    const to = { kind: "inside", object: "*param:0", offset: 3 } as const;
    const { summaries, isComplete } = exploreUnit(image, unit("span", { parameters: [from, to] }));
    assert.equal(summaries.length, 8);
    assert.equal(isComplete, true);
  });

  it("a variable is input where it is named, with the program's own value as its first", () => {
    const parameters = [{ kind: "concrete", value: 9 }] as const;
    assert.equal(exploreUnit(image, unit("below", { parameters })).statistics.paths, 1);
    const { executor, summaries } = exploreUnit(image, unit("below", { parameters, globals: [{ variable: "limit" }] }));
    assert.equal(summaries.length, 2);
    assert.equal(summaries[0].summary.result?.[0].low, 1);
    const object = executor.space.objects.find(({ name }) => name === "global:limit");
    assert.ok(object !== undefined);
    assert.equal(numberIn([...executor.space.bytesOf(object, new Uint8Array(0))]), 10);
  });

  it("all variables that may be written are input on request; some fields of them keep what they have", () => {
    const all = executorOf(image, unit("below", { parameters: [SYMBOLIC], globals: "all" }));
    assert.deepEqual(all.plan.globals.map(({ name }) => name).sort(), [
      ...["global:counter", "global:cursor", "global:limit", "global:table"],
    ]);
    const small = executorOf(image, unit("below", { parameters: [SYMBOLIC], globals: { upTo: 4 } }));
    assert.deepEqual(small.plan.globals.map(({ name }) => name).sort(), ["global:counter", "global:limit"]);
    const parameters = [{ kind: "concrete", value: 3 }] as const;
    const fields = [{ offset: 0, value: { kind: "initial" } }] as const;
    const kept = exploreUnit(image, unit("at", { parameters, globals: [{ variable: "cursor", fields }] }));
    assert.deepEqual(kept.findings, []);
    const short = [{ offset: 0, value: { kind: "object", size: 12 } }] as const;
    const pointing = exploreUnit(image, unit("at", { parameters, globals: [{ variable: "cursor", fields: short }] }));
    assert.deepEqual(
      pointing.findings.map(({ kind }) => kind),
      ["read"],
    );
  });

  it("parameters of every width are input: a bit, a byte, 128 bits, floating point", () => {
    const narrow = exploreUnit(image, unit("narrow", { parameters: [SYMBOLIC, SYMBOLIC, SYMBOLIC] }));
    assert.deepEqual(narrow.summaries.map(({ summary }) => summary.result?.[0].low).sort(), [1, 2, 3, 4]);
    assert.equal(narrow.isComplete, true);
    const { shape } = executorOf(image, unit("half", { parameters: [SYMBOLIC] })).plan.target;
    assert.deepEqual(shape.result, [64]);
    const half = exploreUnit(image, unit("half", { parameters: [{ kind: "concrete", value: 5 }] }));
    const [{ low, high }] = half.summaries[0].summary.result ?? [];
    assert.equal(new Float64Array(Int32Array.of(low, high).buffer)[0], 2.5);
  });

  it("a 128-bit parameter is two words, as the calling convention has it", () => {
    const parameters = executorOf(image, unit("hidden", { parameters: [SYMBOLIC] })).image.shapes;
    const index = image.functions.findIndex(({ name }) => name === "wide");
    const wide = exploreUnit(image, unit("wide", { parameters: parameters[index].parameters.map(() => SYMBOLIC) }));
    assert.ok(wide.summaries.some(({ summary }) => summary.result?.[0].low === 1));
    assert.equal(wide.statistics.divergences, 0);
  });

  it("a structure passed by value is a pointer to its copy, whose size is known", () => {
    const index = image.functions.findIndex(({ name }) => name === "sum");
    assert.deepEqual(image.shapes[index].parameters, [{ bits: [64], pointer: true, copiedBytes: 32 }]);
    const sum = exploreUnit(image, unit("sum", { parameters: [{ kind: "object", size: 32 }] }));
    assert.ok(sum.summaries.some(({ summary }) => summary.result?.[0].low === 1));
  });

  it("a seed is run first", () => {
    const seeded = executorOf(image, unit("divide", { parameters: [SYMBOLIC, SYMBOLIC] }));
    const word = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0);
    const model = seeded.modelOf([
      { name: "param:0", occurrence: 0, bytes: word(200) },
      { name: "param:1", occurrence: 0, bytes: word(17) },
    ]);
    const silent = { branch() {}, choose() {}, check() {}, pin() {}, assume() {} };
    const { end } = seeded.run(model, silent, { instructions: 1e6, timeMs: 1e6 });
    assert.deepEqual(end, { kind: "exit", code: 0 });
    assert.equal(seeded.lastResult?.[0].low, 20);
  });

  it("what is assumed at the start bounds the exploration", () => {
    const { summaries } = exploreUnit(image, unit("below", { parameters: [SYMBOLIC] }), {
      assumptions: (arena, space) => {
        const first = space.objects.find(({ name }) => name === "param:0")?.first ?? -1;
        return [arena.binary("eq", arena.variable(first + 3), arena.constant(8, 1, 0))];
      },
    });
    assert.deepEqual(
      summaries.map(({ summary }) => summary.result?.[0].low),
      [2],
    );
  });

  it("a description that does not fit the program is refused with a message", () => {
    const message = (description: Parameters<typeof makeUnit>[1]): string => {
      const made = makeUnit(image, description);
      return made.kind === "failed" ? made.message : "made";
    };
    assert.match(message(unit("no_such")), /no function no_such/);
    assert.match(message(unit("divide")), /2 parameters, and 0 are described/);
    assert.match(message(unit("malloc", { parameters: [SYMBOLIC] })), /runtime that keeps memory safe/);
    assert.match(message(unit("hidden", { parameters: [{ kind: "null" }] })), /is no pointer/);
    assert.match(message(unit("far", { parameters: [{ kind: "object", size: 0 }] })), /1 to \d+ bytes, not 0/);
    assert.match(
      message(unit("main", { parameters: [SYMBOLIC, { kind: "null" }], globals: [{ variable: "zz" }] })),
      /zz/,
    );
    const fields = [{ offset: 20, value: { kind: "null" } }] as const;
    assert.match(message(unit("far", { parameters: [{ kind: "object", size: 24, fields }] })), /field at 20/);
    const stubs = [{ function: "far", outputs: [{ parameter: 3, size: 1 }] }] as const;
    assert.match(message(unit("hidden", { parameters: [SYMBOLIC], stubs })), /parameter 3 of far is no pointer/);
  });

  it("files can be given, what a run prints kept, and the covered blocks shared", () => {
    const coverage = new Uint8Array(image.coverage.length);
    const { executor, events } = exploreUnit(image, unit("first"), {
      given: { files: [{ path: "/given.txt", bytes: Buffer.from("yes") }] },
      keepsOutput: true,
      coverage,
    });
    assert.ok(events.some((event) => event.kind === "run-finished" && event.outcome.end.kind === "exit"));
    assert.equal(Buffer.from(executor.output).toString(), "y");
    assert.equal(executor.coverage, coverage);
    assert.ok(coverage.some((covered) => covered !== 0));
  });

  it("bytes of an object may be given while the others are input", () => {
    const fields = [{ offset: 3, value: { kind: "bytes", bytes: [0] } }] as const;
    const { findings, summaries } = exploreUnit(
      image,
      unit("last", { parameters: [{ kind: "object", size: 4, fields }] }),
    );
    assert.deepEqual(findings, []);
    assert.equal(summaries.length, 4);
    assert.ok(summaries.every(({ summary }) => summary.writes.length === 0));
  });

  it("a pointer leads to a function of the program, or the unit says that there is none", () => {
    const calls = (name: string): ReturnType<typeof unit> =>
      unit("apply", { parameters: [{ kind: "function", function: name }, SYMBOLIC] });
    const { summaries } = exploreUnit(image, calls("hidden"));
    assert.deepEqual(summaries.map(({ summary }) => summary.result?.[0].low).sort(), [5, 6]);
    const made = makeUnit(image, calls("nowhere"));
    assert.ok(made.kind === "failed" && /no function nowhere/.test(made.message));
  });

  it("a variadic function starts without further arguments", () => {
    const { summaries } = exploreUnit(image, unit("sums", { parameters: [{ kind: "concrete", value: -5 }] }));
    assert.equal(summaries[0].summary.result?.[0].low, -5);
  });
});
