// The names of input bytes in an expression: bytes that belong together are the parameter or field that they are, a part of one is written
// as C would cut it out.

import type { InputSpace } from "../../concolic/input-space.js";
import type { PlacedObject } from "../../engine/unit-values.js";
import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import type { CType, CTypes } from "../../ir/debug-types.js";
import { numberText } from "./scalar-words.js";
import { type DescribedUnit, leafAt, type UnitInput } from "./unit-inputs.js";

/** Words for an operand, and what is known of it. */
export interface Operand {
  readonly text: string;
  /** Whether it must be put in parentheses beside an operator. */
  readonly isCompound: boolean;
  /** Of the named thing it is, as a whole; null for everything else. */
  readonly type: CType | null;
  /** Of the value as C would have it. */
  readonly signed: boolean;
}

/** Of one value that was taken apart. */
const MOST_PARTS = 64;

export class ByteNames {
  readonly types: CTypes;
  /** Expressions of the source that were named. */
  readonly mentioned = new Set<string>();
  private readonly inputs: ReadonlyMap<string, UnitInput>;

  constructor(
    unit: Pick<DescribedUnit, "inputs" | "types">,
    private readonly arena: ExprArena,
    private readonly space: InputSpace,
    private readonly places: readonly PlacedObject[],
  ) {
    this.inputs = new Map(unit.inputs.map((input) => [input.object, input]));
    this.types = unit.types;
  }

  /** Input bytes that follow each other, lowest first, if that is all the expression is. */
  runOf(e: ExprRef): { readonly first: number; readonly count: number } | null {
    const { arena } = this;
    const isByte = (x: ExprRef): boolean => arena.op(x) === OPS.variable.code;
    let at = e;
    let count = 0;
    let last = -1;
    while (arena.op(at) === OPS.concat.code) {
      const high = arena.a(at);
      if (!isByte(high) || (count > 0 && arena.payload(high) !== last - 1)) return null;
      last = arena.payload(high);
      count++;
      at = arena.b(at);
    }
    if (!isByte(at) || (count > 0 && arena.payload(at) !== last - 1)) return null;
    return { first: arena.payload(at), count: count + 1 };
  }

  /** Input bits that follow each other, if that is all the expression is; they are numbered through all bytes. */
  bitRunOf(e: ExprRef): { readonly from: number; readonly count: number } | null {
    return this.runOfParts(this.partsOf(e));
  }

  /** What is put together, highest first. */
  private partsOf(e: ExprRef): ExprRef[] {
    const { arena } = this;
    const parts: ExprRef[] = [];
    let at = e;
    for (; arena.op(at) === OPS.concat.code && parts.length < MOST_PARTS; at = arena.b(at)) parts.push(arena.a(at));
    parts.push(at);
    return parts;
  }

  private runOfParts(parts: readonly ExprRef[]): { readonly from: number; readonly count: number } | null {
    const { arena } = this;
    let next = -1;
    let start = -1;
    for (let n = parts.length - 1; n >= 0; n--) {
      const isCut = arena.op(parts[n]) === OPS.extract.code;
      const run = this.runOf(isCut ? arena.a(parts[n]) : parts[n]);
      if (run === null) return null;
      const from = 8 * run.first + (isCut ? arena.payload(parts[n]) : 0);
      if (next >= 0 && from !== next) return null;
      if (next < 0) start = from;
      next = from + arena.width(parts[n]);
    }
    return start < 0 ? null : { from: start, count: next - start };
  }

  /** The bit-field that bits lie in, and where in it; null if they lie in none, or in more than one. */
  bitFieldAt(
    from: number,
    count: number,
  ): { readonly words: string; readonly type: CType; readonly at: number; readonly bits: number } | null {
    const found = this.inputAt(from >> 3);
    if (found === null || found.input.role === "null") return null;
    const { words, type, field } = leafAt(this.types, found.input, 8 * found.offset + (from & 7), count);
    return field === null || field.at + count > field.bits ? null : { words, type, ...field };
  }

  /** A bit-field, or a part of one; null for everything else. */
  fieldOperand(from: number, count: number): Operand | null {
    const field = this.bitFieldAt(from, count);
    if (field === null) return null;
    const { words, type, at, bits } = field;
    this.mentioned.add(words);
    if (count === bits) return { text: words, isCompound: false, type, signed: "signed" in type && type.signed };
    const mask = (1n << BigInt(count)) - 1n;
    const shifted = at === 0 ? words : `${words} >> ${at}`;
    const isUpper = at + count === bits && !("signed" in type && type.signed);
    if (isUpper) return compound(shifted);
    return compound(`${at === 0 ? shifted : `(${shifted})`} & ${numberText(null, mask, count + 1)}`);
  }

  /** The upper bits of a named value, as a shift to the right leaves them; null for everything else. */
  upperBits(
    e: ExprRef,
  ): { readonly words: string; readonly shift: number; readonly signed: boolean; readonly size: number } | null {
    const run = this.bitRunOf(e);
    if (run === null) return null;
    const { from: start, count } = run;
    const next = start + count;
    const found = this.inputAt(start >> 3);
    if (found === null || found.input.role === "null") return null;
    const bit = start - 8 * ((start >> 3) - found.offset);
    const leaf = leafAt(this.types, found.input, bit, next - start);
    const shift = 8 * leaf.offset + (bit & 7);
    if (leaf.bits > 0 || leaf.size === 0 || shift === 0 || next - start + shift !== 8 * leaf.size) return null;
    this.mentioned.add(leaf.words);
    return { words: leaf.words, shift, signed: "signed" in leaf.type && leaf.type.signed, size: leaf.size };
  }

  /** A named value above zeros: shifted to the left, or times a power of two, with or without what that pushes out. */
  shiftedRun(e: ExprRef): Operand | null {
    const { arena } = this;
    const parts = this.partsOf(e);
    const zeros = parts.pop() as ExprRef;
    if (!arena.isConstant(zeros) || arena.constantBigValue(zeros) !== 0n) return null;
    const run = this.runOfParts(parts);
    if (run === null || run.from % 8 !== 0) return null;
    const isCut = (run.count + arena.width(zeros)) % 8 === 0 && run.count % 8 !== 0;
    const bytes = (isCut ? run.count + arena.width(zeros) : run.count) / 8;
    if (!Number.isInteger(bytes)) return null;
    const operand = this.named(run.from / 8, bytes);
    // What is pushed out of a value is lost in C too; of a part of one, nobody can say so.
    if (isCut && operand.type === null) return null;
    return { ...compound(`${atom(operand)} << ${arena.width(zeros)}`), signed: operand.signed };
  }

  /** What an address is: the pointer that leads there. Null if it is none of the unit's objects. */
  addressWords(address: bigint): string | null {
    for (const place of this.places) {
      const offset = address - BigInt(place.address);
      if (offset < 0n || offset > BigInt(place.size)) continue;
      const input = this.inputs.get(place.name);
      if (input?.role !== "target") continue;
      return offset === 0n ? input.words : `(char *)${input.words} + ${offset}`;
    }
    return null;
  }

  inputAt(variable: number): { readonly input: UnitInput; readonly offset: number } | null {
    const object = this.space.objectOf(variable);
    const found = object === null ? undefined : this.inputs.get(object.name);
    if (object === null || found === undefined) return null;
    const input = object.occurrence === 0 ? found : { ...found, words: `${found.words}#${object.occurrence + 1}` };
    return { input, offset: variable - object.first };
  }

  named(first: number, count: number): Operand {
    const at = this.inputAt(first);
    if (at === null) return plain(count === 1 ? this.space.nameOf(first) : `${this.space.nameOf(first)}..${count}`);
    if (at.input.role === "null") return plain(`(${at.input.words} == NULL)`);
    const field = this.fieldOperand(8 * first, 8 * count);
    if (field !== null) return field;
    const leaf = leafAt(this.types, at.input, 8 * at.offset, 8 * count);
    this.mentioned.add(leaf.words);
    const signed = "signed" in leaf.type && leaf.type.signed;
    // The object of a parameter may be shorter than its type: a boolean is one bit, a long double ten bytes.
    if (
      leaf.offset === 0 &&
      (leaf.size === count || (at.input.role === "value" && leaf.size > count && leaf.type.kind === "float"))
    ) {
      return { text: leaf.words, isCompound: false, type: leaf.type, signed };
    }
    if (leaf.size === 0) return plain(`the bits at ${leaf.words}`);
    if (leaf.offset + count > leaf.size) {
      const range = leaf.offset === 0 && leaf.size === 1 ? rangeWords(leaf.words, count) : null;
      return plain(range ?? `${count} bytes from ${leaf.words}`);
    }
    const cast = castName(8 * count, false);
    if (leaf.offset === 0) return plain(`(${cast})${leaf.words}`);
    const shifted = `${leaf.words} >> ${8 * leaf.offset}`;
    if (leaf.offset + count === leaf.size && !signed) return compound(shifted);
    return plain(`(${cast})(${shifted})`);
  }
}

/** `s[2]` and three more: `s[2..5]`. Null if it is no element. */
export function rangeWords(words: string, count: number): string | null {
  const match = /^(.*)\[(\d+)\]$/.exec(words);
  return match === null ? null : `${match[1]}[${match[2]}..${Number(match[2]) + count - 1}]`;
}

export function castName(width: number, signed: boolean): string {
  const name = width <= 8 ? "char" : width <= 16 ? "short" : width <= 32 ? "int" : "long";
  if (!signed) return `unsigned ${name}`;
  return name === "char" ? "signed char" : name;
}

export function plain(text: string): Operand {
  return { text, isCompound: false, type: null, signed: false };
}
export function compound(text: string): Operand {
  return { text, isCompound: true, type: null, signed: false };
}
export function atom({ text, isCompound }: Operand): string {
  return isCompound ? `(${text})` : text;
}
