import assert from "node:assert/strict";
import { test } from "node:test";
import { type GlobalValue, IrError, type Module, type Origin } from "../module.js";
import { typeToString } from "../types.js";
import { parseModule } from "./parse-module.js";

function module(text: string, origin: Origin = "program"): Module {
  return parseModule(text, { name: "t.ll", origin });
}
function global(text: string, name: string): GlobalValue {
  const value = module(text).globals.get(name);
  assert.ok(value !== undefined, `@${name} is there`);
  return value;
}
function variable(text: string) {
  const value = global(text, "x");
  assert.ok(value.kind === "variable");
  return value;
}
function fn(text: string) {
  const value = global(text, "f");
  assert.ok(value.kind === "function");
  return value;
}

test("module: linkage, visibility and what else a variable says of itself", () => {
  const value = variable(
    '@x = weak_odr dso_local hidden thread_local(localexec) unnamed_addr constant [2 x i8] c"ab", section ".s", comdat, align 32, !dbg !7',
  );
  assert.equal(value.linkage, "weak");
  assert.equal(value.hidden, true);
  assert.equal(value.threadLocal, true);
  assert.equal(value.constant, true);
  assert.equal(value.align, 32);
  assert.equal(value.section, ".s");
  assert.equal(value.debugId, 7);
  assert.equal(value.isDeclaration, false);
  assert.equal(value.initializer()?.kind, "bytes");
});

test("module: every linkage has its word", () => {
  for (const [word, linkage, declaration] of [
    ["", "external", false],
    ["private", "internal", false],
    ["internal", "internal", false],
    ["weak", "weak", false],
    ["linkonce", "linkonce", false],
    ["linkonce_odr", "linkonce", false],
    ["common", "common", false],
    ["available_externally", "available_externally", false],
    ["appending", "appending", false],
    ["external", "external", true],
    ["extern_weak", "extern_weak", true],
  ] as const) {
    const value = variable(`@x = ${word} global i32${declaration ? "" : " 0"}, align 4`);
    assert.equal(value.linkage, linkage, word);
    assert.equal(value.isDeclaration, declaration, word);
    assert.equal(value.initializer() === null, declaration, word);
  }
});

test("module: an initialiser is parsed once, on demand, and may span lines", () => {
  const value = variable("@x = global [2 x i32] [i32 1, ; one\n  i32 2], align 4\n@y = global i32 0");
  assert.equal(value.align, 4);
  assert.equal(value.initializer(), value.initializer());
  const broken = module("@x = global i32 nonsense\n@y = global i32 5").globals.get("x");
  assert.ok(broken?.kind === "variable");
  assert.throws(() => broken.initializer(), /t\.ll:1: /);
});

test("module: functions have types, parameters and attributes", () => {
  const value =
    fn(`declare !dbg !3 extern_weak hidden fastcc noundef signext i32 @f(ptr noundef sret({ i32 }) align 8, i8 zeroext "key"="v", ptr byval([2 x i64]) align 16, ...) local_unnamed_addr #0 noinline
declare void @g()
attributes #0 = { noreturn returns_twice "s}"="naked" memory(none) }`);
  assert.equal(typeToString(value.type), "i32 (ptr, i8, ptr, ...)");
  assert.equal(value.linkage, "extern_weak");
  assert.equal(value.hidden, true);
  assert.equal(value.debugId, 3);
  assert.equal(value.isDeclaration, true);
  assert.equal(value.parseBody(), null);
  assert.deepEqual(value.attributes, {
    noreturn: true,
    returnsTwice: true,
    alwaysInline: false,
    noInline: true,
    naked: false,
    valueOnly: false,
  });
  assert.equal(value.params[0].sret, true);
  assert.equal(value.params[1].zeroext, true);
  assert.equal(value.params[2].align, 16);
  assert.equal(value.params[2].byval?.kind, "array");
});

test("module: prefix data, personalities, sections and garbage collectors do not hide the body", () => {
  const value =
    fn(`define { i32, i32 } @f() unnamed_addr section "text" comdat($c) align 16 gc "statepoint" prefix <{ i32 }> <{ i32 5 }> prologue i8 1 personality ptr @g !dbg !4 {
  ret { i32, i32 } zeroinitializer
}`);
  assert.equal(value.debugId, 4);
  assert.equal(value.parseBody()?.blocks.length, 1);
});

test("module: aliases and ifuncs", () => {
  const text = `@data = global [4 x i8] zeroinitializer
@a = hidden alias i8, getelementptr inbounds (i8, ptr @data, i64 2), partition "p"
@b = weak alias void (), ptr @f
@c = ifunc i32 (), ptr @f
declare void @f()`;
  const [a, b, c] = ["a", "b", "c"].map((name) => {
    const value = global(text, name);
    assert.ok(value.kind === "alias");
    return value;
  });
  assert.equal(a.hidden, true);
  assert.equal(a.aliasee().kind, "constexpr");
  assert.equal(b.linkage, "weak");
  const target = b.aliasee();
  assert.ok(target.kind === "global" && target.target.name === "f");
  assert.deepEqual([b.ifunc, c.ifunc], [false, true]);
});

test("module: names are unescaped, and \\01 before one is dropped", () => {
  const names = [...module('@"a b\\22" = global i8 0\n@"\\01plain" = global i8 0\n@0 = global i8 0').globals.keys()];
  assert.deepEqual(names, ['a b"', "plain", "0"]);
});

test("module: assembly is kept, everything without meaning is skipped", () => {
  const text = [
    "\ufeff; comment",
    'source_filename = "x"',
    'target triple = "x86_64"',
    'module asm "nop\\0A"',
    "$c = comdat any",
    '^0 = module: (path: "x")',
    "uselistorder i32 0, { 1, 0 }",
    "!named = !{!0}",
    "!0 = !{}",
    "@x = global i32 1",
  ];
  for (const ending of ["\n", "\r\n"]) {
    const parsed = module(text.join(ending));
    assert.deepEqual(parsed.moduleAsm, ["nop\n"]);
    assert.deepEqual([...parsed.globals.keys()], ["x"]);
    assert.equal(parsed.debug.node(0)?.kind, "tuple");
  }
});

test("module: its data layout is its own", () => {
  const parsed = module('target datalayout = "e-i64:64"');
  assert.equal(parsed.layout.abiAlign({ kind: "int", bits: 128 }), 8);
  assert.equal(module("").layout.abiAlign({ kind: "int", bits: 128 }), 16);
});

test("module: names nobody declared become undefined externals", () => {
  const parsed = module("define i32 @f() {\n  %1 = call i32 @g(i64 1)\n  store i32 %1, ptr @v\n  ret i32 %1\n}");
  const f = parsed.globals.get("f");
  assert.ok(f?.kind === "function");
  f.parseBody();
  const g = parsed.globals.get("g");
  assert.ok(g?.kind === "function" && g.isDeclaration);
  assert.equal(typeToString(g.type), "i32 (i64)");
  const v = parsed.globals.get("v");
  assert.ok(v?.kind === "variable" && v.isDeclaration && v.linkage === "external");
});

test("module: a body on the line of its header", () => {
  const parsed = module("define i32 @f() { ret i32 1 } define {} @g() { ret {} {} }\ndefine void @h() {\n ret void\n}");
  assert.deepEqual([...parsed.globals.keys()], ["f", "g", "h"]);
  for (const value of parsed.globals.values()) assert.ok(value.kind === "function" && value.parseBody() !== null);
});

test("module: malformed text is an error with its line", () => {
  for (const [text, message] of [
    ["\n\nnonsense", /^t\.ll:3: expected a definition, found 'nonsense'/],
    ["@x = i32 5", /^t\.ll:1: expected 'global', 'constant', 'alias' or 'ifunc'/],
    ["@x = global i32", /expected an initialiser/],
    ["define void @f() {\n  ret void\n", /never closed/],
    ["@x = global i32 0\n\n@x = global i32 1", /^t\.ll:3: @x is defined twice/],
    ["declare i32 f()", /expected a function's name/],
    ["declare label @f()", /no function results in this type/],
    ["attributes #0 = { noreturn", /never closed/],
    ["%a = type { %a }", /contains itself/],
  ] as const) {
    assert.throws(
      () => module(text),
      (thrown: unknown) => thrown instanceof IrError && message.test(thrown.message),
      text,
    );
  }
});

test("module: many attributes that are never closed take no quadratic time", () => {
  const work = (count: number): number => {
    const before = process.cpuUsage().user;
    const text = `attributes #0 = { ${'"a" '.repeat(count)}`;
    assert.throws(() => module(text), IrError);
    assert.throws(() => module(`${text}\n; }`.replace("}", "")), IrError);
    return process.cpuUsage().user - before;
  };
  const tenth = work(20_000);
  const all = work(200_000);
  assert.ok(all < 50 * tenth + 100_000, `${all} and ${tenth} microseconds; quadratic is a hundred times`);
});
