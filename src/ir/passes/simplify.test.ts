import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "../data-layout.js";
import type { Body } from "../values.js";
import { assertPass, functionOf, textOf } from "./body-fixture.js";
import { foldBinary, foldCompare } from "./fold.js";
import { Interpreter } from "./interpret-fixture.js";
import { randomNumbers } from "./random-fixture.js";
import { simplify } from "./simplify.js";

const layout = new DataLayout();
function run(body: Body): void {
  simplify(body, layout);
}
/** What `expression` of arguments %x, %y (i32), %b (i1), %p (ptr) becomes, with its result as `type`. */
function simplified(type: string, ...expressions: string[]): string {
  const text = expressions.map((expression, k) => `%r${k} = ${expression}`).join("\n");
  const { body } = functionOf(
    `define ${type} @f(i32 %x, i32 %y, i1 %b, ptr %p) {\nentry:\n${text}\nret ${type} %r${expressions.length - 1}\n}`,
  );
  run(body);
  return textOf(body).replace("entry:\n", "");
}

test("simplify: constants are folded as LLVM defines them", () => {
  assert.equal(simplified("i32", "add i32 2147483647, 1"), "ret i32 -2147483648");
  assert.equal(simplified("i32", "sdiv i32 -7, 2"), "ret i32 -3");
  assert.equal(simplified("i32", "srem i32 -7, 2"), "ret i32 -1");
  assert.equal(simplified("i8", "ashr i8 -128, 7"), "ret i8 -1");
  assert.equal(simplified("i64", "sext i8 -1 to i64"), "ret i64 -1");
  assert.equal(simplified("i64", "zext i8 -1 to i64"), "ret i64 255");
  assert.equal(simplified("i1", "icmp slt i32 -1, 0"), "ret i1 true");
  assert.equal(simplified("i1", "icmp ult i32 -1, 0"), "ret i1 false");
});

test("simplify: what traps or is undefined is not folded", () => {
  for (const expression of ["sdiv i32 1, 0", "urem i32 %x, 0", "sdiv i32 -2147483648, -1", "shl i32 1, 32"]) {
    assert.ok(simplified("i32", expression).includes(expression), expression);
  }
});

test("simplify: divisions that may trap stay even if nobody needs the result, others go", () => {
  assert.match(simplified("i32", "sdiv i32 %x, %y", "add i32 %x, 1"), /sdiv/);
  assert.match(simplified("i32", "sdiv i32 %x, -1", "add i32 %x, 1"), /sdiv/);
  assert.doesNotMatch(simplified("i32", "sdiv i32 %x, 3", "add i32 %x, 1"), /sdiv/);
  assert.doesNotMatch(simplified("i32", "urem i32 %x, -1", "add i32 %x, 1"), /urem/);
});

test("simplify: identities", () => {
  for (const expression of ["add i32 %x, 0", "mul i32 1, %x", "and i32 %x, -1", "or i32 %x, %x", "shl i32 %x, 0"]) {
    assert.equal(simplified("i32", expression), "ret i32 %x", expression);
  }
  for (const expression of ["sub i32 %x, %x", "xor i32 %x, %x", "mul i32 %x, 0", "and i32 0, %x", "urem i32 %x, 1"]) {
    assert.equal(simplified("i32", expression), "ret i32 0", expression);
  }
  assert.equal(simplified("i32", "add i32 %x, 5", "add i32 %r0, 6"), "%0 = add i32 %x, 11\nret i32 %0");
  assert.equal(simplified("ptr", "ptrtoint ptr %p to i64", "inttoptr i64 %r0 to ptr"), "ret ptr %p");
  assert.match(simplified("ptr", "ptrtoint ptr %p to i32", "inttoptr i32 %r0 to ptr"), /inttoptr i32/);
  assert.equal(simplified("i32", "select i1 %b, i32 %x, i32 %x"), "ret i32 %x");
});

test("simplify: truth values that were widened and tested again are the truth values", () => {
  const widened = ["zext i1 %b to i32", "icmp ne i32 %r0, 0"];
  assert.equal(simplified("i1", ...widened), "ret i1 %b");
  assert.equal(simplified("i1", "zext i1 %b to i8", "trunc i8 %r0 to i1"), "ret i1 %b");
  assert.equal(simplified("i1", "zext i1 %b to i32", "icmp eq i32 %r0, 0"), "%0 = xor i1 %b, true\nret i1 %0");
  assert.equal(
    simplified("i1", "icmp slt i32 %x, %y", "xor i1 %r0, true", "zext i1 %r1 to i32", "icmp ne i32 %r2, 0"),
    "%0 = icmp sge i32 %x, %y\nret i1 %0",
  );
});

test("simplify: widths that go up and down again are one conversion", () => {
  assert.equal(simplified("i32", "sext i32 %x to i64", "trunc i64 %r0 to i32"), "ret i32 %x");
  assert.equal(simplified("i16", "zext i32 %x to i64", "trunc i64 %r0 to i16"), "%0 = trunc i32 %x to i16\nret i16 %0");
  assert.equal(simplified("i32", "trunc i32 %x to i8", "zext i8 %r0 to i32"), "%0 = and i32 %x, 255\nret i32 %0");
  assert.match(simplified("i32", "trunc i32 %x to i8", "sext i8 %r0 to i32"), /trunc[\s\S]*sext/);
});

test("simplify: constant address steps are added up", () => {
  assert.equal(
    simplified("ptr", "getelementptr i32, ptr %p, i64 3", "getelementptr { i32, i64 }, ptr %r0, i64 0, i32 1"),
    "%0 = getelementptr i8, ptr %p, i64 20\nret ptr %0",
  );
  assert.equal(simplified("ptr", "getelementptr i8, ptr %p, i64 4", "getelementptr i8, ptr %r0, i64 -4"), "ret ptr %p");
});

test("simplify: equal expressions are computed once, where one dominates the other", () => {
  assertPass(
    `define i32 @f(i1 %c, i32 %x) {
entry:
  %a = mul i32 %x, 3
  br i1 %c, label %one, label %two
one:
  %b = mul i32 %x, 3
  %d = mul i32 %x, 5
  %e = add i32 %b, %d
  ret i32 %e
two:
  %g = mul i32 %x, 5
  %h = add i32 %a, %g
  ret i32 %h
}`,
    run,
    `entry:
  %0 = mul i32 %x, 3
  br i1 %c, label %one, label %two
one:
  %1 = mul i32 %x, 5
  %2 = add i32 %0, %1
  ret i32 %2
two:
  %3 = mul i32 %x, 5
  %4 = add i32 %0, %3
  ret i32 %4`,
  );
});

test("simplify: loads, stores, calls and checks stay, in their order", () => {
  const text = `entry:
  %0 = load i32, ptr %p, align 4
  %1 = load i32, ptr %p, align 4
  check write ptr %p, 4, align 4
  store i32 1, ptr %p, align 4
  %2 = call i32 @g()
  ret void`;
  assertPass(`declare i32 @g()\ndefine void @f(ptr %p) {\n${text}\n}`, run, text);
});

test("simplify: a branch on a constant goes, with what only it could reach", () => {
  assertPass(
    `define i32 @f(i32 %x) {
entry:
  %c = icmp eq i32 1, 1
  br i1 %c, label %yes, label %no
yes:
  br label %join
no:
  br label %join
join:
  %r = phi i32 [ %x, %yes ], [ 2, %no ]
  switch i32 3, label %other [ i32 3, label %three ]
other:
  ret i32 0
three:
  ret i32 %r
}`,
    run,
    "entry:\n  ret i32 %x",
  );
});

test("simplify: a branch whose condition is not constant stays, even if both ways are empty", () => {
  const { body } = functionOf(`
define void @f(i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  ret void
}`);
  run(body);
  assert.match(textOf(body), /br i1 %c, label %then, label %end/);
});

test("simplify: phis that bring one value are that value, and phis that only feed each other go", () => {
  assertPass(
    `define i32 @f(i32 %x, i1 %c) {
entry:
  br label %head
head:
  %same = phi i32 [ %x, %entry ], [ %same, %body ]
  %dead = phi i32 [ 0, %entry ], [ %next, %body ]
  br i1 %c, label %body, label %exit
body:
  %next = add i32 %dead, 1
  br label %head
exit:
  ret i32 %same
}`,
    run,
    `entry:
  br label %head
head:
  br i1 %c, label %body, label %exit
body:
  br label %head
exit:
  ret i32 %x`,
  );
});

test("simplify: a field that was put into an aggregate is taken from there", () => {
  assertPass(
    `define i32 @f(i32 %x, { i32, i32 } %s) {
entry:
  %a = insertvalue { i32, i32 } %s, i32 %x, 1
  %b = extractvalue { i32, i32 } %a, 1
  %c = extractvalue { i32, i32 } %a, 0
  %r = add i32 %b, %c
  ret i32 %r
}`,
    run,
    `entry:
  %0 = extractvalue { i32, i32 } %s, 0
  %1 = add i32 %x, %0
  ret i32 %1`,
  );
});

test("simplify: expressions of constants and variables keep their value for all inputs", () => {
  const operations = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"];
  const predicates = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
  const random = randomNumbers(7);
  const pick = (from: readonly string[]): string => from[random(from.length)];
  for (let round = 0; round < 400; round++) {
    const values: { name: string; bits: number }[] = [
      { name: "%x", bits: 32 },
      { name: "%y", bits: 8 },
    ];
    const list: string[] = [];
    for (let k = 0; k < 8; k++) {
      const a = values[random(values.length)];
      const other = values.filter((value) => value.bits === a.bits);
      const constant = String([0, 1, -1, 2, 3, 255][random(a.bits === 1 ? 2 : 6)]);
      const b = random(2) === 0 ? constant : other[random(other.length)].name;
      const kind = random(5);
      if (kind < 2) list.push(`%v${k} = ${pick(operations)} i${a.bits} ${a.name}, ${b}`);
      else if (kind === 2) list.push(`%v${k} = icmp ${pick(predicates)} i${a.bits} ${a.name}, ${b}`);
      else if (kind === 3 && a.bits < 32) list.push(`%v${k} = ${pick(["zext", "sext"])} i${a.bits} ${a.name} to i32`);
      else if (a.bits > 8) list.push(`%v${k} = trunc i${a.bits} ${a.name} to i${pick(["8", "1"])}`);
      else list.push(`%v${k} = xor i${a.bits} ${a.name}, ${b}`);
      const [, to] = / to i(\d+)/.exec(list[k]) ?? [];
      values.push({ name: `%v${k}`, bits: kind === 2 ? 1 : to === undefined ? a.bits : Number(to) });
    }
    const last = values[values.length - 1];
    const text = `define i${last.bits} @f(i32 %x, i8 %y) {\n${list.join("\n")}\nret i${last.bits} ${last.name}\n}`;
    const { fn, body } = functionOf(text);
    run(body);
    textOf(body);
    for (const x of [0n, 1n, 255n, 0x8000_0000n, 0xffff_ffffn, 12345n]) {
      for (const y of [0n, 1n, 127n, 128n, 255n]) {
        const plain = new Interpreter((of) => of.parseBody()).call(fn, [x, y]);
        assert.equal(new Interpreter(() => body).call(fn, [x, y]), plain, `${text}\nwith ${x}, ${y}`);
      }
    }
  }
});

test("fold: agrees with arithmetic on numbers", () => {
  const random = randomNumbers(3);
  for (let round = 0; round < 2000; round++) {
    const [a, b] = [random(65536) - 32768, random(65536) - 32768];
    const [x, y] = [BigInt.asUintN(32, BigInt(a)), BigInt.asUintN(32, BigInt(b))];
    const same = (folded: bigint | null, value: number): void =>
      assert.equal(folded, BigInt.asUintN(32, BigInt(value | 0)));
    same(foldBinary("add", 32, x, y), a + b);
    same(foldBinary("mul", 32, x, y), Math.imul(a, b));
    same(foldBinary("xor", 32, x, y), a ^ b);
    same(foldBinary("ashr", 32, x, BigInt(b & 31)), a >> (b & 31));
    same(foldBinary("lshr", 32, x, BigInt(b & 31)), a >>> (b & 31));
    if (b !== 0) {
      same(foldBinary("sdiv", 32, x, y), Math.trunc(a / b));
      same(foldBinary("srem", 32, x, y), a % b);
    }
    assert.equal(foldCompare("slt", 32, x, y), a < b);
    assert.equal(foldCompare("ule", 32, x, y), a >>> 0 <= b >>> 0);
  }
});
