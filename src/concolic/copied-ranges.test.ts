import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExprRef } from "../expr/ops.js";
import { HostFixture } from "./host-fixture.js";
import { FIXTURE_BASE } from "./memory-fixture.js";

const HEAP = FIXTURE_BASE + 0x1_0000;
const SITE = 7;

/** A copy or fill of `size` bytes at `address`, one of them given by an expression too. */
function touch(f: HostFixture, address: number, size: number, of: { address?: ExprRef; size?: ExprRef }): void {
  f.call("rangeAt", SITE, of.address ?? 0, address, 0, of.size ?? 0, size, 0, 1);
}

describe("copies and fills of symbolic size or place", () => {
  it("a size is checked against the room behind the address", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(20));
    f.begin([3]);
    touch(f, HEAP + 8, 3, { size: f.indexed(0, 0, 1) });
    const [check] = f.told;
    assert.ok(check.what === "check" && check.kind === "out-of-bounds-write" && check.site === SITE);
    for (let size = 0; size < 256; size++) assert.equal(f.value(check.bad, [size]), size > 12 ? 1n : 0n, `${size}`);
  });

  it("a size that always fits is not checked", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(300));
    f.begin([3]);
    touch(f, HEAP, 3, { size: f.indexed(0, 0, 1) });
    assert.deepEqual(f.told, []);
  });

  it("behind the end of an object no size but 0 fits", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(16));
    f.begin([0]);
    touch(f, HEAP + 16, 0, { size: f.indexed(0, 0, 1) });
    const [check] = f.told;
    assert.ok(check.what === "check");
    assert.equal(f.value(check.bad, [0]), 0n);
    assert.equal(f.value(check.bad, [1]), 1n);
  });

  it("an address is checked for the whole range", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(20));
    f.begin([2]);
    touch(f, HEAP + 2, 6, { address: f.indexed(HEAP, 0, 1) });
    const [check] = f.told;
    assert.ok(check.what === "check");
    for (let at = 0; at < 256; at++) assert.equal(f.value(check.bad, [at]), at > 14 ? 1n : 0n, `${at}`);
  });

  it("what is told of an address does not depend on a size that is not decided yet", () => {
    const f = new HostFixture();
    f.memory.place(HEAP, new Uint8Array(20));
    f.begin([2, 6]);
    touch(f, HEAP + 2, 6, { address: f.indexed(HEAP, 0, 1), size: f.indexed(0, 1, 1) });
    assert.deepEqual(f.told, []);
  });
});
