import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesIn } from "./text-pieces.js";

/** Each as "kind shape: text". */
function shown(text: string): readonly string[] {
  return piecesIn(text).map(({ kind, shape, from, to }) => `${kind} ${shape}: ${text.slice(from, to)}`);
}

test("fields, groups in brackets and quotes", () => {
  assert.deepEqual(shown('f(a, b[1]) = "x, y";'), [
    "field[ 0: 1",
    "[ : [1]",
    "field( w: a",
    "field( w[: b[1]",
    "( : (a, b[1])",
    '" : "x, y"',
    "field w(: f(a, b[1])",
    "field =: =",
    'field ": "x, y"',
  ]);
});

test("elements of markup with all that they enclose, and their attributes", () => {
  const found = shown('<a n="1"><b/>t</a><!-- c -->');
  for (const wanted of ["element : <b/>", 'element : <a n="1"><b/>t</a>', "element : <!-- c -->", 'field< w=": n="1"'])
    assert.ok(found.includes(wanted), `${wanted} in ${found.join(" | ")}`);
});

test("what is smaller than something else is no tag, what is cut off no group", () => {
  assert.deepEqual(shown("a < b (c"), ["field( w: c", "field w: a", "field <: <", "field w: b", "field (: (c"]);
  assert.deepEqual(shown("it's (a] b)"), [
    "field( w]: a]",
    "field( w: b",
    "( : (a] b)",
    "field w'w: it's",
    "field (: (a] b)",
  ]);
});

test("pieces of one shape in a row know what separates them", () => {
  const separators = (text: string) =>
    piecesIn(text).map(({ from, to, separator }) => [text.slice(from, to), separator]);
  assert.deepEqual(separators("x, y, 1"), [
    ["x", ", "],
    ["y", null],
    ["1", null],
  ]);
});

test("a text of nothing but brackets is read in one pass", () => {
  for (const bracket of ["(", ")", "<a>", "</a>", '"', "{}"]) {
    const pieces = piecesIn(bracket.repeat(16_000));
    assert.ok(pieces.length <= 4096, bracket);
    for (const { from, to } of pieces) assert.ok(from < to);
  }
});
