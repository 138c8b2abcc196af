// What the host side of a symbolic run costs per call, in nanoseconds, as generated code causes it: run after run does the
// same operations on the same expressions, so what is measured is mostly finding what exists. The observer does nothing.
//
//   node dist/bench/concolic.js

import { scriptWords } from "../scripts/usage.js";
import { InputSpace } from "../src/concolic/input-space.js";
import { SymbolicHost } from "../src/concolic/symbolic-host.js";
import { ExprArena } from "../src/expr/arena.js";
import type { ExprRef } from "../src/expr/ops.js";
import { GUEST_BASE } from "../src/jit/memory-layout.js";
import { operationCode, type Site } from "../src/jit/symbolic-boundary.js";
import type { PathObserver } from "../src/path/observer.js";

scriptWords(import.meta.url);
const BYTES = 64;
const ROUNDS = 200;
const CALLS = 5000;

class Counting implements PathObserver {
  told = 0;
  branch(): void {
    this.told++;
  }
  choose(): void {
    this.told++;
  }
  check(): void {
    this.told++;
  }
  pin(): void {
    this.told++;
  }
  assume(): void {
    this.told++;
  }
}

const memory = { u8: new Uint8Array(new WebAssembly.Memory({ initial: 0x2100 }).buffer) };
const A = GUEST_BASE + 0x1_0000;
const TABLE = A + 0x1_0000;
const BIG = A + 0x2_0000;
const NAME = A + 0x8000;
const MUTABLE = A + 0x9000;
memory.u8.fill(8, A >>> 3, (A + 0x1000) >>> 3);
memory.u8.fill(0x18, TABLE >>> 3, (TABLE + 256) >>> 3);
memory.u8.fill(0x18, BIG >>> 3, (BIG + 4 * 4096) >>> 3);
memory.u8.fill(8, MUTABLE >>> 3, (MUTABLE + 256) >>> 3);
for (let i = 0; i < 256; i++) memory.u8[TABLE + i] = i >= 48 && i < 58 ? 1 : 0;
for (let i = 0; i < 256; i++) memory.u8[MUTABLE + i] = i;
for (let i = 0; i < 4 * 4096; i++) memory.u8[BIG + i] = (i * 2654435761) >>> 24;
memory.u8[NAME] = 0x78;

const arena = new ExprArena();
const site: Site = {
  kind: "switch",
  functionIndex: 0,
  location: -1,
  successors: [],
  cases: [
    [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
    [[10, 0]],
    [[13, 0]],
  ],
  width: 8,
};
const observer = new Counting();
const host = new SymbolicHost(arena, memory, { sites: [site], globalsEnd: BIG + 0x1_0000 }, new InputSpace());
const { functions, intrinsics } = host;
const input = new Uint8Array(BYTES);
host.begin(input, observer);

const variables: ExprRef[] = Array.from({ length: BYTES }, (_, i) => arena.variable(i));
const words: ExprRef[] = variables.map((v) => arena.zext(v, 32));
const add = operationCode("add", 32);
const less = operationCode("ult", 32);
const extend = operationCode("zext", 8, 32);
const conditions = words.map((w) => functions.operate(less, w, 0, 0, 0, 40, 0) as ExprRef);
const tableAddresses = variables.map((v) => arena.binary("add", arena.constant(64, TABLE, 0), arena.zext(v, 64)));
const mutableAddresses = variables.map((v) => arena.binary("add", arena.constant(64, MUTABLE, 0), arena.zext(v, 64)));
const bigAddresses = variables.slice(1).map((v, i) => {
  const index = arena.binary("and", arena.concat(v, variables[i]), arena.constant(16, 4095, 0));
  return arena.binary(
    "add",
    arena.constant(64, BIG, 0),
    arena.binary("shl", arena.zext(index, 64), arena.constant(64, 2, 0)),
  );
});

function measure(name: string, body: (i: number) => void): void {
  for (let i = 0; i < CALLS; i++) body(i);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i++) body(i);
    best = Math.min(best, Number(process.hrtime.bigint() - began) / CALLS);
  }
  console.log(`${name.padEnd(44)} ${best.toFixed(1).padStart(9)} ns`);
}

const mask = BYTES - 1;
measure("branch", (i) => functions.branch(1, conditions[i & mask], i & 1));
measure("operate: add of two shadows", (i) =>
  functions.operate(add, words[i & mask], words[(i * 7) & mask], 0, 0, 0, 0),
);
measure("operate: compare with a constant", (i) => functions.operate(less, words[i & mask], 0, 0, 0, (i >> 6) & 15, 0));
measure("operate: zero extension", (i) => functions.operate(extend, variables[i & mask], 0, 0, 0, 0, 0));
measure("choice", (i) => functions.choice(32, conditions[i & mask], words[i & mask], 0, 0, 0, 5, 0));
intrinsics.makeSymbolic(A, BYTES, NAME);
measure("load: one input byte", (i) => functions.loadBytes(A + (i & mask), 1));
measure("load: four input bytes", (i) => functions.loadBytes(A + (i & 31), 4));
for (let i = 0; i < 32; i++) functions.storeBytes(A + 0x200 + 4 * i, 4, words[i]);
measure("load: what was stored, 32 bits", (i) => functions.loadBytes(A + 0x200 + 4 * (i & 31), 4));
measure("load: concrete", (i) => functions.loadBytes(A + 0x800 + (i & 31), 4));
measure("store: 8 bits", (i) => functions.storeBytes(A + 0x300 + (i & 63), 1, variables[i & mask]));
measure("store: 32 bits", (i) => functions.storeBytes(A + 0x400 + 4 * (i & 63), 4, words[i & mask]));
measure("store: 32 bits, then concrete", (i) =>
  functions.storeBytes(A + 0x500 + 4 * (i & 31), 4, i & 32 ? words[3] : 0),
);
measure("copy: 64 symbolic bytes, aligned", () => functions.copyBytes(A + 0x600, A, 64));
measure("copy: 64 symbolic bytes, not aligned", () => functions.copyBytes(A + 0x603, A, 64));
measure("switch", (i) => functions.switchOn(0, variables[i & mask], i & 15, 0));
measure("read: table of 256 constants", (i) => functions.readAt(2, tableAddresses[i & mask], TABLE, 0, 1));
measure("read: table of 256 that may change", (i) => functions.readAt(2, mutableAddresses[i & mask], MUTABLE, 0, 1));
measure("read: table of 4096 constants", (i) => functions.readAt(2, bigAddresses[i % 63], BIG, 0, 4));
measure("begin, and 64 bytes made symbolic", () => {
  host.begin(input, observer);
  intrinsics.makeSymbolic(A, BYTES, NAME);
});
console.log(`told ${observer.told}, expressions ${arena.size}`);
