import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPack, openPack } from "./libc-pack.js";

test("libc pack: every text is found under its name, and no other", () => {
  const pack = openPack(
    formatPack(
      new Map([
        ["musl/a.c", "first\n"],
        ["musl/empty.c", ""],
        ["libc/b.c", "bytes \x80\xff\n"],
      ]),
    ),
  );
  assert.equal(pack?.text("musl/a.c"), "first\n");
  assert.equal(pack?.text("musl/empty.c"), "");
  assert.equal(pack?.text("libc/b.c"), "bytes \x80\xff\n");
  assert.equal(pack?.text("musl/other.c"), null);
  assert.equal(pack?.has("musl/other.c"), false);
});

test("libc pack: bytes that are not a whole pack are refused", () => {
  const whole = formatPack(new Map([["a", "some text"]]));
  for (let length = 0; length < whole.length; length++) assert.equal(openPack(whole.subarray(0, length)), null);
  assert.equal(openPack(Buffer.from("not json\nrest")), null);
});
