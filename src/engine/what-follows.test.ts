import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Confirmation, confirm, type LoadedImage } from "../findings/confirmation.js";
import { weightOf } from "../findings/severity.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { compileUnit, testWith } from "./unit-fixture.js";

/** Steps of 1 are all that the block holds; what lies behind it are others. */
const SOURCE = `
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char *steps = malloc(8), *copy = malloc(4);
  memset(steps, 1, 8);
  memset(copy, 0, 4);
  int n = atoi(argv[2]), step = steps[n];
  if (argv[1][0] == 'w') copy[step == 1 ? 0 : 4] = 1;
  if (argv[1][0] == 'a' && step != 1) abort();
  return copy[0];
}
`;

describe("what follows a read that is not allowed", () => {
  let loaded: LoadedImage;
  before(async () => {
    const image = await compileUnit(SOURCE);
    loaded = { image, module: loadModule(image) };
  });
  const found = (way: string, n: number): Extract<Confirmation, { kind: "confirmed" }>["finding"] => {
    const options = { seed: 1, limits: DEFAULT_LIMITS, nativeEnd: null };
    const answer = confirm(loaded, testWith({ words: [way, String(n)] }), [], options);
    assert.equal(answer.kind, "confirmed", `${way} ${n}`);
    return answer.finding;
  };

  it("a write in the wrong place: the finding says where, and weighs as much", () => {
    const finding = found("w", 8);
    assert.equal(finding.access, "read");
    assert.equal(finding.follows?.kind, "heap-buffer-overflow");
    assert.equal(finding.follows?.access, "write");
    assert.equal(finding.follows?.frame?.line, 9);
    assert.match(finding.message, /a write of 1 byte may follow in main \(\w+\.c:9\): heap-buffer-overflow$/);
    assert.equal(weightOf(finding).severity, "high");
  });

  it("nothing, or only an end that other bytes there might not bring", () => {
    for (const way of ["n", "a"]) {
      const finding = found(way, 8);
      assert.equal(finding.follows, undefined, way);
      assert.equal(weightOf(finding).severity, "low", way);
    }
  });

  it("the run that goes on leaves nothing behind: the next one ends at the read again", () => {
    found("w", 8);
    assert.deepEqual(found("w", 8), found("w", 8));
  });
});
