import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { compileUnit, testWith } from "../engine/unit-fixture.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { keepSpareMemory, takeSpareMemory } from "../vm/spare-memories.js";
import { Amplification } from "./amplify.js";
import { runPlainly } from "./plain-run.js";
import { scrapMachines } from "./scrap-machines.js";

/** Writes wherever a program can: variables with and without a value, the heap, the stack, files that are mapped. */
const UNTIDY = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char kept[5000]; int total = 7;
static int deep(int n, const char *text) { char large[3000]; memset(large, text[0], sizeof large); return n > 0 ? deep(n - 1, text) + large[n] : 0; }
int main(int argc, char **argv) {
  char *copy = malloc(200000);
  memset(copy, argv[1][0], 200000);
  memset(kept, argv[1][1], sizeof kept);
  total += deep(20, argv[1]) + kept[argv[1][2] & 255];
  int c; while ((c = getchar()) != EOF) total += c;
  printf("%d %s\\n", total, argv[1]);
  if (argv[1][0] == 'q') free(copy);
  return total & 1;
}`;
const OTHER = `
#include <stdio.h>
#include <string.h>
static const char *const words[] = {"one", "two", "three"}; static int counts[3]; static char blank[9000];
int main(int argc, char **argv) {
  for (int i = 0; i < 9000; i++) if (blank[i] != 0) return 9;
  for (int i = 0; i < 3; i++) if (strcmp(argv[1], words[i]) == 0) counts[i]++;
  return counts[(argv[1][0] ^ 'o') & 3 ? 0 : argv[1][1] - 'n'] + 1;
}`;

describe("machines of a program that is not kept", () => {
  let untidy: ProgramImage;
  let other: ProgramImage;
  before(async () => {
    untidy = await compileUnit(UNTIDY, AMPLIFY_COMPILE_OPTIONS);
    other = await compileUnit(OTHER, AMPLIFY_COMPILE_OPTIONS);
  });

  const limits = { milliseconds: 10_000, heapBytes: 0x1000_0000, seed: 1 };

  /** All that is said of a test's own path, without times; and the memory that it ran in. */
  function told(image: ProgramImage, argument: string): { readonly text: string; readonly memory: WebAssembly.Memory } {
    const test = testWith({ words: [argument], stdin: "some bytes" });
    const amplification = new Amplification(image, test);
    const events = amplification.run();
    let next = events.next();
    while (next.done !== true) next = events.next();
    const { statistics: _, pins, ...report } = next.value;
    const { memory } = amplification.executor.machine.memory;
    amplification.executor.release();
    const plain = runPlainly(image, loadModule(image), test, limits);
    const covered = [amplification.testCoverage, plain.coverage].map((blocks) =>
      Buffer.from(blocks ?? []).toString("hex"),
    );
    return { text: JSON.stringify({ report, pins: [...pins], end: plain.end, covered }), memory };
  }

  it("leave a memory of zeros, in which another program does what it does in a new one", () => {
    const expected = told(other, "one");
    scrapMachines(other);
    // Whatever was kept until now is not what is looked at.
    while (takeSpareMemory(0) !== null);
    const { memory } = told(untidy, "xyz");
    scrapMachines(untidy);
    const spare = takeSpareMemory(0);
    const plain = takeSpareMemory(0);
    assert.equal(spare, memory);
    assert.ok(plain !== null && plain !== memory);
    for (const one of [spare, plain]) {
      const words = new BigUint64Array(one?.buffer ?? new ArrayBuffer(0));
      assert.equal(
        words.findIndex((word) => word !== 0n),
        -1,
      );
      if (one !== null) keepSpareMemory(one);
    }
    const again = told(other, "one");
    assert.equal(again.memory, memory);
    assert.equal(again.text, expected.text);
  });

  it("are not taken from whoever uses one", () => {
    const test = testWith({ words: ["xyz"], stdin: "" });
    while (takeSpareMemory(0) !== null);
    const used = new Amplification(untidy, test);
    scrapMachines(untidy);
    const { memory } = used.executor.machine.memory;
    for (let one = takeSpareMemory(0); one !== null; one = takeSpareMemory(0)) assert.notEqual(one, memory);
    used.executor.release();
  });
});
