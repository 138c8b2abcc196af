import assert from "node:assert/strict";
import { test } from "node:test";
import type { CoverageBlock, FunctionInfo, LocationInfo } from "../jit/image.js";
import { GeneralHelpers, LEAST_CALLS } from "./general-helpers.js";

/** A program of functions `file:name` and calls between them, `calls` of each. */
function helpers(
  edges: readonly (readonly [caller: string, callee: string, calls: number])[],
  testFiles: readonly string[] = [],
): GeneralHelpers {
  const names = [...new Set(edges.flatMap(([caller, callee]) => [caller, callee] as const))];
  const functions: FunctionInfo[] = names.map((name) => ({
    name: name.split(":")[1],
    origin: "program",
    file: name.split(":")[0],
    line: 1,
  }));
  const coverage: CoverageBlock[] = edges.flatMap(([caller, callee, calls]) =>
    Array.from({ length: calls }, () => ({
      functionIndex: names.indexOf(caller),
      locations: [],
      instructions: 1,
      successors: [],
      calls: [names.indexOf(callee)],
      choices: [],
    })),
  );
  const tests = { named: "surely", files: testFiles, literals: [] } as const;
  return new GeneralHelpers({ functions, coverage, locations: [], tests });
}
const at = (place: string): { functionName: string; file: string } => {
  const [file, functionName] = place.split(":");
  return { functionName, file };
};

test("general helper: called from many places of other files, also through functions of its own file", () => {
  const made = helpers([
    ["main.c:main", "quote.c:quote", LEAST_CALLS - 1],
    ["main.c:warn", "quote.c:quote", 1],
    ["main.c:warn", "quote.c:quote_n", LEAST_CALLS - 1],
    ["quote.c:quote", "quote.c:restyle", 1],
    ["quote.c:quote_n", "quote.c:restyle", 1],
    ["main.c:main", "parse.c:parse", 2],
  ]);
  assert.equal(made.isHelper(at("quote.c:quote")), true);
  assert.equal(made.isHelper(at("quote.c:restyle")), true, "the worker behind it");
  assert.equal(made.isHelper(at("quote.c:quote_n")), false, "has few calls itself");
  assert.equal(made.isHelper(at("parse.c:parse")), false);
  assert.equal(made.isHelper(at("main.c:main")), false);
  assert.equal(made.isHelper(at("gone.c:gone")), false);
});

test("general helper: a library's tests call its functions many times, which makes none a helper", () => {
  const edges = [
    ["test_parse.c:main", "parse.c:parse", 5 * LEAST_CALLS],
    ["test_parse.c:main", "test_parse.c:check", 1],
    ["parse.c:parse", "buffer.c:append", LEAST_CALLS],
  ] as const;
  assert.equal(helpers(edges).isHelper(at("parse.c:parse")), true);
  assert.equal(helpers(edges, ["test_parse.c"]).isHelper(at("parse.c:parse")), false);
  assert.equal(helpers(edges, ["test_parse.c"]).isHelper(at("buffer.c:append")), true, "the library's own calls count");
});

test("general helper: what is many grows with the program", () => {
  const calls = (functions: number): GeneralHelpers =>
    helpers([
      ["main.c:main", "log.c:log", LEAST_CALLS],
      ...Array.from({ length: functions }, (_, n) => ["main.c:main", `part${n}.c:part${n}`, 1] as const),
    ]);
  assert.equal(calls(20).isHelper(at("log.c:log")), true);
  assert.equal(calls(300).isHelper(at("log.c:log")), false);
});

test("general helper: in a program of one file it takes as many functions that call it", () => {
  const callers = Array.from({ length: LEAST_CALLS }, (_, n) => [`a.c:f${n}`, "a.c:next", 1] as const);
  assert.equal(helpers(callers).isHelper(at("a.c:next")), true);
  assert.equal(helpers(callers.slice(1)).isHelper(at("a.c:next")), false);
  assert.equal(helpers([["a.c:f", "a.c:often", 100]]).isHelper(at("a.c:often")), false, "one function calls it often");
});

test("general helper: calls that were inlined count as well", () => {
  const location = (functionName: string, file: string, line: number, inlinedAt: number): LocationInfo => ({
    functionName,
    origin: "program",
    file,
    line,
    column: 1,
    inlinedAt,
  });
  const locations = Array.from({ length: LEAST_CALLS }, (_, n) => [
    location("main", "main.c", n + 1, -1),
    location("get", "get.h", 1, 2 * n),
  ]).flat();
  const parts = { functions: [], coverage: [] };
  assert.equal(new GeneralHelpers({ ...parts, locations }).isHelper(at("get.h:get")), true);
  assert.equal(new GeneralHelpers({ ...parts, locations: locations.slice(0, -2) }).isHelper(at("get.h:get")), false);
});

test("general helper: libc by name, and its usual wrappers", () => {
  const none = helpers([]);
  for (const name of [
    "memcpy",
    "xmalloc",
    "xstrdup",
    "rpl_realloc",
    "xnrealloc",
    "x2nrealloc",
    "safe_memcpy",
    "strlcpy",
  ]) {
    assert.equal(none.isHelper(at(`a.c:${name}`)), true, name);
  }
  for (const name of ["main", "parse", "strip", "free_all", "memory", "copy", "extract", "string_length"]) {
    assert.equal(none.isHelper(at(`a.c:${name}`)), false, name);
  }
});
