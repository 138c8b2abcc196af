import assert from "node:assert/strict";
import { test } from "node:test";
import { numberInstructions, orderBlocks } from "../analysis/cfg.js";
import { Forbidding } from "../analysis/forbidding.js";
import { DataLayout } from "../data-layout.js";
import type { Body } from "../values.js";
import { functionOf, moduleOf, textOf } from "./body-fixture.js";
import { removeRedundantChecks } from "./check-elimination.js";
import { instrument } from "./instrument.js";

const layout = new DataLayout();

/** Checks inserted into @f and those left, as "read 4" or "write 8" in order. */
function checks(text: string): { readonly inserted: number; readonly left: string[]; readonly body: Body } {
  const { fn, body } = functionOf(text);
  const inserted = instrument(body, layout, fn.params);
  const removed = removeRedundantChecks(body, layout, numberInstructions(body), new Forbidding().forbids);
  const left = [...textOf(body).matchAll(/^check (read|write) ptr \S+ (\d+)/gm)].map(
    ([, kind, size]) => `${kind} ${size}`,
  );
  assert.equal(left.length, inserted - removed);
  return { inserted, left, body };
}
function inFunction(instructions: string): string {
  return `declare void @g()
declare void @stop() noreturn
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@v = global [4 x i32] zeroinitializer
@c = constant i32 5
@unknown = external global i32
define void @f(ptr %p, i64 %n, i1 %b) {
entry:
  %local = alloca [4 x i32]
${instructions}
  ret void
}`;
}

test("instrument: each access gets a check of its kind and size directly before it", () => {
  const { fn, body } = functionOf(`
define i32 @f(ptr %p) {
entry:
  %x = load i16, ptr %p
  store i128 0, ptr %p
  %y = atomicrmw add ptr %p, i32 1 seq_cst
  ret i32 %y
}`);
  assert.equal(instrument(body, layout, fn.params), 3);
  assert.match(
    textOf(body),
    /check read ptr %p, 2, align 2\n%0 = load[\s\S]*check write ptr %p, 16, align 16\nstore i128[\s\S]*check write ptr %p, 4, align 4\n%1 = atomicrmw/,
  );
});

test("instrument: accesses that cannot fail need no check", () => {
  const safe = [
    "  store i32 1, ptr %local",
    "  %q = getelementptr i32, ptr %local, i64 3\n  store i32 1, ptr %q",
    "  %q = getelementptr [4 x i32], ptr @v, i64 0, i64 3\n  store i32 1, ptr %q",
    "  %x = load i32, ptr @c",
  ];
  for (const text of safe) assert.equal(checks(inFunction(text)).inserted, 0, text);
  const unsafe = [
    "  %q = getelementptr i32, ptr %local, i64 4\n  store i32 1, ptr %q",
    "  %q = getelementptr i32, ptr %local, i64 -1\n  store i32 1, ptr %q",
    "  %q = getelementptr i32, ptr %local, i64 %n\n  store i32 1, ptr %q",
    "  %q = getelementptr i8, ptr @v, i64 13\n  store i32 1, ptr %q",
    "  store i32 1, ptr @c",
    "  store i32 1, ptr @unknown",
    "  call void @llvm.lifetime.end.p0(i64 16, ptr %local)\n  store i32 1, ptr %local",
  ];
  for (const text of unsafe) assert.equal(checks(inFunction(text)).inserted, 1, text);
});

test("instrument: the caller's copy of a structure passed by value is safe inside its bounds", () => {
  const { fn, body } = functionOf(`
define void @f(ptr byval([2 x i32]) %p) {
  %q = getelementptr i32, ptr %p, i64 1
  store i32 0, ptr %q
  %r = getelementptr i32, ptr %p, i64 2
  store i32 0, ptr %r
  ret void
}`);
  assert.equal(instrument(body, layout, fn.params), 1);
});

test("instrument: trusted code is not checked", () => {
  const module = moduleOf("define i32 @f(ptr %p) {\n  %x = load i32, ptr %p\n  ret i32 %x\n}", "t", "trusted");
  const fn = module.globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody() as Body;
  orderBlocks(body);
  assert.equal(instrument(body, layout, fn.params), 0);
});

test("check elimination: the same bytes are checked once; a write covers a read, a wide access a narrow one", () => {
  const access = (kind: string, type: string, offset: number, k: number): string => {
    const at = `  %q${k} = getelementptr i8, ptr %p, i64 ${offset}\n`;
    return kind === "read" ? `${at}  %x${k} = load ${type}, ptr %q${k}` : `${at}  store ${type} 0, ptr %q${k}`;
  };
  const left = (...accesses: [string, string, number][]): string[] =>
    checks(inFunction(accesses.map(([kind, type, offset], k) => access(kind, type, offset, k)).join("\n"))).left;
  assert.deepEqual(left(["read", "i32", 0], ["read", "i32", 0]), ["read 4"]);
  assert.deepEqual(left(["write", "i32", 0], ["read", "i32", 0]), ["write 4"]);
  assert.deepEqual(left(["read", "i32", 0], ["write", "i32", 0]), ["read 4", "write 4"]);
  assert.deepEqual(left(["read", "i64", 0], ["read", "i16", 6]), ["read 8"]);
  assert.deepEqual(left(["read", "i64", 0], ["read", "i16", 7]), ["read 8", "read 2"]);
  assert.deepEqual(left(["read", "i32", 0], ["read", "i64", 0]), ["read 4", "read 8"]);
  // Two halves checked are not counted as the whole.
  assert.deepEqual(left(["read", "i32", 0], ["read", "i32", 4], ["read", "i64", 0]), ["read 4", "read 4", "read 8"]);
});

test("check elimination: a call that may free forgets, a harmless or final one does not", () => {
  const twice = (between: string): number =>
    checks(inFunction(`  store i32 0, ptr %p\n${between}\n  store i32 1, ptr %p`)).left.length;
  assert.equal(twice("  call void @g()"), 2);
  // A scope's end cannot concern what the caller passed, but what was loaded may point anywhere.
  assert.equal(twice("  call void @llvm.lifetime.end.p0(i64 16, ptr %local)"), 1);
  const loaded = (between: string): number =>
    checks(inFunction(`  %q = load ptr, ptr @v\n  store i32 0, ptr %q\n${between}\n  store i32 1, ptr %q`)).left.length;
  assert.equal(loaded(""), 1);
  assert.equal(loaded("  call void @llvm.lifetime.end.p0(i64 16, ptr %local)"), 2);
  assert.equal(twice("  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)"), 1);
  assert.equal(twice("  %h = load ptr, ptr %p\n  call void %h()"), 3);
  assert.equal(twice("  br i1 %b, label %bad, label %good\nbad:\n  call void @stop()\n  unreachable\ngood:"), 1);
});

test("check elimination: what both ways have checked is known where they meet, what one has is not", () => {
  const meet = (left: string, right: string): string[] =>
    checks(
      inFunction(`  br i1 %b, label %left, label %right
left:
  ${left}
  br label %join
right:
  ${right}
  br label %join
join:
  store i32 2, ptr %p`),
    ).left;
  assert.equal(meet("store i32 0, ptr %p", "store i64 1, ptr %p").length, 2);
  assert.equal(meet("store i32 0, ptr %p", "").length, 2);
  assert.equal(meet("store i32 0, ptr %p\n  call void @g()", "store i32 1, ptr %p").length, 3);
});

test("check elimination: a pointer that changes in a loop is checked in every round", () => {
  const { left } = checks(`
define void @f(ptr %p, i1 %c) {
entry:
  store i8 0, ptr %p
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  store i8 1, ptr %q
  store i8 2, ptr %q
  store i8 3, ptr %p
  %r = getelementptr i8, ptr %q, i64 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}`);
  // Once before the loop for %p, once in the loop for %q.
  assert.equal(left.length, 2);
});

test("check elimination: a check before a loop holds in it unless a round may free", () => {
  const loop = (inside: string): number =>
    checks(
      inFunction(`  store i32 0, ptr %p
  br label %loop
loop:
  store i32 1, ptr %p
  ${inside}
  br i1 %b, label %loop, label %exit
exit:`),
    ).left.length;
  assert.equal(loop(""), 1);
  assert.equal(loop("call void @g()"), 2);
});

test("forbidding: a function is harmless if all it calls is; unknown and trusted writing ones are not", () => {
  const module = moduleOf(`
declare void @unknown()
define void @pure(ptr %p) {
  store i32 0, ptr %p
  call void @pure(ptr %p)
  ret void
}
define void @caller(ptr %p) {
  call void @pure(ptr %p)
  ret void
}
define void @frees() {
  call void @unknown()
  ret void
}
define void @f(ptr %p) {
  call void @pure(ptr %p)
  call void @caller(ptr %p)
  call void @frees()
  call void @unknown()
  ret void
}`);
  const forbidding = new Forbidding();
  const body = (name: string): Body => {
    const fn = module.globals.get(name);
    assert.ok(fn?.kind === "function");
    fn.resolved = fn;
    const parsed = fn.parseBody() as Body;
    if (name !== "f") forbidding.learn(fn, parsed);
    return parsed;
  };
  for (const name of ["pure", "caller", "frees"]) body(name);
  const calls = body("f").blocks[0].instructions.slice(0, -1);
  assert.deepEqual(calls.map(forbidding.forbids), ["nothing", "nothing", "anything", "anything"]);

  assert.equal(allocates("trusted"), "nothing");
  assert.equal(allocates("program"), "anything");
  function allocates(origin: "trusted" | "program"): string {
    const own = moduleOf(
      "declare void @g()\ndefine void @malloc() {\n  call void @g()\n  ret void\n}\ndefine void @f() {\n  call void @malloc()\n  ret void\n}",
      "m",
      origin,
    );
    const malloc = own.globals.get("malloc");
    const caller = own.globals.get("f");
    assert.ok(malloc?.kind === "function" && caller?.kind === "function");
    malloc.resolved = malloc;
    forbidding.learn(malloc, malloc.parseBody() as Body);
    return forbidding.forbids((caller.parseBody() as Body).blocks[0].instructions[0]);
  }

  const trusted = moduleOf(
    "define void @poke(ptr %p) {\n  store i8 0, ptr %p\n  ret void\n}\ndefine void @f(ptr %p) {\n  call void @poke(ptr %p)\n  ret void\n}",
    "t",
    "trusted",
  );
  const poke = trusted.globals.get("poke");
  const f = trusted.globals.get("f");
  assert.ok(poke?.kind === "function" && f?.kind === "function");
  poke.resolved = poke;
  forbidding.learn(poke, poke.parseBody() as Body);
  assert.equal(forbidding.forbids((f.parseBody() as Body).blocks[0].instructions[0]), "anything");
});
