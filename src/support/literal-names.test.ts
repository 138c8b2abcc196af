import assert from "node:assert/strict";
import { test } from "node:test";
import { isLiteralName, literalName, placeOfLiteral } from "./literal-names.js";

test("literal names: a name is its place, and a place its name", () => {
  for (const place of [
    { file: "/p/tests/a.c", line: 42, number: 1 },
    { file: "/p/odd:7#2 name.c", line: 3, number: 12 },
  ]) {
    assert.ok(isLiteralName(literalName(place)));
    assert.deepEqual(placeOfLiteral(literalName(place)), place);
  }
  assert.equal(literalName({ file: "a.c", line: 1, number: 2 }), "literal:a.c:1#2");
  for (const other of ["stdin", "arg0", "file:a.c:1", "literal:a.c"]) assert.equal(placeOfLiteral(other), null);
});
