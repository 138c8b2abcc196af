import assert from "node:assert/strict";
import { test } from "node:test";
import { absenceReasons, absenceWarnings } from "./absent-code.js";

const nested = { source: "nested.c", symbols: ["f"], reason: "line 3: no" };
const cxx = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ source: `${at}.cpp`, symbols: [], reason: "C++" }));

test("absent code: a few sources are told each by itself, many of one kind together", () => {
  assert.deepEqual(absenceWarnings({ uncaptured: [nested, ...cxx(1)] }), [
    "nested.c was not captured (line 3: no); it defines f",
    "0.cpp was not captured (C++)",
  ]);
  assert.deepEqual(absenceWarnings({ uncaptured: cxx(7) }), [
    "7 sources were not captured (C++): 0.cpp, 1.cpp, 2.cpp, 3.cpp, 4.cpp and 2 more",
  ]);
  const names = ["a", "b", "c", "d", "e", "f"];
  assert.deepEqual(absenceWarnings({ uncaptured: [{ source: "x.S", symbols: names, reason: "assembly" }] }), [
    "x.S is assembly and cannot run in the VM: a, b, c, d, e and 1 more",
  ]);
});

test("absent code: the source that defines a name is the reason, then the library, then what is likely", () => {
  const foreign = [{ name: "libz.so.1", path: null, symbols: ["deflate", "f"] }];
  const why = absenceReasons({ uncaptured: [nested], foreign, natives: ["own"] });
  assert.equal(why("f"), "nested.c was not captured: line 3: no");
  assert.equal(why("deflate"), "deflate is foreign: libz.so.1 was not built with tangent cc");
  assert.equal(why("own"), "what defines it was not compiled by tangent cc");
  assert.equal(why("nowhere"), null);
  const guessing = absenceReasons({ uncaptured: cxx(1), foreign: [], natives: [] });
  assert.equal(guessing("f"), "perhaps in 0.cpp, which was not captured: C++");
});
