import assert from "node:assert/strict";
import { test } from "node:test";
import { splitModules } from "./bitcode.js";

const MAGIC = Buffer.from([0x42, 0x43, 0xc0, 0xde]);

/** A top-level block: ENTER_SUBBLOCK with that id, abbreviation width 3, its length, its words. */
function block(id: number, words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + words.length * 4);
  bytes.writeUInt32LE(1 | (id << 2) | (3 << 10), 0);
  bytes.writeUInt32LE(words.length, 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, 8 + index * 4);
  return bytes;
}

function module(...blocks: Buffer[]): Buffer {
  return Buffer.concat([MAGIC, ...blocks]);
}

const one = module(block(13, [1]), block(8, [7, 8, 9]), block(23, [5]));
/** Its string table holds the magic number, as a program's text may. */
const two = module(block(8, [0xdec04342, 0xdec04342]), block(23, []));

function split(bytes: Buffer): Buffer[] {
  const result = splitModules(bytes);
  if (result.kind === "bad") assert.fail(result.problem);
  return [...result.modules];
}

test("bitcode: modules one after another are told apart by the lengths of their blocks", () => {
  assert.deepEqual(split(Buffer.concat([one, two, one])), [one, two, one]);
});

test("bitcode: zeros between modules are padding", () => {
  assert.deepEqual(split(Buffer.concat([one, Buffer.alloc(12), two, Buffer.alloc(5)])), [one, two]);
});

test("bitcode: an empty section has no modules", () => {
  assert.deepEqual(split(Buffer.alloc(0)), []);
});

test("bitcode: a module cut short anywhere is a problem or a shorter row of blocks, never an exception", () => {
  const whole = Buffer.concat([one, two]);
  for (let length = 1; length < whole.length; length++) {
    const result = splitModules(whole.subarray(0, length));
    if (result.kind === "modules") assert.ok(result.modules.every((part) => part.length <= whole.length));
  }
  assert.equal(splitModules(whole.subarray(0, whole.length - 2)).kind, "bad");
  assert.equal(splitModules(one.subarray(0, 9)).kind, "bad");
});

test("bitcode: bytes that are no bitcode are refused with their place", () => {
  const result = splitModules(Buffer.concat([one, Buffer.from("garbage!")]));
  assert.match(result.kind === "bad" ? result.problem : "", new RegExp(`byte ${one.length} `));
});
