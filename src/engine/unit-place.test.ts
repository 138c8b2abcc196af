// Runs of a unit in context that begin at the call (vm/kept-place.ts) are those that come there from the start.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { sourceFrames } from "../vm/stack-trace.js";
import type { UnitExecutor } from "./unit-executor.js";
import { compileUnit, executorOf, testWith, unit } from "./unit-fixture.js";

const SOURCE = `
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static jmp_buf back;
static int total;
static char *kept;
static char **words;

static int work(int n) {
  char room[64];
  char *block;
  total += n;
  memset(room, n, sizeof room);
  if (n == 1) { block = malloc(5000000); memset(block, 7, 5000000); kept = block; return block[4999999]; }
  if (n == 2) { free(kept); kept = NULL; return 2; }
  if (n == 3) return getchar();
  if (n == 4) longjmp(back, 1);
  if (n == 5) exit(6);
  if (n == 6) for (;;) total++;
  if (n == 7) return kept[99];
  if (n == 8) { words[0][0] = '!'; kept[0] = 'z'; return room[3]; }
  if (n == 9) { puts(kept); fflush(stdout); return 9; }
  if (n == 10) return 10 / (n - 10);
  if (n == 11) { volatile char more[20000]; memset((char *)more, 1, sizeof more); return more[5]; }
  if (n == 12) return fork() < 0 ? -12 : 12;
  return total + words[0][0] + kept[0] + room[5];
}
static int caller(int n) { return work(n) + 1; }
int main(int argc, char **argv) {
  volatile int sum = 0;
  for (int i = 0; i < 300000; i++) sum += i;
  if (fork() == 0) _exit(0);
  wait(NULL);
  words = argv;
  argv[0][0] = (char)getchar();
  kept = strdup("kept");
  if (setjmp(back) != 0) return 33;
  return caller(argc + 100) & 1;
}
`;

const LIMITS = { instructions: 200_000_000, timeMs: 1e5 };
const QUIET = { branch() {}, choose() {}, check() {}, pin() {}, assume() {} };

describe("units that begin at the call", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  const made = (summaries: boolean): UnitExecutor => {
    const context = { test: testWith({ stdin: "abc" }), call: 0, objects: [] };
    return executorOf(image, unit("work", { parameters: [{ kind: "symbolic" }], context }), { summaries });
  };

  const told = (executor: UnitExecutor, n: number): unknown => {
    const model = executor.modelOf([{ name: "param:0", occurrence: 0, bytes: Uint8Array.of(n, 0, 0, 0) }]);
    const limits = n === 6 ? { ...LIMITS, instructions: 20_000 } : LIMITS;
    const { end, instructions } = executor.run(model, QUIET, limits);
    const { lastEnd } = executor.program;
    const trace = lastEnd !== null && "trace" in lastEnd ? sourceFrames(image, lastEnd.trace) : [];
    const frames = trace.flatMap(({ origin, functionName }) => (origin === "program" ? [functionName] : []));
    const [result = null] = executor.lastResult ?? [];
    return { n, end, instructions, blocks: executor.blocksOfRun(), frames, result: result?.low };
  };

  it("end as those from the start, in any order, whatever the ones before have done", () => {
    const [atPlace, fromStart] = [made(false), made(true)];
    const order = [
      12, 0, 12, 12, 1, 0, 2, 0, 3, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 9, 0, 10, 10, 0, 11, 0, 8, 1, 2, 3, 4, 5,
    ];
    let begun = 0;
    for (const n of order) {
      if (atPlace.program.machine.canBeginAtPlace) begun++;
      assert.deepEqual(told(atPlace, n), told(fromStart, n), `work(${n})`);
    }
    assert.equal(fromStart.program.machine.canBeginAtPlace, false);
    // What asks the kernel for something makes the next one come from the start.
    assert.ok(begun > order.length / 2 && begun < order.length, `${begun} of ${order.length}`);
  });

  it("and what was kept is gone when the machine is another one's", () => {
    const executor = made(false);
    told(executor, 0);
    const { machine } = executor.program;
    assert.equal(machine.canBeginAtPlace, true);
    executor.release();
    assert.equal(machine.canBeginAtPlace, false);
  });
});
