import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
import { reading } from "../invocation-fixture.js";
import { type NumberStep, randomStep, stepped } from "./number-steps.js";

function bytesOf(invocation: Invocation | null): Uint8Array | null {
  return invocation?.stdin.kind === "bytes" ? invocation.stdin.bytes : null;
}

const TEXT: NumberStep = { part: "stdin", at: 1, width: 0, isBigEndian: false, times: 1, plus: 0 };

test("number steps: a number of a text is moved, and can be moved the same way again", () => {
  const step = { ...TEXT, plus: -7 };
  const text = (from: string, by: NumberStep): string | null => {
    const made = bytesOf(stepped(reading(Buffer.from(from)), by));
    return made === null ? null : Buffer.from(made).toString();
  };
  assert.equal(text("a 5, b 10\n", step), "a 5, b 3\n");
  assert.equal(text("a 5, b 3\n", step), "a 5, b -4\n");
  assert.equal(text("a 5, b -4\n", step), "a 5, b -11\n");
  assert.equal(text("3 120.00", { ...TEXT, times: 0.1 }), "3 12");
  assert.equal(text("3 1.5", { ...TEXT, times: 0.5 }), "3 0.75");
  assert.equal(text("3 15", { ...TEXT, times: 0.5 }), "3 8");
  // It stays what it is, or is not there.
  assert.equal(text("3 0", { ...TEXT, times: 10 }), null);
  assert.equal(text("3", step), null);
  assert.equal(text("3 900000000000000", { ...TEXT, times: 10 }), null);
});

test("number steps: a word of bytes carries over, in either order", () => {
  const word = { ...TEXT, at: 1, width: 2, plus: 1 };
  const bytes = Uint8Array.of(0, 0xff, 0x01, 9);
  assert.deepEqual(bytesOf(stepped(reading(bytes), word)), Uint8Array.of(0, 0x00, 0x02, 9));
  assert.deepEqual(bytesOf(stepped(reading(bytes), { ...word, isBigEndian: true })), Uint8Array.of(0, 0xff, 0x02, 9));
  assert.deepEqual(bytesOf(stepped(reading(bytes), { ...word, plus: -512 })), Uint8Array.of(0, 0xff, 0xff, 9));
  assert.equal(stepped(reading(Uint8Array.of(1)), word), null);
});

test("number steps: random ones can be made", () => {
  const random = new Random(3);
  for (const bytes of [Buffer.from("x = 12; y = 3.5\n"), Uint8Array.of(0, 1, 2, 3)]) {
    const from = reading(bytes);
    let made = 0;
    for (let n = 0; n < 200; n++) {
      const step = randomStep(from, random);
      assert.ok(step !== null);
      if (stepped(from, step) !== null) made++;
    }
    assert.ok(made > 150, `${made}`);
  }
  assert.equal(randomStep(reading(Buffer.from("no digits")), random), null);
});
