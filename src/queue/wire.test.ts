import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deflateRawSync } from "node:zlib";
import { decode, encode, MOST_MESSAGE_BYTES } from "./wire.js";

describe("plain data on its way between machines", () => {
  it("comes back as it was, also what JSON has no form for", async () => {
    const value = {
      text: "a\u0000ä",
      bytes: new Uint8Array([0, 1, 255]),
      list: [1, -0.5, null, true, [new Uint8Array(2)]],
      map: new Map<unknown, unknown>([["a", { deep: new Uint8Array([7]) }]]),
      set: new Set([1, 2]),
      without: Number.POSITIVE_INFINITY,
      not: Number.NaN,
      large: 12345678901234567890n,
      long: "x".repeat(5000),
    };
    assert.deepEqual((await decode(await encode(value)))?.value, value);
  });

  it("a part of a larger buffer travels as that part alone", async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    assert.deepEqual((await decode(await encode({ part: whole.subarray(1, 3) })))?.value, {
      part: new Uint8Array([2, 3]),
    });
  });

  it("long messages are made small", async () => {
    assert.ok((await encode("x".repeat(100_000))).length < 1000);
  });

  it("what is no message reads as none", async () => {
    const strange = [
      new Uint8Array(),
      new Uint8Array([9, 1, 2]),
      new Uint8Array([1, 1, 2]),
      Buffer.from('\0{"a":'),
      Buffer.from('\0{"$":["function","x"]}'),
      Buffer.from('\0{"$":["bytes",5]}'),
    ];
    for (const bytes of strange) assert.equal(await decode(bytes), null);
  });

  it("a few bytes do not become more than a message may have", async () => {
    const bomb = deflateRawSync(Buffer.alloc(0x1100_0000, 0x20), { level: 9 });
    assert.ok(bomb.length < 0x10_0000);
    let looks = 0;
    const look = (): void => {
      looks++;
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    assert.equal(await decode(Buffer.concat([Buffer.from([1]), bomb])), null);
    clearImmediate(next);
    assert.ok(looks > 1, "nothing else was done meanwhile");
    await assert.rejects(encode("x".repeat(MOST_MESSAGE_BYTES)), /too much for a message/);
  });

  it("a name that means something to JavaScript is a name", async () => {
    const text = '\0{"__proto__":{"isOurs":true}}';
    const read = (await decode(Buffer.from(text)))?.value as { readonly isOurs?: boolean };
    assert.equal(read.isOurs, undefined);
    assert.equal(({} as { readonly isOurs?: boolean }).isOurs, undefined);
  });
});
