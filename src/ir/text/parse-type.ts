// Types. Named structures may be used before they are defined, so a first mention makes an opaque structure which its
// definition completes; the alternative, a second pass over all types, would have to rebuild every type that contains
// one. A type this program has no meaning for (x86_amx, scalable vectors, other address spaces) becomes an opaque
// structure with its text as name, and is noted in the lexer, so that the instruction using it becomes `unsupported`.
// Invariant: after the module is scanned no structure contains itself by value.

import {
  arrayType,
  FLOATS,
  functionType,
  intType,
  LABEL,
  METADATA,
  PTR,
  type StructType,
  structType,
  TOKEN,
  type Type,
  typeToString,
  VOID,
  vectorType,
} from "../types.js";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  ELLIPSIS,
  EQUALS,
  GREATER,
  INTEGER,
  LESS,
  type Lexer,
  LOCAL,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  STAR,
  STRING,
  WORD,
} from "./lexer.js";

const SIMPLE_TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["void", VOID],
  ["label", LABEL],
  ["metadata", METADATA],
  ["token", TOKEN],
  ["half", FLOATS.half],
  ["bfloat", FLOATS.bfloat],
  ["float", FLOATS.float],
  ["double", FLOATS.double],
  ["x86_fp80", FLOATS.x86_fp80],
  ["fp128", FLOATS.fp128],
]);
const MEANINGLESS_TYPES: ReadonlySet<string> = new Set(["ppc_fp128", "x86_mmx", "x86_amx", "opaque", "target"]);

/** LLVM's own limit on integers. */
const MAX_INTEGER_BITS = 1 << 23;
/** No target has longer vectors, and a `splat` of one is spelled out in memory. */
const MAX_VECTOR_LENGTH = 1 << 16;
/** How deep structures may contain structures by value; deeper ones would exhaust the stack of whoever walks them. */
const MAX_STRUCT_DEPTH = 400;

/** The `%name = type ...` definitions of a module. */
export class NamedTypes {
  private readonly structs = new Map<string, StructType>();
  private readonly others = new Map<string, Type>();
  private readonly definedAt = new Map<StructType, number>();

  get(name: string): Type {
    const known = this.structs.get(name) ?? this.others.get(name);
    if (known !== undefined) return known;
    const forward: StructType = { kind: "struct", name, fields: [], packed: false, opaque: true };
    this.structs.set(name, forward);
    return forward;
  }

  /** `%name = type ...`; the current token is the name. */
  parseDefinition(lexer: Lexer): void {
    const offset = lexer.start;
    const name = lexer.decodedName();
    lexer.next();
    lexer.expect(EQUALS);
    lexer.expectWord("type");
    if (lexer.acceptWord("opaque")) {
      this.get(name);
      return;
    }
    const isStruct = lexer.token === OPEN_BRACE || (lexer.token === LESS && lexer.peek() === OPEN_BRACE);
    const type = parseType(lexer, this);
    if (!isStruct || type.kind !== "struct") {
      if (this.structs.has(name)) lexer.failAt(offset, `type %${name} is used before its definition`);
      // The name stands for the type itself, so that names of names would pile up without any nesting in the text.
      if (Math.max(...structsWithin([type]).values()) > MAX_STRUCT_DEPTH) lexer.failAt(offset, "types nest too deep");
      this.others.set(name, type);
      return;
    }
    const named = this.get(name);
    if (named.kind !== "struct" || this.definedAt.has(named)) lexer.failAt(offset, `type %${name} is defined twice`);
    this.definedAt.set(named, offset);
    named.fields = type.fields;
    named.packed = type.packed;
    named.opaque = false;
  }

  /** Rejects structures that contain themselves, and towers of structures. Iterative, as the towers may be high. */
  checkNesting(lexer: Lexer): void {
    const depths = new Map<StructType, number>();
    const OPEN = -1;
    for (const root of this.structs.values()) {
      const stack = [root];
      while (stack.length > 0) {
        const struct = stack[stack.length - 1];
        const known = depths.get(struct);
        if (known !== undefined && known !== OPEN) {
          stack.pop();
          continue;
        }
        depths.set(struct, OPEN);
        let depth = 0;
        let waiting = false;
        for (const [inner, levels] of structsWithin(struct.fields)) {
          const innerDepth = inner === null ? 0 : depths.get(inner);
          if (innerDepth === undefined) {
            if (inner !== null) stack.push(inner);
            waiting = true;
          } else if (innerDepth === OPEN) {
            // Only what is being visited is OPEN: an ancestor, or the structure itself.
            lexer.failAt(this.definedAt.get(struct) ?? 0, `type %${struct.name} contains itself`);
          } else depth = Math.max(depth, innerDepth + levels);
        }
        if (waiting) continue;
        if (depth > MAX_STRUCT_DEPTH) {
          lexer.failAt(this.definedAt.get(struct) ?? 0, `structures nest deeper than ${MAX_STRUCT_DEPTH} levels`);
        }
        depths.set(struct, depth);
        stack.pop();
      }
    }
  }
}

/**
 * The named structures that the given types contain by value, each with the most levels of nesting above it; those of
 * what contains no named structure stand under null.
 */
function structsWithin(types: readonly Type[]): Map<StructType | null, number> {
  const found = new Map<StructType | null, number>();
  const queue = types.map((type): [Type, number] => [type, 1]);
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const [type, level] = item;
    const named = type.kind === "struct" && type.name !== null ? type : null;
    if (level > (found.get(named) ?? 0)) found.set(named, level);
    if (type.kind === "array" || type.kind === "vector") queue.push([type.element, level + 1]);
    else if (type.kind === "struct" && named === null) for (const field of type.fields) queue.push([field, level + 1]);
  }
  return found;
}

/** Can the current token begin a type? Words that cannot are attributes or flags. */
export function startsType(lexer: Lexer): boolean {
  switch (lexer.token) {
    case LOCAL:
    case OPEN_BRACE:
    case OPEN_BRACKET:
    case LESS:
      return true;
    case WORD: {
      if (integerBits(lexer) >= 0 || lexer.is("ptr")) return true;
      const word = lexer.raw();
      return SIMPLE_TYPES.has(word) || MEANINGLESS_TYPES.has(word);
    }
    default:
      return false;
  }
}

/** The width if the current word is `iN`, else -1. */
function integerBits(lexer: Lexer): number {
  const { text, start, end } = lexer;
  if (text.charCodeAt(start) !== 0x69 || end - start < 2 || end - start > 9) return -1;
  let bits = 0;
  for (let at = start + 1; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    bits = bits * 10 + digit;
  }
  return bits;
}

export function parseType(lexer: Lexer, types: NamedTypes): Type {
  if (lexer.token === WORD) {
    const bits = integerBits(lexer);
    if (bits >= 0) {
      if (bits < 1 || bits > MAX_INTEGER_BITS) lexer.fail(`no integer type is ${bits} bits wide`);
      lexer.next();
      return suffixed(lexer, types, intType(bits));
    }
    if (lexer.is("ptr")) {
      lexer.next();
      return suffixed(lexer, types, PTR);
    }
    return suffixed(lexer, types, wordType(lexer));
  }
  lexer.enter();
  const type = compoundType(lexer, types);
  lexer.leave();
  return suffixed(lexer, types, type);
}

/** A type that values can have: not void, label or a function. */
export function parseValueType(lexer: Lexer, types: NamedTypes): Type {
  const offset = lexer.start;
  const type = parseType(lexer, types);
  if (type.kind === "void" || type.kind === "label" || type.kind === "function") {
    lexer.failAt(offset, `a value cannot have type '${typeToString(type)}'`);
  }
  return type;
}

function wordType(lexer: Lexer): Type {
  const word = lexer.raw();
  const simple = SIMPLE_TYPES.get(word);
  if (simple !== undefined) {
    lexer.next();
    return simple;
  }
  if (!MEANINGLESS_TYPES.has(word)) lexer.unexpected("a type");
  const { start } = lexer;
  lexer.next();
  if (word === "target") {
    if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
    return meaningless(lexer, 'target("...")');
  }
  return meaningless(lexer, lexer.text.slice(start, start + word.length));
}

function meaningless(lexer: Lexer, text: string): Type {
  lexer.unsupported ??= `type ${text}`;
  return { kind: "struct", name: text, fields: [], packed: false, opaque: true };
}

/** What may follow a type: an address space, or the parameters that make it a function type. */
function suffixed(lexer: Lexer, types: NamedTypes, first: Type): Type {
  let type = first;
  for (;;) {
    switch (lexer.token) {
      case OPEN_PAREN:
        if (type.kind === "function" || type.kind === "label" || type.kind === "metadata") return type;
        type = functionTypeOf(lexer, types, type);
        continue;
      case STAR:
        return lexer.fail("typed pointers are not supported: compile with clang 15 or later");
      case WORD:
        if (type.kind === "ptr" && lexer.is("addrspace")) {
          const space = parseAddressSpace(lexer);
          if (space !== "0") return meaningless(lexer, `ptr addrspace(${space})`);
          continue;
        }
        return type;
      default:
        return type;
    }
  }
}

/** `addrspace(N)` or `addrspace("A")`: the part in brackets. */
export function parseAddressSpace(lexer: Lexer): string {
  lexer.next();
  lexer.expect(OPEN_PAREN);
  if (lexer.token !== INTEGER && lexer.token !== STRING) lexer.unexpected("an address space");
  const space = lexer.raw();
  lexer.next();
  lexer.expect(CLOSE_PAREN);
  return space;
}

function functionTypeOf(lexer: Lexer, types: NamedTypes, result: Type): Type {
  lexer.enter();
  lexer.next();
  const params: Type[] = [];
  let variadic = false;
  while (lexer.token !== CLOSE_PAREN) {
    if (lexer.accept(ELLIPSIS)) {
      variadic = true;
      break;
    }
    params.push(parseValueType(lexer, types));
    if (!lexer.accept(COMMA)) break;
  }
  lexer.expect(CLOSE_PAREN);
  lexer.leave();
  return functionType(result, params, variadic);
}

function compoundType(lexer: Lexer, types: NamedTypes): Type {
  switch (lexer.token) {
    case LOCAL: {
      const type = types.get(lexer.decodedName());
      lexer.next();
      return type;
    }
    case OPEN_BRACKET: {
      lexer.next();
      const count = elementCount(lexer);
      const element = parseValueType(lexer, types);
      lexer.expect(CLOSE_BRACKET);
      return arrayType(count, element);
    }
    case OPEN_BRACE:
      return structType(fields(lexer, types));
    case LESS: {
      lexer.next();
      if (lexer.token === OPEN_BRACE) {
        const packed = structType(fields(lexer, types), true);
        lexer.expect(GREATER);
        return packed;
      }
      return vector(lexer, types);
    }
    default:
      return lexer.unexpected("a type");
  }
}

function elementCount(lexer: Lexer): number {
  if (lexer.token !== INTEGER) lexer.unexpected("a number of elements");
  // Counts beyond 2^53 occur in no program that could run; rounding them is harmless.
  const count = Number(lexer.raw());
  if (!(count >= 0)) lexer.fail("a number of elements cannot be negative");
  lexer.next();
  lexer.expectWord("x");
  return count;
}

function fields(lexer: Lexer, types: NamedTypes): Type[] {
  lexer.next();
  const list: Type[] = [];
  if (lexer.token !== CLOSE_BRACE) {
    do list.push(parseValueType(lexer, types));
    while (lexer.accept(COMMA));
  }
  lexer.expect(CLOSE_BRACE);
  return list;
}

function vector(lexer: Lexer, types: NamedTypes): Type {
  const scalable = lexer.acceptWord("vscale");
  if (scalable) lexer.expectWord("x");
  const count = elementCount(lexer);
  const element = parseValueType(lexer, types);
  if (element.kind !== "int" && element.kind !== "float" && element.kind !== "ptr" && element.kind !== "struct") {
    lexer.fail(`no vector has elements of type '${typeToString(element)}'`);
  }
  lexer.expect(GREATER);
  if (scalable) return meaningless(lexer, "scalable vector");
  if (element.kind === "struct") return meaningless(lexer, `vector of ${typeToString(element)}`);
  if (count < 1 || count > MAX_VECTOR_LENGTH) lexer.fail(`a vector cannot have ${count} elements`);
  return vectorType(count, element);
}

/** Equality within one module: named structures are their own types, so this is never slow, unlike `sameType`. */
export function sameTypeHere(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "int":
      return b.kind === "int" && a.bits === b.bits;
    case "array":
      return b.kind === "array" && a.count === b.count && sameTypeHere(a.element, b.element);
    case "vector":
      return b.kind === "vector" && a.count === b.count && sameTypeHere(a.element, b.element);
    case "struct":
      if (b.kind !== "struct" || a.name !== b.name) return false;
      // Two types without meaning are equal by their text.
      if (a.name !== null) return a.opaque && b.opaque;
      return a.packed === b.packed && sameTypesHere(a.fields, b.fields);
    case "function":
      return (
        b.kind === "function" &&
        a.variadic === b.variadic &&
        sameTypeHere(a.result, b.result) &&
        sameTypesHere(a.params, b.params)
      );
    default:
      return false;
  }
}
function sameTypesHere(a: readonly Type[], b: readonly Type[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!sameTypeHere(a[i], b[i])) return false;
  return true;
}
