import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callGraph } from "../analysis/call-graph.js";
import { orderBlocks } from "../analysis/cfg.js";
import { DataLayout } from "../data-layout.js";
import { linkProgram } from "../link.js";
import type { IrFunction } from "../module.js";
import { moduleOf } from "../passes/body-fixture.js";
import type { Body } from "../values.js";
import { PointsTo } from "./points-to.js";

const LIBRARY = `
declare ptr @malloc(i64)
declare ptr @memcpy(ptr, ptr, i64)
%hooks = type { i32, ptr, ptr }
define i32 @one(i32 %x) { ret i32 1 }
define i32 @two(i32 %x) { ret i32 2 }
define i32 @three(i32 %x) { ret i32 3 }
`;

/** What each indirect call of the program may call, in the order of the functions and of the calls in them. */
function calleesOf(text: string): string[][] {
  const layout = new DataLayout();
  const provided = (name: string): boolean => name === "malloc" || name === "memcpy";
  const program = linkProgram([moduleOf(LIBRARY + text, "a")], { libc: () => null, roots: ["main"], layout, provided });
  const bodies = new Map<IrFunction, Body>();
  const bodyOf = (fn: IrFunction): Body => {
    const known = bodies.get(fn) ?? fn.parseBody();
    assert.ok(known !== null, fn.name);
    if (!bodies.has(fn)) orderBlocks(known);
    bodies.set(fn, known);
    return known;
  };
  const { order } = callGraph(program.functions, program.references);
  const analysis = new PointsTo(program, order, bodyOf, layout);
  return [...analysis.indirectCalls().values()].map((callees) => [...callees].map(({ name }) => name).sort());
}

describe("points-to", () => {
  it("fields of a structure are kept apart, elements of an array are not", () => {
    const callees = calleesOf(`
@table = global [2 x %hooks] [%hooks { i32 0, ptr @one, ptr @two }, %hooks { i32 1, ptr @three, ptr @two }]
define i32 @main(i64 %i) {
  %p = getelementptr inbounds [2 x %hooks], ptr @table, i64 0, i64 %i, i32 1
  %f = load ptr, ptr %p
  %a = call i32 %f(i32 0)
  %q = getelementptr inbounds [2 x %hooks], ptr @table, i64 0, i64 %i, i32 2
  %g = load ptr, ptr %q
  %b = call i32 %g(i32 0)
  ret i32 %b
}`);
    assert.deepEqual(callees, [["one", "three"], ["two"]]);
  });

  it("comes to an end where an obstack may lie in what it allocates", () => {
    const callees = calleesOf(`
%obstack = type { i64, ptr, ptr, ptr, ptr }
@first = global %obstack zeroinitializer
define i32 @_obstack_begin(ptr %h) {
  %base = getelementptr inbounds %obstack, ptr %h, i32 0, i32 2
  %object = load ptr, ptr %base
  store ptr @one, ptr %object
  %again = call i32 @_obstack_begin(ptr %object)
  %f = load ptr, ptr %object
  %a = call i32 %f(i32 0)
  ret i32 %a
}
define i32 @main() {
  %a = call i32 @_obstack_begin(ptr @first)
  ret i32 %a
}`);
    assert.ok(callees[0].includes("one"));
  });

  it("what one block holds another does not, if other calls made them, also through a wrapper", () => {
    const callees = calleesOf(`
define ptr @new(i64 %n) {
  %p = call ptr @malloc(i64 %n)
  ret ptr %p
}
define i32 @main() {
  %a = call ptr @new(i64 24)
  %b = call ptr @new(i64 24)
  %af = getelementptr inbounds %hooks, ptr %a, i32 0, i32 1
  store ptr @one, ptr %af
  %bf = getelementptr inbounds %hooks, ptr %b, i32 0, i32 1
  store ptr @two, ptr %bf
  %f = load ptr, ptr %af
  %x = call i32 %f(i32 0)
  %g = load ptr, ptr %bf
  %y = call i32 %g(i32 0)
  ret i32 %y
}`);
    assert.deepEqual(callees, [["one"], ["two"]]);
  });

  it("callbacks go through parameters, copies of memory, selections and numbers", () => {
    const callees = calleesOf(`
define i32 @apply(ptr %f) {
  %r = call i32 %f(i32 1)
  ret i32 %r
}
define i32 @main(i1 %c) {
  %from = alloca %hooks
  %to = alloca %hooks
  %field = getelementptr inbounds %hooks, ptr %from, i32 0, i32 2
  store ptr @three, ptr %field
  %copied = call ptr @memcpy(ptr %to, ptr %from, i64 24)
  %there = getelementptr inbounds %hooks, ptr %to, i32 0, i32 2
  %f = load ptr, ptr %there
  %a = call i32 @apply(ptr %f)
  %n = ptrtoint ptr @two to i64
  %g = inttoptr i64 %n to ptr
  %h = select i1 %c, ptr %g, ptr @one
  %b = call i32 @apply(ptr %h)
  ret i32 %b
}`);
    assert.deepEqual(callees, [["one", "three", "two"]]);
  });

  it("a store through a pointer of unknown offset reaches every field", () => {
    const callees = calleesOf(`
define i32 @main(i64 %i) {
  %o = alloca %hooks
  %at = getelementptr inbounds i8, ptr %o, i64 %i
  store ptr @one, ptr %at
  %field = getelementptr inbounds %hooks, ptr %o, i32 0, i32 2
  %f = load ptr, ptr %field
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["one"]]);
  });

  it("what a wrapper puts into its block is there, though its call is seen before its body", () => {
    const callees = calleesOf(`
define ptr @make() {
  %o = call ptr @malloc(i64 24)
  %field = getelementptr inbounds %hooks, ptr %o, i32 0, i32 1
  store ptr @one, ptr %field
  ret ptr %o
}
define i32 @main() {
  %o = call ptr @make()
  %field = getelementptr inbounds %hooks, ptr %o, i32 0, i32 1
  %f = load ptr, ptr %field
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["one"]]);
  });

  it("a pointer comes out of assembly as it went in", () => {
    const callees = calleesOf(`
@hidden = global ptr null
define i32 @main() {
  %p = call ptr asm sideeffect "", "=r,0"(ptr @hidden)
  store ptr @two, ptr %p
  %f = load ptr, ptr @hidden
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["two"]]);
  });

  it("sums that do not overflow are sums", () => {
    const callees = calleesOf(`
declare i64 @llvm.uadd.sat.i64(i64, i64)
@table = global [2 x ptr] [ptr @one, ptr @two]
define ptr @last(ptr %from, i64 %size) {
  %n = ptrtoint ptr %from to i64
  %end = call i64 @llvm.uadd.sat.i64(i64 %size, i64 %n)
  %before = add i64 %end, -8
  %p = inttoptr i64 %before to ptr
  ret ptr %p
}
define i32 @main() {
  %p = call ptr @last(ptr @table, i64 16)
  %f = load ptr, ptr %p
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["one", "two"]]);
  });

  it("what alloca() gives is no array of characters", () => {
    const callees = calleesOf(`
define i32 @main(i64 %n) {
  %o = alloca i8, i64 %n
  %field = getelementptr inbounds %hooks, ptr %o, i32 0, i32 2
  store ptr @three, ptr %field
  %f = load ptr, ptr %field
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["three"]]);
  });

  it("bytes beyond an array of small numbers are what comes after it", () => {
    const callees = calleesOf(`
%padded = type { [2 x i32], ptr, ptr }
define i32 @main() {
  %o = alloca %padded
  %at = getelementptr inbounds i8, ptr %o, i64 8
  store ptr @one, ptr %at
  %other = getelementptr inbounds i8, ptr %o, i64 16
  store ptr @two, ptr %other
  %field = getelementptr inbounds %padded, ptr %o, i32 0, i32 1
  %f = load ptr, ptr %field
  %a = call i32 %f(i32 0)
  ret i32 %a
}`);
    assert.deepEqual(callees, [["one"]]);
  });

  it("obstacks that are found in obstacks come to an end", () => {
    const callees = calleesOf(`
%obstack = type { i64, ptr, ptr, ptr, ptr }
@o = global %obstack zeroinitializer
define i32 @_obstack_begin(ptr %h) { ret i32 0 }
define i32 @main(i1 %c) {
entry:
  br label %loop
loop:
  %p = phi ptr [ @o, %entry ], [ %q, %loop ]
  %a = call i32 @_obstack_begin(ptr %p)
  %next = getelementptr inbounds %obstack, ptr %p, i32 0, i32 1
  %q = load ptr, ptr %next
  br i1 %c, label %loop, label %end
end:
  store ptr @one, ptr %q
  %f = load ptr, ptr %q
  %b = call i32 %f(i32 0)
  ret i32 %b
}`);
    assert.deepEqual(callees, [["one"]]);
  });
});
