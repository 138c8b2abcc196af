import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import { GuestHeap, HEAP_CONSTANTS, HEAP_STRUCTURES } from "./heap.js";
import { Machine } from "./machine.js";
import { DEFAULT_OPTIONS } from "./run-options.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-heap-"));
after(() => rmSync(folder, { recursive: true }));

const header = readFileSync(fileURLToPath(new URL("../../../runtime/trusted/heap.h", import.meta.url)), "utf8");

test("heap: the structures are those of the C allocator, field by field", () => {
  for (const [name, fields] of Object.entries(HEAP_STRUCTURES)) {
    const body = new RegExp(`^struct ${name} \\{\\n(.*?)^\\}`, "ms").exec(header)?.[1] ?? "";
    const declared = [...body.matchAll(/uint32_t (\w+)/g)].map((match) => match[1]);
    const compared = name === "heap" ? declared.slice(0, fields.length) : declared;
    assert.deepEqual(compared, fields, `struct ${name}`);
  }
  for (const [name, value] of Object.entries(HEAP_CONSTANTS)) {
    const text = new RegExp(`#define ${name} (\\w+?)u?$`, "m").exec(header)?.[1];
    assert.equal(Number(text), value, name);
  }
});

/** Runs the body of main; it exits with blocks in place. */
async function heapAfter(
  body: string,
  environment: readonly string[] = [],
): Promise<{ heap: GuestHeap; printed: number[] }> {
  const source = join(folder, "program.c");
  writeFileSync(
    source,
    `#include <stdio.h>\n#include <stdlib.h>\n#include <malloc.h>\n#include <unistd.h>\n` +
      `static void show(void *p) { char line[32]; write(1, line, sprintf(line, "%lu\\n", (unsigned long)p)); }\n` +
      `int main(void) { ${body} _exit(0); }\n`,
  );
  const program = await loadProgram([source], {
    env: process.env,
    clang: null,
    flags: [],
    compile: DEFAULT_COMPILE_OPTIONS,
  });
  if (program.kind === "failed") assert.fail(program.message);
  const machine = new Machine(program.image, { ...DEFAULT_OPTIONS, environment });
  const result = machine.run();
  assert.deepEqual(result.end, { kind: "exit", code: 0 });
  const printed = Buffer.from(result.stdout).toString().trim().split("\n").map(Number);
  return { heap: new GuestHeap(machine.memory), printed };
}

test("heap: an address inside, before and after a small block names the block and the distance", async () => {
  const { heap, printed } = await heapAfter("char *p = malloc(10); show(p);");
  const [start] = printed;
  const block = { start, size: 10, live: true, allocationSerial: 1, freeSerial: 0 };
  assert.deepEqual(heap.findBlock(start + 9), { ...block, where: "inside", distance: 0 });
  assert.deepEqual(heap.findBlock(start + 10), { ...block, where: "after", distance: 0 });
  assert.deepEqual(heap.findBlock(start + 14), { ...block, where: "after", distance: 4 });
  assert.deepEqual(heap.findBlock(start - 1), { ...block, where: "before", distance: 1 });
  assert.deepEqual(heap.liveBlocks(), [block]);
});

test("heap: between two blocks the nearer one is found", async () => {
  const { heap, printed } = await heapAfter("char *p = malloc(24), *q = malloc(24); show(p); show(q);");
  const [first, second] = printed;
  assert.equal(heap.findBlock(first + 24)?.start, first);
  assert.equal(heap.findBlock(second - 8)?.start, second);
});

test("heap: a freed block is still known, with the serial number of its allocation", async () => {
  const { heap, printed } = await heapAfter("free(malloc(5)); char *p = malloc(100); show(p); free(p);");
  const [start] = printed;
  assert.deepEqual(heap.findBlock(start + 50), {
    ...{ start, size: 100, live: false, allocationSerial: 2, freeSerial: 2 },
    ...{ where: "inside", distance: 0 },
  });
  assert.deepEqual(heap.liveBlocks(), []);
});

test("heap: large blocks and blocks moved by alignment are found like others", async () => {
  const { heap, printed } = await heapAfter(
    "show(malloc(1000000)); show(memalign(4096, 30)); show(memalign(64, 100)); show(memalign(1 << 20, 300000));",
  );
  const [large, page, line, aligned] = printed;
  assert.equal(page % 4096, 0);
  assert.equal(line % 64, 0);
  assert.equal(aligned % (1 << 20), 0);
  assert.deepEqual(
    [large, page, line, aligned].map((start) => heap.findBlock(start + 7)?.start),
    printed,
  );
  assert.equal(heap.findBlock(large + 1000000)?.where, "after");
  assert.equal(heap.findBlock(page - 3)?.where, "before");
  assert.deepEqual(
    heap
      .liveBlocks()
      .map((block) => block.size)
      .sort((a, b) => a - b),
    [30, 100, 300000, 1000000],
  );
});

test("heap: a freed large block is known until its pages are used again", async () => {
  const { heap, printed } = await heapAfter("char *p = malloc(5000000); show(p); free(p); free(malloc(40000000));");
  const [start] = printed;
  const found = heap.findBlock(start + 1234567);
  assert.equal(found?.start, start);
  assert.equal(found?.live, false);
});

test("heap: memory that is not the allocator's belongs to no block", async () => {
  const { heap } = await heapAfter("show(malloc(1));");
  assert.equal(heap.findBlock(0x2300_0000 - 1), null);
  const empty = await heapAfter("show(0);");
  assert.deepEqual(empty.heap.liveBlocks(), []);
  assert.equal(empty.heap.findBlock(0x3000_0000), null);
});

test("heap: new memory is filled as MALLOC_PERTURB_ says, and what calloc gives is zero", async () => {
  const body =
    "unsigned char *a = malloc(40), *b = calloc(40, 1), *c = malloc(20000), *d = calloc(20000, 1), *e = realloc(malloc(3), 50);" +
    "unsigned char *f = malloc(9000); f[8999] = 7; f = realloc(f, 9100);" +
    "unsigned char *bytes[] = { a, a + 39, b + 39, c, c + 19999, d, d + 19999, e + 49, f + 8999, f + 9099 };" +
    "for (int n = 0; n < 10; n++) show((void *)(long)*bytes[n]);";
  const filled = await heapAfter(body, ["MALLOC_PERTURB_=65"]);
  assert.deepEqual(filled.printed, [190, 190, 0, 190, 190, 0, 0, 190, 7, 190]);
  const plain = await heapAfter(body);
  assert.deepEqual(plain.printed, [0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);
});
