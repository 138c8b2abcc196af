import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type GraphOfSource, graphOf } from "./graph-fixture.js";

const SOURCE = `
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// Kept from being inlined, as larger functions are.
#define BIG __attribute__((noinline))
static int changed;
BIG static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
BIG static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
BIG static void last(void) { puts("last"); }
BIG static void interrupted(int number) { changed = number; }
BIG static void terminated(int number) { changed = number; }
BIG static int twice(int x) { return 2 * x + changed; }
BIG static int thrice(int x) { return 3 * x + changed; }
BIG static int other(const char *x) { return puts(x); }
struct command { const char *name; int (*run)(int); };
static const struct command commands[] = { { "twice", twice }, { "thrice", thrice } };
static int (*printer)(const char *) = other;
BIG static void usage(void) { puts("usage"); exit(2); }
BIG static int never(int x) { return x + 1; }
int main(int argc, char **argv) {
  int numbers[3] = { argc, 2, 1 };
  atexit(last);
  if (argc == 8) {
    signal(SIGINT, interrupted); // @signal
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = terminated;
  sigaction(SIGTERM, &action, NULL); // @sigaction
  if (argc == 9) {
    usage();
    printer("after usage"); // @behind
  }
  qsort(numbers, 3, sizeof numbers[0], ascending); // @up
  if (argc > 2) {
    qsort(numbers, 3, sizeof numbers[0], descending); // @down
  }
  int sum = 0;
  for (unsigned i = 0; i < 2; i++) {
    if (strcmp(argv[1], commands[i].name) == 0) sum = commands[i].run(argc); // @table
  }
  if (argc == 7) {
    exit(1); // @exit
  }
  if (argc == 100) usage();
  return sum;
}
int unused(int x) { return never(x); }
`;

function calleesAt({ graph, image, at }: GraphOfSource, mark: string): string[] {
  const names = at(mark).flatMap((block) => graph.blocks[block].callees.map((fn) => image.functions[fn].name));
  return [...new Set(names)].sort();
}

for (const pointers of ["points-to", "types"] as const) {
  describe(`calls in a graph by ${pointers}`, () => {
    it("what libc calls back stands where libc is called", async () => {
      const program = await graphOf(SOURCE, pointers);
      assert.deepEqual(calleesAt(program, "up"), ["ascending"]);
      assert.deepEqual(calleesAt(program, "down"), ["descending"]);
      assert.deepEqual(calleesAt(program, "signal"), ["interrupted"]);
      assert.ok(calleesAt(program, "sigaction").includes("terminated"));
      assert.deepEqual(calleesAt(program, "exit"), ["last"]);
      const { graph, image, functionNumber } = program;
      const ends = graph.blocks.filter(
        ({ functionNumber: fn, successors, stops }, block) =>
          fn === functionNumber("main") && successors.length === 0 && !stops && image.coverage[block].instructions > 0,
      );
      assert.ok(ends.some(({ callees }) => callees.includes(functionNumber("last"))));
    });

    it("a table of functions", async () => {
      const program = await graphOf(SOURCE, pointers);
      assert.deepEqual(calleesAt(program, "table"), ["thrice", "twice"]);
    });

    it("what is behind a call that never returns is not reached through it", async () => {
      const program = await graphOf(SOURCE, pointers);
      const behind = program.at("behind");
      assert.ok(behind.length > 0);
      const calls = program.graph.blocks.filter(({ stops }) => stops);
      assert.ok(calls.length >= 2);
      const targets = behind.filter((block) => !program.graph.blocks[block].stops);
      assert.ok(targets.every((block) => program.queries.whyUnreachable([block]) !== null));
    });

    it("main is where it begins; addresses that are taken are known", async () => {
      const { graph, functionNumber } = await graphOf(SOURCE, pointers);
      assert.ok(graph.roots.includes(functionNumber("main")));
      for (const name of ["twice", "thrice", "ascending", "terminated", "last", "other"]) {
        assert.ok(graph.addressTaken.includes(functionNumber(name)), name);
      }
      assert.ok(!graph.addressTaken.includes(functionNumber("usage")));
    });
  });
}
