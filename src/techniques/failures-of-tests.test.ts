import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestCode } from "../jit/image.js";
import { isOfTests, isRefusedByLibrary } from "./failures-of-tests.js";

const input = (name: string, text: string): InputValue[] => [{ name, occurrence: 0, bytes: Buffer.from(text) }];
const program = (named: TestCode["named"]) => ({ tests: { named, files: ["/p/t.c"], literals: [] } });
const at = (file: string, kind: string): Finding =>
  ({ kind, stack: [{ file, functionName: "f" }], userFrame: 0 }) as unknown as Finding;

test("a failure in the tests' own code is theirs if literals were changed, and only then", () => {
  const own = input("literal:/p/t.c:1", "ab");
  const changed = input("literal:/p/t.c:1", "ax");
  for (const named of ["surely", "perhaps"] as const) {
    assert.ok(isOfTests(program(named), at("/p/t.c", "heap-buffer-overflow"), changed, own));
    assert.ok(!isOfTests(program(named), at("/p/lib.c", "heap-buffer-overflow"), changed, own));
    assert.ok(!isOfTests(program(named), at("/p/t.c", "heap-buffer-overflow"), [], own));
  }
});

test("an assertion of a test says nothing about another input than the test's own", () => {
  const own = input("file:/p/a", "ab");
  const changed = input("file:/p/a", "ax");
  const surely = program("surely");
  assert.ok(isOfTests(surely, at("/p/t.c", "assertion-failure"), changed, own));
  assert.ok(isOfTests(surely, at("/p/t.c", "abort"), changed, own));
  assert.ok(isOfTests(surely, at("/p/t.c", "null-dereference"), changed, own), "what a failed call gave is used");
  assert.ok(!isOfTests(surely, at("/p/t.c", "assertion-failure"), own, own), "the test fails by itself");
  assert.ok(isOfTests(surely, at("/p/t.c", "assertion-failure"), own, own, true), "an input that was made is another");
  assert.ok(!isOfTests(surely, at("/p/lib.c", "assertion-failure"), changed, own), "the library asserts");
  assert.ok(!isOfTests(surely, at("/p/t.c", "heap-buffer-overflow"), changed, own));
  assert.ok(!isOfTests(program("perhaps"), at("/p/t.c", "assertion-failure"), changed, own));
});

test("a literal that is a format may want other arguments when it is changed; a text that the library takes for one is a bug", () => {
  const name = "literal:/p/t.c:1";
  const [inLibrary, changed] = [at("/p/lib.c", "missing-argument"), input(name, "%125.0o,")];
  assert.ok(isOfTests(program("surely"), inLibrary, changed, input(name, "%125.0f,")));
  assert.ok(!isOfTests(program("surely"), inLibrary, changed, input(name, "100 percent")));
  assert.ok(!isOfTests(program("surely"), inLibrary, input("file:/p/a", "%s"), input("file:/p/a", "%d")));
});

test("what a changed format does inside of printf is the test's, whatever it is", () => {
  const name = "literal:/p/t.c:1";
  const stack = [
    { file: null, functionName: "printf_core" },
    { file: "/p/lib.c", functionName: "show" },
  ];
  const finding = { kind: "null-dereference", stack, userFrame: 1 } as unknown as Finding;
  assert.ok(isOfTests(program("surely"), finding, input(name, "%0$n"), input(name, "%.0f")));
  assert.ok(!isOfTests(program("surely"), finding, input(name, "%0$n"), input(name, "text")));
});

test("an assertion of the function that a test calls says what callers must not do; one further down is the library's", () => {
  const frame = (file: string) => ({ file, functionName: "f", origin: "program" });
  const asserted = (...files: string[]): Finding =>
    ({ kind: "assertion-failure", stack: files.map(frame), userFrame: 0 }) as unknown as Finding;
  assert.ok(isRefusedByLibrary(program("surely"), asserted("/p/lib.c", "/p/t.c")));
  assert.ok(!isRefusedByLibrary(program("surely"), asserted("/p/lib.c", "/p/lib.c", "/p/t.c")));
  assert.ok(!isRefusedByLibrary(program("surely"), asserted("/p/t.c", "/p/t.c")));
  assert.ok(!isRefusedByLibrary(program("perhaps"), asserted("/p/lib.c", "/p/t.c")));
});

test("a format that the library was given to use with values is its caller's to get right, and a text that it takes for one is not", () => {
  const name = "literal:/p/t.c:1";
  const formats = ["/p/lib.c:7:3"];
  const tests = { named: "perhaps", files: ["/p/t.c"], literals: [], formats } as const;
  const frame = (functionName: string, line: number, file: string | null = "/p/lib.c") => ({
    file,
    functionName,
    line,
    column: 3,
  });
  const failing = (...stack: readonly object[]): Finding =>
    ({ kind: "missing-argument", stack, userFrame: 1 }) as unknown as Finding;
  const counted = (finding: Finding): boolean => isOfTests({ tests }, finding, input(name, "%s"), input(name, "ab"));
  assert.ok(counted(failing(frame("snprintf", 0, null), frame("show", 7))));
  assert.ok(!counted(failing(frame("snprintf", 0, null), frame("show", 8))), "no values follow there");
  const list = frame("vsnprintf", 0, null);
  assert.ok(counted(failing(list, frame("append", 20), frame("show", 7))), "handed on as a list");
  assert.ok(!counted(failing(list, frame("append", 20), frame("show", 8))));
  assert.ok(!counted(failing(frame("snprintf", 0, null), frame("show", 20), frame("other", 7))), "another call");
});
