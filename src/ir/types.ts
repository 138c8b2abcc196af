// The types of LLVM IR. Immutable, compared by structure where it matters (`sameType`); the common ones are shared
// constants. Opaque pointers only (clang >= 15), so a pointer carries no pointee.

export interface VoidType {
  readonly kind: "void";
}
export interface IntType {
  readonly kind: "int";
  readonly bits: number;
}
export type FloatName = "half" | "bfloat" | "float" | "double" | "x86_fp80" | "fp128";
export interface FloatType {
  readonly kind: "float";
  readonly name: FloatName;
}
export interface PointerType {
  readonly kind: "ptr";
}
export interface ArrayType {
  readonly kind: "array";
  readonly count: number;
  readonly element: Type;
}
export interface VectorType {
  readonly kind: "vector";
  readonly count: number;
  readonly element: Type;
}
/** Named structures are completed after they are created, because they may be used before their definition. */
export interface StructType {
  readonly kind: "struct";
  readonly name: string | null;
  fields: readonly Type[];
  packed: boolean;
  opaque: boolean;
}
export interface FunctionType {
  readonly kind: "function";
  readonly result: Type;
  readonly params: readonly Type[];
  readonly variadic: boolean;
}
export interface LabelType {
  readonly kind: "label";
}
export interface MetadataType {
  readonly kind: "metadata";
}
export interface TokenType {
  readonly kind: "token";
}

export type Type =
  | VoidType
  | IntType
  | FloatType
  | PointerType
  | ArrayType
  | VectorType
  | StructType
  | FunctionType
  | LabelType
  | MetadataType
  | TokenType;

export const VOID: VoidType = { kind: "void" };
export const PTR: PointerType = { kind: "ptr" };
export const LABEL: LabelType = { kind: "label" };
export const METADATA: MetadataType = { kind: "metadata" };
export const TOKEN: TokenType = { kind: "token" };

const SHARED_INTS: readonly IntType[] = Array.from({ length: 129 }, (_, bits) => ({ kind: "int", bits }));
export function intType(bits: number): IntType {
  return SHARED_INTS[bits] ?? { kind: "int", bits };
}
export const I1 = intType(1);
export const I8 = intType(8);
export const I16 = intType(16);
export const I32 = intType(32);
export const I64 = intType(64);
export const I80 = intType(80);
export const I128 = intType(128);

export const FLOATS: Readonly<Record<FloatName, FloatType>> = {
  half: { kind: "float", name: "half" },
  bfloat: { kind: "float", name: "bfloat" },
  float: { kind: "float", name: "float" },
  double: { kind: "float", name: "double" },
  x86_fp80: { kind: "float", name: "x86_fp80" },
  fp128: { kind: "float", name: "fp128" },
};
export const FLOAT = FLOATS.float;
export const DOUBLE = FLOATS.double;

export function arrayType(count: number, element: Type): ArrayType {
  return { kind: "array", count, element };
}
export function vectorType(count: number, element: Type): VectorType {
  return { kind: "vector", count, element };
}
export function structType(fields: readonly Type[], packed = false, name: string | null = null): StructType {
  return { kind: "struct", name, fields, packed, opaque: false };
}
export function functionType(result: Type, params: readonly Type[], variadic = false): FunctionType {
  return { kind: "function", result, params, variadic };
}

/** Structural equality. Named structures compare by their fields, as two modules name the same type differently. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "int":
      return a.bits === (b as IntType).bits;
    case "float":
      return a.name === (b as FloatType).name;
    case "array":
    case "vector":
      return a.count === (b as ArrayType).count && sameType(a.element, (b as ArrayType).element);
    case "struct": {
      const other = b as StructType;
      return a.packed === other.packed && a.opaque === other.opaque && sameTypes(a.fields, other.fields);
    }
    case "function": {
      const other = b as FunctionType;
      return a.variadic === other.variadic && sameType(a.result, other.result) && sameTypes(a.params, other.params);
    }
    default:
      return true;
  }
}
function sameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, i) => sameType(type, b[i]));
}

/** The type as LLVM prints it, for messages and tests. */
export function typeToString(type: Type): string {
  switch (type.kind) {
    case "int":
      return `i${type.bits}`;
    case "float":
      return type.name;
    case "array":
      return `[${type.count} x ${typeToString(type.element)}]`;
    case "vector":
      return `<${type.count} x ${typeToString(type.element)}>`;
    case "struct": {
      if (type.name !== null) return `%${type.name}`;
      const fields = type.fields.length === 0 ? "{}" : `{ ${type.fields.map(typeToString).join(", ")} }`;
      return type.packed ? `<${fields}>` : fields;
    }
    case "function": {
      const params = type.params.map(typeToString);
      if (type.variadic) params.push("...");
      return `${typeToString(type.result)} (${params.join(", ")})`;
    }
    default:
      return type.kind;
  }
}
