import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { runTest } from "../findings/confirmation.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { compileUnit, testWith } from "./unit-fixture.js";

/** Each way misses its object by so much that another one is nearer. */
const SOURCE = `
#include <stdlib.h>
#include <string.h>
int table[10];
int hash_table[10] = {1};
static int at(const int *from, int n) { return from[n]; }
static void fill(char *to, int n) { for (int i = 0; i < n; i++) *to++ = 'x'; }
int main(int argc, char **argv) {
  int n = atoi(argv[2]);
  char first[16], second[16];
  int *block = malloc(40), *other = malloc(40);
  memset(first, 0, 16);
  memset(second, 0, 16);
  other[0] = 1;
  switch (argv[1][0]) {
  case 'g': return table[n];
  case 'w': table[n] = 1; return 0;
  case 'a': return at(table, n);
  case 's': return first[n];
  case 't': return second[n];
  case 'h': return at(block, n);
  case 'b': return block[n];
  case 'l': fill(first, 16 + n); return 0;
  case 'c': strcpy((char *)table + n, "a word that is longer"); return 0;
  case 'm': memcpy(hash_table, table, (size_t)n); return 0;
  case 'u': free(block); return at(block, n);
  }
  return hash_table[0] + second[0];
}
`;

describe("the object an address was computed from", () => {
  let image: ProgramImage;
  let module: WebAssembly.Module;
  before(async () => {
    image = await compileUnit(SOURCE);
    module = loadModule(image);
  });
  const message = (way: string, n: number): string => {
    const test = testWith({ words: [way, String(n)] });
    const options = { seed: 1, limits: DEFAULT_LIMITS, output: "capture" } as const;
    const { finding, result } = runTest({ image, module }, test, [], options);
    assert.notEqual(finding, null, `${way} ${n}: ${JSON.stringify(result.end)}`);
    return `${finding?.kind}: ${finding?.message.replace(/ at 0x[0-9a-f]+/, "")}`;
  };
  /** The first index from `n` on, in this direction, at which the machine refuses the access. */
  const firstRefused = (way: string, n: number, step: number): { readonly n: number; readonly message: string } => {
    for (let k = n; Math.abs(k) < 1000; k += step) {
      const test = testWith({ words: [way, String(k)] });
      const options = { seed: 1, limits: DEFAULT_LIMITS, output: "capture" } as const;
      if (runTest({ image, module }, test, [], options).finding !== null) return { n: k, message: message(way, k) };
    }
    throw new Error(`${way} never fails`);
  };

  it("an access to any other object is refused, not only one to the gaps between", () => {
    const options = { seed: 1, limits: DEFAULT_LIMITS, output: "capture" } as const;
    for (const [way, object] of Object.entries({
      g: "global",
      w: "global",
      s: "stack",
      t: "stack",
      b: "heap",
      c: "global",
    })) {
      const bytes = /[st]/.test(way) ? 16 : 40;
      // A word that is longer than what is left of the table leaves it, too.
      const last = way === "c" ? 18 : way === "g" || way === "w" || way === "b" ? 9 : 15;
      for (let n = 0; n < 150; n += n > 60 ? 7 : 1) {
        const { finding } = runTest({ image, module }, testWith({ words: [way, String(n)] }), [], options);
        assert.equal(finding?.kind ?? "none", n <= last ? "none" : `${object}-buffer-overflow`, `${way} ${n}`);
        if (finding === null) continue;
        const end = (finding.object?.address ?? 0) + bytes;
        assert.ok((finding.firstBadAddress ?? 0) >= end, `${way} ${n}: ${finding.message}`);
      }
    }
  });

  it("a variable is named however far its index has gone", () => {
    // Behind the neighbour, whose redzone it is.
    for (const way of ["g", "w", "a"]) {
      const beyond = firstRefused(way, 24, 1);
      const access = way === "w" ? "write" : "read";
      const bytes = 4 * (beyond.n - 10);
      const words = `global-buffer-overflow: ${access} of 4 bytes, ${bytes} bytes after global variable 'table' (40 bytes)`;
      assert.equal(beyond.message, words);
    }
    const before = firstRefused("g", -14, -1);
    assert.match(before.message, /bytes before global variable 'table' \(40 bytes\)$/);
  });

  it("so is a local one", () => {
    assert.match(
      firstRefused("s", 60, 1).message,
      /^stack-buffer-overflow: .* after local variable 'first' \(16 bytes\)/,
    );
    assert.match(firstRefused("t", -60, -1).message, /before local variable 'second' \(16 bytes\)/);
    assert.match(message("l", 1), /0 bytes after local variable 'first' \(16 bytes\)/);
  });

  it("and a block of the heap, where the function has a pointer to it", () => {
    const { n, message: words } = firstRefused("h", 40, 1);
    assert.equal(words, `heap-buffer-overflow: read of 4 bytes, ${4 * (n - 10)} bytes after 40-byte heap block`);
  });

  it("where nothing is near, the access is wild, and the variable is named all the same", () => {
    assert.match(message("g", 100_000_000), /^wild-access: .* after global variable 'table' \(40 bytes\)/);
  });

  it("an array of a caller is in scope", () => {
    assert.match(message("l", 3), /^stack-buffer-overflow: write of 1 byte, 0 bytes after local variable 'first'/);
  });

  it("copies name what they read from", () => {
    assert.match(message("m", 44), /its last 4 bytes after global variable 'table' \(40 bytes\)/);
    assert.match(message("c", 30), /0 bytes after global variable 'table' \(40 bytes\)/);
  });

  it("a block that was freed is one that was freed", () => {
    assert.match(message("u", 2), /^heap-use-after-free: .* 8 bytes into freed 40-byte heap block/);
  });
});
