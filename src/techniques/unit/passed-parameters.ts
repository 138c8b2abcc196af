// How the calling convention passes parameters of C: which parameters of the IR carry each of them, and what each of these is. A structure
// in registers is several, one in memory a pointer to a copy, a large result a hidden pointer before all others.

import {
  type CFunction,
  type CType,
  type CTypes,
  resolvedType,
  sizeOfType,
  type TypeRef,
} from "../../ir/debug-types.js";
import type { FunctionShape } from "../../jit/image.js";
import type { UnitParameter } from "./unit-inputs.js";

/** What one parameter of the IR is. */
export type PassedPiece =
  /** The value's bytes, from there on. */
  | { readonly kind: "bytes"; readonly from: number }
  /** A pointer: the value, or a member of it. */
  | { readonly kind: "pointer"; readonly type: TypeRef; readonly words: string; readonly isMember: boolean }
  /** A pointer of which no type is known. */
  | { readonly kind: "address" }
  /** Where a copy of the value lies. */
  | { readonly kind: "copy"; readonly bytes: number };

export interface PassedParameter {
  readonly name: string;
  readonly type: TypeRef;
  /** The IR's parameters from there on, as many as there are pieces. */
  readonly first: number;
  readonly pieces: readonly PassedPiece[];
}

/** Null if parameters of C and of the IR do not fit together. */
export function passedParameters(
  types: CTypes,
  declared: CFunction,
  shape: FunctionShape,
  hiddenResult: boolean,
): readonly PassedParameter[] | null {
  const parameters: PassedParameter[] = [];
  let first = hiddenResult ? 1 : 0;
  for (const { name, type } of declared.parameters) {
    const pieces = piecesOf(types, type, name, shape, first);
    if (pieces === null) return null;
    parameters.push({ name, type, first, pieces });
    first += pieces.length;
  }
  return first === shape.parameters.length ? parameters : null;
}

export function unitParameter({ name, type, first, pieces }: PassedParameter): UnitParameter {
  return { name, type, first, count: pieces.length, copied: pieces[0]?.kind === "copy" };
}

function piecesOf(
  types: CTypes,
  ref: TypeRef,
  words: string,
  shape: FunctionShape,
  first: number,
): readonly PassedPiece[] | null {
  const type = resolvedType(types, ref);
  const size = sizeOfType(types, ref);
  const own = shape.parameters[first];
  if (type.kind === "record" && size === 0) return [];
  if (own === undefined) return null;
  if (type.kind === "pointer") return own.pointer ? [{ kind: "pointer", type: ref, words, isMember: false }] : null;
  if (own.copiedBytes > 0) return [{ kind: "copy", bytes: own.copiedBytes }];
  if (isAggregate(type) && size > 8) return inRegisters(types, ref, words, shape, first, size / 8);
  return own.pointer ? inRegisters(types, ref, words, shape, first, 1) : [{ kind: "bytes", from: 0 }];
}

/** A structure of up to 16 bytes: each eight of them in a register, as a pointer if they are one. */
function inRegisters(
  types: CTypes,
  ref: TypeRef,
  words: string,
  shape: FunctionShape,
  first: number,
  eights: number,
): readonly PassedPiece[] | null {
  const pieces: PassedPiece[] = [];
  for (let from = 0, n = first; from < 8 * eights; n++) {
    const own = shape.parameters[n];
    if (own === undefined || own.copiedBytes > 0) return null;
    const pointer = own.pointer ? memberPointer(types, ref, from, words) : null;
    if (pointer !== null) pieces.push({ kind: "pointer", ...pointer, isMember: true });
    else pieces.push(own.pointer ? { kind: "address" } : { kind: "bytes", from });
    from += Math.max(8, own.bits.reduce((sum, bits) => sum + bits, 0) / 8);
  }
  return pieces;
}

/** The pointer at an offset of a value. */
function memberPointer(
  types: CTypes,
  ref: TypeRef,
  offset: number,
  words: string,
): { readonly type: TypeRef; readonly words: string } | null {
  let at = offset;
  let type = ref;
  let text = words;
  for (let step = 0; step < 16; step++) {
    const own = resolvedType(types, type);
    if (own.kind === "pointer") return at === 0 ? { type, words: text } : null;
    if (own.kind === "array") {
      const size = Math.max(1, sizeOfType(types, own.of));
      text = `${text}[${Math.floor(at / size)}]`;
      at %= size;
      type = own.of;
      continue;
    }
    if (own.kind !== "record") return null;
    const member = own.members.find((one) => at >= one.offset && at < one.offset + sizeOfType(types, one.type));
    if (member === undefined) return null;
    text = member.name === "" ? text : `${text}.${member.name}`;
    at -= member.offset;
    type = member.type;
  }
  return null;
}

function isAggregate(type: CType): boolean {
  return type.kind === "record" || type.kind === "other" || (type.kind === "integer" && type.bytes > 8);
}
