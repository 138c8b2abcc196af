// The types of C as the debug information has them: what a function's parameters and a program's variables are called and made of.
// LLVM's own types have neither names nor signs, and its pointers point to nothing in particular.
//
// Types are plain data in one list and name each other by their places in it, so that a structure may contain a pointer to itself, and
// the list can be written to a file or sent to another thread. Nodes are read with a list of work, never by recursion: the information
// comes from the program under test. What is missing or odd becomes "other", never an error.

import type { DebugInfo } from "./debug-info.js";
import type { GlobalVariable, IrFunction, Module } from "./module.js";

/** A place in a list of types. */
export type TypeRef = number;

export type CType =
  | { readonly kind: "void" }
  | {
      readonly kind: "integer";
      readonly name: string;
      readonly bytes: number;
      readonly signed: boolean;
      /** char, signed char, unsigned char: shown as characters. `plain` is char itself. */
      readonly character: "no" | "plain" | "explicit";
    }
  | { readonly kind: "bool"; readonly name: string; readonly bytes: number }
  | { readonly kind: "float"; readonly name: string; readonly bytes: number }
  | {
      readonly kind: "enum";
      readonly name: string;
      readonly bytes: number;
      readonly signed: boolean;
      readonly values: readonly CEnumerator[];
    }
  | { readonly kind: "pointer"; readonly to: TypeRef }
  | {
      readonly kind: "record";
      readonly tag: "struct" | "union";
      /** Empty if it has none. */
      readonly name: string;
      readonly bytes: number;
      readonly members: readonly CMember[];
    }
  /** `count` is 0 if it is not known: a flexible array, or one whose length is computed. */
  | { readonly kind: "array"; readonly of: TypeRef; readonly count: number }
  | {
      readonly kind: "function";
      readonly result: TypeRef;
      readonly parameters: readonly TypeRef[];
      readonly variadic: boolean;
    }
  /** Declared and nowhere defined in the program's own modules. */
  | { readonly kind: "incomplete"; readonly tag: "struct" | "union" | "enum"; readonly name: string }
  /** A typedef. */
  | { readonly kind: "alias"; readonly name: string; readonly to: TypeRef }
  | {
      readonly kind: "qualified";
      readonly qualifier: "const" | "volatile" | "restrict" | "_Atomic";
      readonly to: TypeRef;
    }
  /** Complex numbers, vectors, what is not understood. */
  | { readonly kind: "other"; readonly name: string; readonly bytes: number };

export interface CEnumerator {
  readonly name: string;
  /** Decimal: it may have 64 bits. */
  readonly value: string;
}

export interface CMember {
  /** Empty for an unnamed structure or union, whose members count as the outer one's. */
  readonly name: string;
  /** In bytes; of the byte that a bit-field begins in. */
  readonly offset: number;
  readonly type: TypeRef;
  /** Null for what is no bit-field. */
  readonly bits: { readonly from: number; readonly count: number } | null;
}

export interface CParameter {
  readonly name: string;
  readonly type: TypeRef;
}

export interface CFunction {
  readonly name: string;
  readonly result: TypeRef;
  readonly parameters: readonly CParameter[];
  readonly variadic: boolean;
}

export type CTypes = readonly CType[];

/** Typedefs and qualifiers nest as far as somebody writes them; circular ones are malformed. */
const MOST_NAMES = 64;
const VOID: TypeRef = 0;

/** The type behind typedefs and qualifiers. */
export function resolvedType(types: CTypes, ref: TypeRef): Exclude<CType, { kind: "alias" | "qualified" }> {
  let at = ref;
  for (let step = 0; step < MOST_NAMES; step++) {
    const type = types[at];
    if (type === undefined) break;
    if (type.kind !== "alias" && type.kind !== "qualified") return type;
    at = type.to;
  }
  return { kind: "other", name: "", bytes: 0 };
}

/**
 * Structures that only the C library makes and looks into. Headers say something of them, but not what our libc keeps there, and whoever changes
 * a byte of one breaks libc, not the program.
 */
const LIBRARYS_OWN: ReadonlySet<string> = new Set(["_IO_FILE", "__dirstream", "__locale_struct", "__jmp_buf_tag"]);

/** 0 for what has no size: void, functions, incomplete types, arrays of unknown length. */
export function sizeOfType(types: CTypes, ref: TypeRef): number {
  let at = ref;
  let times = 1;
  for (let step = 0; step < MOST_NAMES; step++) {
    const type = resolvedType(types, at);
    switch (type.kind) {
      case "array":
        times *= type.count;
        at = type.of;
        continue;
      case "pointer":
        return times * 8;
      case "void":
      case "function":
      case "incomplete":
        return 0;
      default:
        return times * type.bytes;
    }
  }
  return 0;
}

/** As C writes it, without the names of what is declared: `const struct node *`. */
export function typeText(types: CTypes, ref: TypeRef): string {
  let suffix = "";
  let at = ref;
  for (let step = 0; step < MOST_NAMES; step++) {
    const type = types[at];
    if (type === undefined) return `?${suffix}`;
    const after = (text: string): string => (suffix === "" ? text : `${text} ${suffix}`);
    switch (type.kind) {
      case "pointer":
        suffix = `*${suffix}`;
        at = type.to;
        continue;
      case "array":
        suffix = `${suffix === "" ? "" : `(${suffix})`}[${type.count === 0 ? "" : type.count}]`;
        at = type.of;
        continue;
      case "qualified": {
        const inner = types[type.to]?.kind;
        if (inner === "pointer") {
          suffix = `${type.qualifier}${suffix === "" || suffix.startsWith("*") ? "" : " "}${suffix}`;
          at = type.to;
          continue;
        }
        return `${type.qualifier} ${after(typeText(types, type.to))}`;
      }
      case "alias":
        return after(type.name);
      case "void":
        return after("void");
      case "function":
        return after(`${typeText(types, type.result)} (function)`);
      case "record":
        return after(`${type.tag} ${type.name === "" ? "(unnamed)" : type.name}`);
      case "enum":
        return after(`enum ${type.name === "" ? "(unnamed)" : type.name}`);
      case "incomplete":
        return after(`${type.tag} ${type.name}`);
      default:
        return after(type.name || "?");
    }
  }
  return "?";
}

interface Unread {
  readonly debug: DebugInfo;
  readonly id: number;
  readonly place: TypeRef;
}

/** What one run over a module's nodes finds: complete structures by name, and parameters by their function. */
interface ModuleIndex {
  readonly composites: ReadonlyMap<string, number>;
  readonly parameters: ReadonlyMap<number, ReadonlyMap<number, { readonly name: string; readonly type: number }>>;
}

/** Nodes are numbered without large holes. */
const LARGEST_HOLE = 64;
/** No function has more; an odd number in a node does not make a list of millions. */
const MOST_PARAMETERS = 1024;

export class DebugTypes {
  /** Grows as types are asked for. */
  readonly types: CType[] = [{ kind: "void" }];
  private readonly modules: readonly Module[];
  private readonly known = new Map<DebugInfo, Map<number, TypeRef>>();
  private readonly indices = new Map<DebugInfo, ModuleIndex>();
  private readonly work: Unread[] = [];

  /** Those of the program itself: an incomplete type of one may be complete in another. */
  constructor(modules: readonly Module[]) {
    this.modules = modules.filter(({ origin }) => origin === "program");
  }

  /** Null if it was compiled without debug information. */
  functionOf(fn: IrFunction): CFunction | null {
    if (fn.debugId < 0) return null;
    const { debug } = fn.module;
    const node = debug.node(fn.debugId);
    if (node?.kind !== "DISubprogram") return null;
    const signature = listOf(debug, debug.node(reference(node.fields.get("type")))?.fields.get("types"));
    const variadic = signature.length > 1 && signature.at(-1) === null;
    const declared = signature.slice(1, variadic ? -1 : undefined);
    const named = this.parametersOf(debug, fn.debugId, node.fields.get("retainedNodes"));
    const count = Math.max(declared.length, ...named.keys());
    const parameters: CParameter[] = [];
    for (let n = 1; n <= Math.min(count, MOST_PARAMETERS); n++) {
      const one = named.get(n);
      const type = this.refOf(debug, one?.type ?? declared[n - 1] ?? null);
      parameters.push({ name: one?.name || `parameter ${n}`, type });
    }
    const result = this.refOf(debug, signature[0] ?? null);
    this.readAll();
    return { name: text(node.fields.get("name")) || fn.name, result, parameters, variadic };
  }

  /** Null if it was compiled without debug information. */
  variableOf(variable: GlobalVariable): TypeRef | null {
    if (variable.debugId < 0) return null;
    const { debug } = variable.module;
    const expression = debug.node(variable.debugId);
    const declared =
      expression?.kind === "DIGlobalVariable" ? expression : debug.node(reference(expression?.fields.get("var")));
    const type = reference(declared?.fields.get("type"));
    if (type < 0) return null;
    const ref = this.refOf(debug, type);
    this.readAll();
    return ref;
  }

  /** By number, from 1. */
  private parametersOf(
    debug: DebugInfo,
    subprogram: number,
    retained: string | undefined,
  ): ReadonlyMap<number, { readonly name: string; readonly type: number }> {
    const found = new Map<number, { readonly name: string; readonly type: number }>();
    for (const id of listOf(debug, retained)) {
      const node = id === null ? null : debug.node(id);
      if (node?.kind === "DILocalVariable") addParameter(found, node.fields);
    }
    return found.size > 0 ? found : (this.indexOf(debug).parameters.get(subprogram) ?? found);
  }

  private indexOf(debug: DebugInfo): ModuleIndex {
    const known = this.indices.get(debug);
    if (known !== undefined) return known;
    const composites = new Map<string, number>();
    const parameters = new Map<number, Map<number, { readonly name: string; readonly type: number }>>();
    let missing = 0;
    for (let id = 0; missing < LARGEST_HOLE; id++) {
      const node = debug.node(id);
      missing = node === null ? missing + 1 : 0;
      if (node?.kind === "DICompositeType" && node.fields.has("elements")) {
        const name = `${node.fields.get("tag")} ${text(node.fields.get("name"))}`;
        if (!name.endsWith(" ") && !composites.has(name)) composites.set(name, id);
      } else if (node?.kind === "DILocalVariable" && node.fields.has("arg")) {
        const scope = reference(node.fields.get("scope"));
        const own = parameters.get(scope) ?? new Map();
        addParameter(own, node.fields);
        parameters.set(scope, own);
      }
    }
    const index = { composites, parameters };
    this.indices.set(debug, index);
    return index;
  }

  /** The place of a node's type, which is read when all that led to it has been. Null is void. */
  private refOf(debug: DebugInfo, id: number | null): TypeRef {
    if (id === null || id < 0) return VOID;
    const known = this.known.get(debug) ?? new Map<number, TypeRef>();
    this.known.set(debug, known);
    const before = known.get(id);
    if (before !== undefined) return before;
    const place = this.types.length;
    this.types.push({ kind: "other", name: "", bytes: 0 });
    known.set(id, place);
    this.work.push({ debug, id, place });
    return place;
  }

  private readAll(): void {
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop())
      this.types[next.place] = this.read(next);
  }

  private read({ debug, id }: Unread): CType {
    const node = debug.node(id);
    const fields = node?.fields ?? new Map<string, string>();
    const name = text(fields.get("name"));
    const bytes = Math.ceil(whole(fields.get("size")) / 8);
    switch (node?.kind) {
      case "DIBasicType":
        return basic(name, bytes, fields.get("encoding") ?? "");
      case "DISubroutineType": {
        const list = listOf(debug, fields.get("types"));
        const variadic = list.length > 1 && list.at(-1) === null;
        const parameters = list.slice(1, variadic ? -1 : undefined).map((one) => this.refOf(debug, one));
        return { kind: "function", result: this.refOf(debug, list[0] ?? null), parameters, variadic };
      }
      case "DIDerivedType":
        return this.derived(debug, fields, name);
      case "DICompositeType":
        return this.composite(debug, fields, name, bytes);
      default:
        return { kind: "other", name, bytes };
    }
  }

  private derived(debug: DebugInfo, fields: ReadonlyMap<string, string>, name: string): CType {
    const base = fields.get("baseType");
    const to = this.refOf(debug, base === undefined || base === "null" ? null : reference(base));
    switch (fields.get("tag")) {
      case "DW_TAG_pointer_type":
        return { kind: "pointer", to };
      case "DW_TAG_typedef":
        return { kind: "alias", name, to };
      case "DW_TAG_const_type":
        return { kind: "qualified", qualifier: "const", to };
      case "DW_TAG_volatile_type":
        return { kind: "qualified", qualifier: "volatile", to };
      case "DW_TAG_restrict_type":
        return { kind: "qualified", qualifier: "restrict", to };
      case "DW_TAG_atomic_type":
        return { kind: "qualified", qualifier: "_Atomic", to };
      default:
        return { kind: "other", name, bytes: Math.ceil(whole(fields.get("size")) / 8) };
    }
  }

  private composite(debug: DebugInfo, fields: ReadonlyMap<string, string>, name: string, bytes: number): CType {
    const tag = fields.get("tag") ?? "";
    if (tag === "DW_TAG_array_type") return this.array(debug, fields, bytes);
    const short = tag === "DW_TAG_union_type" ? "union" : tag === "DW_TAG_enumeration_type" ? "enum" : "struct";
    if (short === "struct" && LIBRARYS_OWN.has(name)) return { kind: "incomplete", tag: short, name };
    if (!fields.has("elements") && fields.get("flags")?.includes("DIFlagFwdDecl") === true) {
      return this.completed(tag, short, name) ?? { kind: "incomplete", tag: short, name };
    }
    const elements = listOf(debug, fields.get("elements"));
    if (short === "enum") {
      const values = elements.flatMap((id) => {
        const node = id === null ? null : debug.node(id);
        if (node?.kind !== "DIEnumerator") return [];
        return [{ name: text(node.fields.get("name")), value: decimal(node.fields.get("value")) }];
      });
      const base = debug.node(reference(fields.get("baseType")))?.fields.get("encoding") ?? "";
      return { kind: "enum", name, bytes, signed: !base.includes("unsigned"), values };
    }
    const members = elements.flatMap((id) => (id === null ? [] : this.member(debug, id)));
    return { kind: "record", tag: short, name, bytes, members };
  }

  private member(debug: DebugInfo, id: number): CMember[] {
    const node = debug.node(id);
    if (node?.fields.get("tag") !== "DW_TAG_member") return [];
    const at = whole(node.fields.get("offset"));
    const isBits = node.fields.get("flags")?.includes("DIFlagBitField") === true;
    return [
      {
        name: text(node.fields.get("name")),
        offset: Math.floor(at / 8),
        type: this.refOf(debug, reference(node.fields.get("baseType"))),
        bits: isBits ? { from: at % 8, count: whole(node.fields.get("size")) } : null,
      },
    ];
  }

  /** `int grid[2][3]` is one node with two ranges. */
  private array(debug: DebugInfo, fields: ReadonlyMap<string, string>, bytes: number): CType {
    if (fields.get("flags")?.includes("DIFlagVector") === true) return { kind: "other", name: "vector", bytes };
    const counts = listOf(debug, fields.get("elements")).map((id) => {
      const count = id === null ? undefined : debug.node(id)?.fields.get("count");
      return count !== undefined && /^[0-9]{1,15}$/.test(count) ? Number(count) : 0;
    });
    let of = this.refOf(debug, reference(fields.get("baseType")));
    for (let n = counts.length - 1; n > 0; n--) {
      this.types.push({ kind: "array", of, count: counts[n] });
      of = this.types.length - 1;
    }
    return { kind: "array", of, count: counts[0] ?? 0 };
  }

  /** Another module may have what one only declares. */
  private completed(tag: string, short: string, name: string): CType | null {
    if (name === "") return null;
    for (const { debug } of this.modules) {
      const id = this.indexOf(debug).composites.get(`${tag} ${name}`);
      if (id !== undefined) return { kind: "alias", name: `${short} ${name}`, to: this.refOf(debug, id) };
    }
    return null;
  }
}

function addParameter(
  to: Map<number, { readonly name: string; readonly type: number }>,
  fields: ReadonlyMap<string, string>,
): void {
  const number = whole(fields.get("arg"));
  if (number < 1 || number > MOST_PARAMETERS || to.has(number)) return;
  to.set(number, { name: text(fields.get("name")), type: reference(fields.get("type")) });
}

function basic(name: string, bytes: number, encoding: string): CType {
  switch (encoding) {
    case "DW_ATE_boolean":
      return { kind: "bool", name, bytes };
    case "DW_ATE_float":
      return { kind: "float", name, bytes };
    case "DW_ATE_signed":
    case "DW_ATE_unsigned":
    case "DW_ATE_signed_char":
    case "DW_ATE_unsigned_char":
    case "DW_ATE_UTF": {
      const character = !encoding.endsWith("_char") || bytes !== 1 ? "no" : name === "char" ? "plain" : "explicit";
      return { kind: "integer", name, bytes, signed: encoding.startsWith("DW_ATE_signed"), character };
    }
    default:
      return { kind: "other", name, bytes };
  }
}

/** The numbers in a tuple that a field refers to; null for `null`. */
function listOf(debug: DebugInfo, field: string | undefined): (number | null)[] {
  const elements = debug.node(reference(field))?.fields.get("elements");
  if (elements === undefined || elements === "") return [];
  return elements.split(",").map((part) => {
    const id = reference(part.trim());
    return id < 0 ? null : id;
  });
}

function reference(value: string | undefined): number {
  return value !== undefined && /^![0-9]{1,9}$/.test(value) ? Number(value.slice(1)) : -1;
}
function whole(value: string | undefined): number {
  return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : 0;
}
function decimal(value: string | undefined): string {
  return value !== undefined && /^-?[0-9]{1,20}$/.test(value) ? value : "0";
}
function text(value: string | undefined): string {
  return value?.startsWith('"') ? value.slice(1, -1) : "";
}
