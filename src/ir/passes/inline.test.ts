import assert from "node:assert/strict";
import { test } from "node:test";
import { numberInstructions, orderBlocks } from "../analysis/cfg.js";
import { DataLayout } from "../data-layout.js";
import { inlinedFrames } from "../debug-info.js";
import type { IrFunction, Module } from "../module.js";
import type { Body } from "../values.js";
import { lines, moduleOf, textOf } from "./body-fixture.js";
import { cloneBody } from "./clone.js";
import { inlineCalls } from "./inline.js";
import { bodyCost, CALLER_GROWTH, type InlineCandidate, mayMix } from "./inline-cost.js";

const layout = new DataLayout();

function bodyOf(module: Module, name: string): { readonly fn: IrFunction; readonly body: Body } {
  for (const value of module.globals.values()) if (!value.isDeclaration) value.resolved = value;
  const fn = module.globals.get(name);
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody() as Body;
  orderBlocks(body);
  numberInstructions(body);
  return { fn, body };
}
/** @f with every call of a function with a body replaced, however large. */
function inlineAll(text: string, cost = 1): { readonly body: Body; readonly count: number } {
  const module = moduleOf(text);
  const { body } = bodyOf(module, "f");
  const candidate = (callee: IrFunction): InlineCandidate => ({ ...bodyOf(module, callee.name), cost, depth: 0 });
  const { count } = inlineCalls(body, layout, candidate);
  orderBlocks(body);
  return { body, count };
}
function cost(text: string): number {
  const { fn, body } = bodyOf(moduleOf(text), "f");
  return bodyCost(fn, body, layout);
}

test("inline: a callee of one block is put in the call's place", () => {
  const { body, count } = inlineAll(`
define i32 @g(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define i32 @f(i32 %a) {
entry:
  %b = call i32 @g(i32 %a)
  %c = call i32 @g(i32 %b)
  %d = add i32 %b, %c
  ret i32 %d
}`);
  assert.equal(count, 2);
  assert.equal(
    textOf(body),
    lines(`entry:
  %0 = mul i32 %a, %a
  %1 = mul i32 %0, %0
  %2 = add i32 %0, %1
  ret i32 %2`),
  );
});

test("inline: a callee with control flow splits the block; its results meet in a phi, and later phis know the new block", () => {
  const { body } = inlineAll(`
define i32 @g(i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
define i32 @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %call, label %end
call:
  %v = call i32 @g(i1 %b)
  %w = add i32 %v, 1
  br label %end
end:
  %r = phi i32 [ %w, %call ], [ 0, %entry ]
  ret i32 %r
}`);
  assert.equal(
    textOf(body),
    lines(`entry:
  br i1 %a, label %call, label %end
call:
  br label %entry.i1
entry.i1:
  br i1 %b, label %yes.i1, label %no.i1
yes.i1:
  br label %call.after1
no.i1:
  br label %call.after1
call.after1:
  %0 = phi i32 [ 1, %yes.i1 ], [ 2, %no.i1 ]
  %1 = add i32 %0, 1
  br label %end
end:
  %2 = phi i32 [ %1, %call.after1 ], [ 0, %entry ]
  ret i32 %2`),
  );
});

test("inline: what follows a callee that never returns is gone", () => {
  const { body } = inlineAll(`
define i32 @g() {
  unreachable
}
define i32 @f() {
entry:
  %v = call i32 @g()
  ret i32 %v
}`);
  assert.match(textOf(body), /unreachable$/);
  assert.doesNotMatch(textOf(body), /ret/);
});

test("inline: a loop of one block that calls keeps its phi", () => {
  const { body } = inlineAll(`
define i1 @g(i32 %x) {
entry:
  %c = icmp eq i32 %x, 5
  br i1 %c, label %a, label %b
a:
  ret i1 false
b:
  ret i1 true
}
define void @f() {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %m = add i32 %n, 1
  %c = call i1 @g(i32 %m)
  br i1 %c, label %loop, label %exit
exit:
  ret void
}`);
  assert.match(textOf(body), /phi i32 \[ 0, %entry \], \[ %\d+, %loop.after1 \]/);
});

test("inline: a structure passed by value is copied at the call", () => {
  const { body } = inlineAll(`
define i64 @g(ptr byval({ i64, i64 }) align 8 %s) {
  %p = getelementptr { i64, i64 }, ptr %s, i32 0, i32 1
  %x = load i64, ptr %p
  ret i64 %x
}
define i64 @f(ptr %s) {
entry:
  %x = call i64 @g(ptr byval({ i64, i64 }) align 8 %s)
  ret i64 %x
}`);
  assert.equal(
    textOf(body),
    lines(`entry:
  %0 = alloca { i64, i64 }, i32 1, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %0, ptr %s, i64 16, i1 false)
  %1 = getelementptr { i64, i64 }, ptr %0, i32 0, i32 1
  %2 = load i64, ptr %1, align 8
  ret i64 %2`),
  );
});

test("inline: calls that do not fit their callee, or ask for it, stay calls", () => {
  const { count } = inlineAll(`
define i32 @g(i32 %x) {
  ret i32 %x
}
define i32 @f(i32 %a) {
  %b = call i32 @g(i64 7)
  %c = call i32 @g(i32 1, i32 2)
  %d = call i32 @g(i32 %a) noinline
  call void @g(i32 1)
  ret i32 %b
}`);
  assert.equal(count, 0);
});

test("inline: a caller stops growing", () => {
  const calls = Array.from({ length: 10 }, () => "  call void @g()").join("\n");
  const text = `define void @g() {\n  ret void\n}\ndefine void @f() {\n${calls}\n  ret void\n}`;
  assert.equal(inlineAll(text, CALLER_GROWTH / 4).count, 4);
});

test("inline: locations keep the chain of calls they were inlined at", () => {
  const module = moduleOf(`
define i32 @h(i32 %x) !dbg !10 {
  %y = add i32 %x, 1, !dbg !13
  ret i32 %y, !dbg !13
}
define i32 @g(i32 %x) !dbg !11 {
  %y = call i32 @h(i32 %x), !dbg !14
  ret i32 %y, !dbg !14
}
define i32 @f(i32 %x) !dbg !12 {
  %y = call i32 @g(i32 %x), !dbg !15
  ret i32 %y, !dbg !15
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/d")
!10 = distinct !DISubprogram(name: "h", file: !1, line: 1, unit: !0)
!11 = distinct !DISubprogram(name: "g", file: !1, line: 2, unit: !0)
!12 = distinct !DISubprogram(name: "f", file: !1, line: 3, unit: !0)
!13 = !DILocation(line: 101, column: 1, scope: !10)
!14 = !DILocation(line: 102, column: 1, scope: !11)
!15 = !DILocation(line: 103, column: 1, scope: !12)
`);
  const h = bodyOf(module, "h");
  const g = bodyOf(module, "g");
  inlineCalls(g.body, layout, () => ({ ...h, cost: 1, depth: 0 }));
  orderBlocks(g.body);
  numberInstructions(g.body);
  const f = bodyOf(module, "f").body;
  inlineCalls(f, layout, () => ({ ...g, cost: 1, depth: 1 }));
  const { loc } = f.blocks[0].instructions[0];
  assert.ok(loc !== null);
  assert.deepEqual(
    inlinedFrames(loc).map(({ functionName, line }) => `${functionName}:${line}`),
    ["h:101", "g:102", "f:103"],
  );
});

test("inline: functions that must keep their frame have no finite cost", () => {
  const bodies = [
    "define void @f(...) {\n  ret void\n}",
    "define void @f() noinline {\n  ret void\n}",
    "declare void @use(ptr)\ndefine void @f(ptr byval(i64) %p) {\n  call void @use(ptr %p)\n  ret void\n}",
    "define i64 @f(ptr byval([9 x i64]) %p, i64 %n) {\n  %q = getelementptr i64, ptr %p, i64 %n\n  %x = load i64, ptr %q\n  ret i64 %x\n}",
    "declare void @use(ptr)\ndefine void @f() {\n  %v = alloca i32\n  call void @use(ptr %v)\n  ret void\n}",
    "declare i32 @setjmp(ptr) returns_twice\ndefine void @f(ptr %p) {\n  %x = call i32 @setjmp(ptr %p)\n  ret void\n}",
    "declare ptr @llvm.returnaddress(i32)\ndefine ptr @f() {\n  %p = call ptr @llvm.returnaddress(i32 0)\n  ret ptr %p\n}",
    "define ptr @f() {\n  br label %a\na:\n  ret ptr blockaddress(@f, %a)\n}",
    'define void @f() {\n  call void asm sideeffect "nop", ""()\n  ret void\n}',
  ];
  for (const text of bodies) assert.equal(cost(text), Number.POSITIVE_INFINITY, text);
  assert.equal(cost("define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}"), 1);
});

test("inline: trusted code that writes memory is never copied into other code", () => {
  const module = moduleOf("define void @f(ptr %p) {\n  store i8 0, ptr %p\n  ret void\n}", "t", "trusted");
  const candidate: InlineCandidate = { ...bodyOf(module, "f"), cost: 1, depth: 0 };
  const other = bodyOf(moduleOf("define void @f() {\n  ret void\n}"), "f").fn;
  assert.equal(mayMix(candidate, other), false);
  assert.equal(mayMix(candidate, candidate.fn), true);
  const quiet = bodyOf(
    moduleOf("define i32 @f(ptr %p) {\n  %x = load i32, ptr %p\n  ret i32 %x\n}", "t", "trusted"),
    "f",
  );
  assert.equal(mayMix({ ...quiet, cost: 1, depth: 0 }, other), true);
});

test("clone: a copy says the same and shares nothing that a pass may change", () => {
  const { body } = bodyOf(
    moduleOf(`define i32 @f(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = load i32, ptr %p
  %j = add i32 %i, %x
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %j
}`),
    "f",
  );
  const copy = cloneBody(body);
  assert.equal(textOf(copy), textOf(body));
  const [load] = copy.blocks[1].instructions.filter((i) => i.op === "load");
  load.extra.unchecked = true;
  copy.blocks[2].terminator.operands[0] = copy.args[0];
  assert.doesNotMatch(textOf(body), /unchecked|ret i32 %n/);
});
