import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { GLOBALS_BASE, GUEST_BASE, HEAP_LIMIT, STATE_READ_ONLY } from "../jit/memory-layout.js";
import { operationCode } from "../jit/symbolic-boundary.js";
import type { CheckKind } from "../path/observer.js";
import { ForbiddenGap } from "./forbidden-gap.js";
import { HostFixture } from "./host-fixture.js";
import { FixtureMemory } from "./memory-fixture.js";

const BASE = GLOBALS_BASE + 0x1000;

/** The states alone: no byte of the objects is looked at. */
function memory(): FixtureMemory {
  const made = new FixtureMemory((BASE + 0x10_0000) >>> 3);
  made.allow(BASE, 20);
  made.allow(BASE + 64, 16, STATE_READ_ONLY);
  made.allow(BASE + 256, 8);
  return made;
}

function gapAt(address: number, size = 1, write = false): readonly [number, number] | null {
  const gap = new ForbiddenGap(memory());
  return gap.find(address, size, write) ? [gap.start, gap.end] : null;
}

describe("forbidden gaps", () => {
  it("a gap reaches from the end of one object to the start of the next", () => {
    assert.deepEqual(gapAt(BASE + 30), [BASE + 20, BASE + 64]);
    assert.deepEqual(gapAt(BASE + 22), [BASE + 20, BASE + 64]);
    assert.deepEqual(gapAt(BASE + 80), [BASE + 80, BASE + 256]);
  });

  it("an access that begins inside fails by its first byte outside", () => {
    assert.equal(gapAt(BASE + 16, 4), null);
    assert.deepEqual(gapAt(BASE + 17, 4), [BASE + 20, BASE + 64]);
  });

  it("read-only memory is part of the gap for writes", () => {
    assert.equal(gapAt(BASE + 64, 8), null);
    assert.deepEqual(gapAt(BASE + 64, 8, true), [BASE + 20, BASE + 256]);
  });

  it("nothing below the guest's memory or beyond its end may be touched", () => {
    assert.deepEqual(gapAt(0, 8), [0, GUEST_BASE]);
    assert.deepEqual(gapAt(HEAP_LIMIT + 5), [HEAP_LIMIT, 2 ** 64]);
    assert.deepEqual(gapAt(2 ** 63), [HEAP_LIMIT, 2 ** 64]);
    assert.equal(gapAt(GUEST_BASE + 8)?.[0], GUEST_BASE);
  });

  it("a large gap is cut at the same places whoever asks", () => {
    const one = gapAt(GUEST_BASE + 0x12_3456);
    assert.deepEqual(one, gapAt(GUEST_BASE + 0x65_4321));
    assert.deepEqual(gapAt(one?.[1] ?? 0)?.[0], one?.[1]);
  });

  it("an access across a small object fails by the gap it meets first", () => {
    const made = memory();
    made.allow(BASE + 40, 2);
    const gap = new ForbiddenGap(made);
    assert.ok(gap.find(BASE + 38, 8, false));
    assert.deepEqual([gap.start, gap.end, gap.firstAccess(8, false)], [BASE + 20, BASE + 40, BASE + 13]);
    assert.ok(gap.find(BASE + 41, 8, false));
    assert.deepEqual([gap.start, gap.end, gap.firstAccess(8, false)], [BASE + 42, BASE + 64, BASE + 40]);
  });
});

describe("what a failing run tells", () => {
  interface Failing {
    readonly site: number;
    readonly kind: CheckKind;
    readonly bad: ExprRef;
  }
  function fixture(): { readonly f: HostFixture; readonly told: Failing[] } {
    const f = new HostFixture();
    const told: Failing[] = [];
    f.memory.u8 = memory().u8;
    f.begin([0, 0, 0, 0]);
    Object.assign(f.observer, {
      failing: (site: number, kind: CheckKind, bad: ExprRef) => told.push({ site, kind, bad }),
    });
    return { f, told };
  }

  it("of an address: exactly those that touch the same gap", () => {
    const { f, told } = fixture();
    const address = f.indexed(BASE, 0, 1);
    f.call("refusedAt", 7, address, BASE + 30, 0, 4, 0, 0, 0);
    assert.deepEqual(
      told.map(({ site, kind }) => [site, kind]),
      [[7, "out-of-bounds-read"]],
    );
    const evaluator = new Evaluator(f.arena);
    for (let index = 0; index < 256; index++) {
      evaluator.load(Uint8Array.of(index));
      assert.equal(evaluator.holds(told[0].bad), index > 16 && index < 64, `${index}`);
    }
  });

  it("of an address outside of the object that is meant: all on that side of it, those in other objects too", () => {
    for (const [concrete, isBad] of [
      [BASE + 80, (index: number) => index > 16],
      [BASE + 2, (index: number) => index < 8],
    ] as const) {
      const { f, told } = fixture();
      const address = f.indexed(BASE, 0, 1);
      f.call("refusedAt", 7, address, concrete, 0, 4, 1, BASE + 8, 12);
      assert.deepEqual(
        told.map(({ site, kind }) => [site, kind]),
        [[7, "out-of-bounds-write"]],
      );
      const evaluator = new Evaluator(f.arena);
      for (let index = 0; index < 256; index++) {
        evaluator.load(Uint8Array.of(index));
        assert.equal(evaluator.holds(told[0].bad), isBad(index), `${concrete - BASE}: ${index}`);
      }
    }
  });

  it("of an address beyond all memory: whatever is up there", () => {
    const { f, told } = fixture();
    const address = f.arena.concat(f.arena.zext(f.arena.variable(0), 32), f.arena.constant(32, 4, 0));
    f.call("refusedAt", 1, address, 4, 9, 8, 1, 0, 0);
    const evaluator = new Evaluator(f.arena);
    for (const index of [0, 1, 255]) {
      evaluator.load(Uint8Array.of(index));
      assert.equal(evaluator.holds(told[0].bad), index > 0);
    }
  });

  it("of a division: the divisor is zero, or the quotient does not fit", () => {
    const { f, told } = fixture();
    const { arena } = f;
    const divisor = arena.zext(arena.variable(0), 32);
    f.call("divide", 3, operationCode("udiv", 32), 0, divisor, 6, 0, 0, 0);
    const minusOne = arena.concat(arena.constant(24, -1, 0), arena.variable(0));
    f.call("divide", 4, operationCode("sdiv", 32), 0, minusOne, -0x8000_0000, 0, -1, 0);
    assert.deepEqual(
      told.map(({ site, kind }) => [site, kind]),
      [
        [3, "division-by-zero"],
        [4, "division-overflow"],
      ],
    );
    assert.equal(told[0].bad, arena.binary("eq", divisor, arena.zero(32)));
    const evaluator = new Evaluator(arena);
    evaluator.load(Uint8Array.of(255));
    assert.ok(evaluator.holds(told[1].bad));
    evaluator.load(Uint8Array.of(254));
    assert.ok(!evaluator.holds(told[1].bad));
  });
});
