// Texts that a call is given. A test's own text has a length, and much fails only with a longer one: where units are explored with texts free,
// the function is given other memory with more room, which begins with what the test has. What fails with such a text is carried to the
// whole program by putting it into the test's input where the other one stood (carry-texts.ts).

import type { UnitValue } from "../../engine/unit-description.js";
import { type CTypes, resolvedType, type TypeRef } from "../../ir/debug-types.js";
import type { FoundMemory } from "./found-values.js";

/** What a text was at the call, by the name of the input object that stands in its place. */
export interface FoundText {
  readonly object: string;
  readonly bytes: Uint8Array;
}

/** Longer ones stay as they are: they have room enough. */
const LONGEST = 48;
const LEAST_ROOM = 16;

/** The text at an address, without its end; null if it is empty, too long, or nothing of it depends on the program's input. */
export function textAt(memory: FoundMemory, address: number): Uint8Array | null {
  const refused = memory.firstRefused(address, LONGEST + 1, false);
  const extent = refused < 0 ? LONGEST + 1 : refused - address;
  const bytes = memory.u8.slice(address, address + extent);
  const length = bytes.indexOf(0);
  if (length < 1 || memory.dependenceOf(address, length) === null) return null;
  return bytes.subarray(0, length);
}

/** What a pointer to characters leads to; null if it is none. */
export function characterOf(types: CTypes, pointer: TypeRef): TypeRef | null {
  const type = resolvedType(types, pointer);
  if (type.kind !== "pointer") return null;
  const to = resolvedType(types, type.to);
  return to.kind === "integer" && to.bytes === 1 ? type.to : null;
}

/** Memory in a text's place: as much as there is at the call, because functions append to texts, or more; zeros behind what is free. */
export function memoryInPlaceOf({ length }: Uint8Array, extent: number): Extract<UnitValue, { kind: "object" }> {
  const free = Math.max(LEAST_ROOM, 2 * length);
  const size = Math.max(free + 1, extent);
  const bytes = new Array<number>(size - free).fill(0);
  return { kind: "object", size, fields: [{ offset: free, value: { kind: "bytes", bytes } }] };
}
