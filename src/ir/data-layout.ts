// Sizes, alignments and field offsets of types, as the module's `target datalayout` string says. Layouts of structures
// are computed once per structure; the alternative, asking for offsets field by field, is quadratic in big structures.
// Invariant: sizes are in bytes, `sizeOf` is a multiple of `abiAlign`, and a type without size (an opaque structure)
// counts as 0 bytes aligned to 1, so that no question here ever fails.

import type { FloatName, StructType, Type } from "./types.js";
import { intValue, type Value } from "./values.js";

/** What clang 21 says for x86-64 Linux; used for modules that say nothing. */
export const X86_64_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

export interface StructLayout {
  readonly offsets: readonly number[];
  /** A multiple of `align`. */
  readonly size: number;
  readonly align: number;
  /** False if some part of it is opaque. */
  readonly sized: boolean;
}

/** An address computation as a constant plus scaled variables. */
export interface GepTerms {
  readonly offset: bigint;
  readonly terms: readonly { readonly index: Value; readonly scale: number }[];
}

const FLOAT_BITS: Readonly<Record<FloatName, number>> = {
  half: 16,
  bfloat: 16,
  float: 32,
  double: 64,
  x86_fp80: 80,
  fp128: 128,
};

function roundUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}
function powerOfTwoAtLeast(value: number): number {
  let power = 1;
  while (power < value) power *= 2;
  return power;
}

export class DataLayout {
  readonly littleEndian: boolean = true;
  private readonly pointerSize: number = 8;
  private readonly pointerAlign: number = 8;
  /** By width in bits; alignments in bytes. The starting values are those LLVM assumes. */
  private readonly integerAligns = new Map<number, number>([
    [1, 1],
    [8, 1],
    [16, 2],
    [32, 4],
    [64, 4],
  ]);
  private readonly floatAligns = new Map<number, number>([
    [16, 2],
    [32, 4],
    [64, 8],
    [80, 16],
    [128, 16],
  ]);
  private readonly vectorAligns = new Map<number, number>([
    [64, 8],
    [128, 16],
  ]);
  private readonly aggregateAlign: number = 1;
  private readonly structs = new WeakMap<StructType, StructLayout>();
  /** Alignment of every width asked for so far. */
  private readonly chosenIntegerAligns = new Map<number, number>();

  /** Reads a layout string. Parts it does not know say nothing about sizes (mangling, native widths, stack). */
  constructor(readonly text: string = X86_64_LAYOUT) {
    for (const part of text.split("-")) {
      const [head, ...rest] = part.split(":");
      const kind = head[0];
      const bits = Number(head.slice(1));
      const numbers = rest.map(Number);
      const align = bytesOfAlign(kind === "p" ? numbers[1] : numbers[0]);
      if (part === "E") this.littleEndian = false;
      else if (align === null || !Number.isInteger(bits)) continue;
      else if (kind === "i") this.integerAligns.set(bits, align);
      else if (kind === "f") this.floatAligns.set(bits, align);
      else if (kind === "v") this.vectorAligns.set(bits, align);
      else if (kind === "a") this.aggregateAlign = align;
      else if (kind === "p" && bits === 0) {
        this.pointerAlign = align;
        if (numbers[0] > 0) this.pointerSize = Math.ceil(numbers[0] / 8);
      }
    }
  }

  /** The bits a value has, without padding at its end. */
  bitsOf(type: Type): number {
    switch (type.kind) {
      case "int":
        return type.bits;
      case "ptr":
        return this.pointerSize * 8;
      case "float":
        return FLOAT_BITS[type.name];
      case "vector":
        return type.count * this.bitsOf(type.element);
      case "array":
        return type.count * this.sizeOf(type.element) * 8;
      case "struct":
        return this.structLayout(type).size * 8;
      default:
        return 0;
    }
  }

  /** The bytes a store of the type may write. */
  storeSize(type: Type): number {
    return Math.ceil(this.bitsOf(type) / 8);
  }

  /** The distance between two neighbours in an array: the store size and the padding after it. */
  sizeOf(type: Type): number {
    switch (type.kind) {
      case "ptr":
        return roundUp(this.pointerSize, this.pointerAlign);
      case "array":
        return type.count * this.sizeOf(type.element);
      case "struct":
        return this.structLayout(type).size;
      default:
        return roundUp(this.storeSize(type), this.abiAlign(type));
    }
  }

  abiAlign(type: Type): number {
    switch (type.kind) {
      case "int":
        return this.integerAlign(type.bits);
      case "ptr":
        return this.pointerAlign;
      case "float": {
        const bits = FLOAT_BITS[type.name];
        return this.floatAligns.get(bits) ?? powerOfTwoAtLeast(Math.ceil(bits / 8));
      }
      case "vector":
        return this.vectorAligns.get(this.bitsOf(type)) ?? powerOfTwoAtLeast(this.storeSize(type));
      case "array":
        return this.abiAlign(type.element);
      case "struct":
        return this.structLayout(type).align;
      default:
        return 1;
    }
  }

  /** A width the string does not name takes the alignment of the next wider one, or of the widest. */
  private integerAlign(bits: number): number {
    const known = this.chosenIntegerAligns.get(bits);
    if (known !== undefined) return known;
    let best = Number.POSITIVE_INFINITY;
    let widest = 0;
    for (const width of this.integerAligns.keys()) {
      if (width >= bits && width < best) best = width;
      if (width > widest) widest = width;
    }
    const align = this.integerAligns.get(Number.isFinite(best) ? best : widest) ?? 1;
    this.chosenIntegerAligns.set(bits, align);
    return align;
  }

  structLayout(type: StructType): StructLayout {
    const known = this.structs.get(type);
    if (known !== undefined) return known;
    const offsets: number[] = [];
    let size = 0;
    let align = type.packed ? 1 : this.aggregateAlign;
    let sized = !type.opaque;
    for (const field of type.fields) {
      const fieldAlign = type.packed ? 1 : this.abiAlign(field);
      size = roundUp(size, fieldAlign);
      offsets.push(size);
      size += this.sizeOf(field);
      align = Math.max(align, fieldAlign);
      sized &&= this.isSized(field);
    }
    const layout: StructLayout = { offsets, size: roundUp(size, align), align, sized };
    // An opaque structure may be one whose definition is still to come.
    if (!type.opaque) this.structs.set(type, layout);
    return layout;
  }

  /** Can a variable have this type? */
  isSized(type: Type): boolean {
    switch (type.kind) {
      case "int":
      case "float":
      case "ptr":
      case "vector":
        return true;
      case "array":
        return this.isSized(type.element);
      case "struct":
        return this.structLayout(type).sized;
      default:
        return false;
    }
  }

  /**
   * A getelementptr's indices (without its pointer) as constant offset and scaled variables; null for indices that no
   * type of this shape has, for vectors of indices, and for elements too big to have an address.
   */
  gepTerms(sourceType: Type, indices: readonly Value[]): GepTerms | null {
    let type = sourceType;
    let small = 0;
    let big = 0n;
    const terms: { index: Value; scale: number }[] = [];
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i];
      let scale: number;
      if (i === 0) scale = this.sizeOf(type);
      else if (type.kind === "array" || type.kind === "vector") {
        type = type.element;
        scale = this.sizeOf(type);
      } else if (type.kind === "struct") {
        const field = Number(intValue(index) ?? -1n);
        const offset = this.structLayout(type).offsets[field];
        if (offset === undefined) return null;
        small += offset;
        type = type.fields[field];
        continue;
      } else return null;
      if (!Number.isSafeInteger(scale)) return null;
      const value = intValue(index);
      if (value !== null && index.type.kind === "int") {
        const signed = BigInt.asIntN(index.type.bits, value);
        const product = Number(signed) * scale;
        if (Number.isSafeInteger(product) && Number.isSafeInteger(small + product)) small += product;
        else big += signed * BigInt(scale);
      } else if (index.type.kind === "vector") return null;
      else if (scale !== 0) terms.push({ index, scale });
    }
    return { offset: BigInt.asIntN(64, BigInt(small) + big), terms };
  }

  /** The byte offset if all indices are constant, else null. */
  gepOffset(sourceType: Type, indices: readonly Value[]): bigint | null {
    const result = this.gepTerms(sourceType, indices);
    return result !== null && result.terms.length === 0 ? result.offset : null;
  }
}

/** Alignments are written in bits; 0 stands for 1 byte. */
function bytesOfAlign(bits: number | undefined): number | null {
  if (bits === undefined || !Number.isInteger(bits) || bits < 0) return null;
  return bits === 0 ? 1 : powerOfTwoAtLeast(Math.ceil(bits / 8));
}
