// Programs that tell of their calls and accesses: they tell what happens, and what is counted is what runs.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { ProgramImage } from "../../src/jit/image.js";
import { FUNCTION_BASE, FUNCTION_STRIDE } from "../../src/jit/memory-layout.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { Machine } from "../../src/vm/machine.js";
import { DEFAULT_OPTIONS } from "../../src/vm/run-options.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-observed-"));
after(() => rmSync(folder, { recursive: true }));

async function imageOf(name: string, text: string, observed: boolean): Promise<ProgramImage> {
  const path = join(folder, `${name}.c`);
  writeFileSync(path, text);
  const compile = { ...AMPLIFY_COMPILE_OPTIONS, observed };
  const loaded = await loadProgram([path], { env: process.env, clang: null, flags: [], compile });
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  return loaded.image;
}

describe("observed programs", () => {
  it("calls through pointers are told with what they call, accesses with their addresses", async () => {
    const image = await imageOf(
      "calls",
      `static int twice(int x) { return 2 * x; }
       static int thrice(int x) { return 3 * x; }
       int (*volatile chosen)(int) = twice;
       int numbers[64];
       int main(int argc, char **argv) {
         int sum = chosen(1);
         chosen = thrice;
         for (int i = 0; i < 3; i++) numbers[i * argc] = chosen(i);
         return sum + numbers[2] != 8;
       }`,
      true,
    );
    const machine = new Machine(image, DEFAULT_OPTIONS);
    const called = new Map<string, number>();
    const numbers = image.globals.find(({ name }) => name === "numbers");
    assert.ok(numbers);
    const touched: number[] = [];
    machine.onObserved = (_place, pointer) => {
      const index = (pointer - FUNCTION_BASE) / FUNCTION_STRIDE;
      const name = image.functions[index]?.name;
      if (name === "twice" || name === "thrice") called.set(name, (called.get(name) ?? 0) + 1);
      const offset = pointer - numbers.address;
      if (offset >= 0 && offset < numbers.size) touched.push(offset);
    };
    assert.deepEqual(machine.run().end, { kind: "exit", code: 0 });
    assert.deepEqual(Object.fromEntries(called), { twice: 1, thrice: 3 });
    assert.deepEqual(touched, [0, 4, 8, 8]);
  });

  it("in functions that call setjmp the blocks are counted that run", async () => {
    const image = await imageOf(
      "jumps",
      `#include <setjmp.h>
       static jmp_buf back;
       static void leave(int x) { if (x > 1) leave(x - 1); longjmp(back, x); }
       int risky(int x) {
         if (x == 7) return 1;
         if (setjmp(back)) {
           if (x == 8) return 2;
           if (x == 9) return 5;
           return 3;
         }
         leave(x);
         return 4;
       }
       int never(int x) { return x > 2 ? never(x - 1) * x : 1; }
       int main(int argc, char **argv) { return argc > 9 ? never(argc) : risky(argc) - 3; }`,
      false,
    );
    const machine = new Machine(image, DEFAULT_OPTIONS);
    const { end, coverage } = machine.run();
    assert.deepEqual(end, { kind: "exit", code: 0 });
    const lines = new Set<number>();
    image.coverage.forEach(({ functionIndex, locations }, block) => {
      if (coverage[block] === 0) return;
      assert.notEqual(image.functions[functionIndex].name, "never");
      for (const location of locations) {
        const { file, line } = image.locations[location];
        if (file.endsWith("jumps.c")) lines.add(line);
      }
    });
    const within = [...lines].filter((line) => line >= 4 && line <= 12).sort((a, b) => a - b);
    assert.deepEqual(within, [5, 6, 7, 8, 9, 11]);
  });
});
