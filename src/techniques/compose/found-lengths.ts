// Numbers at a call that are the length of memory beside them, as names and neighbours say (unit-lengths.ts). A test passes the two together;
// where only one of them becomes another, every read behind the end would be told as a failure of the function. So such a number is
// assumed to be at most what there is, as where types make both.
//
// A number that is larger than its memory at the call itself is no length of it, and stays free. Composition bounds none: it shows with a
// whole input whether the program can pass such a number, and there are programs that take it from their input.

import type { UnitValue } from "../../engine/unit-description.js";
import type { PartValue } from "../../engine/unit-values.js";
import { type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import type { OpenEnd } from "../unit/open-ends.js";
import type { PassedParameter } from "../unit/passed-parameters.js";
import { littleEndian } from "../unit/scalar-words.js";
import { leafAt, type UnitAssumption } from "../unit/unit-inputs.js";
import { lengthsIn } from "../unit/unit-lengths.js";
import type { FoundMemory, FoundValues } from "./found-values.js";

/** Memory that is looked at; what has more is bounded by nothing. */
const MOST_BYTES = 1 << 20;
/** Structures that are looked at in one object: debug information may claim anything of arrays in arrays. */
const MOST_STRUCTURES = 256;
const MOST_NESTING = 16;
const POINTER_BYTES = 8;

interface FoundNumber {
  readonly object: string;
  readonly offset: number;
  readonly type: TypeRef;
  readonly words: string;
  /** At the call. */
  readonly own: Uint8Array;
}

export function lengthsFound(
  types: CTypes,
  passed: readonly PassedParameter[] | null,
  args: readonly (readonly PartValue[])[],
  values: Pick<FoundValues, "parameters" | "objects" | "inputs" | "openEnds">,
  memory: FoundMemory,
): readonly UnitAssumption[] {
  const finder = new LengthFinder(types, memory);
  finder.parameters(passed ?? [], args, values.parameters);
  for (const { name, address, size, symbolic } of values.objects) {
    const input = values.inputs.find(({ object }) => object === name);
    if (input === undefined) continue;
    const isInput = (offset: number, bytes: number): boolean =>
      symbolic.some((range) => range.offset <= offset && offset + bytes <= range.offset + range.size);
    const end = values.openEnds.find(({ object }) => object === name)?.end;
    if (end !== undefined) finder.ownEnd(name, input.words, address, size, end, isInput);
    else
      finder.structures(input.type, input.count, address, isInput, (offset, bytes) => ({
        object: name,
        words: leafAt(types, input, 8 * offset, 8 * bytes).words,
      }));
  }
  return finder.found;
}

class LengthFinder {
  readonly found: UnitAssumption[] = [];
  private looks = 0;

  constructor(
    private readonly types: CTypes,
    private readonly memory: FoundMemory,
  ) {}

  parameters(
    passed: readonly PassedParameter[],
    args: readonly (readonly PartValue[])[],
    values: readonly UnitValue[],
  ): void {
    for (const [pointer, numbers] of lengthsIn(this.types, passed, "parameters")) {
      const { type, first } = passed[pointer];
      const [part] = args[first] ?? [];
      if (part === undefined) continue;
      // Other memory may stand in the place of a text.
      const made = values[first];
      const bytes = made.kind === "object" ? made.size : part.high === 0 ? this.extent(part.low >>> 0) : 0;
      for (const n of numbers) {
        const { name: words, type: own, first: at } = passed[n];
        if (values[at]?.kind !== "symbolic") continue;
        const number = { object: `param:${at}`, offset: 0, type: own, words, own: bytesOf(args[at][0]) };
        this.bound(number, type, bytes);
      }
    }
  }

  /** That of the array at a structure's own end. */
  ownEnd(
    object: string,
    words: string,
    address: number,
    size: number,
    { array, elementBytes, length }: OpenEnd,
    isInput: (offset: number, bytes: number) => boolean,
  ): void {
    if (length === null) return;
    const { offset, type } = length;
    const bytes = sizeOfType(this.types, type);
    if (!isInput(offset, bytes)) return;
    const own = this.memory.u8.slice(address + offset, address + offset + bytes);
    const number = { object, offset, type, words: `${words}->${length.name}`, own };
    this.boundBy(number, Math.floor((size - array.offset) / elementBytes));
  }

  /** Those in a value that lies in memory, which begins as `count` of a type. */
  structures(
    type: TypeRef,
    count: number,
    address: number,
    isInput: (offset: number, bytes: number) => boolean,
    named: (offset: number, bytes: number) => Pick<FoundNumber, "object" | "words">,
  ): void {
    this.looks = 0;
    const size = sizeOfType(this.types, type);
    for (let n = 0; n < count && this.looks < MOST_STRUCTURES; n++) {
      this.structure(type, n * size, 0, (members, offset) => {
        for (const [pointer, numbers] of lengthsIn(this.types, members, "members")) {
          const at = address + offset + members[pointer].offset;
          if (this.memory.firstRefused(at, POINTER_BYTES, false) >= 0) continue;
          const { view, u8 } = this.memory;
          const bytes = view.getUint32(at + 4, true) === 0 ? this.extent(view.getUint32(at, true)) : 0;
          for (const k of numbers) {
            const { type: own, bits } = members[k];
            const from = offset + members[k].offset;
            const length = sizeOfType(this.types, own);
            if (bits !== null || !isInput(from, length)) continue;
            const number = { ...named(from, length), offset: from, type: own };
            const value = u8.slice(address + from, address + from + length);
            this.bound({ ...number, own: value }, members[pointer].type, bytes);
          }
        }
      });
    }
  }

  /** Structures in structures. */
  private structure(
    ref: TypeRef,
    offset: number,
    nesting: number,
    look: (members: readonly Member[], offset: number) => void,
  ): void {
    const type = resolvedType(this.types, ref);
    if (nesting > MOST_NESTING || ++this.looks > MOST_STRUCTURES) return;
    if (type.kind === "array") {
      const size = sizeOfType(this.types, type.of);
      for (let n = 0; n < type.count && this.looks < MOST_STRUCTURES; n++) {
        this.structure(type.of, offset + n * size, nesting + 1, look);
      }
    }
    if (type.kind !== "record" || type.tag === "union") return;
    look(type.members, offset);
    for (const member of type.members) {
      if (member.bits === null) this.structure(member.type, offset + member.offset, nesting + 1, look);
    }
  }

  /** How many bytes may be read from there on; 0 also if there are too many. */
  private extent(address: number): number {
    return Math.max(0, this.memory.firstRefused(address, MOST_BYTES, false) - address);
  }

  private bound(number: FoundNumber, pointer: TypeRef, bytes: number): void {
    const to = resolvedType(this.types, pointer);
    if (to.kind !== "pointer" || bytes < 1) return;
    const one = resolvedType(this.types, to.to).kind === "void" ? 1 : sizeOfType(this.types, to.to);
    if (one > 0) this.boundBy(number, Math.floor(bytes / one));
  }

  private boundBy({ object, offset, type: ref, words, own }: FoundNumber, atMost: number): void {
    const type = resolvedType(this.types, ref);
    if (type.kind !== "integer") return;
    const { bytes, signed } = type;
    const value = littleEndian(own.subarray(0, bytes));
    const isLength = (signed ? BigInt.asIntN(8 * bytes, value) : value) <= BigInt(atMost);
    if (isLength) this.found.push({ object, offset, bytes, signed, atMost, words: `${words} <= ${atMost}` });
  }
}

type Member = Extract<ReturnType<typeof resolvedType>, { kind: "record" }>["members"][number];

function bytesOf({ low, high }: PartValue): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, low, true);
  view.setInt32(4, high, true);
  return bytes;
}
