import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { TokenEdits } from "./token-edits.js";

function edits(text: string, others: readonly string[], words: readonly string[], count = 3000): Set<string> {
  const edits = new TokenEdits(words, [text, ...others].map(bytesOf), new Random(1));
  const made = new Set<string>();
  for (let n = 0; n < count; n++) {
    const bytes = edits.edit(bytesOf(text));
    if (bytes !== null) made.add(textOf(bytes));
  }
  return made;
}

test("a word takes another's place, from the same text or from another test", () => {
  const made = edits('<a name="head"/>\n<b group="other"/>\n', [], ["const"]);
  assert.ok(made.has('<a name="head"/>\n<b group="head"/>\n'));
  assert.ok(made.has('<a name="const"/>\n<b group="other"/>\n'));
});

test("lines are doubled, left out, exchanged, and taken from other tests", () => {
  const made = edits("one\ntwo\nthree", ["four 4"], []);
  for (const wanted of ["one\nthree", "one\ntwo\none\nthree", "two\none\nthree", "one\nfour 4\nthree"]) {
    assert.ok(made.has(wanted), JSON.stringify(wanted));
  }
});

test("what is no text has no words", () => {
  assert.equal(edits("a\0b c d", [], ["x"]).size, 0);
  assert.equal(edits("", [], ["x"]).size, 0);
  assert.equal(edits("x ".repeat(20_000), [], ["x"]).size, 0);
});

test("a list becomes longer by its own words, a name by itself", () => {
  const edits = new TokenEdits([], [], new Random(1));
  const made = Array.from({ length: 4000 }, () => edits.edit(Buffer.from("f(a, b)"))).map((bytes) =>
    Buffer.from(bytes ?? []).toString("latin1"),
  );
  assert.ok(made.some((text) => /^f\((?:a, ){100,}a, b\)$/.test(text)));
  assert.ok(made.some((text) => /^f\(a{100,}, b\)$/.test(text)));
});

test("some words in a row are put in elsewhere", () => {
  const made = edits("<a x=1/>\n<b group=old/>\n", [], [], 200_000);
  assert.ok(made.has("<a group=old x=1/>\n<b group=old/>\n"));
  assert.ok(made.has("<a group=old/>\n<b group=old/>\n"));
});
