import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { spliced } from "./splice.js";

function all(one: string | Uint8Array, other: string | Uint8Array, count = 3000): Set<string> {
  const random = new Random(1);
  const [a, b] = [one, other].map((text) => (typeof text === "string" ? Buffer.from(text, "latin1") : text));
  return new Set(Array.from({ length: count }, () => Buffer.from(spliced(a, b, random)).toString("latin1")));
}

test("texts are cut at the ends of lines: the beginning of one with the end of the other, or lines put in", () => {
  const made = all("a 1\nb 2\nc 3\n", "x 7\ny 8\n");
  for (const wanted of ["a 1\ny 8\n", "a 1\nx 7\nb 2\nc 3\n", "a 1\nx 7\nc 3\n", "x 7\ny 8\nc 3\n"])
    assert.ok(made.has(wanted), JSON.stringify(wanted));
  const lines = new Set(["", "a 1", "b 2", "c 3", "x 7", "y 8"]);
  for (const text of made)
    assert.ok(
      text.split("\n").every((line) => lines.has(line)),
      JSON.stringify(text),
    );
});

test("what is no text is cut anywhere", () => {
  const made = all(Uint8Array.of(1, 2, 0, 10, 3), Uint8Array.of(7, 0, 9));
  assert.ok(made.has("\x01\x02\0\x09"));
  assert.ok(made.has("\x01\x07\0\x02\0\n\x03"));
});

test("nothing, and a text whose last line has no end, are inputs too", () => {
  assert.deepEqual([...all("", "")], [""]);
  assert.ok(all("", "one\ntwo").has("one\ntwo"));
  assert.ok(all("a\nb", "one\ntwo").has("a\ntwo"));
});
