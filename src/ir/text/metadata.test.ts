import assert from "node:assert/strict";
import { test } from "node:test";
import { DebugLoc, inlinedFrames, LocalVariable } from "../debug-info.js";
import { Metadata } from "./metadata.js";

const TEXT = String.raw`!llvm.ident = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang, (version: \22x\22)", isOptimized: false)
!1 = !DIFile(filename: "src/a.c", directory: "/home/u")
!2 = distinct !DISubprogram(name: "outer", scope: !1, file: !1, line: 10, unit: !0)
!3 = distinct !DISubprogram(name: "inner", linkageName: "inner.1", scope: !1, file: !4, line: 3, unit: !0)
!4 = !DIFile(filename: "h\C3\A9.h", directory: "")
!5 = distinct !DILexicalBlock(scope: !6, file: !4, line: 4, column: 2)
!6 = !DILexicalBlockFile(scope: !3, file: !4, discriminator: 1)
!7 = !DILocation(line: 5, column: 7, scope: !5, inlinedAt: !8)
!8 = distinct !DILocation(line: 12, column: 3, scope: !2)
!9 = !{!"clang", null, !{!1}}
!10 = !DILocalVariable(name: "count", arg: 1, scope: !2, file: !1, line: 11, type: !12)
!11 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression(DW_OP_plus_uconst, 8))
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = distinct !DIGlobalVariable(name: "table", scope: !0, file: !1, line: 2, type: !12, isLocal: true)
!14 = !DILocation(line: 1, column: 1, scope: !15)
!15 = !DILexicalBlock(scope: !15)
!16 = !DILocation(line: 1, scope: !2, inlinedAt: !17)
!17 = !DILocation(line: 2, scope: !2, inlinedAt: !16)
!18 = malformed
!19 = !DILocation(line: 0, scope: !2)
`;
const metadata = (): Metadata => new Metadata(TEXT, TEXT.indexOf("!0 ="));

test("debug info: a location is the function around it, and the file of the nearest scope", () => {
  assert.deepEqual(metadata().frame(7), {
    functionName: "inner",
    file: "hé.h",
    directory: "",
    line: 5,
    column: 7,
  });
  assert.equal(metadata().frame(19)?.line, 0);
});

test("debug info: locations that the compiler inlined have their callers", () => {
  const frames = inlinedFrames(metadata().location(7));
  assert.deepEqual(
    frames.map((frame) => [frame.functionName, frame.line]),
    [
      ["inner", 5],
      ["outer", 12],
    ],
  );
});

test("debug info: a location is shared by all who ask for it", () => {
  const info = metadata();
  assert.equal(info.location(7), info.location(7));
  assert.equal(info.location(7).inlinedAt, info.location(8));
  assert.ok(info.location(19) instanceof DebugLoc);
});

test("debug info: functions and variables have names, files and lines", () => {
  const info = metadata();
  assert.deepEqual(info.subprogram(2), {
    functionName: "outer",
    file: "src/a.c",
    directory: "/home/u",
    line: 10,
    column: 0,
  });
  assert.equal(info.variable(11)?.functionName, "table");
  assert.equal(info.variable(11)?.line, 2);
  assert.deepEqual(info.localVariable(10), { name: "count", line: 11 });
  const variable = new LocalVariable(info, 10);
  assert.deepEqual([variable.name, variable.line], ["count", 11]);
});

test("debug info: nodes give their fields as written", () => {
  const info = metadata();
  assert.equal(info.node(12)?.kind, "DIBasicType");
  assert.deepEqual(
    [...(info.node(12)?.fields ?? [])],
    [
      ["name", '"int"'],
      ["size", "32"],
      ["encoding", "DW_ATE_signed"],
    ],
  );
  assert.equal(info.node(0)?.fields.get("producer"), '"clang, (version: \\22x\\22)"');
  assert.equal(info.node(11)?.fields.get("expr"), "!DIExpression(DW_OP_plus_uconst, 8)");
  assert.equal(info.node(9)?.fields.get("elements"), '!"clang", null, !{!1}');
});

test("debug info: what is missing, malformed or circular is null", () => {
  const info = metadata();
  for (const id of [-1, 18, 99]) {
    assert.equal(info.node(id), null);
    assert.equal(info.frame(id), null);
    assert.equal(info.subprogram(id), null);
    assert.equal(info.variable(id), null);
    assert.equal(info.localVariable(id), null);
  }
  assert.equal(info.frame(14), null, "a scope that contains itself");
  assert.equal(info.frame(2), null, "a function is no location");
  assert.ok(inlinedFrames(info.location(16)).length >= 1, "a circle of inlining ends");
  assert.equal(new LocalVariable(info, 99).name, "");
});
