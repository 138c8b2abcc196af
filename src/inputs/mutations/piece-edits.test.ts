import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { PiecePool, pieceEdits, randomPieceEdit } from "./piece-edits.js";

const OWN = '<a name="x" type="t"/>\n<a name="y" like="x"/>\n';
const OTHER = '<b><c of="t"/></b>\n';

function poolOf(...texts: readonly string[]): PiecePool {
  const pool = new PiecePool();
  for (const text of texts) pool.add(Buffer.from(text, "latin1"));
  return pool;
}

test("a piece in the place of one of the same shape, behind it, and gone", () => {
  const made = new Set(pieceEdits(OWN, poolOf(OTHER)));
  for (const wanted of [
    '<a name="x" like="x"/>\n<a name="y" like="x"/>\n',
    '<a name="x" type="t" like="x"/>\n<a name="y" like="x"/>\n',
    '<a name="x"/>\n<a name="y" like="x"/>\n',
    '<b><c of="t"/></b>\n<a name="y" like="x"/>\n',
    '<a name="x" of="t"/>\n<a name="y" like="x"/>\n',
  ])
    assert.ok(made.has(wanted), wanted);
  assert.ok(!made.has(OWN));
});

test("lists become longer", () => {
  const made = new Set(pieceEdits("f(a, b, ...)", poolOf()));
  assert.ok(made.has(`f(${"a, ".repeat(40)}a, b, ...)`));
});

test("of equal pieces in all tests one is known, and only of texts", () => {
  const pool = poolOf("a b a", "\0x y", "b");
  assert.deepEqual(pool.like({ from: 0, to: 1, kind: "field", shape: "w", separator: null }), ["a", "b"]);
});

test("random edits are single ones, or lists of any length; what is no text has none", () => {
  const pool = poolOf(OWN, OTHER);
  const singles = new Set(pieceEdits(OWN, pool));
  const bytes = Buffer.from(OWN, "latin1");
  const random = new Random(7);
  let lists = 0;
  for (let n = 0; n < 500; n++) {
    const made = randomPieceEdit(bytes, pool, random);
    assert.ok(made !== null);
    if (made === OWN || singles.has(made)) continue;
    assert.ok(made.length > OWN.length);
    lists++;
  }
  assert.ok(lists > 0 && lists < 200, String(lists));
  assert.equal(randomPieceEdit(Buffer.from("\0\x01"), pool, random), null);
  assert.equal(randomPieceEdit(new Uint8Array(0), pool, random), null);
});
