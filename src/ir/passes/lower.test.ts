import assert from "node:assert/strict";
import { test } from "node:test";
import { orderBlocks } from "../analysis/cfg.js";
import { DataLayout } from "../data-layout.js";
import type { IrFunction } from "../module.js";
import { FLOATS, functionType, I32, I80, structType, typeToString } from "../types.js";
import type { Body } from "../values.js";
import { assertPass, functionOf, textOf } from "./body-fixture.js";
import { type LowerContext, lower, lowerType } from "./lower.js";
import { FLOAT80_FUNCTIONS } from "./lower-float80.js";
import { intrinsicNeeds, libmFunction } from "./math-intrinsics.js";

const RUNTIME = functionOf(
  `${FLOAT80_FUNCTIONS.map((name) => `declare void @${name}()`).join("\n")}
declare x86_fp80 @powl(x86_fp80, x86_fp80)
declare double @pow(double, double)
define void @f() {
  ret void
}`,
).fn.module;
function runtime(name: string): IrFunction | null {
  const found = RUNTIME.globals.get(name);
  return found?.kind === "function" ? found : null;
}
function context(): LowerContext {
  return { layout: new DataLayout(), runtime, meanings: new Map() };
}
function run(body: Body): void {
  if (lower(body, context())) orderBlocks(body);
}

test("lower: x86_fp80 becomes i80 in types, and other types stay the same object", () => {
  const fp80 = FLOATS.x86_fp80;
  assert.equal(lowerType(fp80), I80);
  assert.equal(lowerType(I32), I32);
  const plain = structType([I32, I32]);
  assert.equal(lowerType(plain), plain);
  assert.equal(typeToString(lowerType(functionType(fp80, [structType([I32, fp80])], true))), "i80 ({ i32, i80 }, ...)");
});

test("lower: arithmetic on x86_fp80 calls the runtime with the value in the low bits of an i128", () => {
  assertPass(
    `define x86_fp80 @f(x86_fp80 %x, ptr %p) {
entry:
  %y = load x86_fp80, ptr %p, align 16
  %z = fadd x86_fp80 %x, %y
  %n = fneg x86_fp80 %z
  store x86_fp80 %n, ptr %p, align 16
  ret x86_fp80 0xK3FFF8000000000000000
}`,
    run,
    `entry:
  %0 = load i80, ptr %p, align 16
  %1 = zext i80 %x to i128
  %2 = zext i80 %0 to i128
  %3 = call i128 @__tangent_f80_add(i128 %1, i128 %2)
  %4 = trunc i128 %3 to i80
  %5 = xor i80 %4, -604462909807314587353088
  store i80 %5, ptr %p, align 16
  ret i80 302222231531620438900736`,
  );
});

test("lower: each comparison of x86_fp80 is one test of the order the runtime answers", () => {
  // The runtime answers -1 less, 0 equal, 1 greater, 2 unordered.
  const expected: Record<string, (order: number) => boolean> = {
    oeq: (o) => o === 0,
    ogt: (o) => o === 1,
    oge: (o) => o === 0 || o === 1,
    olt: (o) => o === -1,
    ole: (o) => o === -1 || o === 0,
    one: (o) => o === -1 || o === 1,
    ord: (o) => o !== 2,
    ueq: (o) => o === 0 || o === 2,
    ugt: (o) => o === 1 || o === 2,
    uge: (o) => o !== -1,
    ult: (o) => o === -1 || o === 2,
    ule: (o) => o !== 1,
    une: (o) => o !== 0,
    uno: (o) => o === 2,
  };
  for (const [predicate, holds] of Object.entries(expected)) {
    const { body } = functionOf(
      `define i1 @f(x86_fp80 %x) {\n  %c = fcmp ${predicate} x86_fp80 %x, %x\n  ret i1 %c\n}`,
    );
    run(body);
    const text = textOf(body);
    const odd = text.includes("and i32");
    const [, test, against] = /icmp (\w+) i32 %\w+, (-?\d+)/.exec(text) ?? [];
    for (const order of [-1, 0, 1, 2]) {
      const [a, b] = [BigInt(odd ? order & 1 : order), BigInt(against)];
      const [ua, ub] = [BigInt.asUintN(32, a), BigInt.asUintN(32, b)];
      const got = { eq: a === b, ne: a !== b, ult: ua < ub, ugt: ua > ub, slt: a < b, sgt: a > b }[test];
      assert.equal(got, holds(order), `${predicate} with order ${order}: ${text}`);
    }
  }
});

test("lower: phis, calls, constants and aggregates of x86_fp80 are consistent", () => {
  assertPass(
    `declare { x86_fp80, i32 } @g(x86_fp80, ...)
define x86_fp80 @f(i1 %c, x86_fp80 %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %r = call { x86_fp80, i32 } (x86_fp80, ...) @g(x86_fp80 %x, x86_fp80 0xK00000000000000000000)
  %v = extractvalue { x86_fp80, i32 } %r, 0
  br label %b
b:
  %p = phi x86_fp80 [ %v, %a ], [ undef, %entry ]
  ret x86_fp80 %p
}`,
    run,
    `entry:
  br i1 %c, label %a, label %b
a:
  %0 = call { i80, i32 } (i80, ...) @g(i80 %x, i80 0)
  %1 = extractvalue { i80, i32 } %0, 0
  br label %b
b:
  %2 = phi i80 [ %1, %a ], [ undef, %entry ]
  ret i80 %2`,
  );
});

test("lower: conversions of x86_fp80 go through double and 64-bit integers", () => {
  const { body } = functionOf(`define i16 @f(float %x, i8 %n) {
  %a = fpext float %x to x86_fp80
  %b = sitofp i8 %n to x86_fp80
  %c = uitofp i8 %n to x86_fp80
  %d = fptrunc x86_fp80 %a to float
  %e = fptoui x86_fp80 %b to i32
  %w = sitofp i128 5 to x86_fp80
  %v = fptosi x86_fp80 %w to i128
  %s = fptosi x86_fp80 %c to i16
  ret i16 %s
}`);
  run(body);
  const text = textOf(body);
  for (const name of ["from_double", "from_i64", "from_u64", "to_float", "to_u64", "to_i64"]) {
    assert.ok(text.includes(`@__tangent_f80_${name}`), name);
  }
  assert.ok(!text.includes("x86_fp80"));
});

test("lower: a runtime without soft floats makes the instruction unsupported, not the function", () => {
  const { body } = functionOf("define x86_fp80 @f(x86_fp80 %x) {\n  %y = fadd x86_fp80 %x, %x\n  ret x86_fp80 %y\n}");
  lower(body, { ...context(), runtime: () => null });
  assert.match(textOf(body), /unsupported.*__tangent_f80_add/);
});

test("lower: constant expressions become instructions; in a phi, at the end of the block they come from", () => {
  assertPass(
    `@g = global [4 x i32] zeroinitializer
define ptr @f(i1 %c) {
entry:
  store i64 ptrtoint (ptr getelementptr (i32, ptr @g, i64 1) to i64), ptr @g
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi ptr [ getelementptr (i32, ptr @g, i64 2), %a ], [ @g, %entry ]
  ret ptr %p
}`,
    run,
    `entry:
  %0 = getelementptr i32, ptr @g, i64 1
  %1 = ptrtoint ptr %0 to i64
  store i64 %1, ptr @g, align 8
  br i1 %c, label %a, label %b
a:
  %2 = getelementptr i32, ptr @g, i64 2
  br label %b
b:
  %3 = phi ptr [ %2, %a ], [ @g, %entry ]
  ret ptr %3`,
  );
});

test("lower: an aggregate with a constant expression inside is put together", () => {
  assertPass(
    `@g = global i32 0
define { i64, i64 } @f() {
entry:
  ret { i64, i64 } { i64 1, i64 ptrtoint (ptr @g to i64) }
}`,
    run,
    `entry:
  %0 = insertvalue { i64, i64 } undef, i64 1, 0
  %1 = ptrtoint ptr @g to i64
  %2 = insertvalue { i64, i64 } %0, i64 %1, 1
  ret { i64, i64 } %2`,
  );
});

test("lower: hints vanish, questions to an optimiser are answered with don't know", () => {
  assertPass(
    `declare void @llvm.assume(i1)
declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
define i64 @f(i64 %x, ptr %p) {
entry:
  call void @llvm.assume(i1 true)
  %e = call i64 @llvm.expect.i64(i64 %x, i64 1)
  %k = call i1 @llvm.is.constant.i32(i32 3)
  %s = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  %m = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 true, i1 true, i1 false)
  %t = select i1 %k, i64 %s, i64 %m
  %r = add i64 %t, %e
  ret i64 %r
}`,
    run,
    `entry:
  %0 = select i1 false, i64 -1, i64 0
  %1 = add i64 %0, %x
  ret i64 %1`,
  );
});

test("lower: what only __builtin_constant_p looks at is not evaluated", () => {
  assertPass(
    `declare i1 @llvm.is.constant.i8(i8)
define i1 @f(ptr %p) {
entry:
  %q = getelementptr i8, ptr %p, i64 9
  %x = load i8, ptr %q
  %c = call i1 @llvm.is.constant.i8(i8 %x)
  %y = load i8, ptr %p
  %d = call i1 @llvm.is.constant.i8(i8 %y)
  store i8 %y, ptr %p
  ret i1 %c
}`,
    run,
    `entry:
  %0 = load i8, ptr %p, align 1
  store i8 %0, ptr %p, align 1
  ret i1 false`,
  );
});

test("lower: libm intrinsics become calls of libm, those of WebAssembly stay", () => {
  assert.equal(libmFunction("llvm.pow.f32"), "powf");
  assert.equal(libmFunction("llvm.pow.f80"), "powl");
  assert.equal(libmFunction("llvm.floor.f80"), "floorl");
  assert.equal(libmFunction("llvm.lrint.i64.f64"), "lrint");
  assert.equal(libmFunction("llvm.floor.f64"), null);
  assert.equal(libmFunction("llvm.memcpy.p0.p0.i64"), null);
  assert.deepEqual(intrinsicNeeds("llvm.sin.f64"), ["sin"]);
  assertPass(
    `declare double @llvm.pow.f64(double, double)
declare double @llvm.floor.f64(double)
define double @f(double %x) {
entry:
  %y = call double @llvm.pow.f64(double %x, double %x)
  %z = call double @llvm.floor.f64(double %y)
  ret double %z
}`,
    run,
    `entry:
  %0 = call double @pow(double %x, double %x)
  %1 = call double @llvm.floor.f64(double %0)
  ret double %1`,
  );
});

test("lower: floating-point classes are bit tests", () => {
  assertPass(
    `declare i1 @llvm.is.fpclass.f64(double, i32)
define i1 @f(double %x) {
entry:
  %nan = call i1 @llvm.is.fpclass.f64(double %x, i32 3)
  %positive = call i1 @llvm.is.fpclass.f64(double %x, i32 512)
  %r = or i1 %nan, %positive
  ret i1 %r
}`,
    run,
    `entry:
  %0 = bitcast double %x to i64
  %1 = and i64 %0, 9223372036854775807
  %2 = icmp ugt i64 %1, 9218868437227405312
  %3 = bitcast double %x to i64
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9218868437227405312
  %6 = icmp sge i64 %3, 0
  %7 = and i1 %5, %6
  %8 = or i1 %2, %7
  ret i1 %8`,
  );
});

test("lower: va_arg reads the overflow area and moves its pointer", () => {
  assertPass(
    "define i32 @f(ptr %list) {\nentry:\n  %x = va_arg ptr %list, i32\n  ret i32 %x\n}",
    run,
    `entry:
  %0 = getelementptr i8, ptr %list, i64 8
  %1 = load ptr, ptr %0, align 8
  %2 = getelementptr i8, ptr %1, i64 8
  store ptr %2, ptr %0, align 8
  %3 = load i32, ptr %1, align 4
  ret i32 %3`,
  );
});

test("lower: a switch on 128 bits becomes comparisons, and phis follow", () => {
  assertPass(
    `define i32 @f(i128 %x) {
entry:
  switch i128 %x, label %other [ i128 1, label %join
                                 i128 2, label %two
                                 i128 3, label %join ]
two:
  br label %join
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %two ], [ 3, %other ]
  ret i32 %r
}`,
    run,
    `entry:
  %0 = icmp eq i128 %x, 1
  br i1 %0, label %join, label %entry.case0
entry.case0:
  %1 = icmp eq i128 %x, 2
  br i1 %1, label %two, label %entry.case1
two:
  br label %join
entry.case1:
  %2 = icmp eq i128 %x, 3
  br i1 %2, label %join, label %other
other:
  br label %join
join:
  %3 = phi i32 [ 2, %two ], [ 3, %other ], [ 1, %entry ], [ 1, %entry.case1 ]
  ret i32 %3`,
  );
});

test("lower: the control word of the x87 unit is a number, and is stored with a check", () => {
  assertPass(
    `define void @f(ptr %p) {
  call void asm sideeffect "fnstcw $0", "=*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i16) %p)
  ret void
}`,
    run,
    `bb0:
  store i16 895, ptr %p, align 1
  ret void`,
  );
});
