import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedFunctions } from "./shared-functions.js";

const fn = (name: string) => ({ name, file: "/p/lib.c", line: 1 });

test("a function of many programs is tested in the two whose tests give it most", () => {
  const shared = new SharedFunctions();
  const programs = [{}, {}, {}];
  for (const [n, promise] of [2, 9, 5].entries()) {
    shared.tell(programs[n], [{ facts: fn("parse"), promise }, ...(n === 0 ? [{ facts: fn("own"), promise: 1 }] : [])]);
  }
  assert.deepEqual(
    programs.map((program) => shared.rankOf(program, fn("parse"))),
    [null, 0, 1],
  );
  assert.equal(shared.rankOf(programs[0], fn("own")), 0);
  assert.deepEqual(shared.othersOf(programs[2], fn("parse")), [programs[1], programs[0]]);
  assert.deepEqual(shared.othersOf(programs[0], fn("own")), []);
  assert.equal(shared.rankOf(programs[0], { ...fn("parse"), file: "/p/other.c" }), 0, "another one of that name");
});

test("time is spent for all programs, which tell of themselves once", () => {
  const shared = new SharedFunctions();
  const [a, b] = [{}, {}];
  for (const program of [a, b, a]) shared.tell(program, [{ facts: fn("f"), promise: 1 }]);
  shared.spent(30);
  assert.equal(shared.meanMs, 15);
  assert.equal(shared.rankOf(b, fn("f")), 1);
});
