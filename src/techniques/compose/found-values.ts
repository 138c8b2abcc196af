// What a call finds: the arguments and the memory that can be reached from them and from the program's variables, by the types of C. It
// becomes the input of a unit in context, by the names that units give their input, which other calls of the function can resolve too:
// `param:1`, `*param:0`, `*(*param:0+8)`, `global:total`.
//
// Pointers are followed and never input themselves; null stays null, functions stay what they are. A pointer into the middle of a block
// leads to the rest of it. Bytes that two ways lead to belong to the first. What types do not say (void, unions) is input only where it
// depends on the program's input.

import type { FoundObject, UnitValue } from "../../engine/unit-description.js";
import type { PartValue } from "../../engine/unit-values.js";
import { CONCRETE } from "../../expr/ops.js";
import { type CType, type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import { GUEST_BASE } from "../../jit/memory-layout.js";
import { type OpenEnd, openEndOf, withElements } from "../unit/open-ends.js";
import type { PassedParameter } from "../unit/passed-parameters.js";
import { scalarText } from "../unit/scalar-words.js";
import { postfixable, type UnitFixed, type UnitInput } from "../unit/unit-inputs.js";
import type { Realism } from "./compose-work.js";
import { characterOf, type FoundText, memoryInPlaceOf, textAt } from "./found-texts.js";

/**
 * input: what depends on the program's input at the call; texts: that too, and texts that depend on it are others, perhaps longer; all: every
 * number that can be reached.
 */
export type Freedom = "input" | "texts" | "all";

export function freedomOf(realism: Exclude<Realism, "types">): Freedom {
  return realism === "context" ? "all" : realism;
}

export interface FoundOptions {
  readonly freedom: Freedom;
  /** How many pointers are followed, one after the other. */
  readonly depth: number;
  /** Of one object, unless its type alone is larger. */
  readonly objectBytes: number;
  /** Of all objects that are input. */
  readonly totalBytes: number;
  readonly objects: number;
}

export const DEFAULT_FOUND_OPTIONS: FoundOptions = {
  freedom: "input",
  depth: 4,
  objectBytes: 512,
  totalBytes: 4096,
  objects: 64,
};

/** The machine at the call. */
export interface FoundMemory {
  readonly u8: Uint8Array;
  readonly view: DataView;
  /** The first byte of a range that may not be read (or written); -1 if there is none. Nobody is told of the question. */
  firstRefused(address: number, size: number, write: boolean): number;
  /** By byte: 0 unless it depends on the program's input; null if none does. */
  dependenceOf(address: number, size: number): ArrayLike<number> | null;
}

/** A variable of the program, by the name of its input object. */
export interface FoundVariable {
  readonly name: string;
  readonly words: string;
  readonly type: TypeRef;
  readonly address: number;
  readonly size: number;
  /** Also bytes that do not depend on the program's input, if everything is free. */
  readonly isUsed: boolean;
}

export interface FoundValues {
  readonly parameters: readonly UnitValue[];
  readonly objects: readonly FoundObject[];
  readonly inputs: readonly UnitInput[];
  /** Pointers that are null at the call. */
  readonly fixed: readonly UnitFixed[];
  /** Bytes of what was looked at that depend on the program's input, whether they are input or not. */
  readonly dependent: number;
  /** Texts in whose place other memory is. */
  readonly texts: readonly FoundText[];
  /** Structures that go on behind their end. */
  readonly openEnds: readonly FoundOpenEnd[];
  /** Types of such structures, of which the first has this place in the list. */
  readonly moreTypes: { readonly from: number; readonly types: readonly CType[] };
  /** Something was left out because there is too much. */
  readonly isCut: boolean;
}

export interface FoundOpenEnd {
  readonly object: string;
  readonly end: OpenEnd;
}

const POINTER_BYTES = 8;
const WORD_BYTES = 8;
/** Objects that are looked at, for each that may be input. */
const LOOKS = 4;
const MOST_NESTING = 32;
/** Parts of types that are looked at: debug information may claim anything of arrays in arrays. */
const MOST_PARTS = 50_000;

/** What a byte of an object may be. */
const NEVER = 0;
const NUMBER = 1;
/** Only if it depends on the program's input. */
const IF_DEPENDENT = 2;

interface Pointing {
  /** The C expression of the pointer, and the engine's name of it. */
  readonly words: string;
  readonly name: string;
  readonly owner: string;
  readonly type: TypeRef;
  readonly low: number;
  readonly high: number;
  readonly level: number;
}

interface Region {
  readonly object: string;
  readonly words: string;
  readonly address: number;
  readonly size: number;
  readonly level: number;
  readonly may: Uint8Array;
}

export function foundValues(
  types: CTypes,
  passed: readonly PassedParameter[] | null,
  args: readonly (readonly PartValue[])[],
  variables: readonly FoundVariable[],
  memory: FoundMemory,
  options: FoundOptions = DEFAULT_FOUND_OPTIONS,
): FoundValues {
  return new FoundWalk(types, memory, options).walk(passed, args, variables);
}

class FoundWalk {
  private readonly objects: FoundObject[] = [];
  private readonly inputs: UnitInput[] = [];
  private readonly fixed: UnitFixed[] = [];
  private readonly texts: FoundText[] = [];
  private readonly waiting: Pointing[] = [];
  /** Pointers to memory of no type: what others lead to is theirs. */
  private readonly untyped: Pointing[] = [];
  private readonly seen = new Set<string>();
  /** Addresses of bytes that are input already. */
  private readonly taken = new Set<number>();
  private dependent = 0;
  private readonly openEnds: FoundOpenEnd[] = [];
  private readonly moreTypes: CType[] = [];
  private readonly typeCount: number;
  private isCut = false;
  private looks = 0;
  private parts = 0;
  private bytes = 0;

  constructor(
    private readonly types: CTypes,
    private readonly memory: FoundMemory,
    private readonly options: FoundOptions,
  ) {
    this.typeCount = types.length;
  }

  walk(
    passed: readonly PassedParameter[] | null,
    args: readonly (readonly PartValue[])[],
    variables: readonly FoundVariable[],
  ): FoundValues {
    const parameters: UnitValue[] = args.map(() => ({ kind: "found" }));
    for (const parameter of passed ?? []) this.parameter(parameter, args, parameters);
    this.follow();
    for (const variable of variables) this.variable(variable);
    this.follow();
    for (const pointing of this.untyped) this.target(pointing);
    const { objects, inputs, fixed, texts, openEnds, dependent, isCut } = this;
    const moreTypes = { from: this.typeCount, types: this.moreTypes };
    return { parameters, objects, inputs, fixed, texts, openEnds, moreTypes, dependent, isCut };
  }

  private parameter(
    { name: words, type, first, pieces }: PassedParameter,
    args: readonly (readonly PartValue[])[],
    parameters: UnitValue[],
  ): void {
    pieces.forEach((piece, k) => {
      const parts = args[first + k] ?? [];
      const [part] = parts;
      const name = `param:${first + k}`;
      if (part === undefined) return;
      if (piece.kind === "pointer") {
        const { low, high } = part;
        const text = this.text(`*${name}`, piece, args, first + k);
        if (text !== null) {
          parameters[first + k] = text;
          return;
        }
        this.waiting.push({ words: piece.words, name, owner: "", type: piece.type, low, high, level: 0 });
      } else if (piece.kind === "copy" && part.high === 0) {
        this.region(`*${name}`, words, type, part.low >>> 0, piece.bytes, 0);
      } else if (piece.kind === "bytes") {
        const isDependent = parts.some(({ expression }) => expression !== CONCRETE);
        if (isDependent) this.dependent += parts.reduce((sum, { bits }) => sum + ((bits + 7) >>> 3), 0);
        if (!isDependent && this.options.freedom === "input") {
          if (k === 0) this.number(words, type, part);
          return;
        }
        this.inputs.push({ object: name, role: "value", words, type, count: 1, from: piece.from });
        parameters[first + k] = { kind: "symbolic" };
      }
    });
  }

  private isSo(owner: string, words: string, value: string): void {
    if (this.fixed.length >= this.options.objects) return;
    this.fixed.push({ owner, words, value, cause: "call", why: "it is so at the call" });
  }

  /** A parameter that stays as it is: what the function fails with may depend on it. */
  private number(words: string, type: TypeRef, { low, high }: PartValue): void {
    const kind = resolvedType(this.types, type).kind;
    const size = sizeOfType(this.types, type);
    if (kind === "record" || kind === "array" || size > WORD_BYTES) return;
    const bytes = new DataView(new ArrayBuffer(WORD_BYTES));
    bytes.setUint32(0, low, true);
    bytes.setUint32(WORD_BYTES / 2, high, true);
    this.isSo("", words, scalarText(this.types, type, new Uint8Array(bytes.buffer, 0, size)));
  }

  /** Other memory in the place of a text; null if it is none, or another argument leads there too. */
  private text(
    object: string,
    { words, type }: { readonly words: string; readonly type: TypeRef },
    args: readonly (readonly PartValue[])[],
    own: number,
  ): UnitValue | null {
    const { types, memory, options } = this;
    const [{ low, high }] = args[own];
    const address = low >>> 0;
    const character = characterOf(types, type);
    if (options.freedom !== "texts" || high !== 0 || character === null) return null;
    const bytes = textAt(memory, address);
    if (bytes === null) return null;
    const isShared = args.some((parts, n) =>
      parts.some((part) => {
        const distance = (part.low >>> 0) - address;
        return n !== own && part.high === 0 && distance >= 0 && distance <= bytes.length;
      }),
    );
    if (isShared) return null;
    const value = memoryInPlaceOf(bytes, this.extent(address, options.objectBytes));
    this.texts.push({ object, bytes });
    this.inputs.push({ object, role: "target", words, type: character, count: value.size, from: 0 });
    return value;
  }

  private variable({ name, words, type, address, size, isUsed }: FoundVariable): void {
    if (size > this.options.totalBytes) return;
    const isDependent = this.memory.dependenceOf(address, size) !== null;
    if (isDependent || isUsed) this.region(name, words, type, address, size, 0);
  }

  /** A value that lies in memory as a whole. */
  private region(object: string, words: string, type: TypeRef, address: number, size: number, level: number): void {
    if (this.memory.firstRefused(address, size, false) >= 0) return;
    const may = new Uint8Array(size);
    this.mark({ object, words, address, size, level, may }, type, 0, words, false, 0);
    this.place({ object, words, address, size, level, may }, { role: "value", type, count: 1 });
  }

  /**
   * Breadth first: what is near is more likely to be what the function works on. Of several pointers into one block the last comes first:
   * a text belongs to the pointer that stands where the function reads on, which finds it in other calls too.
   */
  private follow(): void {
    for (let batch = this.waiting.splice(0); batch.length > 0; batch = this.waiting.splice(0)) {
      const isDone = new Set<Pointing>();
      for (const first of batch) {
        if (isDone.has(first)) continue;
        const from = first.low >>> 0;
        const to = batch.length === 1 ? from : from + this.extent(from, this.options.totalBytes);
        const inBlock = batch.filter((one) => {
          const address = one.low >>> 0;
          return one === first || (one.high === 0 && address > from && address < to);
        });
        for (const one of inBlock.sort((a, b) => (b.low >>> 0) - (a.low >>> 0))) {
          if (isDone.has(one)) continue;
          isDone.add(one);
          const type = resolvedType(this.types, one.type);
          const isTyped = type.kind !== "pointer" || resolvedType(this.types, type.to).kind !== "void";
          if (isTyped) this.target(one);
          else this.untyped.push(one);
        }
      }
    }
  }

  private target({ words, name, owner, type: pointerType, low, high, level }: Pointing): void {
    const { types, memory, options } = this;
    const pointer = resolvedType(types, pointerType);
    if (pointer.kind !== "pointer") return;
    const to = resolvedType(types, pointer.to);
    if (low === 0 && high === 0) {
      this.isSo(owner, words, "NULL");
      return;
    }
    const address = low >>> 0;
    if (high !== 0 || to.kind === "function" || to.kind === "incomplete" || level > options.depth) return;
    const key = `${address} ${pointer.to}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (++this.looks > LOOKS * options.objects) {
      this.isCut = true;
      return;
    }
    const one = to.kind === "void" ? 1 : sizeOfType(types, pointer.to);
    const extent = this.extent(address, Math.max(options.objectBytes, one));
    if (one < 1 || extent < 1) return;
    const end = openEndOf(types, pointer.to);
    const count = end !== null ? 1 : Math.max(1, Math.floor(extent / one));
    const size = end !== null ? extent : Math.min(extent, count * one);
    const object = `*${name}`;
    const region = { object, words, address, size, level: level + 1, may: new Uint8Array(size) };
    if (to.kind === "void") this.markUnknown(region, 0, size);
    else {
      for (let n = 0; n < count; n++) {
        const element = count > 1 ? `${postfixable(words)}[${n}]` : to.kind === "record" ? words : `*${words}`;
        this.mark(region, pointer.to, n * one, element, count === 1, 0);
      }
      if (end !== null) this.markElements(region, end, words);
      // Types need not tell the truth: larger structures that begin with the one named, casts by a tag in the first member.
      this.leaveAddresses(region, 0, size, true);
    }
    const text = end === null ? to : resolvedType(types, end.element);
    if (text.kind === "integer" && text.bytes === 1) keepEnd(region, memory.u8);
    this.place(region, {
      role: "target",
      type: end === null ? pointer.to : this.typeOf(region, pointer.to, end),
      count,
    });
  }

  /** Those behind the end of the structure's type. */
  private markElements(region: Region, { array, element }: OpenEnd, words: string): void {
    const isOpen = sizeOfType(this.types, array.type) === 0;
    // Of one that has no length in its type all is marked.
    if (isOpen || array.offset >= region.size) return;
    this.markArray(region, { kind: "array", of: element, count: 0 }, array.offset, `${words}->${array.name}`, 0);
  }

  /** The structure with as many elements as there are. */
  private typeOf({ object, size }: Region, type: TypeRef, end: OpenEnd): TypeRef {
    const count = Math.floor((size - end.array.offset) / end.elementBytes);
    this.openEnds.push({ object, end });
    const at = this.typeCount + this.moreTypes.length;
    this.moreTypes.push(...withElements(this.types, type, end, Math.max(0, count), at));
    return at + 1;
  }

  /** How many bytes may be read from there on. */
  private extent(address: number, most: number): number {
    const refused = this.memory.firstRefused(address, most, false);
    return refused < 0 ? most : refused - address;
  }

  /** Says what each byte of a value may be, and notes the pointers in it. */
  private mark(region: Region, ref: TypeRef, offset: number, words: string, arrow: boolean, nesting: number): void {
    const { types } = this;
    const { may, size } = region;
    if (offset >= size || nesting > MOST_NESTING || ++this.parts > MOST_PARTS) return;
    const type = resolvedType(types, ref);
    switch (type.kind) {
      case "integer":
      case "bool":
      case "enum":
      case "float":
        may.fill(NUMBER, offset, Math.min(size, offset + type.bytes));
        return;
      case "other":
        this.markUnknown(region, offset, Math.min(size, offset + type.bytes));
        return;
      case "pointer":
        this.pointerIn(region, ref, offset, words);
        return;
      case "array":
        this.markArray(region, type, offset, words, nesting);
        return;
      case "record":
        if (type.tag === "union") this.markUnknown(region, offset, Math.min(size, offset + sizeOfType(types, ref)));
        else this.markMembers(region, type, offset, words, arrow, nesting);
        return;
      default:
    }
  }

  private pointerIn({ object, address, size, level }: Region, type: TypeRef, offset: number, words: string): void {
    const { view } = this.memory;
    if (offset + POINTER_BYTES > size) return;
    const at = address + offset;
    this.waiting.push({
      words,
      name: `(${object}+${offset})`,
      owner: object,
      type,
      low: view.getInt32(at, true),
      high: view.getInt32(at + 4, true),
      level,
    });
  }

  private markArray(
    region: Region,
    { of, count }: Extract<CType, { kind: "array" }>,
    offset: number,
    words: string,
    nesting: number,
  ): void {
    const one = sizeOfType(this.types, of);
    if (one < 1) return;
    const room = Math.floor((region.size - offset) / one);
    const elements = count === 0 ? room : Math.min(count, room);
    const { kind } = resolvedType(this.types, of);
    if (kind === "integer" || kind === "bool" || kind === "enum" || kind === "float") {
      region.may.fill(NUMBER, offset, offset + elements * one);
      return;
    }
    for (let n = 0; n < elements; n++) {
      const name = `${postfixable(words)}[${n}]`;
      this.mark(region, of, offset + n * one, name, false, nesting + 1);
    }
  }

  private markMembers(
    region: Region,
    { members }: Extract<CType, { kind: "record" }>,
    offset: number,
    words: string,
    arrow: boolean,
    nesting: number,
  ): void {
    for (const { name, offset: own, type, bits } of members) {
      if (bits !== null) {
        const from = offset + own + (bits.from >> 3);
        const to = offset + own + ((bits.from + bits.count + 7) >> 3);
        region.may.fill(NUMBER, Math.min(region.size, from), Math.min(region.size, to));
        continue;
      }
      const inner = name === "" ? words : `${postfixable(words)}${arrow ? "->" : "."}${name}`;
      this.mark(region, type, offset + own, inner, arrow && name === "", nesting + 1);
    }
  }

  /**
   * Nobody knows what it is: memory behind `void *`, a member of a union. What looks like an address is left alone: as a number it would be
   * any address at all, and everything done with it would fail.
   */
  private markUnknown(region: Region, from: number, to: number): void {
    region.may.fill(IF_DEPENDENT, from, to);
    this.leaveAddresses(region, from, to, false);
  }

  /** `mustBe`: only addresses of memory that is there: four letters before zeros look like one too. */
  private leaveAddresses({ may, address }: Region, from: number, to: number, mustBe: boolean): void {
    const { view } = this.memory;
    const misaligned = (address + from) % POINTER_BYTES;
    const first = misaligned === 0 ? from : from + POINTER_BYTES - misaligned;
    for (let at = first; at + POINTER_BYTES <= to; at += POINTER_BYTES) {
      const low = view.getUint32(address + at, true);
      const isAddress = low >= GUEST_BASE && view.getUint32(address + at + 4, true) === 0;
      if (isAddress && (!mustBe || this.extent(low, 1) > 0)) may.fill(NEVER, at, at + POINTER_BYTES);
    }
  }

  private place(
    { object, words, address, size, may }: Region,
    { role, type, count }: Pick<UnitInput, "role" | "type" | "count">,
  ): void {
    const { memory, options, taken } = this;
    const dependence = memory.dependenceOf(address, size);
    const isFree = options.freedom === "all";
    const isWritable = memory.firstRefused(address, size, true) < 0;
    const symbolic: { offset: number; size: number }[] = [];
    for (let k = 0; k < size; k++) {
      const isDependent = dependence !== null && dependence[k] !== 0;
      if (taken.has(address + k) || may[k] === NEVER) continue;
      if (isDependent) this.dependent++;
      if (!isWritable || !(isDependent || (isFree && may[k] === NUMBER))) continue;
      const last = symbolic.at(-1);
      if (last !== undefined && last.offset + last.size === k) last.size++;
      else symbolic.push({ offset: k, size: 1 });
    }
    if (symbolic.length === 0) return;
    if (this.objects.length >= options.objects || this.bytes + size > options.totalBytes) {
      this.isCut = true;
      return;
    }
    this.bytes += size;
    for (const range of symbolic) for (let k = 0; k < range.size; k++) taken.add(address + range.offset + k);
    this.objects.push({ name: object, address, size, symbolic });
    this.inputs.push({ object, role, words, type, count, from: 0 });
  }
}

/** A text keeps the zero at its end: where memory ends, or the last there is. */
function keepEnd({ may, address, size }: Region, u8: Uint8Array): void {
  const last = u8.subarray(address, address + size).lastIndexOf(0);
  if (last >= 0 && may[last] === NUMBER) may[last] = IF_DEPENDENT;
}
