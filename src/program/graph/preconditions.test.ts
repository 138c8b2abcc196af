import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { graphOf } from "./graph-fixture.js";
import { UNREACHED } from "./graph-queries.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#define BIG __attribute__((noinline))
BIG static void deep(int mode) { if (mode == 4) puts("deep"); } // @deep
BIG static void modes(int mode, int other) {
  if (mode != 2) {
    puts("not two"); // @not two
    if (other == 5) puts("five"); // @five
  } else {
    puts("two"); // @two
  }
  puts("between");
  if (mode == 2) {
    puts("target"); // @target
    deep(other);
  }
}
BIG static void flags(int argc, char **argv) {
  int verbose = 0, quiet = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == 'v') verbose = 1; // @verbose
    else if (argv[i][0] == 'q') quiet = 1; // @quiet
    else puts(argv[i]); // @other
  }
  if (verbose) puts("verbose"); // @verbosely
  if (!verbose && quiet) puts("quiet"); // @quietly
}
BIG static void again(int c) {
  while (c != 0) {
    if (c == 'a') puts("a"); // @a
    else puts("not a"); // @not a
    c = getchar();
    if (c == 'b') puts("b"); // @b
  }
}
int main(int argc, char **argv) {
  modes(argc, argc + 1);
  flags(argc, argv);
  again(argc);
  return 0;
}
`;

describe("preconditions", () => {
  it("a branch that contradicts what guards the target is useless, and so is what only it leads to", async () => {
    const { queries, at, decisionAt, entryOf } = await graphOf(SOURCE);
    for (const targets of [at("target"), [entryOf("deep")]]) {
      const plain = queries.distancesTo(targets);
      const exact = queries.distancesTo(targets, { preconditions: true });
      for (const block of at("five")) {
        assert.notEqual(plain[block], UNREACHED);
        assert.equal(exact[block], UNREACHED);
      }
      for (const block of [...at("two"), entryOf("modes"), entryOf("main")]) assert.equal(exact[block], plain[block]);
      assert.equal(exact[entryOf("modes")], 2);
    }
    assert.deepEqual(
      queries.distancesTo(at("five"), { preconditions: true }),
      queries.distancesTo(at("five")),
      "what was left out for one target is there for the next",
    );
    assert.equal(queries.distancesTo([decisionAt("five")])[entryOf("modes")], 1);
  });

  it("an assignment that excludes the target is useless, one that does not is not", async () => {
    const { graph, queries, at, decisionAt } = await graphOf(SOURCE);
    const [quietly] = graph.blocks[decisionAt("quietly")].successors;
    const exact = queries.distancesTo([quietly], { preconditions: true });
    const [sets] = graph.blocks[at("verbose")[0]].successors;
    assert.equal(exact[sets], UNREACHED);
    for (const mark of ["quiet", "other"]) for (const block of at(mark)) assert.notEqual(exact[block], UNREACHED, mark);
    const [verbosely] = graph.blocks[decisionAt("verbosely")].successors;
    assert.notEqual(queries.distancesTo([verbosely], { preconditions: true })[sets], UNREACHED);
  });

  it("what is read again in a loop is another value", async () => {
    const { graph, queries, at, decisionAt } = await graphOf(SOURCE);
    const [b] = graph.blocks[decisionAt("b")].successors;
    const [a] = graph.blocks[decisionAt("a")].successors;
    for (const target of [a, b]) {
      assert.deepEqual(queries.distancesTo([target], { preconditions: true }), queries.distancesTo([target]));
    }
    for (const block of at("not a"))
      assert.notEqual(queries.distancesTo([a], { preconditions: true })[block], UNREACHED);
  });
});
