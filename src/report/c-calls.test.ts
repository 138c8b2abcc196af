import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOfNumber } from "../support/literal-numbers.js";
import { argumentIn } from "./c-calls.js";

/** The text of an argument of f, by which of the calls from a line on and by its number. */
function argument(source: string, line: number, number: number, which: number, before: bigint | number): string | null {
  const form = typeof before === "number" ? "f64" : "i32";
  const place = { line, number, callee: "f", argument: which, form, before: bytesOfNumber(form, before) } as const;
  const at = argumentIn(source, place);
  return at === null ? null : source.slice(at.start, at.end);
}

test("arguments: the one of the call that is meant, whatever stands around it", () => {
  const source = `x = f(1, 2);
assert(f( 'a' , 0x10) == f(g(3, 4)[2], -7 ) && "f(9, 9)" != 0 /* f(8, 8) */);
assert(
  f(5, 1.5));
`;
  assert.equal(argument(source, 1, 1, 2, 2n), "2");
  assert.equal(argument(source, 2, 1, 1, 97n), "'a'", "a character is what it is");
  assert.equal(argument(source, 2, 1, 2, 16n), "0x10");
  assert.equal(argument(source, 2, 2, 2, -7n), "-7");
  assert.equal(argument(source, 2, 2, 1, 12n), "g(3, 4)[2]");
  assert.equal(argument(source, 3, 1, 1, 5n), "5", "on a later line than the macro");
  assert.equal(argument(source, 3, 1, 2, 1.5), "1.5");
});

test("arguments: none where the source shows another number, another function or no such call", () => {
  assert.equal(argument("f(1, 2);", 1, 1, 2, 3n), null);
  assert.equal(argument("ff(1, 2); x.f(1, 2);", 1, 1, 2, 2n), null);
  assert.equal(argument("f(1);", 1, 1, 2, 2n), null);
  assert.equal(argument("f(1, 2);", 1, 2, 2, 2n), null);
  assert.equal(argument("f(1, 2);", 9, 1, 2, 2n), null);
  assert.equal(argument(`M(\n${"\n".repeat(20)}f(1, 2));`, 1, 1, 2, 2n), null, "too far away");
  assert.equal(argument("M(\n f(ONE, 2));", 1, 1, 1, 1n), null, "a name on another line may be of another call");
  for (const text of ["f(", "f((", "f([)", "f(1;2)"]) assert.equal(argument(text.repeat(1000), 1, 1, 3, 2n), null);
});
