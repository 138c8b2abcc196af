import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceFrame } from "../vm/stack-trace.js";
import type { Finding, FindingObject } from "./finding.js";
import { type FindingIdentity, type IdentityContext, identify } from "./identity.js";

const frame = (functionName: string, line: number, column = 3, file = "/home/me/project/src/a.c"): SourceFrame => ({
  functionName,
  origin: "program",
  file,
  line,
  column,
});
const library = (functionName: string): SourceFrame => ({ ...frame(functionName, 9, 1, "/x/libc.c"), origin: "libc" });

function finding(stack: readonly SourceFrame[], parts: Partial<Finding> = {}): Finding {
  return {
    kind: "heap-buffer-overflow",
    access: "read",
    size: 1,
    address: 0x1000,
    firstBadAddress: 0x1000,
    stack,
    userFrame: stack.findIndex(({ origin }) => origin === "program"),
    object: null,
    message: "",
    check: null,
    confirmed: true,
    ...parts,
  };
}
const block = (allocatedIn: string, parts: Partial<FindingObject> = {}): FindingObject => ({
  kind: "heap",
  name: null,
  address: 0x1000,
  size: 4,
  offset: 4,
  file: null,
  line: 0,
  functionName: null,
  allocationStack: [frame("xmalloc", 1), frame(allocatedIn, 5)],
  freeStack: null,
  ...parts,
});

const HELPERS = new Set(["quote", "quote_mem", "xmalloc"]);
const SHARED = new Set(["get16"]);
const FUNCTIONS: IdentityContext["functions"] = {
  isHelper: ({ functionName }) => HELPERS.has(functionName),
  isShared: ({ functionName }) => SHARED.has(functionName),
  hasNamesakes: ({ functionName }) => functionName === "parse",
  firstLineOf: () => 1,
};
const identified = (found: Finding, context: Partial<IdentityContext> = {}): FindingIdentity =>
  identify(found, {
    program: "/home/me/project/build/tool",
    root: "/home/me/project",
    functions: FUNCTIONS,
    readSource: () => null,
    ...context,
  });

test("identity: says program, kind, function and place, with paths below the project", () => {
  const { identity } = identified(finding([library("memcpy"), frame("copy", 12), frame("main", 40)]));
  assert.equal(identity, "tool | heap-buffer-overflow read | memcpy | copy at src/a.c:12:3");
});

test("identity: is the same after a build elsewhere, at other addresses, from another caller", () => {
  const here = finding([frame("copy", 12), frame("main", 40)], { object: block("main") });
  const there = finding([frame("copy", 12, 3, "/tmp/b/src/a.c"), frame("other", 7, 1, "/tmp/b/src/a.c")], {
    address: 0x8888,
    object: block("main", { address: 0x8000 }),
  });
  const elsewhere = { program: "/tmp/b/build/tool", root: "/tmp/b" };
  assert.deepEqual(identified(there, elsewhere).id, identified(here).id);
});

test("identity: another program, kind, column or line is another finding", () => {
  const base = identified(finding([frame("divide", 12, 3)])).id;
  const others = [
    identified(finding([frame("divide", 12, 3)]), { program: "/home/me/project/build/other" }),
    identified(finding([frame("divide", 12, 3)], { kind: "division-by-zero" })),
    identified(finding([frame("divide", 12, 11)])),
    identified(finding([frame("divide", 13, 3)])),
    identified(finding([frame("divide", 12, 3)], { check: "shift-out-of-bounds" })),
  ].map(({ id }) => id);
  assert.equal(new Set([base, ...others]).size, 6);
});

test("identity: through general helpers it is the caller's, through others it is not", () => {
  const through = (...callers: SourceFrame[]): FindingIdentity =>
    identified(finding([frame("quote_mem", 5), frame("quote", 9), ...callers]));
  const one = through(frame("warn", 20), frame("main", 3));
  assert.equal(
    one.identity,
    "tool | heap-buffer-overflow read | quote_mem at src/a.c:5:3 | quote at src/a.c:9:3 | warn at src/a.c:20:3",
  );
  assert.equal(through(frame("warn", 20), frame("main", 99)).id, one.id, "who called the cause does not count");
  assert.notEqual(through(frame("warn", 30), frame("main", 3)).id, one.id);
  assert.notEqual(through(frame("fail", 20), frame("main", 3)).group, one.group);
});

test("identity: if all of the program's frames are helpers, the innermost is the place", () => {
  assert.match(identified(finding([frame("quote_mem", 5), frame("quote", 9)])).identity, /quote_mem at src\/a.c:5:3$/);
});

test("identity: exhaustion has no line: a recursion is its functions, a loop without end its function", () => {
  const cycle = (first: string, second: string, line: number): Finding =>
    finding([frame(first, line), frame(second, 2), frame(first, line), frame(second, 2), frame("main", 1)], {
      kind: "stack-overflow",
    });
  assert.equal(identified(cycle("even", "odd", 7)).id, identified(cycle("odd", "even", 8)).id);
  const loop = (line: number): Finding => finding([frame("spin", line)], { kind: "no-progress" });
  assert.equal(identified(loop(7)).id, identified(loop(9)).id);
  assert.equal(identified(loop(7)).group, identified(loop(9)).group);
});

test("group: the same access to the same object in one function has one cause, whatever the line", () => {
  const read = (line: number, parts: Partial<Finding> = {}): Finding =>
    finding([frame("scan", line)], { object: block("load"), ...parts });
  const groups = [6, 7, 8].map((line) => identified(read(line)).group);
  assert.equal(new Set(groups).size, 1);
  assert.equal(new Set([6, 7, 8].map((line) => identified(read(line)).id)).size, 3);
  assert.notEqual(identified(read(6, { object: block("other") })).group, groups[0], "another block");
  assert.notEqual(identified(read(6, { access: "write" })).group, groups[0]);
});

test("group: without an object it is the line: two divisions in one function are two", () => {
  const divide = (line: number, column = 3): Finding =>
    finding([frame("divide", line, column)], { kind: "division-by-zero", access: null });
  assert.notEqual(identified(divide(4)).group, identified(divide(5)).group);
  assert.equal(identified(divide(4, 3)).group, identified(divide(4, 30)).group);
});

test("group: what two functions do with one macro are two mistakes", () => {
  const source =
    "#define GET16(p) (p[0] | p[1] << 8)\nvoid one(char *p) {\n  GET16(p); }\nvoid two(char *q) {\n  x = GET16(q); }\n";
  const at = (functionName: string, line: number, column: number): FindingIdentity =>
    identified(finding([frame(functionName, line, column)], { object: block(functionName) }), {
      readSource: () => source,
    });
  assert.notEqual(at("one", 3, 3).group, at("two", 5, 7).group);
});

test("shared: what callers hand to a function of theirs is each caller's finding, all of one group", () => {
  const found = (caller: string, parts: Partial<Finding> = {}): FindingIdentity =>
    identified(finding([frame("get16", 5), frame(caller, 20)], { object: block(caller), ...parts }));
  const [one, two, three] = ["one", "two", "three"].map((caller) => found(caller));
  assert.equal(new Set([one.id, two.id, three.id]).size, 3);
  assert.deepEqual([two.group, three.group], [one.group, one.group]);
  const own: Partial<Finding> = { object: { ...block("get16"), kind: "stack", functionName: "get16" } };
  assert.equal(found("one", own).id, found("two", own).id, "its own variable is its own mistake");
  const other: Partial<Finding> = { kind: "division-by-zero", access: null, object: null };
  assert.equal(found("one", other).id, found("two", other).id, "and so is what has nothing to do with memory");
});

test("shared: three programs that fail in one helper have three findings of one group", () => {
  const found = finding([frame("get16", 5), frame("main", 20)], { object: block("main") });
  const all = ["a", "b", "c"].map((program) => identified(found, { program }));
  assert.equal(new Set(all.map(({ id }) => id)).size, 3);
  assert.equal(new Set(all.map(({ group }) => group)).size, 1);
});

test("group: the programs that share a source share its groups, not its identities", () => {
  const found = finding([frame("scan", 6)], { object: block("load") });
  const [one, two] = ["a", "b"].map((program) => identified(found, { program }));
  assert.equal(one.group, two.group);
  assert.notEqual(one.id, two.id);
});

const inSource = (text: string): Partial<IdentityContext> => ({ readSource: () => text });

test("identity: survives what is edited elsewhere, what is written down otherwise, and a file that is renamed", () => {
  const before = identified(finding([frame("f", 2, 7)]), inSource("int f(int *a) {\n  y = a[i];\n}\n"));
  assert.equal(before.identity, "tool | heap-buffer-overflow read | f: y=a[i] through a[i]");
  const text = "int g;\n\nint f(int *a)\n{\n  if (q)\n    return 1; // new\n    y  = a[ i ];\n}\n";
  const after = identified(finding([frame("f", 7, 10, "/home/me/project/lib/b.c")]), inSource(text));
  assert.equal(after.id, before.id);
  const changed = identified(finding([frame("f", 2, 7)]), inSource("int f(int *a) {\n  y = a[j];\n}\n"));
  assert.notEqual(changed.id, before.id);
});

test("identity: functions of one name in several files are told apart by their files", () => {
  const at = (file: string): FindingIdentity =>
    identified(finding([frame("parse", 1, 22, file)]), inSource("int parse(void) { y = a[i]; }\n"));
  assert.equal(
    at("/home/me/project/a.c").identity,
    "tool | heap-buffer-overflow read | parse in a.c: y=a[i] through a[i]",
  );
  assert.notEqual(at("/home/me/project/a.c").id, at("/home/me/project/b.c").id);
});

test("identity: equal statements of a function are two; without access, so is each operator of one", () => {
  const source = "void f(void) {\n  y = a / b + c / b;\n  y = a / b + c / b;\n}\n";
  const at = (line: number, column: number): string =>
    identified(finding([frame("f", line, column)], { kind: "division-by-zero", access: null }), inSource(source)).id;
  assert.equal(new Set([at(2, 9), at(2, 17), at(3, 9), at(3, 17)]).size, 4);
});

test("identity: the id of before November 2026 is known", () => {
  // What version 0.9 told of this finding: sha256 of "tool | heap-buffer-overflow | memcpy | copy at src/a.c:12:3".
  const found = finding([library("memcpy"), frame("copy", 12), frame("main", 40)]);
  assert.equal(identified(found, inSource("copy();\n".repeat(12))).formerId, "2fab72cb18fb");
});

test("fingerprint: survives lines that move and are indented otherwise, not lines that change", () => {
  const source = (text: string): Partial<IdentityContext> => ({ readSource: () => text });
  const before = identified(finding([frame("f", 2, 3)]), source("int x;\n  y = a[i];\n"));
  const after = identified(finding([frame("f", 4, 5)]), source("int x;\n\n\n    y  = a[ i ];\n"));
  assert.equal(before.fingerprint, after.fingerprint);
  const changed = identified(finding([frame("f", 2, 3)]), source("int x;\n  y = a[j];\n"));
  assert.notEqual(before.fingerprint, changed.fingerprint);
});

test("fingerprint: where the source cannot be read, a line is its number", () => {
  assert.notEqual(identified(finding([frame("f", 2)])).fingerprint, identified(finding([frame("f", 4)])).fingerprint);
});

test("group: words read across the end of whatever objects by one function have one cause", () => {
  const word = (line: number, parts: Partial<Finding>): FindingIdentity =>
    identified(finding([frame("hash", line), frame(`caller_${line}`, 3)], { size: 4, address: 0x1008, ...parts }));
  const heap = word(10, { object: block("one", { size: 10, offset: 8 }) });
  const local = block("two", { kind: "stack", name: "key", size: 6, offset: 4, allocationStack: null });
  const stack = word(20, { kind: "stack-buffer-overflow", address: 0x2004, object: local });
  assert.equal(stack.group, heap.group);
  assert.notEqual(stack.id, heap.id);
  assert.equal(heap.cause, "word-sized over-read | hash in src/a.c");
  // Not aligned, or wholly behind the end: no word-at-a-time code does that.
  assert.notEqual(word(10, { address: 0x1006, object: block("one", { size: 8, offset: 6 }) }).group, heap.group);
  assert.notEqual(word(10, { object: block("one", { size: 8, offset: 8 }) }).group, heap.group);
  assert.notEqual(word(10, { access: "write", object: block("one", { size: 10, offset: 8 }) }).group, heap.group);
});
