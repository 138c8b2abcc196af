import assert from "node:assert/strict";
import { test } from "node:test";
import { IrError } from "../module.js";
import { FLOATS, I32, PTR, type Type, typeToString } from "../types.js";
import { END, Lexer } from "./lexer.js";
import { NamedTypes, parseType, sameTypeHere, startsType } from "./parse-type.js";

function lexer(text: string): Lexer {
  const made = new Lexer(text, 0, text.length, "t.ll");
  made.next();
  return made;
}
function parse(text: string, types = new NamedTypes()): Type {
  const made = lexer(text);
  const type = parseType(made, types);
  assert.equal(made.token, END, `all of '${text}' is read`);
  return type;
}
function defined(...definitions: string[]): NamedTypes {
  const types = new NamedTypes();
  for (const definition of definitions) types.parseDefinition(lexer(definition));
  return types;
}

test("types: what is written is what is read", () => {
  for (const text of [
    "i1", "i32", "i80", "ptr", "void", "float", "x86_fp80", "fp128", "[4 x i8]", "<4 x float>", "<2 x ptr>",
    "{ i32, [2 x ptr] }", "<{ i8, i64 }>", "{}", "i32 (ptr, ...)", "void ()", "{ i32, i64 } (ptr)", "[0 x [3 x i7]]",
    "token", "metadata",
  ]) {
    assert.equal(typeToString(parse(text)), text);
  } // biome-ignore format: a table
  assert.equal(parse("i32"), I32);
  assert.equal(parse("ptr addrspace(0)"), PTR);
  assert.equal(parse("half"), FLOATS.half);
});

test("types: a named structure may be used before it is defined", () => {
  const types = new NamedTypes();
  const outer = parse("{ %later, i32 }", types);
  types.parseDefinition(lexer("%later = type <{ i8, ptr }>"));
  assert.ok(outer.kind === "struct" && outer.fields[0].kind === "struct");
  assert.equal(outer.fields[0].opaque, false);
  assert.equal(outer.fields[0].packed, true);
  assert.equal(outer.fields[0], parse("%later", types));
});

test("types: opaque structures stay opaque, and names may be quoted or numbers", () => {
  const types = defined("%a = type opaque", '%"b c" = type { i32 }', "%0 = type { ptr }", "%number = type i64");
  const opaque = parse("%a", types);
  assert.ok(opaque.kind === "struct" && opaque.opaque);
  assert.ok(sameTypeHere(parse('{ %"b c" }', types), parse('{ %"b c" }', types)));
  assert.ok(!sameTypeHere(parse('%"b c"', types), parse("{ i32 }", types)), "named types are their own");
  assert.equal(typeToString(parse("%number", types)), "i64");
});

test("types: those without meaning are noted, not errors", () => {
  for (const text of [
    "x86_amx",
    "<vscale x 4 x i32>",
    "ptr addrspace(257)",
    'target("spirv.Image", void, 1)',
    "ppc_fp128",
  ]) {
    const made = lexer(text);
    const type = parseType(made, new NamedTypes());
    assert.ok(type.kind === "struct" && type.opaque, text);
    assert.notEqual(made.unsupported, null, text);
  }
});

test("types: malformed ones are errors", () => {
  for (const text of [
    "i0",
    "i9000000",
    "i32*",
    "[x i8]",
    "[-1 x i8]",
    "{ void }",
    "<0 x i8>",
    "<4 x [2 x i8]>",
    "{ i32",
    "nothing",
    "<9999999 x i8>",
  ]) {
    assert.throws(() => parse(text), IrError, text);
  }
  assert.throws(() => defined("%a = type { i32 }", "%a = type { i32 }"), /defined twice/);
});

test("types: nesting is limited, in one type and over names", () => {
  assert.throws(() => parse("[1 x ".repeat(100_000)), /nest deeper/);
  const tower = Array.from({ length: 1000 }, (_, i) => `%t${i} = type { %t${i + 1} }`);
  const types = defined(...tower);
  assert.throws(() => types.checkNesting(lexer("")), /nest deeper/);
  const wrap = (inner: string) => `${"{ ".repeat(50)}${inner}${" }".repeat(50)}`;
  const wide = defined(...Array.from({ length: 10 }, (_, i) => `%t${i} = type { ${wrap(`%t${i + 1}`)} }`));
  assert.throws(() => wide.checkNesting(lexer("")), /nest deeper/, "levels without names count");
  const names = Array.from({ length: 1000 }, (_, i) => `%t${i} = type [1 x ${i === 0 ? "i8" : `%t${i - 1}`}]`);
  assert.throws(() => defined(...names), /nest too deep/);
  const circle = defined("%a = type { i32, [2 x %b] }", "%b = type { { %a } }");
  assert.throws(() => circle.checkNesting(lexer("")), /contains itself/);
  const fine = defined("%a = type { %b, %b }", "%b = type { %c, ptr, %c }", "%c = type { ptr }");
  fine.checkNesting(lexer(""));
});

test("types: attributes are not mistaken for types", () => {
  for (const word of ["inreg", "immarg", "i", "noundef", "i32x"]) assert.equal(startsType(lexer(word)), false, word);
  for (const word of ["i32", "ptr", "%a", "[1 x i8]", "<2 x i8>", "{}", "void"])
    assert.equal(startsType(lexer(word)), true, word);
});
