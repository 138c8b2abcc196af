import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { accessSize, failsUnchanged, offsetInWords, variablesInFront } from "./finding-view.js";

describe("where an access lies", () => {
  it("is told with the bytes of the access, which the message names", () => {
    const message = "read of 4 bytes at 0x10, 2 bytes into 8-byte heap block";
    assert.equal(accessSize({ kind: "heap-buffer-overflow", message }), 4);
    assert.equal(offsetInWords(6, 8, 4), "from offset 6 to 2 bytes after its end");
  });

  it("of what was never set it is one byte: the size in the message is the object's", () => {
    const message = "a decision depends on a heap block of 8 bytes, of which byte 4 was never set";
    assert.equal(accessSize({ kind: "uninitialised", message }), 1);
    assert.equal(offsetInWords(4, 8, 1), "offset 4 inside it");
  });
});

it("of an input that was made: variables that are part of it stand before its command", () => {
  const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
  const inputs = [
    { name: "stdin", seed: "", witness: base64("x") },
    { name: "env:MALLOC_PERTURB_", seed: base64("65"), witness: base64("65") },
    { name: "env:A", seed: base64("x"), witness: base64("x y\0\0") },
  ];
  assert.equal(variablesInFront({ isMade: true, inputs }), "MALLOC_PERTURB_=65 A='x y' ");
  assert.equal(variablesInFront({ inputs }), "");
  assert.equal(failsUnchanged({}), "The test itself fails");
  assert.match(failsUnchanged({ isMade: true }), /^An input that was made/);
});
