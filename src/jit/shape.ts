// How an IR value is held in WebAssembly: as a flat list of parts, each one local of a WebAssembly type. Integers up to
// 64 bits, pointers and floats have one part; wider integers one i64 per 64 bits, low first; structures, arrays and
// vectors the parts of their elements in order. Step 2 puts one shadow local beside each part.
// Invariant: a part of `bits` < its WebAssembly width is kept zero-extended.

import type { DataLayout } from "../ir/data-layout.js";
import { lowerType } from "../ir/passes/lower.js";
import type { FunctionType, Type } from "../ir/types.js";
import type { Signature, WasmValueType } from "./image.js";

export interface Part {
  readonly wasm: WasmValueType;
  /** Significant bits; the rest are zero. */
  readonly bits: number;
}
export interface MemoryPart extends Part {
  /** Where the part lies from the start of the value in memory. */
  readonly offset: number;
  /** Bytes of memory it takes. */
  readonly bytes: number;
}

/** A first-class value larger than this many parts is not worth unrolling; such code is reported as unsupported. */
const MAX_PARTS = 1024;

const I32_PART: Part = { wasm: "i32", bits: 32 };
const I64_PART: Part = { wasm: "i64", bits: 64 };
const SMALL: readonly (readonly Part[])[] = Array.from({ length: 129 }, (_, bits) => intParts(bits));
const F32_PARTS: readonly Part[] = [{ wasm: "f32", bits: 32 }];
const F64_PARTS: readonly Part[] = [{ wasm: "f64", bits: 64 }];
const HALF_PARTS: readonly Part[] = [{ wasm: "i32", bits: 16 }];
const NO_PARTS: readonly Part[] = [];

function intParts(bits: number): readonly Part[] {
  if (bits === 32) return [I32_PART];
  if (bits < 32) return [{ wasm: "i32", bits }];
  const parts: Part[] = [];
  for (let rest = bits; rest > 0; rest -= 64) parts.push(rest >= 64 ? I64_PART : { wasm: "i64", bits: rest });
  return parts;
}

export function partsOf(type: Type): readonly Part[] {
  switch (type.kind) {
    case "int":
      return SMALL[type.bits] ?? intParts(type.bits);
    case "ptr":
      return SMALL[64];
    case "float":
      switch (type.name) {
        case "float":
          return F32_PARTS;
        case "double":
          return F64_PARTS;
        case "half":
        case "bfloat":
          return HALF_PARTS;
        case "x86_fp80":
          return SMALL[80];
        case "fp128":
          return SMALL[128];
      }
      break;
    case "array":
    case "vector": {
      const element = partsOf(type.element);
      if (element.length * type.count > MAX_PARTS) throw new ShapeError("a first-class array or vector of this size");
      if (element.length === 0) return NO_PARTS;
      const parts: Part[] = [];
      for (let i = 0; i < type.count; i++) parts.push(...element);
      return parts;
    }
    case "struct": {
      let parts = STRUCT_PARTS.get(type);
      if (parts === undefined) {
        parts = type.fields.flatMap((field) => partsOf(field));
        if (parts.length > MAX_PARTS) throw new ShapeError("a first-class structure of this size");
        STRUCT_PARTS.set(type, parts);
      }
      return parts;
    }
    default:
      return NO_PARTS;
  }
  return NO_PARTS;
}

/** Of structures that hold two of another, forty deep, nobody could make the list again and again. */
const STRUCT_PARTS = new WeakMap<Type, readonly Part[]>();

/** A value this translation has no representation for. */
export class ShapeError extends Error {}

/** The scalars that nearly all accesses are of, made once. */
const SCALAR_MEMORY: ReadonlyMap<number, readonly MemoryPart[]> = new Map(
  [8, 16, 32, 64].map((bits) => [
    bits,
    [{ wasm: bits === 64 ? "i64" : "i32", bits, offset: 0, bytes: bits / 8 }] satisfies MemoryPart[],
  ]),
);
const FLOAT_MEMORY: readonly MemoryPart[] = [{ wasm: "f32", bits: 32, offset: 0, bytes: 4 }];
const DOUBLE_MEMORY: readonly MemoryPart[] = [{ wasm: "f64", bits: 64, offset: 0, bytes: 8 }];
function scalarMemory(type: Type): readonly MemoryPart[] | undefined {
  if (type.kind === "int") return SCALAR_MEMORY.get(type.bits);
  if (type.kind === "ptr") return SCALAR_MEMORY.get(64);
  if (type.kind !== "float") return undefined;
  return type.name === "float" ? FLOAT_MEMORY : type.name === "double" ? DOUBLE_MEMORY : undefined;
}

/** The parts with their places in memory. */
export function memoryPartsOf(type: Type, layout: DataLayout): readonly MemoryPart[] {
  const scalar = scalarMemory(type);
  if (scalar !== undefined) return scalar;
  const result: MemoryPart[] = [];
  addMemoryParts(type, 0, layout, result);
  return result;
}
function addMemoryParts(type: Type, offset: number, layout: DataLayout, result: MemoryPart[]): void {
  // Throws for what is too large.
  if (partsOf(type).length === 0) return;
  switch (type.kind) {
    case "array":
    case "vector": {
      if (type.kind === "vector" && type.element.kind === "int" && type.element.bits % 8 !== 0)
        throw new ShapeError("a vector of bits in memory");
      const stride = layout.sizeOf(type.element);
      if (type.count > MAX_PARTS) throw new ShapeError("a first-class array or vector of this size");
      for (let i = 0; i < type.count; i++) addMemoryParts(type.element, offset + i * stride, layout, result);
      return;
    }
    case "struct": {
      const offsets = layout.structLayout(type).offsets;
      type.fields.forEach((field, i) => {
        addMemoryParts(field, offset + offsets[i], layout, result);
      });
      return;
    }
    default: {
      let bytes = layout.storeSize(type);
      for (const part of partsOf(type)) {
        const size = Math.min(bytes, part.wasm === "i32" || part.wasm === "f32" ? 4 : 8);
        result.push({ ...part, offset, bytes: size });
        offset += size;
        bytes -= size;
      }
    }
  }
}

/** The index of the first part of the member that `indices` select, and the member's type. */
export function memberOf(type: Type, indices: readonly number[]): { readonly first: number; readonly type: Type } {
  let first = 0;
  let at = type;
  for (const index of indices) {
    if (at.kind === "struct") {
      for (let i = 0; i < index; i++) first += partsOf(at.fields[i]).length;
      at = at.fields[index];
    } else if (at.kind === "array" || at.kind === "vector") {
      first += partsOf(at.element).length * index;
      at = at.element;
    } else {
      throw new ShapeError("an index into a scalar");
    }
  }
  return { first, type: at };
}

/** How a function of this type looks in WebAssembly. A variadic one takes the address of its further arguments last. */
export function signatureOf(type: FunctionType): Signature {
  const params: WasmValueType[] = [];
  for (const param of type.params) for (const part of partsOf(lowerType(param))) params.push(part.wasm);
  const results = partsOf(lowerType(type.result)).map((part) => part.wasm);
  return type.variadic ? { params: [...params, "i32"], results, variadic: true } : { params, results };
}
export function signatureKey(signature: Signature): string {
  return `${signature.params.join(",")}${signature.variadic === true ? "..." : ""}>${signature.results.join(",")}`;
}
