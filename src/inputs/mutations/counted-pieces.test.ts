import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { countedPiecesAt, recounted } from "./counted-pieces.js";

function recountedTo(text: string, at: number, count: number): (string | null)[] {
  const bytes = bytesOf(text);
  return countedPiecesAt(bytes, at).map((piece) => {
    const made = recounted(bytes, piece, count);
    return made === null ? null : textOf(made);
  });
}

test("a piece becomes shorter or longer with its count, and what follows stays", () => {
  assert.deepEqual(recountedTo("!\x04abcd\0;", 1, 1), ["!\x01a\0;"]);
  assert.deepEqual(recountedTo("!\x04abcd\0;", 1, 0), ["!\x00\0;"]);
  assert.deepEqual(recountedTo("!\x04abcd\0;", 1, 6), ["!\x06abcddd\0;"]);
});

test("counts have one, two or four bytes, in either order", () => {
  assert.deepEqual(recountedTo("\x00\x02abz", 0, 1), ["\x00\x01az"]);
  assert.deepEqual(recountedTo("\x00\x00\x00\x02abz", 0, 3), ["\x00\x00\x00\x03abbz"]);
  const long = `\x01\x01${"a".repeat(257)}z`;
  assert.deepEqual(recountedTo(long, 0, 258).slice(1), [`\x02\x01${"a".repeat(258)}z`, `\x01\x02${"a".repeat(258)}z`]);
});

test("what would go beyond the end is no piece, and a count that does not fit is refused", () => {
  assert.deepEqual(countedPiecesAt(bytesOf("\x05abcd"), 0), []);
  assert.deepEqual(countedPiecesAt(bytesOf("\0abcd"), 4), []);
  assert.deepEqual(recountedTo("\x02ab", 0, 256), [null]);
  assert.deepEqual(recountedTo("\x02ab", 0, 2), [null]);
});
