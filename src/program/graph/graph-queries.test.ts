import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { graphOf } from "./graph-fixture.js";
import { UNREACHED } from "./graph-queries.js";

describe("distances", () => {
  const SOURCE = `
#include <stdio.h>
#define BIG __attribute__((noinline))
BIG static void deep(int x) {
  if (x == 3) { // @three
    puts("three");
    if (x % 2) puts("target"); // @inner
  }
}
BIG static void middle(int x) {
  puts("middle");
  deep(x);
  if (x > 1) puts("after"); // @after
}
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) middle(argc); // @call
  if (argc > 5) puts("six"); // @six
  return 0; // @end
}
`;

  it("count branches, go into calls and on behind them, and never return", async () => {
    const { graph, queries, at, decisionAt, entryOf } = await graphOf(SOURCE);
    const three = decisionAt("three");
    const [target] = graph.blocks[decisionAt("inner")].successors;
    const distances = queries.distancesTo([target]);
    assert.equal(distances[target], 0);
    assert.equal(distances[decisionAt("inner")], 1);
    assert.equal(distances[three], 2);
    assert.equal(distances[entryOf("deep")], 2);
    assert.equal(distances[entryOf("middle")], 2);
    assert.equal(distances[decisionAt("call")], 3);
    assert.equal(distances[entryOf("main")], 3);
    assert.equal(distances[decisionAt("six")], UNREACHED);
    assert.equal(distances[at("end")[0]], UNREACHED);
    const [after] = graph.blocks[decisionAt("after")].successors;
    assert.equal(queries.distancesTo([after])[entryOf("middle")], 1);
    assert.equal(queries.distancesTo([after])[entryOf("deep")], UNREACHED);
  });

  it("are the least over targets, and fill an array that is given", async () => {
    const { graph, queries, decisionAt, entryOf } = await graphOf(SOURCE);
    const into = new Int32Array(graph.blocks.length);
    const [six] = graph.blocks[decisionAt("six")].successors;
    const [inner] = graph.blocks[decisionAt("inner")].successors;
    assert.equal(queries.distancesTo([inner, six], { into }), into);
    assert.equal(into[entryOf("main")], 2);
    const again = queries.distancesTo([], { into });
    assert.ok(again.every((distance) => distance === UNREACHED));
  });

  it("equal those of a simple search, on every block of a program", async () => {
    const { graph, queries } = await graphOf(SOURCE);
    graph.blocks.forEach((_, target) => {
      const fast = queries.distancesTo([target]);
      // Bellman and Ford's way, over the same edges.
      const slow = new Int32Array(graph.blocks.length).fill(UNREACHED);
      slow[target] = 0;
      for (let changed = true; changed; ) {
        changed = false;
        graph.blocks.forEach(({ successors, callees, stops }, block) => {
          const step = new Set(successors).size > 1 ? 1 : 0;
          const ways = [
            ...(stops ? [] : successors.map((to) => (slow[to] === UNREACHED ? UNREACHED : slow[to] + step))),
            ...callees.map((fn) => slow[graph.entries[fn]]),
          ];
          const best = Math.min(slow[block], ...ways);
          if (best < slow[block]) {
            slow[block] = best;
            changed = true;
          }
        });
      }
      assert.deepEqual([...fast], [...slow]);
    });
  });
});

describe("definitions that turn a branch", () => {
  const SOURCE = `
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BIG __attribute__((noinline))
static int ignore_case, style, copy = 4;
struct settings { int width; int verbose; char separator; };
static struct settings options = { 80, 0, ',' };
struct node { struct node *next; int kind; };
BIG static int level(int c) {
  puts("level");
  if (c == 'q') return 3; // @returns three
  return 1;
}
BIG static void show(int mode, struct node *list) {
  if (mode == 2) puts("two"); // @mode
  if (list->kind == 5) puts("five"); // @kind
}
int main(int argc, char **argv) {
  int c;
  int depth = 0;
  struct node *list = calloc(1, sizeof *list);
  while ((c = getopt(argc, argv, "is:vq")) != -1) { // @getopt
    switch (c) { // @switch
      case 'i': ignore_case = 1; break; // @ignore
      case 's': style = 2; break; // @style
      case 'v': options.verbose++; depth = 4; break; // @verbose
      case 'q': list->kind = 5; break; // @sets kind
      default: style = copy; // @copied
    }
  }
  if (argc == 3) copy = 9; // @copy is nine
  if (ignore_case) puts("ignoring"); // @ignoring
  if (options.verbose > 1) puts("verbose"); // @verbosely
  if (depth == 4) puts("deep"); // @deep
  if (style == 9) puts("nine"); // @nine
  if (level(c) == 3) puts("three"); // @three
  show(1, list); // @shows one
  if (argc > 4) show(2, list); // @shows two
  if (*argv[0] == '\\n') puts("newline"); // @newline
  if (optind < argc && strcmp(argv[optind], "magic") == 0) puts("magic"); // @magic
  if (options.separator == ';') puts("separator"); // @separator
  return 0;
}
`;

  it("constants come first and are certain", async () => {
    const { queries, at, decisionAt } = await graphOf(SOURCE);
    const [wanted] = queries.definitionsFor(decisionAt("ignoring"), 0);
    assert.deepEqual(
      { ...wanted, place: 0 },
      { block: at("ignore")[0], place: 0, value: "1", certain: true, sentence: "ignore_case = 1" },
    );
    const deep = queries.definitionsFor(decisionAt("deep"), 0);
    assert.ok(deep[0].certain && at("verbose").includes(deep[0].block));
    assert.equal(deep[0].sentence, "depth = 4");
  });

  it("the initial value is no definition to go to; one that does not satisfy is left out", async () => {
    const { queries, decisionAt } = await graphOf(SOURCE);
    assert.deepEqual(queries.definitionsFor(decisionAt("ignoring"), 1), []);
    assert.deepEqual(queries.definitionsFor(decisionAt("separator"), 0), []);
  });

  it("copies are followed, increments are offered but not certain", async () => {
    const { queries, at, decisionAt } = await graphOf(SOURCE);
    const nine = queries.definitionsFor(decisionAt("nine"), 0);
    assert.ok(at("copy is nine").includes(nine[0].block) && nine[0].certain, nine[0].sentence);
    assert.ok(nine.some(({ block, certain }) => at("copied").includes(block) && !certain));
    assert.ok(!nine.some(({ block }) => at("style").includes(block)));
    const [verbose] = queries.definitionsFor(decisionAt("verbosely"), 0);
    assert.deepEqual([verbose.certain, verbose.value], [false, null]);
    assert.ok(at("verbose").includes(verbose.block));
  });

  it("parameters lead to arguments, results to what is returned, fields through pointers", async () => {
    const { queries, graph, at, decisionAt } = await graphOf(SOURCE);
    const [mode, ...others] = queries.definitionsFor(decisionAt("mode"), 0);
    assert.ok(mode.certain && at("shows two").includes(mode.block));
    assert.equal(mode.sentence, "mode is given 2");
    assert.deepEqual(others, []);
    const [three] = queries.definitionsFor(decisionAt("three"), 0);
    assert.ok(three.certain && three.value === "3");
    assert.ok(graph.blocks[decisionAt("returns three")].successors.includes(three.block));
    const [kind] = queries.definitionsFor(decisionAt("kind"), 0);
    assert.ok(kind.certain && at("sets kind").includes(kind.block));
  });

  it("an element of an array in a structure is a field", async () => {
    const { queries, decisionAt } = await graphOf(`
#include <stdlib.h>
struct segment { int kind; char letters[2]; struct segment *next; };
struct segment *first;
__attribute__((noinline)) void add(char a, char b) {
  struct segment *one = malloc(sizeof *one);
  one->letters[0] = a;
  one->letters[1] = b;
  one->next = first;
  first = one;
}
int main(int argc, char **argv) {
  if (argc > 1) add(argv[1][0], 0);
  else add('x', argc);
  for (struct segment *at = first; at; at = at->next)
    if (at->letters[1]) // @asks
      return 1;
  return 0;
}`);
    const asks = decisionAt("asks");
    assert.match(queries.conditionText(asks), /letters/);
    const sentences = queries.definitionsFor(asks, 0).map(({ sentence }) => sentence);
    assert.ok(sentences.includes("b is given argc"), sentences.join("; "));
  });

  it("what comes from the input has none", async () => {
    const { queries, decisionAt } = await graphOf(SOURCE);
    for (const mark of ["getopt", "switch", "magic"]) assert.deepEqual(queries.definitionsFor(decisionAt(mark), 0), []);
    assert.deepEqual(queries.definitionsFor(decisionAt("mode"), 7), []);
  });

  it("conditions in C's words", async () => {
    const { queries, decisionAt } = await graphOf(SOURCE);
    const text = (mark: string): string => queries.conditionText(decisionAt(mark));
    assert.equal(text("ignoring"), "ignore_case != 0");
    assert.equal(text("verbosely"), "options.verbose > 1");
    assert.equal(text("deep"), "depth == 4");
    assert.equal(text("mode"), "mode == 2");
    assert.equal(text("three"), 'level(getopt(argc, argv, "is:vq")) == 3');
    assert.equal(text("newline"), "**argv == '\\n'");
    assert.equal(text("separator"), "options.separator == ';'");
    assert.match(text("magic"), /^strcmp\(.*, "magic"\) == 0$/);
  });
});

describe("why nothing leads there", () => {
  it("a function that only dead code calls, and what is behind a call that never returns", async () => {
    const { queries, at, entryOf } = await graphOf(`
#include <stdio.h>
#include <stdlib.h>
#define BIG __attribute__((noinline))
BIG static void fail(const char *why) { puts(why); exit(1); }
BIG static int frob(int x) { puts("frob"); return x; }
BIG static int taken(int x) { puts("taken"); return x; }
int (*hook)(int) = taken;
int main(int argc, char **argv) {
  (void)argv;
  if (argc == 2) {
    fail("two");
    if (argc) frob(argc); // @dead
  }
  return hook(argc); // @end
}
`);
    assert.equal(queries.whyUnreachable([entryOf("main")]), null);
    assert.equal(queries.whyUnreachable(at("end")), null);
    assert.equal(queries.whyUnreachable([entryOf("taken")]), null);
    assert.equal(queries.whyUnreachable([entryOf("frob"), entryOf("main")]), null);
    assert.match(
      queries.whyUnreachable([entryOf("frob")]) ?? "",
      /frob\(\) is called only by main\(\), from code that nothing reaches/,
    );
  });
});
