import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { sourceFrames } from "../vm/stack-trace.js";
import { hookedTest } from "./hooked-program.js";
import type { UnitDescription } from "./unit-description.js";
import { makeUnit, summaryOf } from "./unit-executor.js";
import { compileUnit, executorOf, exploreUnit, numberIn, testWith, unit } from "./unit-fixture.js";

const SOURCE = `
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct item { int kind; int count; char *text; struct item *next; };
static jmp_buf back;
static int total, seen;
static struct item *list;

static int weigh(struct item *item, int factor) {
  seen++;
  if (item->kind == 'k' && factor == 1234) return 100 / (item->count - 77);
  if (item->text && item->text[0] == 'Z') return item->text[40];
  total += item->count;
  return total;
}
static int leave(int n) {
  if (n == 5) longjmp(back, 1);
  if (n == 6) exit(4);
  if (n == 7) for (;;) total++;
  return n + 1;
}
static int deep(int n) { volatile char room[4096]; room[n & 15] = 1; return n == 9 ? deep(n) + room[0] : 0; }
static int sums(int n, ...) {
  va_list more;
  va_start(more, n);
  int sum = n + va_arg(more, int);
  va_end(more);
  return sum;
}
static int forks(int n) {
  int status;
  pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) exit(n);
  wait(&status);
  return WEXITSTATUS(status);
}
static int halves(double d, float f, char c) { return d == 3.5 && f == 2.5f ? c : 0; }
static int walk(void) {
  int sum = 0;
  for (struct item *item = list; item; item = item->next) sum += weigh(item, item->kind);
  return sum;
}
int main(int argc, char **argv) {
  for (int c = getchar(); c != EOF; c = getchar()) {
    struct item *item = malloc(sizeof *item);
    item->kind = c;
    item->count = 10 + total++;
    item->text = strdup("text");
    item->next = list;
    list = item;
  }
  int sum = walk();
  if (setjmp(back) == 0) sum += leave(argc);
  else return 33;
  sum += deep(argc) + sums(argc, 20) + forks(3) + halves(3.5, 2.5f, 'h');
  printf("%d\\n", sum);
  return 0;
}
`;

const FOUND = { kind: "found" } as const;
const SYMBOLIC = { kind: "symbolic" } as const;
const TEST = testWith({ stdin: "abk" });
const EXECUTION = { heapBytes: 0x1000_0000, seed: 1 };
const LIMITS = { instructions: 100_000, timeMs: 1e4 };

describe("units in context", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  const inContext = (
    name: string,
    parameters: UnitDescription["parameters"],
    call = 0,
    objects: NonNullable<UnitDescription["context"]>["objects"] = [],
  ): UnitDescription => unit(name, { parameters, context: { test: TEST, call, objects } });

  /** What the first argument of a call points to. */
  const pointerAt = (name: string, wanted: number): number => {
    let call = 0;
    let address = 0;
    const hook = {
      function: name,
      hook: ({ arguments: [[part]] }: { readonly arguments: readonly (readonly { readonly low: number }[])[] }) => {
        if (call++ === wanted) address = part.low >>> 0;
        return null;
      },
    };
    const made = hookedTest(image, TEST, EXECUTION, { hooks: [hook], concrete: true });
    if (made.kind === "failed") throw new Error(made.message);
    made.executor.run(made.executor.firstInput, QUIET, { ...LIMITS, instructions: 1e8 });
    assert.ok(address > 0);
    return address;
  };

  it("input is placed at the call, with what is there as default, and a failure is found", () => {
    const address = pointerAt("weigh", 0);
    const symbolic = [{ offset: 0, size: 8 }];
    const objects = [{ name: "*param:0", address, size: 24, symbolic }];
    const explored = exploreUnit(image, inContext("weigh", [FOUND, SYMBOLIC], 0, objects));
    const { findings, isComplete, summaries, statistics } = explored;
    assert.equal(findings.length, 1);
    const [{ kind, input }] = findings;
    assert.equal(kind, "division-by-zero");
    assert.equal(numberIn(input["*param:0"].slice(0, 4)), "k".charCodeAt(0));
    assert.equal(numberIn(input["*param:0"].slice(4, 8)), 77);
    assert.equal(numberIn(input["param:1"]), 1234);
    assert.equal(isComplete, true);
    assert.equal(statistics.divergences, 0);
    // The third item of three, put first: its count is 12, and the sum of all is 3 by then.
    const results = summaries.map(({ summary }) => summary.result?.[0].low);
    assert.ok(results.includes(15), `${results}`);
  });

  it("the defaults are those of that very call", () => {
    const executor = executorOf(image, inContext("weigh", [FOUND, SYMBOLIC], 2), { summaries: true });
    const outcome = executor.run(new Uint8Array(0), QUIET, LIMITS);
    assert.deepEqual(outcome.end, { kind: "exit", code: 0 });
    assert.equal(numberIn([...executor.space.defaults]), "a".charCodeAt(0));
    // 3, and 12 + 11 of the calls before, and 10.
    assert.equal(executor.lastResult?.[0].low, 36);
    const writes = summaryOf(outcome)?.writes ?? [];
    assert.deepEqual(writes.map(({ object }) => object).sort(), ["global:seen", "global:total"]);
    assert.equal(executor.modelOf([]).length, 4);
  });

  it("only the unit's blocks and instructions count", () => {
    const executor = executorOf(image, inContext("weigh", [FOUND, FOUND], 1));
    const { instructions } = executor.run(new Uint8Array(0), QUIET, { ...LIMITS, instructions: 100 });
    assert.ok(instructions <= 100, `${instructions}`);
    const names = executor.blocksOfRun().map((block) => image.functions[image.coverage[block].functionIndex].name);
    assert.deepEqual([...new Set(names)], ["weigh"]);
  });

  it("a failure is seen with the callers of the call, and the function once", () => {
    const address = pointerAt("weigh", 0);
    const objects = [{ name: "*param:0", address, size: 24, symbolic: [{ offset: 0, size: 8 }] }];
    const executor = executorOf(image, inContext("weigh", [FOUND, SYMBOLIC], 0, objects));
    const bytes = Buffer.alloc(24);
    bytes.writeInt32LE("k".charCodeAt(0), 0);
    bytes.writeInt32LE(77, 4);
    const factor = Buffer.from([0xd2, 4, 0, 0]);
    const model = executor.modelOf([
      { name: "*param:0", occurrence: 0, bytes },
      { name: "param:1", occurrence: 0, bytes: factor },
    ]);
    const { end } = executor.run(model, QUIET, LIMITS);
    assert.equal(end.kind, "finding");
    const { lastEnd } = executor.program;
    const trace = lastEnd?.kind === "fault" ? sourceFrames(image, lastEnd.trace) : [];
    const own = trace.filter(({ origin }) => origin === "program").map(({ functionName }) => functionName);
    assert.deepEqual(own, ["weigh", "walk", "main"]);
  });

  it("longjmp to a caller, exit, loops and recursion without end", () => {
    const executor = executorOf(image, inContext("leave", [SYMBOLIC]));
    const endOf = (unitExecutor: typeof executor, n: number) => {
      const bytes = Buffer.from([n, 0, 0, 0]);
      return unitExecutor.run(unitExecutor.modelOf([{ name: "param:0", occurrence: 0, bytes }]), QUIET, LIMITS).end;
    };
    assert.deepEqual(endOf(executor, 1), { kind: "exit", code: 0 });
    assert.equal(executor.lastResult?.[0].low, 2);
    assert.deepEqual(endOf(executor, 5), { kind: "exit", code: 0 });
    assert.equal(executor.lastResult, null);
    assert.deepEqual(endOf(executor, 6), { kind: "exit", code: 4 });
    assert.deepEqual(endOf(executor, 7), { kind: "limit", limit: "instructions" });
    assert.deepEqual(endOf(executor, 1), { kind: "exit", code: 0 });
    const recursive = executorOf(image, inContext("deep", [SYMBOLIC]));
    const end = endOf(recursive, 9);
    assert.equal(end.kind === "finding" ? end.finding.kind : end.kind, "stack-overflow");
    assert.deepEqual(endOf(recursive, 1), { kind: "exit", code: 0 });
  });

  it("further arguments, and floating point, are those of the call", () => {
    const executor = executorOf(image, inContext("sums", [FOUND]));
    executor.run(new Uint8Array(0), QUIET, LIMITS);
    assert.equal(executor.lastResult?.[0].low, 21);
    const numbers = executorOf(image, inContext("halves", [FOUND, FOUND, SYMBOLIC]));
    numbers.run(new Uint8Array(0), QUIET, LIMITS);
    assert.equal(numbers.lastResult?.[0].low, "h".charCodeAt(0));
  });

  it("a process cannot be made where a run from the start would not come", () => {
    const executor = executorOf(image, inContext("forks", [SYMBOLIC]));
    executor.run(new Uint8Array(0), QUIET, LIMITS);
    assert.equal(executor.lastResult?.[0].low, 1);
  });

  it("hooks and assumptions work as in other units; calls on the way are not theirs", () => {
    let calls = 0;
    const { isComplete, summaries } = exploreUnit(image, inContext("walk", []), {
      hooks: [
        {
          function: "weigh",
          hook: ({ arena }) => {
            calls++;
            return [arena.constant(32, 2, 0)];
          },
        },
      ],
    });
    assert.equal(isComplete, true);
    assert.equal(calls, 3);
    assert.equal(summaries[0].summary.result?.[0].low, 6);
    const bounded = exploreUnit(image, inContext("leave", [SYMBOLIC]), {
      assumptions: (arena, space) => {
        const [object] = space.objects;
        return [arena.binary("eq", arena.variable(object.first), arena.constant(8, 1, 0))];
      },
    });
    assert.ok(bounded.summaries.every(({ end }) => end === "0"));
  });

  it("a call that does not come is told", () => {
    const made = makeUnit(image, inContext("weigh", [FOUND, SYMBOLIC], 3));
    assert.equal(made.kind === "failed" ? made.message : "", "the test does not come to call 3 of weigh");
    const odd = makeUnit(image, unit("weigh", { parameters: [FOUND, SYMBOLIC] }));
    assert.equal(odd.kind, "failed");
    const outside = [{ name: "*param:0", address: 0x2200_0000, size: 4, symbolic: [{ offset: 2, size: 4 }] }];
    assert.equal(makeUnit(image, inContext("weigh", [FOUND, SYMBOLIC], 0, outside)).kind, "failed");
  });
});

const QUIET = { branch() {}, choose() {}, check() {}, pin() {}, assume() {} };
