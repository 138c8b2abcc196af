import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { STATE_FULL, STATE_SYMBOLIC, STATE_UNSET } from "../jit/memory-layout.js";
import { Random } from "../support/random.js";
import { UnsetMemory } from "./unset-memory.js";

const BASE = 0x8000;
const OBJECT = 7;
const OTHER = 9;

function memory(): { readonly u8: Uint8Array; readonly unset: UnsetMemory } {
  const u8 = new Uint8Array(0x10000);
  const unset = new UnsetMemory({ u8 }, () => OBJECT);
  return { u8, unset };
}
/** As the runtime makes a new block: nothing has been set. */
function allocate(u8: Uint8Array, address: number, size: number): void {
  const unset = STATE_SYMBOLIC | STATE_UNSET;
  u8.fill(unset, address >>> 3, (address + size) >>> 3);
  if (size % 8 !== 0) u8[(address + size) >>> 3] = unset | ((size % 8) << 4);
}

describe("memory that was never set", () => {
  it("is undefined until it is set, and its state is plain then", () => {
    const { u8, unset } = memory();
    allocate(u8, BASE, 13);
    assert.equal(unset.load(BASE, 8), 0xffff_ffff_ffff_ffffn);
    assert.equal(unset.origin, OBJECT);
    unset.define(BASE, 8);
    assert.equal(u8[BASE >>> 3], STATE_FULL);
    assert.equal(unset.load(BASE + 4, 8), 0xffff_ffff_0000_0000n);
    unset.define(BASE + 8, 5);
    assert.equal(u8[(BASE + 8) >>> 3], 5);
    assert.equal(unset.firstUnset(BASE, 13), -1);
  });

  it("in the order of the bytes is kept by the state alone", () => {
    const { u8, unset } = memory();
    allocate(u8, BASE, 8);
    // As runtime/trusted/symbolic.c writes it: three bytes have been set.
    u8[BASE >>> 3] = STATE_SYMBOLIC | 4;
    assert.equal(unset.load(BASE, 4), 0xff00_0000n);
    assert.equal(unset.firstUnset(BASE, 8), BASE + 3);
    unset.define(BASE + 5, 1);
    assert.equal(unset.load(BASE, 8), 0xffff_00ff_ff00_0000n);
  });

  it("single bits are kept, with where they come from", () => {
    const { u8, unset } = memory();
    u8[BASE >>> 3] = STATE_FULL;
    unset.store(BASE + 2, 2, 0x0180n, OTHER);
    assert.equal(unset.load(BASE, 8), 0x0180_0000n);
    assert.equal(unset.origin, OTHER);
    assert.equal(u8[BASE >>> 3] & 15, 0);
    unset.define(BASE, 8);
    assert.equal(u8[BASE >>> 3], STATE_FULL);
  });

  it("a copy takes its object's name along", () => {
    const { u8, unset } = memory();
    allocate(u8, BASE, 16);
    u8.fill(STATE_FULL, (BASE + 64) >>> 3, (BASE + 96) >>> 3);
    unset.define(BASE, 4);
    unset.copy(BASE + 65, BASE, 16);
    assert.equal(unset.firstUnset(BASE + 64, 32), BASE + 69);
    assert.equal(unset.load(BASE + 69, 1), 0xffn);
    assert.equal(unset.origin, OBJECT);
    assert.equal(unset.load(BASE + 81, 1), 0n);
  });

  it("what is not addressable is not followed, and a constant stays one", () => {
    const { u8, unset } = memory();
    u8[BASE >>> 3] = 0;
    u8[(BASE + 8) >>> 3] = 0x18;
    unset.store(BASE, 8, 1n, OTHER);
    unset.store(BASE + 8, 8, 1n, OTHER);
    assert.deepEqual([u8[BASE >>> 3], u8[(BASE + 8) >>> 3]], [0, 0x18]);
  });

  it("agrees with a plain model in thousands of random steps", () => {
    const { u8, unset } = memory();
    const size = 96;
    const random = new Random(3);
    const below = (limit: number): number => random.next() % limit;
    allocate(u8, BASE, size);
    const model = new Uint8Array(size).fill(0xff);
    for (let step = 0; step < 4000; step++) {
      const at = below(size);
      const count = 1 + below(Math.min(8, size - at));
      const kind = below(5);
      if (kind === 0) {
        unset.define(BASE + at, count);
        model.fill(0, at, at + count);
      } else if (kind === 1) {
        const mask = BigInt.asUintN(8 * count, BigInt(below(1 << 30)) * 0x1_0001_0001n);
        unset.store(BASE + at, count, mask, OTHER);
        for (let k = 0; k < count; k++) model[at + k] = Number((mask >> BigInt(8 * k)) & 0xffn);
      } else if (kind === 2) {
        const to = below(size);
        const length = below(size - Math.max(at, to));
        unset.copy(BASE + to, BASE + at, length);
        model.copyWithin(to, at, at + length);
      } else if (kind === 3) {
        const bits = below(3) === 0 ? 0 : below(256);
        unset.fill(BASE + at, count, bits, OTHER);
        model.fill(bits, at, at + count);
      } else if (below(10) === 0) {
        // The frame was left, and another one begins there.
        allocate(u8, BASE, size);
        model.fill(0xff);
      }
      let expected = 0n;
      for (let k = 0; k < count; k++) expected |= BigInt(model[at + k]) << BigInt(8 * k);
      assert.equal(unset.load(BASE + at, count), expected, `step ${step}`);
    }
  });
});
