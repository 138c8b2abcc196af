import assert from "node:assert/strict";
import { test } from "node:test";
import { shrunkLiteral } from "./shrink-literal.js";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const shown = (of: Uint8Array): string => Buffer.from(of).toString("latin1");

test("what was put in goes as far as the failure allows", () => {
  const isLong = (of: Uint8Array): boolean => of.length >= 12;
  const shrunk = shrunkLiteral(bytes("size"), bytes("size size size size size size"), isLong, 100);
  assert.equal(shrunk.length, 12);
  assert.ok(shown(shrunk).startsWith("size"));
});

test("bytes become what they were, but those that matter", () => {
  const hasHash = (of: Uint8Array): boolean => of[2] === 0x23;
  assert.equal(shown(shrunkLiteral(bytes("key=value"), bytes("##########".slice(0, 9)), hasHash, 100)), "ke#=value");
  assert.equal(shown(shrunkLiteral(bytes("Mab"), bytes("\0\0\0"), (of) => of[0] !== 0x4d, 100)), "\0ab");
});

test("with no tries left it stays as it is; it never becomes what does not fail", () => {
  let runs = 0;
  const never = (): boolean => {
    runs++;
    return false;
  };
  assert.equal(shown(shrunkLiteral(bytes("ab"), bytes("xyz"), never, 3)), "xyz");
  assert.equal(runs, 3);
});
