// What the shadow pass puts into a function, counted by kind. That the shadows are right is shown by whole programs
// (test/end-to-end/soundness.test.ts); here: that there are as few as can be, and none is missing.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orderBlocks } from "../ir/analysis/cfg.js";
import { verify } from "../ir/analysis/verify.js";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { linkProgram } from "../ir/link.js";
import { parseModule } from "../ir/text/parse-module.js";
import type { Body, Instruction } from "../ir/values.js";
import { ModuleBuilder } from "./module-builder.js";
import { addShadows, type CoverageNumbers } from "./shadow-pass.js";

function shadowed(
  text: string,
  coverage: CoverageNumbers | null = null,
): {
  readonly body: Body;
  readonly counts: Record<string, number>;
  readonly sites: number;
} {
  const layout = new DataLayout(X86_64_LAYOUT);
  const module = parseModule(text, { name: "test", origin: "program" });
  const program = linkProgram([module], { libc: () => null, roots: ["f"], layout });
  const builder = new ModuleBuilder(program, layout, true);
  const fn = module.globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody();
  assert.ok(body !== null);
  orderBlocks(body);
  addShadows(builder, fn, body, coverage);
  assert.deepEqual(verify(body), []);
  const counts: Record<string, number> = {};
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      if (i.op === "shadow") counts[i.extra.what] = (counts[i.extra.what] ?? 0) + 1;
    }
  }
  return { body, counts, sites: builder.sites.count };
}

describe("shadow pass", () => {
  it("an operation on two arguments tests their shadows once", () => {
    const { counts } = shadowed("define i32 @f(i32 %a, i32 %b) {\n %c = add i32 %a, %b\n ret i32 %c\n}\n");
    assert.deepEqual(counts, { argument: 2, operate: 1, return: 1 });
  });

  it("a counter that starts at a constant is never symbolic", () => {
    const { counts } = shadowed(`define i32 @f() {
 br label %loop
loop:
 %i = phi i32 [ 0, %0 ], [ %next, %loop ]
 %next = add i32 %i, 1
 %more = icmp ult i32 %next, 10
 br i1 %more, label %loop, label %done
done:
 ret i32 %i
}
`);
    assert.deepEqual(counts, { return: 1 });
  });

  it("what depends on itself and on an argument has a shadow of its own at the phi", () => {
    const { counts, body } = shadowed(`define i32 @f(i32 %n) {
 br label %loop
loop:
 %i = phi i32 [ 0, %0 ], [ %next, %loop ]
 %next = add i32 %i, %n
 %more = icmp ult i32 %next, 10
 br i1 %more, label %loop, label %done
done:
 ret i32 %i
}
`);
    assert.deepEqual(counts, { argument: 1, operate: 2, branch: 1, return: 1 });
    const phis = body.blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op === "phi"));
    assert.equal(phis.length, 2);
  });

  it("every load and every store is an access of its own, with the address as bytes", () => {
    const { counts, sites } = shadowed(`define void @f(ptr %p, i64 %i) {
 %q = getelementptr [10 x i32], ptr %p, i64 0, i64 %i
 %v = load i32, ptr %q, align 4
 store i32 %v, ptr %p, align 4
 ret void
}
`);
    // i * 4, p + that.
    assert.deepEqual(counts, { argument: 2, operate: 2, load: 1, store: 1 });
    assert.equal(sites, 2);
  });

  it("an access of 128 bits is one per half, and its arithmetic is wide", () => {
    const { counts } = shadowed(`define void @f(ptr %p) {
 %v = load i128, ptr %p, align 16
 %w = mul i128 %v, %v
 store i128 %w, ptr %p, align 16
 ret void
}
`);
    // Two of the operations are the addresses of the second half.
    assert.deepEqual(counts, { argument: 1, operate: 2, load: 2, wide: 1, slice: 2, store: 2 });
  });

  it("shadows that nobody asks for are not computed", () => {
    const { counts } = shadowed("define i32 @f(i32 %a) {\n %b = mul i32 %a, %a\n %c = xor i32 %b, 1\n ret i32 7\n}\n");
    assert.deepEqual(counts, { return: 1 });
  });

  it("floating point has shadows as integers do; what makes a number looks at the result too", () => {
    const { counts, body } = shadowed(
      "define i1 @f(i32 %a, double %b) {\n %x = sitofp i32 %a to double\n %y = fadd double %x, %b\n %z = fcmp uno double %y, 0.0\n ret i1 %z\n}\n",
    );
    assert.deepEqual(counts, { argument: 2, operate: 2, compute: 1, return: 1 });
    const computed = body.blocks[0].instructions.find((i) => i.op === "shadow" && i.extra.what === "compute");
    assert.ok(computed !== undefined);
    assert.equal(computed.operands.length, 5);
    assert.equal((computed.operands[4] as Instruction).op, "fadd");
  });

  it("a remainder of floats makes its operands concrete", () => {
    const { counts } = shadowed(
      "define double @f(double %a, double %b) {\n %x = frem double %a, %b\n ret double %x\n}\n",
    );
    assert.deepEqual(counts, { argument: 2, pin: 2, return: 1 });
  });

  it("the exact functions of libc are one operation each, and their code sees no shadow", () => {
    const { counts } = shadowed(`declare double @llvm.floor.f64(double)
declare float @llvm.fma.f32(float, float, float)
define double @f(double %a, float %b) {
 %x = call double @llvm.floor.f64(double %a)
 %y = call float @llvm.fma.f32(float %b, float 2.0, float %b)
 %z = fpext float %y to double
 %s = fadd double %x, %z
 ret double %s
}
`);
    assert.deepEqual(counts, { argument: 2, compute: 4, return: 1 });
  });

  it("a division is checked before it is made", () => {
    const { counts, body } = shadowed("define i32 @f(i32 %a, i32 %b) {\n %c = sdiv i32 %a, %b\n ret i32 %c\n}\n");
    assert.deepEqual(counts, { argument: 2, divide: 1, return: 1 });
    const ops = body.blocks[0].instructions.map((i) => (i.op === "shadow" ? i.extra.what : i.op));
    assert.ok(ops.indexOf("divide") < ops.indexOf("sdiv"));
  });

  it("a switch is one decision among its distinct targets", () => {
    const { counts } = shadowed(`define i32 @f(i32 %a) {
 switch i32 %a, label %other [ i32 1, label %one
 i32 2, label %one
 i32 3, label %three ]
one:
 ret i32 1
three:
 ret i32 3
other:
 ret i32 0
}
`);
    assert.deepEqual(counts, { argument: 1, switch: 1, return: 3 });
  });

  it("a choice by a concrete condition chooses between shadows without asking the host", () => {
    const { counts, body } = shadowed(`define i32 @f(i32 %a, i32 %b) {
 %p = alloca i32, align 4
 %q = ptrtoint ptr %p to i64
 %c = icmp eq i64 %q, 0
 %d = select i1 %c, i32 %a, i32 %b
 ret i32 %d
}
`);
    assert.deepEqual(counts, { argument: 2, return: 1 });
    assert.equal(body.blocks[0].instructions.filter(({ op }) => op === "select").length, 2);
  });

  it("the sides of a choice by a symbolic condition are counted, once however many parts it has", () => {
    const asked: number[] = [];
    const { counts } = shadowed(
      `define i128 @f(i32 %a, i128 %b, i128 %c) {
 %z = icmp eq i32 %a, 7
 %d = select i1 %z, i128 %b, i128 %c
 ret i128 %d
}
`,
      {
        blocks: new Map(),
        choice: (block) => 100 + asked.push(block.index),
      },
    );
    assert.deepEqual(asked, [0]);
    assert.equal(counts["cover-choice"], 1);
    assert.equal(counts.choose, 2);
  });

  it("a check of its own at a symbolic address is told, at any other it is left as it is", () => {
    const { counts, body } = shadowed(`define void @f(ptr %p) {
 %q = alloca [16 x i8], align 8
 check read ptr %p, 10, align 1
 check write ptr %q, 10, align 1
 ret void
}
`);
    assert.deepEqual(counts, { argument: 1, range: 1 });
    const order = body.blocks[0].instructions.map((i) => (i.op === "shadow" ? i.extra.what : i.op));
    assert.ok(order.indexOf("range") < order.indexOf("check"), "before it can fail");
  });

  it("overflow arithmetic gives its value and its flag", () => {
    const { counts } = shadowed(`declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
define i32 @f(i32 %a, i32 %b) {
 %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
 %v = extractvalue { i32, i1 } %r, 0
 %o = extractvalue { i32, i1 } %r, 1
 br i1 %o, label %bad, label %good
bad:
 ret i32 0
good:
 ret i32 %v
}
`);
    assert.deepEqual(counts, { argument: 2, operate: 2, branch: 1, return: 2 });
  });
});
