// Address computations as arithmetic that has shadows: `&a[i].f` becomes bytes: a + sext(i) * 24 + 8, each step an
// instruction of its own. Only getelementptrs with a variable index are split; the others are a base and a constant.

import type { DataLayout } from "../ir/data-layout.js";
import { lowerType } from "../ir/passes/lower.js";
import { I8, I64, PTR, type Type } from "../ir/types.js";
import { type Body, constInt, type Instruction, instruction, intValue, type Value } from "../ir/values.js";
import { ShapeError } from "./shape.js";

type Gep = Instruction & { readonly op: "getelementptr" };

export interface AddressTerms {
  readonly constant: bigint;
  readonly terms: readonly { readonly index: Value; readonly size: number }[];
}

export function addressTerms(i: Gep, layout: DataLayout): AddressTerms {
  const terms: { readonly index: Value; readonly size: number }[] = [];
  let constant = 0n;
  let type: Type = lowerType(i.extra.sourceType);
  for (let n = 1; n < i.operands.length; n++) {
    const index = i.operands[n];
    const known = intValue(index);
    if (n > 1 && type.kind === "struct") {
      const field = Number(known ?? 0n);
      constant += BigInt(layout.structLayout(type).offsets[field]);
      type = type.fields[field];
      continue;
    }
    if (n > 1) {
      if (type.kind !== "array" && type.kind !== "vector") throw new ShapeError("getelementptr into a scalar");
      type = type.element;
    }
    const size = layout.sizeOf(type);
    if (known !== null) {
      constant += BigInt.asIntN(index.type.kind === "int" ? index.type.bits : 64, known) * BigInt(size);
    } else if (size > 0) terms.push({ index, size });
  }
  return { constant, terms };
}

/** Afterwards every getelementptr on a scalar has one byte index, or none that varies. */
export function splitAddresses(body: Body, layout: DataLayout): void {
  for (const block of body.blocks) {
    let out: Instruction[] | null = null;
    for (let n = 0; n < block.instructions.length; n++) {
      const i = block.instructions[n];
      const steps = i.op === "getelementptr" && i.type.kind === "ptr" ? split(i as Gep, layout) : null;
      if (steps !== null) {
        out ??= block.instructions.slice(0, n);
        out.push(...steps);
      }
      out?.push(i);
    }
    if (out !== null) block.instructions = out;
  }
}

function split(i: Gep, layout: DataLayout): Instruction[] | null {
  const { constant, terms } = addressTerms(i, layout);
  if (terms.length === 0) return null;
  const made: Instruction[] = [];
  const add = (step: Instruction): Instruction => {
    made.push(step);
    return step;
  };
  const steps: Value[] = terms.map(({ index, size }) => {
    const bits = index.type.kind === "int" ? index.type.bits : 64;
    const wide =
      bits === 64 ? index : add(instruction(bits < 64 ? "sext" : "trunc", I64, [index], null, undefined, i.loc));
    if (size === 1) return wide;
    const shift = Math.log2(size);
    return Number.isInteger(shift)
      ? add(instruction("shl", I64, [wide, constInt(64, shift)], null, undefined, i.loc))
      : add(instruction("mul", I64, [wide, constInt(64, size)], null, undefined, i.loc));
  });
  if (constant !== 0n) steps.push(constInt(64, constant));
  let base = i.operands[0];
  for (let n = 0; n < steps.length - 1; n++) {
    const extra = { sourceType: I8, inbounds: false };
    base = add(instruction("getelementptr", PTR, [base, steps[n]], extra, undefined, i.loc));
  }
  i.operands = [base, steps[steps.length - 1]];
  // `extra` is readonly for everyone else; this pass owns the instruction while it rewrites it.
  (i as { extra: unknown }).extra = { sourceType: I8, inbounds: false };
  return made;
}
