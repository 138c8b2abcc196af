import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "../ir/data-layout.js";
import { linkProgram } from "../ir/link.js";
import { parseModule } from "../ir/text/parse-module.js";
import { layoutGlobals } from "../jit/globals.js";
import type { TestCode } from "../jit/image.js";
import { testCodeOf } from "./test-code.js";

/** Debugging information of one function in a file, with a line for each instruction that has `!dbg !NN`, NN from 20 on. */
const debug = (file: string, lines: readonly number[]): string =>
  [
    '!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)',
    `!1 = !DIFile(filename: "${file}", directory: "/p")`,
    `!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)`,
    "!3 = !DISubroutineType(types: !4)",
    "!4 = !{null}",
    ...lines.map((line, n) => `!${20 + n} = !DILocation(line: ${line}, column: 1, scope: !2)`),
  ].join("\n");

const LIBRARY = `define void @parse(ptr %x) !dbg !2 {\n  ret void\n}\ndefine void @note(ptr %f, ...) !dbg !2 {\n  ret void\n}\n${debug("src/lib.c", [])}`;

function codeOf(test: string, lines: readonly number[]): TestCode | null {
  const layout = new DataLayout();
  const program = (text: string, name: string) => parseModule(text, { name, origin: "program", library: null });
  const libc = parseModule(
    "define i32 @puts(ptr %x) {\n  ret i32 0\n}\ndefine ptr @strcpy(ptr %a, ptr %b) {\n  ret ptr %a\n}",
    {
      name: "libc",
      origin: "libc",
      library: null,
    },
  );
  const linked = linkProgram([program(`${test}\n${debug("tests/t.c", lines)}`, "t"), program(LIBRARY, "lib")], {
    libc: (symbol) => (symbol === "puts" || symbol === "strcpy" ? libc : null),
    roots: ["main"],
    layout,
  });
  return testCodeOf(linked, layoutGlobals(linked.variables, layout).infos);
}

const DECLARED = `declare void @parse(ptr)
declare void @note(ptr, ...)
declare i32 @puts(ptr)
declare ptr @strcpy(ptr, ptr)`;

const inWords = (code: TestCode | null): readonly string[] =>
  (code?.literals ?? []).map(({ name, bytes }) => `${name} ${Buffer.from(bytes).toString("latin1")}`);

test("test code: what the tests hand to the library is input, without the end of the string", () => {
  const code = codeOf(
    `@.str = private unnamed_addr constant [4 x i8] c"abc\\00"
@.str.1 = private unnamed_addr constant [4 x i8] c"out\\00"
@.str.2 = private unnamed_addr constant [4 x i8] c"%d!\\00"
@.str.3 = private unnamed_addr constant [3 x i8] c"in\\00"
@__func__.main = private unnamed_addr constant [5 x i8] c"main\\00"
${DECLARED}
define void @main() !dbg !2 {
  call void @parse(ptr @.str), !dbg !20
  %a = call i32 @puts(ptr @.str.1), !dbg !21
  call void (ptr, ...) @note(ptr @.str.2, i32 1), !dbg !22
  %b = call ptr @strcpy(ptr null, ptr @.str.3), !dbg !23
  call void @parse(ptr @__func__.main), !dbg !23
  ret void
}`,
    [5, 6, 7, 8],
  );
  assert.equal(code?.named, "surely");
  assert.deepEqual(code.files, ["/p/tests/t.c"]);
  assert.deepEqual(inWords(code), ["literal:/p/tests/t.c:5 abc", "literal:/p/tests/t.c:8 in"]);
});

test("test code: tables lead to their strings, and several literals of a line have numbers", () => {
  const code = codeOf(
    `@.str = private unnamed_addr constant [2 x i8] c"a\\00"
@.str.1 = private unnamed_addr constant [2 x i8] c"b\\00"
@table = internal constant [2 x ptr] [ptr @.str, ptr @.str.1]
${DECLARED}
define void @main() !dbg !2 {
  %x = load ptr, ptr @table, !dbg !20
  call void @parse(ptr %x), !dbg !20
  ret void
}`,
    [9],
  );
  assert.deepEqual(inWords(code), ["literal:/p/tests/t.c:9 a", "literal:/p/tests/t.c:9#2 b"]);
});

test("test code: wide strings are input, arrays of numbers are not", () => {
  const code = codeOf(
    `@.str = private unnamed_addr constant [4 x i32] [i32 97, i32 8364, i32 0, i32 0]
@.str.1 = private unnamed_addr constant [3 x i16] [i16 104, i16 105, i16 0]
@.str.2 = private unnamed_addr constant [2 x i32] [i32 1114112, i32 0]
@.str.3 = private unnamed_addr constant [2 x i32] [i32 120, i32 0]
@named = internal constant [2 x i32] [i32 98, i32 0], !dbg !40
@numbers = internal constant [2 x i32] [i32 99, i32 0], !dbg !41
@__const.main.text = private unnamed_addr constant [2 x i32] [i32 100, i32 0]
@__const.main.list = private unnamed_addr constant [2 x i32] [i32 101, i32 0]
@table = internal constant [1 x ptr] [ptr @.str.3]
${DECLARED}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @main() !dbg !2 {
  %text = alloca [2 x i32]
    #dbg_declare(ptr %text, !48, !DIExpression(), !20)
  %list = alloca [2 x i32]
    #dbg_declare(ptr %list, !49, !DIExpression(), !20)
  call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr @__const.main.text, i64 8, i1 false), !dbg !20
  call void @llvm.memcpy.p0.p0.i64(ptr %list, ptr @__const.main.list, i64 8, i1 false), !dbg !20
  call void @parse(ptr @.str), !dbg !21
  call void @parse(ptr @.str.1), !dbg !21
  call void @parse(ptr @.str.2), !dbg !21
  call void @parse(ptr @named), !dbg !21
  call void @parse(ptr @numbers), !dbg !21
  %x = load ptr, ptr @table, !dbg !22
  call void @parse(ptr %x), !dbg !22
  ret void
}
!40 = !DIGlobalVariableExpression(var: !42, expr: !DIExpression())
!41 = !DIGlobalVariableExpression(var: !43, expr: !DIExpression())
!42 = distinct !DIGlobalVariable(name: "named", scope: !0, file: !1, line: 2, type: !44, isLocal: true, isDefinition: true)
!43 = distinct !DIGlobalVariable(name: "numbers", scope: !0, file: !1, line: 3, type: !45, isLocal: true, isDefinition: true)
!44 = !DICompositeType(tag: DW_TAG_array_type, baseType: !46, size: 64, elements: !4)
!45 = !DICompositeType(tag: DW_TAG_array_type, baseType: !47, size: 64, elements: !4)
!46 = !DIDerivedType(tag: DW_TAG_typedef, name: "wchar_t", file: !1, line: 1, baseType: !47)
!47 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!48 = !DILocalVariable(name: "text", scope: !2, file: !1, line: 7, type: !44)
!49 = !DILocalVariable(name: "list", scope: !2, file: !1, line: 7, type: !45)`,
    [7, 8, 9],
  );
  assert.deepEqual(
    code?.literals.map(({ name, bytes }) => `${name} ${Buffer.from(bytes).toString("hex")}`),
    [
      "literal:/p/tests/t.c:7=w32 64000000",
      "literal:/p/tests/t.c:8=w32 61000000ac200000",
      "literal:/p/tests/t.c:8#2=w16 68006900",
      "literal:/p/tests/t.c:2=w32 62000000",
      "literal:/p/tests/t.c:9=w32 78000000",
    ],
  );
});

test("test code: a program without code under test has none", () => {
  const layout = new DataLayout();
  const alone = parseModule(
    `@.str = private constant [2 x i8] c"a\\00"\ndefine void @main() !dbg !2 {\n  %x = load i8, ptr @.str, !dbg !20\n  ret void\n}\n${debug("tests/t.c", [3])}`,
    { name: "t", origin: "program", library: null },
  );
  const linked = linkProgram([alone], { libc: () => null, roots: ["main"], layout });
  assert.equal(testCodeOf(linked, layoutGlobals(linked.variables, layout).infos), null);
});
