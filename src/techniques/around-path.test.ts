import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { compileUnit, testWith } from "../engine/unit-fixture.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { Amplification, type AmplifyOptions, type AmplifyReport } from "./amplify.js";
import type { AroundPath } from "./around-path.js";

/** The first letter chooses; what follows is four decisions one after the other, of which none is an access. */
const SOURCE = `
#include <stdlib.h>
#include <unistd.h>
struct box { int first, second; };
static int chosen;
int main(void) {
  char in[6];
  struct box *box = malloc(sizeof *box);
  box->first = box->second = 1;
  if (read(0, in, sizeof in) != sizeof in) return 1;
  switch (in[0]) {
  case 'p':
    if (in[1] == 'x') box = NULL;
    chosen = box->first;
    break;
  case 'g':
    if (in[1] == 'x') free(box);
    chosen = 2;
    break;
  case 'e':
    if (in[1] == 'x') *(volatile int *)NULL = 1;
    _exit(0);
  case 'l':
    if (in[1] == 'x') for (;;) chosen++;
    break;
  }
  if (in[2] == 'b') chosen++;
  if (in[3] == 'c') chosen += 2;
  if (in[4] == 'd') chosen += 4;
  if (in[5] == 'e') chosen += 8;
  _exit(chosen + box->second);
}
`;

interface Around {
  readonly kinds: readonly string[];
  /** The places where paths were left, one after the other. */
  readonly revived: readonly number[];
  readonly report: AmplifyReport;
}

describe("around a test's path", () => {
  let image: ProgramImage;
  let module: WebAssembly.Module;
  before(async () => {
    image = await compileUnit(SOURCE, AMPLIFY_COMPILE_OPTIONS);
    module = loadModule(image);
  });

  type Options = Partial<AroundPath & Pick<AmplifyOptions, "now" | "limits">>;
  function around(stdin: string, distance: number, options: Options = {}): Around {
    const test = testWith({ stdin });
    const amplification = new Amplification(image, test, { distance, heapBytes: 0x100_0000, ...options }, module);
    const events = amplification.run();
    const kinds: string[] = [];
    const revived: number[] = [];
    for (;;) {
      const next = events.next();
      if (next.done === true) return { kinds, revived, report: next.value };
      if (next.value.kind === "finding-confirmed") kinds.push(next.value.finding.kind);
      if (next.value.kind === "revived") revived.push(next.value.site);
    }
  }

  it("the first field behind a pointer is an anchor for the paper, and an index or another field for all", () => {
    assert.deepEqual(around("paaaaa", 1).kinds, []);
    assert.deepEqual(around("paaaaa", 1, { sensitive: "paper" }).kinds, ["read"]);
  });

  it("a variable by its own address is no anchor for anybody", () => {
    const left = around("gaaaaa", 1, { sensitive: "paper" }).revived.length;
    assert.equal(left, around("gaaaaa", 1).revived.length);
    assert.deepEqual(around("gaaaaa", 1, { sensitive: "paper" }).kinds, []);
  });

  it("the end of the run is an anchor if that is wanted", () => {
    assert.deepEqual(around("eaaaaa", 1).kinds, []);
    assert.deepEqual(around("eaaaaa", 1, { anchorEnd: true }).kinds, ["write"]);
  });

  it("below a departure the deepest goes first, or what is nearest to the departure", () => {
    const newest = around("gaaaaa", 4).revived;
    const breadth = around("gaaaaa", 4, { order: "breadth" }).revived;
    assert.deepEqual([...newest].sort(), [...breadth].sort(), "the same paths in another order");
    assert.notDeepEqual(newest, breadth);
    // The departure itself, then the decisions behind it as they stand in the program; the last come last.
    const [departure, ...below] = breadth;
    assert.ok(below.every((site) => site > departure));
    assert.deepEqual(
      below.slice(0, 4),
      [...below.slice(0, 4)].sort((a, b) => a - b),
    );
    assert.equal(newest[1], Math.max(...newest), "the deepest first");
  });

  it("when the time of a departure is over, the next one has its turn, and what is left is counted", () => {
    const whole = around("gaaaaa", 2).report;
    let nowMs = 0;
    // Whatever the clock is asked for, a minute has passed.
    const now = (): number => {
      nowMs += 60_000;
      return nowMs;
    };
    const cut = around("gaaaaa", 2, { branchMs: 59_000, now }).report;
    assert.equal(whole.departuresCut, 0);
    assert.equal(cut.departures, whole.departures);
    assert.ok(cut.departuresCut > 0);
    assert.ok(cut.statistics.paths < whole.statistics.paths);
    assert.ok(cut.passedOver > whole.passedOver);
  });

  it("a run without an end takes the time of its departure, not that of the test", () => {
    const { report } = around("laaaaa", 5, { branchMs: 200, limits: { timeMs: 600_000 } });
    assert.deepEqual(report.statistics.ends, { exit: 1, limit: 1 });
  });
});
