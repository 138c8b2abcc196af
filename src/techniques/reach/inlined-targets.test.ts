import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groundFor } from "./reach-fixture.js";

const SOURCE = `#include "part.h"
#include <stdio.h>
int main(int argc, char **argv) {
  if (argc > 1) {
    tell(argc);
    puts("told");
  }
  return 0;
}
`;
const PART = `#include <stdio.h>
static inline void tell(int count) {
  printf("%d\\n", count);
}
`;

describe("targets", () => {
  it("a block with lines of two files, because a call was inlined, is a target in each of them", async () => {
    const wanted = [
      { file: "prog.c", lines: [5, 6] },
      { file: "part.h", lines: [3] },
    ];
    const { targets } = await groundFor(SOURCE, wanted, { "part.h": PART });
    const linesOf = (name: string): number[] => [
      ...new Set(targets.flatMap(({ file, lines }) => (file === name ? lines : []))),
    ];
    assert.deepEqual(linesOf("part.h"), [3]);
    assert.ok(linesOf("prog.c").includes(6));
    assert.ok(linesOf("prog.c").every((line) => line === 5 || line === 6));
  });

  it("a function is reached where it was inlined, too", async () => {
    const { targets, image } = await groundFor(SOURCE, [{ function: "tell" }, { function: "main" }], {
      "part.h": PART,
    });
    assert.deepEqual(targets.map(({ function: name }) => name).sort(), ["main", "tell"]);
    const tell = targets.find(({ function: name }) => name === "tell");
    assert.equal(tell?.line, 3);
    const owners = tell?.blocks.map((block) => image.functions[image.coverage[block].functionIndex].name);
    assert.deepEqual([...new Set(owners)], ["main"]);
  });
});
