import assert from "node:assert/strict";
import { test } from "node:test";
import { I32, VOID } from "../types.js";
import { Block, instruction } from "../values.js";
import { parseModule } from "./parse-module.js";
import { printBody, printDeclaration, printFunction } from "./print.js";
import { printModule } from "./print-module.js";

const again = (text: string): string => printModule(parseModule(text, { name: "t.ll", origin: "program" }));

test("print: what is printed parses back to the same text", () => {
  const text = `target datalayout = "e-i64:64"
module asm "nop"

%t = type { i32, ptr }
%"odd name" = type opaque

@x = internal thread_local constant %t { i32 1, ptr @y }, section "s", align 8
@y = external hidden global %"odd name"
@"a\\22b" = weak alias i32, ptr @x
declare i32 @g(ptr byval(%t) align 8, i8 zeroext, ...) noreturn

define void @f(i32 %n, ptr %0) alwaysinline {
entry:
  %1 = alloca %t, i32 1, align 8
  check read ptr %0, 4, align 4
  %2 = load i32, ptr %0, align 4
  %3 = unsupported i32 "some \\22thing\\22" []
  %4 = call i32 (ptr, i8, ...) @g(ptr byval(%t) align 8 %1, i8 zeroext 3, double 0x3FF0000000000000) noreturn
  switch i32 %4, label %bb7 [
    i32 -1, label %entry.1
  ]
bb7:
  %5 = phi i32 [ %3, %entry ]
  unsupported terminator void "invoke" [label %entry.1]
entry.1:
  ret void
}
`;
  assert.equal(again(text), text);
});

test("print: locations are printed on request", () => {
  const module = parseModule("define void @f() !dbg !3 {\n  ret void, !dbg !5\n}\ndeclare !dbg !4 void @g()", {
    name: "t.ll",
    origin: "program",
  });
  const text = printModule(module, { locations: true });
  assert.match(text, /define void @f\(\) !dbg !3 \{\nbb0:\n {2}ret void, !dbg !5\n/);
  assert.match(text, /declare !dbg !4 void @g\(\)/);
  assert.doesNotMatch(printModule(module), /!dbg/);
});

test("print: unchecked accesses show", () => {
  const module = parseModule("define void @f(ptr %p) {\n  store i8 0, ptr %p\n  ret void\n}", {
    name: "t.ll",
    origin: "trusted",
  });
  assert.match(printModule(module), /store i8 0, ptr %p, align 1 ; unchecked\n/);
});

test("print: blocks of the same name are told apart", () => {
  const [first, second] = [new Block("x"), new Block("x")];
  first.instructions.push(instruction("br", VOID, [], null, [second]));
  second.instructions.push(instruction("unreachable", VOID, [], null));
  assert.equal(printBody({ args: [], blocks: [first, second] }), "x:\n  br label %x.1\nx.1:\n  unreachable\n");
});

test("print: a value from outside the body does not hide", () => {
  const stray = instruction("freeze", I32, [], null);
  const block = new Block("x");
  block.instructions.push(instruction("ret", VOID, [stray], null));
  assert.match(printBody({ args: [], blocks: [block] }), /ret i32 %<not in this body>/);
});

test("print: a function can be printed with its body or as a declaration", () => {
  const fn = parseModule("define hidden void @f() noinline {\n  ret void\n}", {
    name: "t.ll",
    origin: "program",
  }).globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody();
  assert.ok(body !== null);
  assert.equal(printFunction(fn, body), "define hidden void @f() noinline {\nbb0:\n  ret void\n}\n");
  assert.equal(printDeclaration(fn), "declare hidden void @f() noinline\n");
});
