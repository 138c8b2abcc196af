// Structures that go on behind their end. C allocates more than the type says where the last member is an array of no known length
// (`char text[];`), or of one or two elements, as was written before C had such arrays (`size_t len; char str[2];`). The latter is
// recognised only where a number beside it looks like its length: an array of two may just be one.
//
// Whoever makes or finds such a structure describes it by a type of its own: the same structure with as many elements as there are.

import { type CMember, type CType, type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import { isLengthName } from "./unit-lengths.js";

export interface OpenEnd {
  readonly array: CMember;
  readonly element: TypeRef;
  readonly elementBytes: number;
  /** The number that says how many elements there are. */
  readonly length: CMember | null;
}

/** A longer one is what it says. */
const MOST_DECLARED = 2;

/** Null for all that ends where its type does. */
export function openEndOf(types: CTypes, ref: TypeRef): OpenEnd | null {
  const type = resolvedType(types, ref);
  if (type.kind !== "record" || type.tag === "union") return null;
  const array = type.members.at(-1);
  const inner = array === undefined ? null : resolvedType(types, array.type);
  if (array === undefined || inner?.kind !== "array" || inner.count > MOST_DECLARED) return null;
  const elementBytes = sizeOfType(types, inner.of);
  const length = lengthOf(types, type.members, array.name);
  if (elementBytes < 1 || (inner.count > 0 && length === null)) return null;
  return { array, element: inner.of, elementBytes, length };
}

/** How often something is referred to is no length, though it is a count. */
const NO_LENGTH = /ref/i;
const SURELY = /len|size/i;

/** By the array's name; else one that is called a length, else a count; the nearest of several. */
function lengthOf(types: CTypes, members: readonly CMember[], array: string): CMember | null {
  const before = members.slice(0, -1).reverse();
  const numbers = before.filter(({ name, type: ref, bits }) => {
    const type = resolvedType(types, ref);
    return bits === null && type.kind === "integer" && type.bytes >= 2 && isLengthName(name) && !NO_LENGTH.test(name);
  });
  // Of pointers that stand before it, what is called a length may be theirs.
  const hasPointer = before.some(({ type }) => resolvedType(types, type).kind === "pointer");
  const stem = array.toLowerCase().replace(/s$/, "");
  const named = numbers.find(({ name }) => stem.length > 1 && name.toLowerCase().includes(stem));
  return named ?? (hasPointer ? null : (numbers.find(({ name }) => SURELY.test(name)) ?? numbers.at(0) ?? null));
}

/**
 * The types that stand for the structure with so many elements, to be put at that place, behind all others; the second is the structure.
 */
export function withElements(
  types: CTypes,
  ref: TypeRef,
  { array, element, elementBytes }: OpenEnd,
  count: number,
  at: TypeRef = types.length,
): readonly CType[] {
  const type = resolvedType(types, ref);
  if (type.kind !== "record") return [];
  const bytes = Math.max(type.bytes, array.offset + count * elementBytes);
  const members = [...type.members.slice(0, -1), { ...array, type: at }];
  return [
    { kind: "array", of: element, count },
    { ...type, name: type.name || aliasOf(types, ref), bytes, members },
  ];
}

/** Typedefs nest as far as somebody writes them. */
const MOST_ALIASES = 64;

/** A structure without a tag goes by the typedef next to it, as in LLVM's names. */
function aliasOf(types: CTypes, ref: TypeRef): string {
  let name = "";
  let at = ref;
  for (let step = 0; step < MOST_ALIASES; step++) {
    const type = types[at];
    if (type?.kind !== "alias" && type?.kind !== "qualified") break;
    if (type.kind === "alias") name = type.name;
    at = type.to;
  }
  return name;
}
