import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteWriter } from "./byte-writer.js";

function bytes(write: (w: ByteWriter) => void): number[] {
  const writer = new ByteWriter(1);
  write(writer);
  return [...writer.finish()];
}
/** Decodes what was written, by the definition of the encoding. */
function decode(encoded: readonly number[], isSigned: boolean): bigint {
  let value = 0n;
  encoded.forEach((byte, n) => {
    value |= BigInt(byte & 0x7f) << BigInt(7 * n);
    assert.equal((byte & 0x80) !== 0, n < encoded.length - 1);
  });
  return isSigned ? BigInt.asIntN(7 * encoded.length, value) : value;
}

describe("byte writer", () => {
  const samples = [0, 1, 63, 64, 127, 128, 8191, 8192, 0x7fff_ffff];

  it("writes unsigned LEB128 that reads back", () => {
    for (const n of [...samples, 0x8000_0000, 0xffff_ffff])
      assert.equal(
        decode(
          bytes((w) => w.u32(n)),
          false,
        ),
        BigInt(n),
      );
  });

  it("writes signed LEB128 that reads back, in as few bytes as there can be", () => {
    for (const n of samples.flatMap((s) => [s, -s, -s - 1])) {
      const encoded = bytes((w) => w.s32(n));
      assert.equal(decode(encoded, true), BigInt(n));
      const shorter = 7 * (encoded.length - 1);
      assert.ok(encoded.length === 1 || BigInt.asIntN(shorter, BigInt(n)) !== BigInt(n));
    }
  });

  it("writes 64-bit LEB128, taking unsigned values as their signed reading", () => {
    for (const n of [0n, -1n, 1n << 62n, -(1n << 63n), 0x1234_5678_9abc_def0n]) {
      assert.equal(
        decode(
          bytes((w) => w.s64(n)),
          true,
        ),
        n,
      );
    }
    assert.deepEqual(
      bytes((w) => w.s64(0xffff_ffff_ffff_ffffn)),
      [0x7f],
    );
  });

  it("writes fixed numbers low byte first and names with their length", () => {
    assert.deepEqual(
      bytes((w) => w.fixed(0x010203n, 4)),
      [3, 2, 1, 0],
    );
    assert.deepEqual(
      bytes((w) => w.name("é")),
      [2, 0xc3, 0xa9],
    );
  });
});
