import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableRef } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { HostFixture } from "./host-fixture.js";
import { FIXTURE_BASE } from "./memory-fixture.js";

const A = FIXTURE_BASE + 0x1000;
/** Beyond what never changes. */
const HEAP = FIXTURE_BASE + 0x1_0000;
const SITE = 7;

function read(f: HostFixture, address: ExprRef, concrete: number, size: number): ExprRef {
  return f.call("readAt", SITE, address, concrete, 0, size);
}

/** What is told of accesses, in short. */
function summary(f: HostFixture): string[] {
  return f.told.map((told) =>
    told.what === "check" ? told.kind : told.what === "pin" ? `pin ${told.reason}` : told.what,
  );
}

describe("loads at symbolic addresses", () => {
  it("a table that the index cannot leave is one lookup without a check", () => {
    const f = new HostFixture();
    f.memory.allowReadOnly(A, 256);
    for (let i = 0; i < 256; i++) f.memory.u8[A + i] = i >= 48 && i <= 57 ? 1 : 0;
    f.begin([53]);
    const isDigit = read(f, f.indexed(A, 0, 1), A + 53, 1);
    assert.deepEqual(f.told, []);
    for (let c = 0; c < 256; c++) assert.equal(f.value(isDigit, [c]), c >= 48 && c <= 57 ? 1n : 0n);
  });

  it("a table of 16-bit entries is indexed by elements, not by bytes", () => {
    const f = new HostFixture();
    f.memory.allowReadOnly(A, 512);
    for (let i = 0; i < 512; i++) f.memory.u8[A + i] = (i * 7) & 0xff;
    f.begin([3]);
    const value = read(f, f.indexed(A, 0, 2), A + 6, 2);
    assert.deepEqual(f.told, []);
    for (let c = 0; c < 256; c++) {
      const expected = f.memory.u8[A + 2 * c] | (f.memory.u8[A + 2 * c + 1] << 8);
      assert.equal(f.value(value, [c]), BigInt(expected));
    }
    assert.equal(f.arena.tableEntries(f.arena.payload(value) as TableRef).length, 256);
  });

  it("a larger index is checked against the object, and the lookup covers the object", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [10, 20, 30, 40, 50]);
    f.begin([2]);
    const address = f.indexed(HEAP, 0, 1);
    const value = read(f, address, HEAP + 2, 1);
    assert.deepEqual(summary(f), ["out-of-bounds-read"]);
    const [check] = f.told;
    assert.ok(check.what === "check" && check.site === SITE);
    for (let i = 0; i < 256; i++) assert.equal(f.value(check.bad, [i]), i >= 5 ? 1n : 0n, `index ${i}`);
    for (let i = 0; i < 5; i++) assert.equal(f.value(value, [i]), BigInt(10 + 10 * i));
    read(f, address, HEAP + 2, 1);
    assert.equal(f.told.length, 1, "the same check is told once");
    f.begin([2]);
    read(f, address, HEAP + 2, 1);
    assert.equal(f.told.length, 1, "and again on the next run");
  });

  it("the last bytes of an object are no place for a wide load", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0]);
    f.begin([4]);
    const value = read(f, f.indexed(HEAP, 0, 1), HEAP + 4, 4);
    const [check] = f.told;
    assert.ok(check.what === "check");
    for (let i = 0; i < 256; i++) assert.equal(f.value(check.bad, [i]), i > 10 ? 1n : 0n);
    assert.equal(f.value(value, [8]), 3n);
    assert.equal(f.value(value, [5]), 0x0300_0000n);
  });

  it("an index below the object is on the bad side too", () => {
    const f = new HostFixture();
    const { arena } = f;
    f.memory.place(HEAP, [10, 20, 30, 40]);
    f.begin([1, 0]);
    const index = arena.sext(arena.variable(0), 64);
    const address = arena.binary("add", arena.constant(64, HEAP, 0), index);
    const value = read(f, address, HEAP + 1, 1);
    const [check] = f.told;
    assert.ok(check.what === "check");
    for (let i = -128; i < 128; i++) assert.equal(f.value(check.bad, [i & 0xff]), i < 0 || i > 3 ? 1n : 0n, `${i}`);
    for (let i = 0; i < 4; i++) assert.equal(f.value(value, [i]), BigInt(10 + 10 * i));
  });

  it("symbolic bytes of the object become entries", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [5, 6, 7, 8, 9, 10, 11, 12]);
    f.begin([0, 99]);
    f.host.shadows.store(HEAP + 3, 1, f.arena.variable(1));
    const value = read(f, f.indexed(HEAP, 0, 1), HEAP, 1);
    assert.equal(f.value(value, [3, 77]), 77n);
    assert.equal(f.value(value, [4, 77]), 9n);
    const wide = read(f, f.indexed(HEAP, 0, 1), HEAP, 2);
    assert.equal(f.value(wide, [2, 77]), BigInt(7 + 77 * 256));
  });

  it("a table is made anew when its memory has changed, concretely or symbolically", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [5, 6, 7, 8, 9, 10, 11, 12]);
    const address = f.indexed(HEAP, 0, 1);
    f.begin([0, 99]);
    const before = read(f, address, HEAP, 1);
    assert.equal(read(f, address, HEAP, 1), before);
    f.memory.u8[HEAP + 6] = 200;
    const after = read(f, address, HEAP, 1);
    assert.equal(f.value(before, [6]), 11n);
    assert.equal(f.value(after, [6]), 200n);
    f.host.shadows.store(HEAP + 6, 1, f.arena.variable(1));
    assert.equal(f.value(read(f, address, HEAP, 1), [6, 44]), 44n);
    f.memory.u8[HEAP + 2] = 33;
    assert.equal(f.value(read(f, address, HEAP, 1), [2, 44]), 33n);
    f.memory.u8[HEAP + 2] = 7;
    f.host.shadows.clear(HEAP + 6, 1);
    assert.equal(read(f, address, HEAP, 1), after);
  });

  it("entries that are all equal are no lookup at all", () => {
    const f = new HostFixture();
    f.memory.allowReadOnly(A, 256);
    f.begin([9]);
    assert.equal(read(f, f.indexed(A, 0, 1), A + 9, 1), CONCRETE);
  });

  it("a table of 4096 entries of 32 bits works, for every index", () => {
    const f = new HostFixture();
    const { arena, memory } = f;
    const random = new Random(5);
    memory.allowReadOnly(A, 4 * 4096);
    random.fill(memory.u8.subarray(A, A + 4 * 4096));
    f.begin([1, 2]);
    const index = arena.binary(
      "and",
      arena.zext(arena.concat(arena.variable(1), arena.variable(0)), 64),
      arena.constant(64, 4095, 0),
    );
    const scaled = arena.binary("mul", index, arena.constant(64, 4, 0));
    const address = arena.binary("add", arena.constant(64, A, 0), scaled);
    const value = read(f, address, A + 4 * 0x201, 4);
    assert.deepEqual(f.told, []);
    const view = new DataView(memory.u8.buffer);
    for (let i = 0; i < 4096; i += 13) {
      assert.equal(f.value(value, [i & 0xff, i >> 8]), BigInt(view.getUint32(A + 4 * i, true)));
    }
  });

  it("a large table with few entries that are not like the others is a choice between these", () => {
    const f = new HostFixture();
    const { arena } = f;
    f.memory.allow(HEAP, 0x1_8000);
    f.memory.u8[HEAP + 0x1_0203] = 9;
    f.memory.u8[HEAP + 0x77] = 8;
    f.begin([3, 2, 1]);
    let index = arena.variable(0);
    for (const i of [1, 2]) index = arena.concat(arena.variable(i), index);
    const address = arena.binary("add", arena.constant(64, HEAP, 0), arena.zext(index, 64));
    const value = read(f, address, HEAP + 0x1_0203, 1);
    assert.deepEqual(summary(f), ["out-of-bounds-read"]);
    assert.equal(f.value(value, [3, 2, 1]), 9n);
    assert.equal(f.value(value, [0x77, 0, 0]), 8n);
    assert.equal(f.value(value, [0x77, 0, 1]), 0n);
    assert.equal(f.host.losses.of("lookup-too-large"), 0);
  });

  it("too many candidates pin the address, and that is counted", () => {
    const f = new HostFixture();
    const { arena } = f;
    f.memory.allow(HEAP, 0x1_8000);
    for (let at = 0; at < 0x1_8000; at += 100) f.memory.u8[HEAP + at] = at / 100;
    f.memory.u8[HEAP + 0x1_0203] = 9;
    const input = [3, 2, 1];
    f.begin(input);
    let index = arena.variable(0);
    for (const i of [1, 2]) index = arena.concat(arena.variable(i), index);
    const address = arena.binary("add", arena.constant(64, HEAP, 0), arena.zext(index, 64));
    assert.equal(read(f, address, HEAP + 0x1_0203, 1), CONCRETE);
    assert.deepEqual(summary(f), ["out-of-bounds-read", "pin load-address"]);
    const pin = f.told[1];
    assert.ok(pin.what === "pin");
    assert.equal(f.value(pin.equals, input), 1n);
    assert.equal(f.value(pin.equals, [3, 2, 0]), 0n);
    assert.equal(f.host.losses.of("lookup-too-large"), 1);
    assert.equal(f.host.losses.of("load-address"), 1);
  });

  it("a table behind five others pins its address on every run, and that is counted", () => {
    const f = new HostFixture();
    const { arena } = f;
    f.memory.allowReadOnly(A, 256);
    for (let i = 0; i < 256; i++) f.memory.u8[A + i] = (i * 29 + 7) & 0xff;
    const input = [1, 2, 3, 4, 5, 6];
    for (const run of [1, 2]) {
      f.begin(input);
      let state = arena.constant(8, 0, 0);
      let concrete = 0;
      const pinnedAt: number[] = [];
      for (const [i, byte] of input.entries()) {
        const index = arena.binary("xor", state, arena.variable(i));
        const address = arena.binary("add", arena.constant(64, A, 0), arena.zext(index, 64));
        const place = concrete ^ byte;
        const value = read(f, address, A + place, 1);
        concrete = f.memory.u8[A + place];
        if (value === CONCRETE) pinnedAt.push(i);
        state = value === CONCRETE ? arena.constant(8, concrete, 0) : value;
        assert.equal(f.value(state, input), BigInt(concrete));
      }
      assert.deepEqual(pinnedAt, [5], `run ${run}`);
    }
    assert.deepEqual(summary(f), ["pin load-address"]);
    assert.equal(f.host.losses.of("lookup-too-deep"), 2, "once a run");
  });

  it("an array of structures is indexed by its elements", () => {
    const f = new HostFixture();
    const { arena } = f;
    f.memory.allowReadOnly(A, 24 * 300);
    for (let i = 0; i < 24 * 300; i++) f.memory.u8[A + i] = (i * 11) & 0xff;
    f.begin([3]);
    const value = read(f, f.indexed(A + 8, 0, 24), A + 8 + 72, 4);
    assert.deepEqual(f.told, []);
    assert.equal(arena.op(value), OPS.lookup.code);
    assert.equal(arena.a(value), arena.variable(0));
    assert.equal(arena.tableEntries(arena.payload(value) as TableRef).length, 256);
  });

  it("random objects, addresses and indices: the lookup is the byte that is there", () => {
    const random = new Random(11);
    const pick = (...values: number[]): number => values[random.next() % values.length];
    let compared = 0;
    for (let round = 0; round < 300; round++) {
      const f = new HostFixture();
      const { arena } = f;
      const size = 1 + (random.next() % 120);
      const access = pick(1, 2, 4, 8);
      if (access > size) continue;
      const content = new Uint8Array(size);
      random.fill(content);
      f.memory.place(HEAP, content);
      const scale = pick(1, 2, 3, 4, 8, 12, 20);
      const offset = pick(0, 0, -8, 5, 16) + (random.next() % 4);
      // The index: a byte, a signed byte, or an int made of one, in which case it may be far away.
      const kind = random.next() % 3;
      const indexOf = (i: number): number => (kind === 0 ? i : kind === 1 ? (i << 24) >> 24 : i - 48);
      const byte = arena.variable(0);
      const index = [
        () => arena.zext(byte, 64),
        () => arena.sext(byte, 64),
        () => arena.sext(arena.binary("add", arena.zext(byte, 32), arena.constant(32, -48, 0)), 64),
      ][kind]();
      const at = (i: number): number => indexOf(i) * scale + offset;
      const inside = (i: number): boolean => at(i) >= 0 && at(i) + access <= size;
      const possible = [...Array(256).keys()].filter(inside);
      if (possible.length === 0) continue;
      const concrete = possible[random.next() % possible.length];
      f.begin([concrete]);
      const address = arena.binary(
        "add",
        arena.binary("mul", index, arena.constant(64, scale, 0)),
        arena.constant(64, HEAP + offset, 0),
      );
      const value = read(f, address, HEAP + at(concrete), access);
      const bad = f.told.map((told) => (told.what === "check" ? told.bad : assert.fail(told.what)));
      assert.ok(bad.length <= 1);
      for (let i = 0; i < 256; i++) {
        const isBad = bad.some((ref) => f.value(ref, [i]) === 1n);
        assert.equal(isBad, !inside(i), `index ${indexOf(i)} * ${scale} + ${offset}, ${access} of ${size} bytes`);
        if (isBad) continue;
        let expected = 0n;
        for (let k = access - 1; k >= 0; k--) expected = (expected << 8n) | BigInt(content[at(i) + k]);
        if (value === CONCRETE) assert.equal(possible.length, 1);
        else assert.equal(f.value(value, [i]), expected);
        compared++;
      }
    }
    assert.ok(compared > 2000);
  });
});

describe("stores at symbolic addresses", () => {
  const LARGE = 1000;

  it("are checked, and in each cell that may be meant there is a choice", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [10, 11, 12, 13]);
    f.begin([2, 99]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP + 2, 0, 1, f.arena.variable(1), 99, 0);
    f.memory.u8[HEAP + 2] = 99;
    assert.deepEqual(summary(f), ["out-of-bounds-write"]);
    for (let at = 0; at < 4; at++) {
      const cell = f.host.shadows.load(HEAP + at, 1);
      for (let i = 0; i < 4; i++) assert.equal(f.value(cell, [i, 77]), i === at ? 77n : BigInt(10 + at), `${at} ${i}`);
    }
  });

  it("a concrete value makes cells symbolic too, unless it is what was there", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [0, 5, 0, 0]);
    f.begin([0]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP, 0, 1, CONCRETE, 0, 0);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => f.host.shadows.load(HEAP + at, 1) === CONCRETE),
      [true, false, true, true],
    );
    assert.equal(f.value(f.host.shadows.load(HEAP + 1, 1), [1]), 0n);
    assert.equal(f.value(f.host.shadows.load(HEAP + 1, 1), [0]), 5n);
  });

  it("what the value looks up at its own index is known in each cell", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [7, 8, 9]);
    f.begin([1]);
    const before = f.call("readAt", SITE, f.indexed(HEAP, 0, 1), HEAP + 1, 0, 1);
    const more = f.operate("add", 8, before, CONCRETE, 0, 1);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP + 1, 0, 1, more, 9, 0);
    const cell = f.host.shadows.load(HEAP, 1);
    assert.equal(f.arena.op(cell), OPS.ite.code);
    assert.ok(f.arena.isConstant(f.arena.b(cell)) && f.arena.isConstant(f.arena.c(cell)));
    assert.equal(f.value(cell, [0]), 8n);
  });

  it("cells of several bytes do not overlap, or the address is pinned", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(16));
    f.begin([4]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 4), HEAP + 4, 0, 4, CONCRETE, 0x0102_0304, 0);
    assert.deepEqual(summary(f), ["out-of-bounds-write"]);
    assert.equal(f.value(f.host.shadows.load(HEAP + 9, 1), [2]), 3n);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP + 4, 0, 4, CONCRETE, 1, 0);
    assert.equal(summary(f).at(-1), "pin store-address");
  });

  it("a pointer's place is pinned, and so is one among pointers", () => {
    const f = new HostFixture();
    const { memory } = f;
    const table = HEAP;
    memory.place(table, new Uint8Array(32));
    f.begin([1]);
    f.call("writeAt", SITE, f.indexed(table, 0, 8), table + 8, 0, 8, CONCRETE, table, 0);
    assert.equal(summary(f).at(-1), "pin store-address");
    new DataView(memory.u8.buffer).setUint32(table + 16, table, true);
    f.begin([1]);
    f.call("writeAt", SITE, f.indexed(table, 0, 8), table + 8, 0, 8, CONCRETE, 0, 0);
    assert.equal(summary(f).at(-1), "pin store-address");
  });

  it("to a large object are pinned and done at the concrete address", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(LARGE));
    f.begin([4, 1]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 4), HEAP + 16, 0, 1, f.arena.variable(1), 1, 0);
    assert.deepEqual(summary(f), ["out-of-bounds-write"]);
    f.begin([4, 1]);
    const wide = f.arena.concat(f.arena.constant(48, 0, 0), f.arena.concat(f.arena.variable(2), f.arena.variable(0)));
    const address = f.arena.binary("add", f.arena.constant(64, HEAP, 0), wide);
    f.call("writeAt", SITE, address, HEAP + 4, 0, 1, f.arena.variable(1), 1, 0);
    assert.deepEqual(summary(f), ["out-of-bounds-write", "pin store-address"]);
    assert.equal(f.host.shadows.load(HEAP + 4, 1), f.arena.variable(1));
    f.call("writeAt", SITE, address, HEAP + 4, 0, 1, CONCRETE, 0, 0);
    assert.equal(f.host.shadows.load(HEAP + 4, 1), CONCRETE);
    assert.equal(f.told.length, 2, "the path knows the address by now");
    assert.equal(f.host.losses.of("store-address"), 1);
  });

  it("an object of one place needs no pin", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, [0]);
    f.begin([0]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP, 0, 1, f.arena.variable(1), 0, 0);
    assert.deepEqual(summary(f), ["out-of-bounds-write"]);
  });

  it("a second object of the same shape is on the bad side", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(8));
    f.memory.place(HEAP + 16, new Uint8Array(8));
    f.begin([17]);
    f.call("writeAt", SITE, f.indexed(HEAP, 0, 1), HEAP + 17, 0, 1, CONCRETE, 0, 0);
    const [check] = f.told;
    assert.ok(check.what === "check");
    assert.equal(f.value(check.bad, [17]), 0n);
    assert.equal(f.value(check.bad, [3]), 1n);
  });
});
