import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { HostFixture } from "./host-fixture.js";
import { FIXTURE_BASE } from "./memory-fixture.js";

const A = FIXTURE_BASE + 0x1_0000;
const B = FIXTURE_BASE + 0x1_1000;
const SITE = 3;

/** The first input byte as a size, at most `mask`. */
function sizeOf(f: HostFixture, mask = 0xff): ExprRef {
  const byte = f.arena.binary("and", f.arena.variable(0), f.arena.constant(8, mask, 0));
  return f.arena.zext(byte, 64);
}

function bytesFor(f: HostFixture, address: number, count: number, input: readonly number[]): string {
  let text = "";
  for (let i = 0; i < count; i++) {
    const byte = f.host.shadows.load(address + i, 1);
    text += String.fromCharCode(byte === CONCRETE ? f.memory.u8[address + i] : Number(f.value(byte, input)));
  }
  return text;
}

function reasons(f: HostFixture): string[] {
  return f.told.map((told) => (told.what === "pin" ? told.reason : told.what));
}

describe("copies and fills of symbolic lengths", () => {
  it("leave every byte as the length says, for all lengths at once", () => {
    const f = new HostFixture();
    f.memory.place(A, Buffer.from("abcdefgh"));
    f.memory.place(B, Buffer.from("--------"));
    f.begin([3]);
    f.call("copyLength", SITE, B, A, sizeOf(f, 7), 3, 0);
    f.memory.u8.copyWithin(B, A, A + 3);
    f.call("lengthDone");
    assert.deepEqual(reasons(f), []);
    assert.equal(bytesFor(f, B, 8, [0]), "--------");
    assert.equal(bytesFor(f, B, 8, [3]), "abc-----");
    assert.equal(bytesFor(f, B, 8, [7]), "abcdefg-");
    assert.equal(f.host.shadows.load(B + 7, 1), CONCRETE, "no length reaches it");
  });

  it("a fill: with a symbolic byte too", () => {
    const f = new HostFixture();
    f.memory.place(B, Buffer.from("--------"));
    f.begin([2, 0x78]);
    f.call("fillLength", SITE, B, 0x78, f.arena.variable(1), sizeOf(f, 7), 2);
    f.memory.u8.fill(0x78, B, B + 2);
    f.call("fillBytes", B, 2, f.arena.variable(1));
    f.call("lengthDone");
    assert.equal(bytesFor(f, B, 8, [5, 0x79]), "yyyyy---");
  });

  it("bytes below the least length are copied, without a choice", () => {
    const f = new HostFixture();
    f.memory.place(A, Buffer.from("abcdefgh"));
    f.memory.place(B, Buffer.from("--------"));
    f.begin([0]);
    const size = f.arena.binary("or", sizeOf(f, 1), f.arena.constant(64, 4, 0));
    f.call("copyLength", SITE, B, A, size, 4, 0);
    f.memory.u8.copyWithin(B, A, A + 4);
    f.call("lengthDone");
    assert.equal(f.host.shadows.load(B + 3, 1), CONCRETE);
    assert.equal(bytesFor(f, B, 8, [1]), "abcde---");
  });

  it("overlapping ranges move as memmove moves them; where memcpy would be an error the length is pinned", () => {
    const f = new HostFixture();
    f.memory.place(A, Buffer.from("abcdefgh"));
    f.begin([4]);
    f.call("copyLength", SITE, A + 2, A, sizeOf(f, 5), 4, 1);
    f.memory.u8.copyWithin(A + 2, A, A + 4);
    f.call("lengthDone");
    assert.equal(bytesFor(f, A, 8, [5]), "ababcdeh");
    assert.equal(bytesFor(f, A, 8, [1]), "abadefgh");
    f.begin([1]);
    f.call("copyLength", SITE, A + 2, A, sizeOf(f, 5), 1, 0);
    assert.deepEqual(reasons(f), ["copy-size"]);
  });

  it("a long one, and one of pointers, is pinned", () => {
    const f = new HostFixture();
    f.memory.place(A, new Uint8Array(600));
    f.memory.place(B, new Uint8Array(600));
    f.begin([3, 1]);
    const long = f.arena.zext(f.arena.concat(f.arena.variable(1), f.arena.variable(0)), 64);
    f.call("copyLength", SITE, B, A, long, 259, 0);
    assert.deepEqual(reasons(f), ["copy-size"]);
    new DataView(f.memory.u8.buffer).setUint32(A + 8, B, true);
    f.begin([3]);
    f.call("copyLength", SITE, B, A, sizeOf(f, 31), 3, 0);
    assert.deepEqual(reasons(f), ["copy-size"]);
  });
});
