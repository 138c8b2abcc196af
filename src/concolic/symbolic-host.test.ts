import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { CONTROL } from "../jit/memory-layout.js";
import { operationCode, SYMBOLIC_OPERATIONS } from "../jit/symbolic-boundary.js";
import { NO_SITE, PIN_REASONS } from "../path/observer.js";
import { Random } from "../support/random.js";
import { HostFixture } from "./host-fixture.js";
import { InputSpace } from "./input-space.js";
import { FIXTURE_BASE, FixtureMemory, RecordingObserver } from "./memory-fixture.js";
import { OPERATIONS } from "./operations.js";
import { type HostEvents, SymbolicHost } from "./symbolic-host.js";

const A = FIXTURE_BASE + 0x1_0000;
const B = A + 0x100;

/** A 32-bit input. */
function word(f: HostFixture, first: number): ExprRef {
  const { arena } = f;
  let result = arena.variable(first);
  for (let i = 1; i < 4; i++) result = arena.concat(arena.variable(first + i), result);
  return result;
}

describe("the symbolic host", () => {
  it("builds operations of shadows and constants", () => {
    const f = new HostFixture();
    f.begin([1, 0, 0, 0, 2, 0, 0, 0]);
    const sum = f.operate("add", 32, word(f, 0), word(f, 4));
    assert.equal(f.value(sum, [1, 0, 0, 0, 2, 0, 0, 0]), 3n);
    const less = f.operate("ult", 32, 0, sum, 10);
    assert.equal(f.arena.width(less), 1);
    assert.equal(f.value(less, [0, 1]), 1n);
    const wide = f.operate("sext", 32, word(f, 0), 0, 0, 0, 64);
    assert.equal(f.value(wide, [0, 0, 0, 0x80]), 0xffff_ffff_8000_0000n);
  });

  it("a result that is a constant is concrete", () => {
    const f = new HostFixture();
    f.begin([]);
    const x = f.arena.variable(0);
    assert.equal(f.operate("xor", 8, x, x), CONCRETE);
    assert.equal(f.operate("and", 8, x, 0, 0, 0), CONCRETE);
    assert.equal(f.call("choice", 8, f.operate("ult", 8, x, 0, 0, 5), 0, 0, 7, 0, 7, 0), CONCRETE);
    assert.equal(f.call("extract", 0, 0, 64), CONCRETE);
  });

  it("builds choices", () => {
    const f = new HostFixture();
    f.begin([]);
    const condition = f.operate("ult", 8, f.arena.variable(0), 0, 0, 5);
    const chosen = f.call("choice", 64, condition, 0, 0, 1, 2, 3, 4);
    assert.equal(f.value(chosen, [4]), 0x2_0000_0001n);
    assert.equal(f.value(chosen, [5]), 0x4_0000_0003n);
  });

  it("what it remembers of an operation is what it would build", () => {
    const f = new HostFixture();
    f.begin([]);
    const { arena } = f;
    const random = new Random(3);
    const operations = (["add", "sub", "and", "shl", "ult", "sgt", "umin", "rotateLeft"] as const).map((name) => ({
      name,
      code: SYMBOLIC_OPERATIONS.indexOf(name),
    }));
    const shadows = [8, 32, 64].map((width) => ({
      width,
      refs: [0, 1, 2, 3].map((i) => arena.zext(arena.variable(i), width)),
    }));
    // Few different ones, so that most are asked for again and many share their places.
    for (let round = 0; round < 30_000; round++) {
      const { name, code } = operations[random.next() % operations.length];
      const { width, refs } = shadows[random.next() % shadows.length];
      const sa = random.next() % 3 === 0 ? CONCRETE : refs[random.next() % 4];
      const sb = sa === CONCRETE || random.next() % 2 === 0 ? refs[random.next() % 4] : CONCRETE;
      const [aLow, aHigh, bLow, bHigh] = [0, 0, 0, 0].map(() => (random.next() % 5) - 2);
      const a = sa === CONCRETE ? arena.constant(width, aLow, aHigh) : sa;
      const b = sb === CONCRETE ? arena.constant(width, bLow, bHigh) : sb;
      const expected = OPERATIONS[code](arena, a, b, width, 0);
      const result = f.call("operate", operationCode(name, width), sa, sb, aLow, aHigh, bLow, bHigh);
      assert.equal(result, arena.isConstant(expected) ? CONCRETE : expected);
    }
  });

  it("tells branches as they are", () => {
    const f = new HostFixture();
    f.begin([]);
    const condition = f.operate("ult", 8, f.arena.variable(0), 0, 0, 5);
    f.call("branch", 3, condition, 1);
    f.call("branch", 4, condition, 0);
    assert.deepEqual(f.told, [
      { what: "branch", site: 3, condition, taken: true },
      { what: "branch", site: 4, condition, taken: false },
    ]);
  });

  it("tells a switch with the condition taken and the others", () => {
    const cases = [
      [[1, 0]],
      [
        [2, 0],
        [3, 0],
      ],
    ] as const;
    const site = { kind: "switch", functionIndex: 0, location: -1, successors: [], cases, width: 8 } as const;
    const f = new HostFixture([site]);
    f.begin([3]);
    f.call("switchOn", 0, f.arena.variable(0), 3, 0);
    const [told] = f.told;
    assert.ok(told.what === "choose");
    for (let i = 0; i < 6; i++) {
      const values: bigint[] = [told.taken, ...told.others].map((ref) => f.value(ref, [i]));
      assert.deepEqual(
        values,
        [i === 2 || i === 3, i === 0 || i > 3, i === 1].map((x) => (x ? 1n : 0n)),
      );
    }
  });

  it("makes an operation on 128 bits of parts, some of them words in memory", () => {
    const memory = new FixtureMemory(CONTROL.wideOperands + 0x100);
    const arena = new ExprArena();
    const host = new SymbolicHost(arena, memory, { sites: [], globalsEnd: 0 }, new InputSpace());
    host.begin(new Uint8Array(0), new RecordingObserver());
    const view = new DataView(memory.u8.buffer, CONTROL.wideOperands);
    view.setBigUint64(0, 5n, true);
    view.setBigUint64(16, 0xffff_ffff_ffff_fffdn, true);
    view.setBigUint64(24, 1n, true);
    const high = arena.zext(arena.variable(0), 64);
    const sum = host.functions.operateWide(operationCode("add", 128), 0, high, 0, 0) as ExprRef;
    const evaluator = new Evaluator(arena);
    evaluator.load(Uint8Array.of(3));
    assert.equal(evaluator.big(sum), (5n << 64n) | 2n);
    const part = host.functions.extract(sum, 64, 64) as ExprRef;
    assert.equal(evaluator.big(part), 5n);
  });
});

describe("divisions", () => {
  const code = operationCode("sdiv", 32);

  it("check a symbolic divisor for zero, once", () => {
    const f = new HostFixture();
    f.begin([6, 0, 0, 0, 2, 0, 0, 0]);
    const unsigned = operationCode("udiv", 32);
    const quotient = f.call("divide", 1, unsigned, word(f, 0), word(f, 4), 6, 0, 2, 0);
    f.call("divide", 2, operationCode("urem", 32), word(f, 0), word(f, 4), 6, 0, 2, 0);
    assert.equal(f.value(quotient, [6, 0, 0, 0, 2, 0, 0, 0]), 3n);
    assert.equal(f.told.length, 1);
    const [told] = f.told;
    assert.ok(told.what === "check" && told.kind === "division-by-zero" && told.site === 1);
    assert.equal(f.value(told.bad, [6, 0, 0, 0, 0, 0, 0, 0]), 1n);
    assert.equal(f.value(told.bad, [6, 0, 0, 0, 0, 1, 0, 0]), 0n);
  });

  it("check signed ones for overflow", () => {
    const f = new HostFixture();
    f.begin([]);
    f.call("divide", 1, code, word(f, 0), word(f, 4), 6, 0, 2, 0);
    assert.deepEqual(
      f.told.map((told) => told.what === "check" && told.kind),
      ["division-by-zero", "division-overflow"],
    );
    const overflow = f.told[1];
    assert.ok(overflow.what === "check");
    assert.equal(f.value(overflow.bad, [0, 0, 0, 0x80, 255, 255, 255, 255]), 1n);
    assert.equal(f.value(overflow.bad, [0, 0, 0, 0x80, 255, 255, 255, 254]), 0n);
  });

  it("ask nothing that cannot happen", () => {
    const f = new HostFixture();
    f.begin([]);
    f.call("divide", 1, code, word(f, 0), 0, 6, 0, 3, 0);
    f.call("divide", 1, operationCode("udiv", 32), word(f, 0), 0, 6, 0, -1, -1);
    assert.equal(f.told.length, 0);
    f.call("divide", 1, code, word(f, 0), 0, 6, 0, -1, 0);
    assert.deepEqual(
      f.told.map((told) => told.what === "check" && told.kind),
      ["division-overflow"],
    );
    const narrow = new HostFixture();
    narrow.begin([]);
    narrow.call("divide", 1, operationCode("sdiv", 8), narrow.arena.variable(0), 0, 6, 0, 0xff, 0);
    assert.deepEqual(narrow.told, []);
  });
});

describe("pins", () => {
  it("say what the value is on this run, once, and are counted by reason", () => {
    const f = new HostFixture();
    f.begin([5]);
    const reason = PIN_REASONS.indexOf("copy-size");
    for (let i = 0; i < 3; i++) f.call("pin", 9, reason, word(f, 0), 32, 5, 0);
    assert.deepEqual(f.told, [
      {
        what: "pin",
        site: 9,
        reason: "copy-size",
        equals: f.arena.binary("eq", word(f, 0), f.arena.constant(32, 5, 0)),
      },
    ]);
    f.host.intrinsics.getValue(word(f, 4), 7, 0, 32);
    assert.equal(f.told.length, 2);
    assert.deepEqual(f.host.losses.snapshot(), { "copy-size": 1, "get-value": 1 });
  });
});

describe("intrinsics", () => {
  function placeName(f: HostFixture, address: number, name: string): void {
    f.memory.place(address, Buffer.from(`${name}\0`));
  }

  it("makeSymbolic writes the input's bytes and makes them variables", () => {
    const f = new HostFixture();
    placeName(f, B, "flag");
    f.memory.allow(A, 13);
    f.begin([1, 2, 3]);
    f.host.intrinsics.makeSymbolic(A, 5, B);
    assert.deepEqual([...f.memory.u8.subarray(A, A + 5)], [1, 2, 3, 0, 0]);
    assert.equal(f.host.shadows.load(A + 2, 1), f.arena.variable(2));
    f.host.intrinsics.makeSymbolic(A + 5, 8, B);
    assert.equal(f.host.shadows.load(A + 5, 1), f.arena.variable(5));
    assert.deepEqual(
      f.host.inputs.used().map(({ name, occurrence, size }) => [name, occurrence, size]),
      [
        ["flag", 0, 5],
        ["flag", 1, 8],
      ],
    );
    assert.equal(f.space.nameOf(6), "flag_1[1]");
    assert.equal(f.host.inputs.model().length, 13);
  });

  it("a name is read again when its bytes have changed", () => {
    const f = new HostFixture();
    f.memory.allow(A, 8);
    placeName(f, B, "ab");
    f.begin([]);
    f.host.intrinsics.makeSymbolic(A, 1, B);
    placeName(f, B, "cd");
    f.host.intrinsics.makeSymbolic(A, 1, B);
    assert.deepEqual(
      f.host.inputs.used().map(({ name }) => name),
      ["ab", "cd"],
    );
  });

  it("makeSymbolic leaves memory alone that may not be written, and counts it", () => {
    const f = new HostFixture();
    placeName(f, B, "x");
    f.memory.allow(A, 4);
    f.begin([9, 9, 9, 9, 9]);
    f.host.intrinsics.makeSymbolic(A, 5, B);
    assert.equal(f.memory.u8[A], 0);
    assert.equal(f.host.losses.of("input-not-placed"), 1);
    f.host.intrinsics.makeSymbolic(A, 0, B);
    assert.equal(f.host.losses.of("input-not-placed"), 1);
  });

  it("an object of the machine's own can be placed in pieces", () => {
    const f = new HostFixture();
    f.memory.allow(A, 16);
    f.begin([10, 11, 12, 13]);
    const stdin = f.host.input("stdin", 4);
    f.host.place(stdin, 1, 2, A + 8);
    assert.deepEqual([...f.memory.u8.subarray(A + 8, A + 11)], [11, 12, 0]);
    assert.equal(f.host.shadows.load(A + 9, 1), f.arena.variable(2));
  });

  it("assumptions take C's truth of a value", () => {
    const f = new HostFixture();
    f.begin([]);
    const less = f.operate("ult", 8, f.arena.variable(0), 0, 0, 5);
    f.host.intrinsics.assume(f.operate("zext", 1, less, 0, 0, 0, 64), 1);
    f.host.intrinsics.assume(word(f, 0), 0);
    f.host.intrinsics.assume(0, 1);
    f.host.intrinsics.assume(0, 0);
    const told = f.told.map((each) => (each.what === "assume" ? each : assert.fail(each.what)));
    assert.deepEqual(
      told.map(({ site, holds }) => [site, holds]),
      [
        [NO_SITE, true],
        [NO_SITE, false],
        [NO_SITE, false],
      ],
    );
    assert.equal(f.value(told[0].condition, [4]), 1n);
    assert.equal(f.value(told[0].condition, [5]), 0n);
    assert.equal(f.value(told[1].condition, [0, 0, 1]), 1n);
    assert.equal(told[2].condition, f.arena.FALSE);
  });

  it("preferences are those of the run", () => {
    const f = new HostFixture();
    f.begin([]);
    const less = f.operate("ult", 8, f.arena.variable(0), 0, 0, 5);
    f.host.intrinsics.prefer(less);
    f.host.intrinsics.prefer(0);
    assert.deepEqual(f.host.preferences, [less]);
    f.begin([]);
    assert.deepEqual(f.host.preferences, []);
  });

  it("errors and descriptions reach the handler with their texts", () => {
    const heard: unknown[] = [];
    const stop = new Error("stop");
    const events: HostEvents = {
      endSilently: () => {
        throw stop;
      },
      reportError: (...words) => {
        heard.push(words);
        throw stop;
      },
      describe: (...words) => heard.push(words),
    };
    const f = new HostFixture([], events);
    placeName(f, A, "what");
    placeName(f, B, "err");
    f.begin([]);
    assert.throws(() => f.host.intrinsics.endSilently(), stop);
    assert.throws(() => f.host.intrinsics.reportError(A, B, 0, 12), stop);
    f.host.intrinsics.describe(A, 0, 4, 0);
    assert.deepEqual(heard, [
      ["what", "err", "", 12],
      ["what", CONCRETE, 4, 0],
    ]);
  });
});
