import assert from "node:assert/strict";
import { test } from "node:test";
import { isLiteralName, literalName, numberOfLiteral, placeOfLiteral } from "./literal-names.js";

test("literal names: a name is its place, and a place its name", () => {
  for (const place of [
    { file: "/p/tests/a.c", line: 42, number: 1 },
    { file: "/p/odd:7#2 name.c", line: 3, number: 12 },
    { file: "/p/a.c", line: 3, number: 2, wide: "w16" as const },
    { file: "/p/a.c", line: 3, number: 1, argument: { form: "u64" as const, callee: "put_2", argument: 3 } },
    { file: "/p/a=i32,b,1.c", line: 3, number: 2, argument: { form: "f32" as const, callee: "f", argument: 1 } },
  ]) {
    assert.ok(isLiteralName(literalName(place)));
    assert.deepEqual(placeOfLiteral(literalName(place)), place);
  }
  assert.equal(literalName({ file: "a.c", line: 1, number: 2 }), "literal:a.c:1#2");
  const others = ["stdin", "arg0", "file:a.c:1", "literal:a.c", "literal:a.c:1=i31,f,1", "literal:a.c:1=w8"];
  for (const other of others) assert.equal(placeOfLiteral(other), null, other);
});

test("literal names: of numbers they say which argument they are", () => {
  assert.equal(numberOfLiteral("literal:a.c:1#2=i32,put,2")?.callee, "put");
  assert.equal(numberOfLiteral("literal:a.c:1"), null);
  assert.equal(numberOfLiteral("stdin"), null);
});
