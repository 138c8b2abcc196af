import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkedProgram } from "../ir/link.js";
import type { IrFunction } from "../ir/module.js";
import { oftenCalled } from "./often-called.js";

/** So many calls are many in a small program (docs/findings.md). */
const LEAST_CALLS = 6;

/** A program of functions `file:name`, of which some mention others. `main.c:main` leads to all that it is said to. */
function often(
  edges: readonly (readonly [caller: string, callee: string])[],
  testFiles: readonly string[] = [],
): readonly string[] {
  const names = [...new Set(edges.flat())];
  const functions = names.map((name, debugId) => {
    const [file, functionName] = name.split(":");
    const debug = { subprogram: () => ({ functionName, file, directory: "", line: 1, column: 1 }) };
    return { kind: "function", name, debugId, module: { origin: "program", debug } } as unknown as IrFunction;
  });
  const of = (name: string): IrFunction => functions[names.indexOf(name)];
  const references = new Map(
    functions.map((fn) => [
      fn,
      edges.flatMap(([caller, callee]) => (of(caller) === fn ? [{ resolved: of(callee) }] : [])),
    ]),
  );
  const program = { functions, references, lookup: () => of("main.c:main") ?? null } as unknown as LinkedProgram;
  const tests = { named: "surely", files: testFiles } as const;
  return oftenCalled(program, tests).map((key) => key.split("\n").join(":"));
}

const callers = (count: number, callee: string, file = "main.c"): (readonly [string, string])[] =>
  Array.from({ length: count }, (_, n) => [`${file}:f${n}`, callee] as const);
const fromMain = (edges: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] => [
  ...edges,
  ...[...new Set(edges.flat())].map((name) => ["main.c:main", name] as const),
];

test("often called: from many places of other files, also through functions of its own file", () => {
  const edges = [
    ...callers(LEAST_CALLS, "quote.c:quote"),
    ...callers(LEAST_CALLS - 2, "quote.c:quote_n"),
    ["quote.c:quote", "quote.c:restyle"],
    ["quote.c:quote_n", "quote.c:restyle"],
    ["main.c:f0", "parse.c:parse"],
  ] as const;
  const found = often(fromMain(edges));
  assert.ok(found.includes("quote.c:quote"));
  assert.ok(found.includes("quote.c:restyle"), "the worker behind it");
  assert.ok(!found.includes("quote.c:quote_n"), "has few callers itself");
  assert.ok(!found.includes("parse.c:parse"));
});

test("often called: a library's tests call its functions many times, which does not count", () => {
  const edges = fromMain([
    ...callers(2 * LEAST_CALLS, "parse.c:parse", "test_parse.c"),
    ...callers(LEAST_CALLS, "buffer.c:append", "parse.c"),
  ]);
  assert.ok(often(edges).includes("parse.c:parse"));
  const found = often(edges, ["test_parse.c", "main.c"]);
  assert.ok(!found.includes("parse.c:parse"));
  assert.ok(found.includes("buffer.c:append"), "the library's own calls count");
});

test("often called: what is many grows with the program", () => {
  const withFunctions = (count: number): readonly string[] =>
    often(
      fromMain([
        ...callers(LEAST_CALLS, "log.c:log"),
        ...callers(1, "a.c:a"),
        ...Array.from({ length: count }, (_, n) => ["main.c:main", `part${n}.c:part${n}`] as const),
      ]),
    );
  assert.ok(withFunctions(20).includes("log.c:log"));
  assert.ok(!withFunctions(300).includes("log.c:log"));
});

test("often called: in a program of one file it takes as many functions that call it", () => {
  const edges = [...callers(LEAST_CALLS, "main.c:next"), ["main.c:main", "main.c:f0"] as const];
  assert.deepEqual(
    often([...edges, ...Array.from({ length: LEAST_CALLS }, (_, n) => ["main.c:main", `main.c:f${n}`] as const)]),
    ["main.c:next"],
  );
});

test("often called: what main does not lead to does not count, so that every translation has the same", () => {
  const edges = callers(LEAST_CALLS, "quote.c:quote");
  assert.deepEqual(often([["main.c:main", "quote.c:quote"], ...edges]), []);
  assert.deepEqual(
    often([["main.c:main", "main.c:f0"], ...edges, ...edges.map(([name]) => ["main.c:f0", name] as const)]),
    ["quote.c:quote"],
  );
});
