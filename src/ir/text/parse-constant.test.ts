import assert from "node:assert/strict";
import { test } from "node:test";
import { IrError, type Module } from "../module.js";
import type { Constant } from "../values.js";
import { parseModule } from "./parse-module.js";
import { printModule } from "./print-module.js";

function module(text: string): Module {
  return parseModule(text, { name: "t.ll", origin: "program" });
}
/** The initialiser of `@x = global <text>`. */
function initializer(text: string, before = ""): Constant {
  const value = module(`${before}\n@x = global ${text}\n`).globals.get("x");
  assert.ok(value?.kind === "variable");
  const constant = value.initializer();
  assert.ok(constant !== null);
  return constant;
}
/** What the printer makes of it. */
function printed(text: string, before = ""): string {
  const line = /^@x = global (.*)$/m.exec(printModule(module(`${before}\n@x = global ${text}\n`)));
  assert.ok(line !== null);
  return line[1];
}

test("constants: integers are unsigned and wrapped to their width", () => {
  const values = [
    "i8 -1",
    "i32 4294967295",
    "i64 -9223372036854775808",
    "i128 -1",
    "i1 true",
    "i16 u0xFFFF",
    "i32 s0xFF",
  ];
  assert.deepEqual(
    values.map((text) => {
      const constant = initializer(text);
      return constant.kind === "int" ? constant.value : null;
    }),
    [255n, 4294967295n, 1n << 63n, (1n << 128n) - 1n, 1n, 65535n, 4294967295n],
  );
});

test("constants: strings are bytes", () => {
  const constant = initializer('[4 x i8] c"a\\00\\FF\\22"');
  assert.ok(constant.kind === "bytes");
  assert.deepEqual([...constant.bytes], [97, 0, 255, 34]);
  assert.throws(() => initializer('[3 x i8] c"a"'), IrError);
});

test("constants: zero, undef and poison of any type", () => {
  assert.equal(initializer("ptr null").kind, "zero");
  assert.equal(initializer("[4 x i32] zeroinitializer").kind, "zero");
  assert.equal(initializer("i32 zeroinitializer").kind, "int");
  assert.equal(initializer("{ i32 } undef").kind, "undef");
  assert.equal(initializer("i64 poison").kind, "undef");
});

test("constants: aggregates nest, and their elements must fit", () => {
  const text =
    "{ i32, [2 x <{ i8, ptr }>] } { i32 1, [2 x <{ i8, ptr }>] [<{ i8, ptr }> <{ i8 2, ptr null }>, <{ i8, ptr }> zeroinitializer] }";
  assert.equal(printed(text), text);
  assert.equal(printed("<4 x i16> splat (i16 7)"), "<4 x i16> <i16 7, i16 7, i16 7, i16 7>");
  for (const wrong of [
    "[2 x i32] [i32 1]",
    "[1 x i32] [i64 1]",
    "{ i32 } { i32 1, i32 2 }",
    "{ i32 } <{ i32 1 }>",
    "i32 [i32 1]",
    "<2 x i32> [i32 1, i32 2]",
    "i32 1.0",
    "double 1",
    "ptr 0",
    "i32 null",
    "i32 true",
    "i32 @x",
  ]) {
    assert.throws(() => initializer(wrong), IrError, wrong);
  }
});

test("constants: expressions keep their operator, operands and types", () => {
  for (const text of [
    "ptr getelementptr ([4 x i32], ptr @y, i64 0, i64 2)",
    "i64 ptrtoint (ptr @y to i64)",
    "i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @y, i64 4) to i64), i64 ptrtoint (ptr @y to i64))",
    "i1 icmp eq (ptr @y, ptr null)",
    "i32 select (i1 icmp ne (ptr @y, ptr null), i32 1, i32 2)",
    "i32 trunc (i64 ptrtoint (ptr @y to i64) to i32)",
    "ptr inttoptr (i64 -1 to ptr)",
  ]) {
    assert.equal(printed(text, "@y = external global [4 x i32]"), text);
  }
});

test("constants: flags and ranges of expressions are skipped", () => {
  const plain = "ptr getelementptr ([4 x i32], ptr @y, i64 0, i64 2)";
  for (const flags of ["inbounds ", "inbounds nuw ", "nusw ", "inbounds inrange(-8, 16) "]) {
    assert.equal(printed(plain.replace("getelementptr ", `getelementptr ${flags}`), "@y = external global i8"), plain);
  }
  const old = "ptr getelementptr inbounds ([4 x i32], ptr @y, i64 0, inrange i64 2)";
  assert.equal(printed(old, "@y = external global i8"), plain);
});

test("constants: addresses of blocks and equivalents of functions", () => {
  const before = "define void @f() {\n  ret void\n}";
  const block = initializer('ptr blockaddress(@f, %"a b")', before);
  assert.ok(block.kind === "blockaddress" && block.target.name === "f");
  assert.equal(block.label, "a b");
  for (const word of ["dso_local_equivalent", "no_cfi"]) {
    const ref = initializer(`ptr ${word} @f`, before);
    assert.ok(ref.kind === "global" && ref.target.kind === "function");
  }
});

test("constants: those without meaning are errors that say so", () => {
  assert.throws(
    () => initializer("ptr ptrauth (ptr @y, i32 0)"),
    /t\.ll:2: constant expression ptrauth is not supported/,
  );
  assert.throws(() => initializer("i32 nonsense"), /expected a constant/);
});

test("constants: nesting is limited", () => {
  const depth = 100_000;
  const type = `${"{".repeat(300)}i32${"}".repeat(300)}`;
  assert.throws(() => initializer(`${type} ${"{".repeat(depth)}`), IrError);
  const chain = `${"getelementptr (i8, ptr ".repeat(depth)}null${", i64 1)".repeat(depth)}`;
  assert.throws(() => initializer(`ptr ${chain}`), /nest deeper/);
});
