// The arguments of one run of a unit in words of the source: `len = 65`, `p->next = NULL`, `s = "ab\xff"`. Of a structure those parts
// are named that are not zero, or that somebody asks for because a condition speaks of them.

import type { InputValue } from "../../inputs/input-value.js";
import { type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import { arrayText, numberText, scalarText } from "./scalar-words.js";
import { type DescribedUnit, inputNamed, postfixable, type UnitInput } from "./unit-inputs.js";

export interface ValueInWords {
  /** The C expression. */
  readonly words: string;
  readonly value: string;
}

/** Parts of one object. */
const MOST_PARTS = 24;
const MOST_NESTING = 16;
/** Places that are looked at for one object. */
const MOST_STEPS = 20_000;

/** `mentioned`: expressions that are named even if they are zero. */
export function valuesInWords(
  unit: DescribedUnit,
  values: readonly InputValue[],
  mentioned: ReadonlySet<string> = new Set(),
): readonly ValueInWords[] {
  const { types } = unit;
  const made = new Set(values.map(({ name }) => name));
  const found: ValueInWords[] = [];
  for (const { name, occurrence, bytes } of values) {
    const input = inputNamed(unit, name);
    if (input === null) {
      if (bytes.some((byte) => byte !== 0)) found.push({ words: name, value: hex(bytes) });
      continue;
    }
    const call = occurrence === 0 ? "" : `, call ${occurrence + 1}`;
    // Of what lies behind other objects only what says something is named.
    const isFar = input.role === "target" && name.startsWith("*(") && bytes.every((byte) => byte === 0);
    if (isFar && !isMentioned(mentioned, input.words)) continue;
    for (const one of inputInWords(types, input, bytes, mentioned))
      found.push({ ...one, words: `${one.words}${call}` });
  }
  for (const { owner, words, value } of unit.fixed) {
    if (owner === "" || mentioned.has(words) || (value !== "NULL" && made.has(owner))) found.push({ words, value });
  }
  return found;
}

function inputInWords(
  types: CTypes,
  input: UnitInput,
  bytes: Uint8Array,
  mentioned: ReadonlySet<string>,
): readonly ValueInWords[] {
  const { role, words, type, count } = input;
  if (role === "null") return bytes[0] === 0 ? [] : [{ words, value: "NULL" }];
  const kind = resolvedType(types, type).kind;
  if (role === "value") {
    if (kind !== "record") return [{ words, value: scalarText(types, type, bytes) }];
    return partsOf(types, input, bytes, mentioned, (n) => (n === 0 ? words : `${postfixable(words)}[${n}]`));
  }
  if (kind !== "record" && kind !== "array" && kind !== "pointer") {
    if (count === 1) return [{ words: `*${words}`, value: scalarText(types, type, bytes) }];
    return [{ words, value: arrayText(types, type, bytes) }];
  }
  const parts = partsOf(types, input, bytes, mentioned, (n) => (count === 1 ? words : `${postfixable(words)}[${n}]`));
  if (parts.length > 0 || kind === "pointer") return parts;
  return [{ words: count === 1 ? `*${words}` : words, value: "all zero" }];
}

/** The parts of a structure, or of several. */
function partsOf(
  types: CTypes,
  { role, type, count, from }: UnitInput,
  bytes: Uint8Array,
  mentioned: ReadonlySet<string>,
  nameOf: (n: number) => string,
): readonly ValueInWords[] {
  const found: ValueInWords[] = [];
  let left = 0;
  let steps = 0;
  const size = Math.max(1, sizeOfType(types, type));
  const add = (words: string, value: string): void => {
    if (found.length < MOST_PARTS || mentioned.has(words)) found.push({ words, value });
    else left++;
  };
  const walk = (ref: TypeRef, offset: number, words: string, arrow: boolean, nesting: number): void => {
    if (++steps > MOST_STEPS) return;
    const own = resolvedType(types, ref);
    const at = offset - from;
    const length = sizeOfType(types, ref);
    if (at < 0 || at + length > bytes.length || nesting > MOST_NESTING || own.kind === "pointer") {
      // A structure in registers is several objects: what lies in another one is named there.
      if (own.kind !== "record" || nesting > MOST_NESTING) return;
    }
    const part = bytes.subarray(Math.max(0, at), Math.max(0, at + length));
    const isZero = part.every((byte) => byte === 0);
    if (own.kind === "record") {
      for (const member of own.tag === "union" ? own.members.slice(0, 1) : own.members) {
        const name = member.name === "" ? words : `${postfixable(words)}${arrow ? "->" : "."}${member.name}`;
        if (member.bits === null) {
          walk(member.type, offset + member.offset, name, arrow && member.name === "", nesting + 1);
          continue;
        }
        const value = bitsOf(bytes, 8 * (at + member.offset) + member.bits.from, member.bits.count);
        if (value === 0n && !mentioned.has(name)) continue;
        add(name, numberText(resolvedType(types, member.type), value, member.bits.count));
      }
      return;
    }
    if (own.kind === "array") {
      const inner = resolvedType(types, own.of).kind;
      if (inner === "record" || inner === "array") {
        const step = Math.max(1, sizeOfType(types, own.of));
        for (let n = 0; n < own.count && found.length < MOST_PARTS && steps <= MOST_STEPS; n++) {
          walk(own.of, offset + n * step, `${postfixable(words)}[${n}]`, false, nesting + 1);
        }
      } else if (inner !== "pointer" && (!isZero || isMentioned(mentioned, words))) {
        add(words, arrayText(types, own.of, part));
      }
      return;
    }
    if (length > 0 && (!isZero || mentioned.has(words))) add(words, scalarText(types, ref, part));
  };
  for (let n = 0; n < count; n++) {
    walk(type, n * size, nameOf(n), role === "target" && count === 1, 0);
  }
  if (left > 0) found.push({ words: "...", value: `${left} more parts that are not zero` });
  return found;
}

function isMentioned(mentioned: ReadonlySet<string>, words: string): boolean {
  for (const one of mentioned) {
    const inner = postfixable(words);
    if (one.startsWith(`${inner}[`) || one.startsWith(`${inner}->`) || one === `*${words}`) return true;
  }
  return mentioned.has(words);
}

function bitsOf(bytes: Uint8Array, from: number, count: number): bigint {
  let value = 0n;
  for (let n = count - 1; n >= 0; n--) {
    const bit = ((bytes[(from + n) >> 3] ?? 0) >> ((from + n) & 7)) & 1;
    value = (value << 1n) | BigInt(bit);
  }
  return value;
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).reverse().toString("hex")}`;
}
