import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { compileUnit, testWith } from "../engine/unit-fixture.js";
import { confirm, runTest } from "../findings/confirmation.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { Amplification, type AmplifyReport } from "./amplify.js";

/** The first letter says what happens on the test's own path. What is to be found lies behind it. */
const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char table[4] = {1, 2, 3, 4};
static char names[16] = "abcdefghijklmno";
static int peek(const char *at) { return *at; }
int main(int argc, char **argv) {
  const char *word = argv[1];
  size_t length = strlen(word);
  char *copy = malloc(length);
  int sum = 0;
  memcpy(copy, word, length);
  switch (word[0]) {
  case 'h': sum = peek(copy + length); break;
  case 'b': for (int i = 0; i < 1000; i++) sum += peek(copy + length); break;
  case 's': sum = table[word[1] - '0']; break;
  case 'm': { char room[16]; memcpy(room, copy, length + 3); sum = room[0]; break; }
  case 'w': copy[length] = 1; break;
  case 'n': sum = peek(length == 2 ? NULL : copy); break;
  case '2': sum = copy[length]; sum += copy[length + 1]; break;
  }
  if (sum == 12345) puts("never");
  int c = getchar();
  return names[c & 31];
}
`;
const LIMITS = { ...DEFAULT_LIMITS, milliseconds: 20_000, heapBytes: 0x100_0000 };

describe("amplification of a test that fails", () => {
  let image: ProgramImage;
  let module: WebAssembly.Module;
  before(async () => {
    image = await compileUnit(SOURCE);
    module = loadModule(image);
  });

  interface Told {
    readonly kind: string;
    readonly message: string;
    readonly behind: readonly string[];
    readonly ownPath: boolean;
  }
  function amplified(word: string, distance = 0): { readonly told: readonly Told[]; readonly report: AmplifyReport } {
    const test: TestInput = testWith({ words: [word], stdin: "A" });
    const amplification = new Amplification(image, test, { distance, heapBytes: 0x100_0000 }, module);
    const events = amplification.run();
    const told: Told[] = [];
    for (;;) {
      const next = events.next();
      if (next.done === true) return { told, report: next.value };
      if (next.value.kind !== "finding-confirmed") continue;
      const { finding, input, outcome } = next.value;
      const { behind = [] } = finding;
      const witness = amplification.valuesOf(input, outcome.objects);
      const options = { seed: 1, limits: LIMITS, nativeEnd: null, goOnAt: behind };
      const confirmation = confirm({ image, module }, test, witness, options);
      assert.equal(confirmation.kind, "confirmed", `${finding.stackKey}: ${JSON.stringify(confirmation)}`);
      if (confirmation.kind !== "confirmed") continue;
      const ownPath = Buffer.from(witness.find(({ name }) => name === "stdin")?.bytes ?? []).toString() === "A";
      told.push({ kind: confirmation.finding.kind, message: confirmation.finding.message, behind, ownPath });
      if (behind.length > 0) {
        const without = runTest({ image, module }, test, witness, { seed: 1, limits: LIMITS, output: "capture" });
        assert.notEqual(without.finding?.message, confirmation.finding.message, "it lies behind another one");
      }
    }
  }
  const kinds = (word: string, distance = 0): string[] =>
    amplified(word, distance).told.map(({ kind, behind }) => `${kind} ${behind.length}`);

  it("goes on behind a bad read, and finds what lies behind it", () => {
    const { told, report } = amplified("hey");
    assert.deepEqual(
      told.map(({ kind, behind, ownPath }) => [kind, behind.length, ownPath]),
      [
        ["heap-buffer-overflow", 0, true],
        ["global-buffer-overflow", 1, false],
      ],
    );
    assert.deepEqual(report.testEnd, { kind: "exit", code: "b".charCodeAt(0) });
    assert.equal(report.statistics.divergences, 0);
    assert.ok(report.checks > 0);
  });

  it("the same for a bad read at a computed address, by a copy, in a loop, and for two of them", () => {
    const behind = "global-buffer-overflow 1";
    assert.deepEqual(kinds("s5"), ["global-buffer-overflow 0", behind]);
    assert.deepEqual(kinds("mm"), ["heap-buffer-overflow 0", behind]);
    assert.deepEqual(kinds("by"), ["heap-buffer-overflow 0", behind]);
    assert.deepEqual(kinds("2y"), ["heap-buffer-overflow 0", "heap-buffer-overflow 1", "global-buffer-overflow 2"]);
  });

  it("a bad write ends the run, and so does a read of what is not there", () => {
    assert.deepEqual(kinds("we"), ["heap-buffer-overflow 0"]);
    assert.deepEqual(kinds("nu"), ["null-dereference 0"]);
  });

  it("a test without mistakes is as it was", () => {
    const { told } = amplified("zzz");
    assert.deepEqual(
      told.map(({ kind, behind }) => [kind, behind]),
      [["global-buffer-overflow", []]],
    );
  });

  it("paths that leave the test's own go on at the same place, and only there", () => {
    const { told, report } = amplified("hey", 1);
    assert.ok(told.some(({ behind }) => behind.length === 0));
    assert.ok(report.departures > 0);
    assert.equal(report.statistics.divergences, 0);
  });
});

describe("amplification where a store's place was made concrete", () => {
  const PINNED = `
#include <stdio.h>
static char marks[0x10000];
static char names[100];
int main(void) {
  int a = getchar(), b = getchar();
  if (a < 0 || b < 0) return 1;
  unsigned n = (unsigned)a * 256 + (unsigned)b;
  marks[n] = 1;
  int sum = names[n - 0x4100];
  if (n == 0x4162) sum += names[n];
  return sum;
}
`;
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(PINNED);
  });

  function found(distance: number): { readonly lines: readonly string[]; readonly report: AmplifyReport } {
    const test: TestInput = testWith({ stdin: "AA" });
    const events = new Amplification(image, test, { distance, heapBytes: 0x100_0000 }).run();
    const lines: string[] = [];
    for (;;) {
      const next = events.next();
      if (next.done === true) return { lines, report: next.value };
      if (next.value.kind === "finding-confirmed") lines.push(next.value.finding.kind);
    }
  }

  it("the checks on its path are asked for other places too", () => {
    const { lines, report } = found(0);
    assert.deepEqual(lines, ["read"]);
    assert.equal(report.statistics.divergences, 0);
  });

  it("so are the branches near it", () => {
    const { lines, report } = found(1);
    assert.ok((report.statistics.origins.guessed ?? 0) > 0);
    assert.ok(lines.includes("read"), lines.join(", "));
    assert.equal(report.statistics.divergences, 0);
  });
});
