import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { groundFor } from "./reach-fixture.js";
import type { ReachGround } from "./reach-ground.js";
import { targetsIn, type WantedPlace } from "./targets.js";

const SOURCE = `int main(int argc, char **argv) {
  char room[4] = "abc";

  /* nothing */
  int at = argc * argc;
  if (at > 3)
    return 1;
  return room[at];
}
`;

describe("code beside a change that has none", () => {
  let ground: ReachGround;
  before(async () => {
    ground = await groundFor(SOURCE, []);
  });
  const lines = (beside: WantedPlace["beside"], wanted: readonly number[] = []): number[] =>
    targetsIn(ground.image, [{ file: "prog.c", lines: wanted, ...(beside === undefined ? {} : { beside }) }]).map(
      ({ line }) => line,
    );

  it("is the next line that has some", () => {
    assert.deepEqual(lines([{ line: 3, instead: [] }]), [5]);
    assert.deepEqual(lines([{ line: 7, instead: [] }]), [7]);
  });

  it("is not asked for if the change has code itself", () => {
    assert.deepEqual(lines([{ line: 8, instead: [7] }], [7]), [7]);
    assert.deepEqual(lines([{ line: 5, instead: [4] }], [4]), [5]);
  });

  it("is not searched for far away or in other files", () => {
    assert.deepEqual(lines([{ line: 10, instead: [] }]), []);
    assert.deepEqual(targetsIn(ground.image, [{ file: "other.c", lines: [], beside: [{ line: 1, instead: [] }] }]), []);
  });
});

describe("statements that need no instruction of their own", () => {
  it("are targets all the same, with the block that they are in, also in functions that were inlined", async () => {
    const { image } = await groundFor(
      `static int twice(int of) {
  int result = of;
  int two = 2;
  return result * two;
}
int main(int argc, char **argv) {
  int first = 5;
  int second = argc;
  if (argc > 1)
    first = 7;
  second = first;
  return twice(second);
}
`,
      [],
    );
    const lines = [2, 3, 7, 8, 10, 11];
    const told = targetsIn(image, [{ file: "prog.c", lines }]).flatMap((target) => target.lines);
    assert.deepEqual(
      [...new Set(told)].sort((a, b) => a - b),
      lines,
    );
  });
});
