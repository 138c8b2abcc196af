import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { compileUnit, testWith } from "../engine/unit-fixture.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import type { SiteId } from "../path/observer.js";
import { ROW, TAKEN } from "../path/tree.js";
import { Amplification, type AmplifyReport } from "./amplify.js";
import { DecisionCounter, type DecisionMetric } from "./decision-metric.js";

/** Sites 0 to 9 are the program's, 10 to 14 memchr's, 15 to 19 strcmp's. */
const SITES = Array.from({ length: 20 }, (_, location) => ({ functionIndex: 0, location }));
const LOCATIONS = SITES.map((_, site) => ({
  origin: site < 10 ? "program" : "libc",
  functionName: site < 10 ? "main" : site < 15 ? "memchr" : "strcmp",
}));
const IMAGE = { sites: SITES, functions: [{ name: "main", origin: "program" }], locations: LOCATIONS };

function counted(metric: DecisionMetric, decisions: readonly (readonly [site: number, kind: number])[]): string {
  const counter = new DecisionCounter(IMAGE as unknown as ProgramImage, metric);
  return decisions.map(([site, kind]) => (counter.counts(site as SiteId, kind) ? "1" : "0")).join("");
}
const YES = ROW.branch | TAKEN;
const NO = ROW.branch;

describe("what counts as a decision", () => {
  it("to the paper every branch, to nobody a check", () => {
    const path = [[1, YES], [1, YES], [11, YES], [11, YES], [2, ROW.check], [3, ROW.choose]] as const; // biome-ignore format: a row
    assert.equal(counted("paper", path), "111101");
    assert.equal(counted("reader", path), "101001");
  });

  it("a loop that looks for an end: its first turn, and its end", () => {
    const turn = [[1, YES], [2, YES]] as const; // biome-ignore format: a row
    assert.equal(counted("reader", [...turn, ...turn, ...turn, [1, YES], [2, NO], [3, YES]]), "110000011");
  });

  it("what one function of libc does at once, and again what it does after a decision of the program", () => {
    const path = [[10, YES], [11, NO], [12, ROW.choose], [15, YES], [1, YES], [11, NO]] as const; // biome-ignore format: a row
    assert.equal(counted("reader", path), "100110");
    assert.equal(counted("reader", [...path, [2, YES], [3, YES], [4, YES], [5, YES], [11, NO]]), "10011011111");
  });

  it("choices and pins count each time: another value is another decision", () => {
    assert.equal(counted("reader", [[1, ROW.choose], [1, ROW.choose], [2, ROW.pin], [2, ROW.pin]]), "1111"); // biome-ignore format: a row
  });
});

/** A short line (but not one that is very short) is read before its beginning. The test's line is long; where it ends is one decision, in libc. */
const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
static const char table[64];
int main(void) {
  char *line = NULL;
  size_t room = 0;
  long length = getline(&line, &room, stdin);
  if (length < 4) return 1;
  return table[length - 8];
}
`;

describe("a bug behind the end of a scan", () => {
  let image: ProgramImage;
  let module: WebAssembly.Module;
  before(async () => {
    image = await compileUnit(SOURCE, AMPLIFY_COMPILE_OPTIONS);
    module = loadModule(image);
  });

  function found(
    metric: DecisionMetric,
    distance: number,
  ): { readonly found: boolean; readonly report: AmplifyReport } {
    const test = testWith({ stdin: "the quick brown fox jumps over the lazy dog\n" });
    const amplification = new Amplification(image, test, { distance, metric, heapBytes: 0x100_0000 }, module);
    const events = amplification.run();
    let isFound = false;
    for (;;) {
      const next = events.next();
      if (next.done === true) return { found: isFound, report: next.value };
      if (next.value.kind === "finding-confirmed") isFound = true;
    }
  }

  const firstFound = (metric: DecisionMetric, most: number): number => {
    for (let distance = 0; distance <= most; distance++) if (found(metric, distance).found) return distance;
    return Number.POSITIVE_INFINITY;
  };

  it("is near to a reader, and far in the paper's count", () => {
    assert.ok(firstFound("reader", 3) <= 3);
    assert.equal(firstFound("paper", 8), Number.POSITIVE_INFINITY);
  });

  it("the scan is left at some of its turns only, at more of them further away", () => {
    const { departures: near } = found("reader", 1).report;
    assert.ok(near > 1 && near <= 40, `${near}`);
  });
});
