import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "./analysis/verify.js";
import { linkProgram } from "./link.js";
import type { IrFunction } from "./module.js";
import { moduleOf } from "./passes/body-fixture.js";
import { Interpreter } from "./passes/interpret-fixture.js";
import { randomModule, randomNumbers } from "./passes/random-fixture.js";
import { Optimizer, type PipelineOptions } from "./pipeline.js";
import type { Body } from "./values.js";

interface Optimized {
  readonly fn: IrFunction;
  readonly bodies: Map<IrFunction, Body>;
  readonly optimizer: Optimizer;
}
function optimize(text: string, options: Partial<PipelineOptions> = {}): Optimized {
  const module = moduleOf(text);
  const program = linkProgram([module], { libc: () => null, roots: ["f"], layout: module.layout });
  const all = {
    inline: true,
    optimize: true,
    selects: true,
    checks: true,
    shadows: false,
    definedness: false,
    fields: false,
    ...options,
  };
  const optimizer = new Optimizer(program, all, module.layout, () => null);
  const bodies = new Map<IrFunction, Body>();
  for (const fn of optimizer.order) bodies.set(fn, optimizer.body(fn));
  const fn = module.globals.get("f");
  assert.ok(fn?.kind === "function");
  return { fn, bodies, optimizer };
}
function count(body: Body, op: string): number {
  return body.blocks.reduce((n, block) => n + block.instructions.filter((i) => i.op === op).length, 0);
}

test("pipeline: random programs compute the same with and without passes, and check what they access", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const text = randomModule(seed);
    const { fn, bodies } = optimize(text, { checks: seed % 2 === 0, inline: seed % 3 !== 0 });
    for (const [of, body] of bodies) assert.deepEqual(verify(body), [], `seed ${seed}, @${of.name}`);
    const random = randomNumbers(seed);
    for (let round = 0; round < 4; round++) {
      const args = [BigInt(random(1 << 16)) * BigInt(random(1 << 16)), BigInt(random(20))];
      const plain = new Interpreter((of) => of.parseBody()).call(fn, args);
      const passed = new Interpreter((of) => bodies.get(of) ?? null, seed % 2 === 0).call(fn, args);
      assert.equal(passed, plain, `seed ${seed}, @f(${args})`);
    }
  }
});

test("pipeline: callees come before callers, and small ones are inlined through several levels", () => {
  const { fn, bodies, optimizer } = optimize(`
define i32 @one(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define i32 @two(i32 %x) {
  %y = call i32 @one(i32 %x)
  %z = call i32 @one(i32 %y)
  ret i32 %z
}
define i32 @f(i32 %x) {
  %y = call i32 @two(i32 %x)
  ret i32 %y
}`);
  assert.deepEqual(
    optimizer.order.map((of) => of.name),
    ["one", "two", "f"],
  );
  const body = bodies.get(fn) as Body;
  assert.equal(count(body, "call"), 0);
  // x + 1 + 1 is x + 2.
  assert.equal(count(body, "add"), 1);
  assert.equal(optimizer.statistics.inlined, 3);
});

test("pipeline: functions that call each other are not inlined into each other", () => {
  const { bodies } = optimize(`
define void @f(i32 %n) {
  call void @g(i32 %n)
  ret void
}
define void @g(i32 %n) {
  call void @f(i32 %n)
  ret void
}`);
  for (const body of bodies.values()) assert.equal(count(body, "call"), 1);
});

test("pipeline: without optimisation every access of the source is there, each with its check", () => {
  const text =
    "define i32 @f(ptr %p) {\n  %x = load i32, ptr %p\n  %y = load i32, ptr %p\n  %z = add i32 %x, %y\n  ret i32 %z\n}";
  const plain = optimize(text, { optimize: false });
  assert.equal(count(plain.bodies.get(plain.fn) as Body, "check"), 2);
  const better = optimize(text);
  assert.equal(count(better.bodies.get(better.fn) as Body, "load"), 2);
  assert.equal(count(better.bodies.get(better.fn) as Body, "check"), 1);
  assert.equal(better.optimizer.statistics.checksRemoved, 1);
  const none = optimize(text, { checks: false });
  assert.equal(count(none.bodies.get(none.fn) as Body, "check"), 0);
});

test("pipeline: a variable whose address goes only to an inlined function leaves memory", () => {
  const { fn, bodies } = optimize(`
define void @swap(ptr %a, ptr %b) {
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  store i32 %y, ptr %a
  store i32 %x, ptr %b
  ret void
}
define i32 @f(i32 %a, i32 %b) {
  %p = alloca i32
  %q = alloca i32
  store i32 %a, ptr %p
  store i32 %b, ptr %q
  call void @swap(ptr %p, ptr %q)
  %x = load i32, ptr %p
  ret i32 %x
}`);
  const body = bodies.get(fn) as Body;
  assert.equal(body.blocks[0].instructions.length, 1);
  assert.equal(body.blocks[0].terminator.operands[0], body.args[1]);
});

test("pipeline: a pointer that outlives its variable is still checked", () => {
  const { fn, bodies } = optimize(`
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @f() {
  %p = alloca ptr
  %x = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 5, ptr %x
  store ptr %x, ptr %p
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %q = load ptr, ptr %p
  %v = load i32, ptr %q
  ret i32 %v
}`);
  const body = bodies.get(fn) as Body;
  assert.equal(count(body, "alloca"), 1);
  assert.equal(count(body, "check"), 1);
});
