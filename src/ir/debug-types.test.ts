// Types out of metadata as clang writes it: the C source stands above it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CType, DebugTypes, resolvedType, sizeOfType, typeText } from "./debug-types.js";
import type { GlobalVariable, IrFunction, Module } from "./module.js";
import { parseModule } from "./text/parse-module.js";

/*
enum colour { RED, GREEN = 5, BLUE = -1 };
struct other;
struct node {
  int value; struct node *next; unsigned a : 3, b : 5; char name[4];
  union { int i; double d; } u; int (*f)(int, ...); int grid[2][3]; struct { short in; };
};
typedef const struct node Node;
int f(Node *n, enum colour c, _Bool ok, unsigned char *p, struct other *o, struct hidden *h, void *v, ...);
struct node table[3];
*/
const TEXT = `@table = dso_local global [3 x i64] zeroinitializer, align 16, !dbg !0
define dso_local i32 @f(ptr %0, i32 %1, i1 zeroext %2, ptr %3, ptr %4, ptr %5, ptr %6, ...) !dbg !55 {
  ret i32 0
}
define dso_local i32 @g(i32 %0) !dbg !100 {
  ret i32 0
}
define dso_local void @plain() {
  ret void
}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", type: !13, isLocal: false, isDefinition: true)
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "colour", baseType: !7, size: 32, elements: !8)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{!9, !10, !11}
!9 = !DIEnumerator(name: "RED", value: 0)
!10 = !DIEnumerator(name: "GREEN", value: 5)
!11 = !DIEnumerator(name: "BLUE", value: -1)
!12 = !{!0}
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 1728, elements: !47)
!14 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", size: 576, elements: !15)
!15 = !{!16, !17, !19, !21, !22, !27, !33, !37, !42}
!16 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !7, size: 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !18, size: 64, offset: 64)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !14, size: 64)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "a", baseType: !20, size: 3, offset: 128, flags: DIFlagBitField)
!20 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !20, size: 5, offset: 131, flags: DIFlagBitField)
!22 = !DIDerivedType(tag: DW_TAG_member, name: "name", baseType: !23, size: 32, offset: 136)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 32, elements: !25)
!24 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!25 = !{!26}
!26 = !DISubrange(count: 4)
!27 = !DIDerivedType(tag: DW_TAG_member, name: "u", baseType: !28, size: 64, offset: 192)
!28 = distinct !DICompositeType(tag: DW_TAG_union_type, size: 64, elements: !29)
!29 = !{!30, !31}
!30 = !DIDerivedType(tag: DW_TAG_member, name: "i", baseType: !7, size: 32)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "d", baseType: !32, size: 64)
!32 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "f", baseType: !34, size: 64, offset: 256)
!34 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !35, size: 64)
!35 = !DISubroutineType(types: !36)
!36 = !{!7, !7, null}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "grid", baseType: !38, size: 192, offset: 320)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 192, elements: !39)
!39 = !{!40, !41}
!40 = !DISubrange(count: 2)
!41 = !DISubrange(count: 3)
!42 = !DIDerivedType(tag: DW_TAG_member, baseType: !43, size: 16, offset: 512)
!43 = distinct !DICompositeType(tag: DW_TAG_structure_type, size: 16, elements: !44)
!44 = !{!45}
!45 = !DIDerivedType(tag: DW_TAG_member, name: "in", baseType: !46, size: 16)
!46 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!47 = !{!41}
!55 = distinct !DISubprogram(name: "f", type: !56, flags: DIFlagPrototyped, retainedNodes: !69)
!56 = !DISubroutineType(types: !57)
!57 = !{!7, !58, !5, !61, !62, !64, !66, !68, null}
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !59, size: 64)
!59 = !DIDerivedType(tag: DW_TAG_typedef, name: "Node", baseType: !60)
!60 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !14)
!61 = !DIBasicType(name: "_Bool", size: 8, encoding: DW_ATE_boolean)
!62 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !63, size: 64)
!63 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!64 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !65, size: 64)
!65 = !DICompositeType(tag: DW_TAG_structure_type, name: "other", flags: DIFlagFwdDecl)
!66 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !67, size: 64)
!67 = !DICompositeType(tag: DW_TAG_structure_type, name: "hidden", flags: DIFlagFwdDecl)
!68 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!69 = !{!70, !71, !72, !73, !74, !75, !76}
!70 = !DILocalVariable(name: "n", arg: 1, type: !58)
!71 = !DILocalVariable(name: "c", arg: 2, type: !5)
!72 = !DILocalVariable(name: "ok", arg: 3, type: !61)
!73 = !DILocalVariable(name: "p", arg: 4, type: !62)
!74 = !DILocalVariable(name: "o", arg: 5, type: !64)
!75 = !DILocalVariable(name: "h", arg: 6, type: !66)
!76 = !DILocalVariable(name: "v", arg: 7, type: !68)
!100 = distinct !DISubprogram(name: "g", type: !101, retainedNodes: !102)
!101 = !DISubroutineType(types: !103)
!102 = !{}
!103 = !{null, null}
!104 = !DILocalVariable(name: "old", arg: 1, scope: !100, type: !7)
`;

/* struct other { long x; }; in another file */
const OTHER = `define void @x() {
  ret void
}
!0 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "other", size: 64, elements: !1)
!1 = !{!2}
!2 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !3, size: 64)
!3 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
`;

/** Typedefs in a circle. */
const ODD = `define i32 @odd(i32 %0) !dbg !0 {
  ret i32 0
}
!0 = distinct !DISubprogram(name: "odd", type: !1, retainedNodes: !2)
!1 = !DISubroutineType(types: !3)
!2 = !{!4}
!3 = !{!5, !5}
!4 = !DILocalVariable(name: "x", arg: 1, type: !5)
!5 = !DIDerivedType(tag: DW_TAG_typedef, name: "a", baseType: !6)
!6 = !DIDerivedType(tag: DW_TAG_typedef, name: "b", baseType: !5)
`;

const module = (text: string, name: string): Module => parseModule(text, { name, origin: "program" });
const functionIn = ({ globals }: Module, name: string): IrFunction => globals.get(name) as IrFunction;

describe("types from debug information", () => {
  const own = module(TEXT, "own");
  const debug = new DebugTypes([own, module(OTHER, "other")]);
  const f = debug.functionOf(functionIn(own, "f"));
  const { types } = debug;
  const pointee = (n: number): Exclude<CType, { kind: "alias" | "qualified" }> => {
    const type = resolvedType(types, f?.parameters[n].type ?? -1);
    assert.ok(type.kind === "pointer");
    return resolvedType(types, type.to);
  };

  it("a function has names and types of its parameters", () => {
    assert.ok(f !== null);
    assert.deepEqual(
      f.parameters.map(({ name, type }) => `${typeText(types, type)}: ${name}`),
      [
        "Node *: n",
        "enum colour: c",
        "_Bool: ok",
        "unsigned char *: p",
        "struct other *: o",
        "struct hidden *: h",
        "void *: v",
      ],
    );
    assert.equal(f.variadic, true);
    assert.equal(typeText(types, f.result), "int");
  });

  it("a structure has its members, and may contain pointers to itself", () => {
    const node = pointee(0);
    assert.ok(node.kind === "record");
    assert.deepEqual(
      node.members.map(({ name, offset, bits, type }) => [name, offset, bits, sizeOfType(types, type)]),
      [
        ["value", 0, null, 4],
        ["next", 8, null, 8],
        ["a", 16, { from: 0, count: 3 }, 4],
        ["b", 16, { from: 3, count: 5 }, 4],
        ["name", 17, null, 4],
        ["u", 24, null, 8],
        ["f", 32, null, 8],
        ["grid", 40, null, 24],
        ["", 64, null, 2],
      ],
    );
    const next = resolvedType(types, node.members[1].type);
    assert.ok(next.kind === "pointer");
    assert.equal(resolvedType(types, next.to), node);
    const grid = resolvedType(types, node.members[7].type);
    assert.ok(grid.kind === "array");
    assert.equal(grid.count, 2);
    assert.deepEqual([sizeOfType(types, grid.of), typeText(types, grid.of)], [12, "int [3]"]);
    const call = resolvedType(types, node.members[6].type);
    assert.ok(call.kind === "pointer");
    const called = resolvedType(types, call.to);
    assert.ok(called.kind === "function");
    assert.deepEqual([called.variadic, called.parameters.length], [true, 1]);
  });

  it("enumerators, characters, const and void are told", () => {
    const colour = resolvedType(types, f?.parameters[1].type ?? -1);
    assert.ok(colour.kind === "enum");
    assert.deepEqual(colour.values, [
      { name: "RED", value: "0" },
      { name: "GREEN", value: "5" },
      { name: "BLUE", value: "-1" },
    ]);
    const pointer = resolvedType(types, f?.parameters[0].type ?? -1);
    assert.ok(pointer.kind === "pointer");
    const named = types[pointer.to];
    assert.ok(named.kind === "alias" && named.name === "Node");
    assert.equal(typeText(types, named.to), "const struct node");
    assert.deepEqual(pointee(3), {
      kind: "integer",
      name: "unsigned char",
      bytes: 1,
      signed: false,
      character: "explicit",
    });
    assert.equal(pointee(6).kind, "void");
  });

  it("an incomplete type is completed by another module, or stays what it is", () => {
    const other = pointee(4);
    assert.ok(other.kind === "record");
    assert.equal(other.members[0].name, "x");
    assert.deepEqual(pointee(5), { kind: "incomplete", tag: "struct", name: "hidden" });
  });

  it("a variable has a type; what has no debug information has none", () => {
    const table = debug.variableOf(own.globals.get("table") as GlobalVariable);
    assert.ok(table !== null);
    assert.equal(sizeOfType(types, table), 216);
    assert.equal(debug.functionOf(functionIn(own, "plain")), null);
  });

  it("parameters of a function without a prototype are found by their scope", () => {
    const g = debug.functionOf(functionIn(own, "g"));
    assert.deepEqual(
      g?.parameters.map(({ name, type }) => [name, typeText(types, type)]),
      [["old", "int"]],
    );
  });

  it("circular typedefs come to an end", () => {
    const odd = module(ODD, "odd");
    const read = new DebugTypes([odd]);
    const type = read.functionOf(functionIn(odd, "odd"))?.parameters[0].type ?? -1;
    assert.equal(resolvedType(read.types, type).kind, "other");
    assert.equal(sizeOfType(read.types, type), 0);
  });
});
