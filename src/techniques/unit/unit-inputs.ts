// What a unit's input is in words of the source: every input object of the engine (`param:1`, `*param:0`, `null:(*param:0+8)`) with the C
// expression it stands for and its type, and from there the words for any bytes of it (`p->next->value`, `s[3]`). Plain data: made once
// with the unit's description, used by everything that shows values or conditions, in whatever thread.

import type { UnitDescription } from "../../engine/unit-description.js";
import {
  type CFunction,
  type CType,
  type CTypes,
  resolvedType,
  sizeOfType,
  type TypeRef,
} from "../../ir/debug-types.js";

export interface UnitInput {
  /** The engine's name of the object. */
  readonly object: string;
  /** value: the object is the value; target: what a pointer leads to; null: one byte, not 0 if a pointer is null. */
  readonly role: "value" | "target" | "null";
  /** Of the value, or of the pointer. */
  readonly words: string;
  /** Of the value, of one element of what is pointed to, or of the pointer. */
  readonly type: TypeRef;
  /** Elements of what is pointed to; 1 else. */
  readonly count: number;
  /** Where the object begins in its value: a structure passed in registers is several objects. */
  readonly from: number;
}

/** A number of the input that is assumed to be small, because memory of that size was made. */
export interface UnitAssumption {
  readonly object: string;
  readonly offset: number;
  readonly bytes: number;
  readonly signed: boolean;
  readonly atMost: number;
  /** As the user is told: `n <= 8`. */
  readonly words: string;
}

/** A pointer that is no input: null for some reason, or to a function. */
export interface UnitFixed {
  /** The object that contains it, or empty for a parameter. */
  readonly owner: string;
  readonly words: string;
  readonly value: string;
  /** depth: so far pointers are not followed; end: the null at the end of a list; call: it is so at a call of a test. */
  readonly cause: "depth" | "end" | "unknown" | "function" | "limit" | "call";
  readonly why: string;
  /** Where it lies in its owner, of those that a limit left out. */
  readonly offset?: number;
}

/** One parameter of C: the parameters of the IR that carry it. */
export interface UnitParameter {
  readonly name: string;
  readonly type: TypeRef;
  readonly first: number;
  readonly count: number;
  /** In memory: the IR's parameter is a pointer to a copy. */
  readonly copied: boolean;
}

export interface DescribedUnit {
  readonly function: CFunction;
  readonly file: string | null;
  readonly line: number;
  /** Not visible outside of its file. */
  readonly isStatic: boolean;
  readonly description: UnitDescription;
  readonly types: CTypes;
  readonly parameters: readonly UnitParameter[];
  /** The IR's first parameter is where the result goes. */
  readonly hiddenResult: boolean;
  readonly inputs: readonly UnitInput[];
  readonly assumptions: readonly UnitAssumption[];
  readonly fixed: readonly UnitFixed[];
  /** Static functions of other files that its pointers lead to: nothing written beside the program can name them. */
  readonly hiddenFunctions?: readonly { readonly name: string; readonly file: string }[];
  /** What texts were at the call, by the objects that stand in their places; none unless other texts are tried. */
  readonly texts?: readonly { readonly object: string; readonly bytes: Uint8Array }[];
  /** What the user should know of how the unit was made. */
  readonly notes: readonly string[];
}

type Resolved = Exclude<CType, { kind: "alias" | "qualified" }>;

/** The innermost named thing at some bytes. */
export interface Leaf {
  readonly words: string;
  readonly type: Resolved;
  /** Of the bytes asked for, within it. */
  readonly offset: number;
  readonly size: number;
  /** Set if the bits asked for are a bit-field. */
  readonly bits: number;
  /** The bit-field that the first of them lies in: how many bits of it come before, and how many it has. */
  readonly field: { readonly at: number; readonly bits: number } | null;
}

/** Words that an index, a dot or an arrow may follow, which bind more tightly than the star of a pointer: `(*pp)[1]`. */
export function postfixable(words: string): string {
  return words.startsWith("*") ? `(${words})` : words;
}

/** Types nest as deep as somebody writes them. */
const MOST_STEPS = 64;

/** What lies at bit `from` of an object's bytes; `count` bits are wanted, which chooses between the members of a union. */
export function leafAt(types: CTypes, input: UnitInput, from: number, count: number): Leaf {
  let at = from + 8 * input.from;
  let { words } = input;
  let ref = input.type;
  let type = resolvedType(types, ref);
  // A pointer to a structure is followed by an arrow, everything else of a structure by a dot.
  let isArrow = false;
  if (input.role === "target") {
    const size = Math.max(1, sizeOfType(types, ref));
    const index = Math.floor(at / 8 / size);
    at -= 8 * size * index;
    if (input.count !== 1 || index > 0) words = `${postfixable(words)}[${index}]`;
    else if (type.kind === "record") isArrow = true;
    else words = `*${words}`;
    if (type.kind === "void") type = BYTE;
  }
  for (let step = 0; step < MOST_STEPS; step++) {
    if (type.kind === "array") {
      const size = Math.max(1, sizeOfType(types, type.of));
      const index = Math.floor(at / 8 / size);
      at -= 8 * size * index;
      words = `${postfixable(words)}[${index}]`;
      ref = type.of;
      type = resolvedType(types, ref);
      continue;
    }
    if (type.kind !== "record") break;
    const member = memberAt(types, type, at, count);
    if (member === null) break;
    if (member.name !== "") {
      words = `${postfixable(words)}${isArrow ? "->" : "."}${member.name}`;
      isArrow = false;
    }
    at -= member.from;
    ref = member.type;
    type = resolvedType(types, ref);
    if (member.bits > 0) {
      const bits = at === 0 && count === member.bits ? member.bits : 0;
      return { words, type, offset: 0, size: 0, bits, field: { at, bits: member.bits } };
    }
  }
  if (isArrow) words = `*${words}`;
  const size = type.kind === "pointer" ? 8 : "bytes" in type ? type.bytes : 1;
  return { words, type, offset: Math.floor(at / 8), size, bits: 0, field: null };
}

const BYTE: Resolved = { kind: "integer", name: "unsigned char", bytes: 1, signed: false, character: "explicit" };

/** The first member of exactly that extent, else the first that contains the place. */
function memberAt(
  types: CTypes,
  { members }: Extract<CType, { kind: "record" }>,
  at: number,
  count: number,
): { readonly name: string; readonly from: number; readonly type: TypeRef; readonly bits: number } | null {
  let containing: ReturnType<typeof memberAt> = null;
  for (const { name, offset, type, bits } of members) {
    const from = 8 * offset + (bits?.from ?? 0);
    const size = bits === null ? 8 * sizeOfType(types, type) : bits.count;
    if (at < from || at >= from + size) continue;
    const found = { name, from, type, bits: bits?.count ?? 0 };
    if (at === from && count === size) return found;
    containing ??= found;
  }
  return containing;
}

/** The description of an object, by the engine's name; a stub's objects are told apart by their calls. */
export function inputNamed(unit: Pick<DescribedUnit, "inputs">, object: string): UnitInput | null {
  return unit.inputs.find((input) => input.object === object) ?? null;
}
