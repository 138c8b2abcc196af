// Splits an address computation with several indices into steps, outer index first: `&m[i][j]` becomes (m + i * 512) +
// j * 4. Each step is an instruction of its own, so that hoisting can take what does not change in the inner loop out of
// it; V8 does neither for WebAssembly. Run last, since other passes read addresses more easily as written; what analyses of the
// final bodies want to know of an address is kept beside it (`keepsWritten`).

import type { DataLayout } from "../data-layout.js";
import { I8, PTR, type Type } from "../types.js";
import { type Body, constInt, type Instruction, instruction, intValue, type Value } from "../values.js";

export function expandAddresses(body: Body, layout: DataLayout, keepsWritten = false): void {
  for (const block of body.blocks) {
    let out: Instruction[] | null = null;
    for (let n = 0; n < block.instructions.length; n++) {
      const i = block.instructions[n];
      const steps = i.op === "getelementptr" && i.type.kind === "ptr" ? expand(i, layout, keepsWritten) : null;
      if (steps === null) {
        out?.push(i);
        continue;
      }
      out ??= block.instructions.slice(0, n);
      out.push(...steps);
      // The instruction itself becomes the last step, so that its users need not change.
      out.push(i);
    }
    if (out !== null) block.instructions = out;
  }
}

interface Term {
  readonly index: Value;
  readonly size: number;
}

/** The steps before the last one, or null if there is nothing to split. The instruction is changed in place. */
function expand(
  i: Instruction & { op: "getelementptr" },
  layout: DataLayout,
  keepsWritten: boolean,
): Instruction[] | null {
  const terms: Term[] = [];
  let constant = 0n;
  let type: Type = i.extra.sourceType;
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
      if (type.kind !== "array" && type.kind !== "vector") return null;
      type = type.element;
    }
    const size = layout.sizeOf(type);
    if (known !== null) {
      constant += BigInt.asIntN(index.type.kind === "int" ? index.type.bits : 64, known) * BigInt(size);
    } else if (index.type.kind !== "int" || index.type.bits > 64) return null;
    else if (size > 0) terms.push({ index, size });
  }
  const steps = terms.length + (constant !== 0n ? 1 : 0);
  if (terms.length === 0 || steps < 2) return null;
  const made: Instruction[] = [];
  const step = (base: Value, element: Type, index: Value): Instruction => {
    const gep = instruction(
      "getelementptr",
      PTR,
      [base, index],
      keepsWritten
        ? { sourceType: element, inbounds: false, written: "step" }
        : { sourceType: element, inbounds: false },
      undefined,
      i.loc,
    );
    made.push(gep);
    return gep;
  };
  let base: Value = i.operands[0];
  let rest = constant;
  if (rest !== 0n && base.kind === "global") {
    // A variable's address plus a constant is a constant: it costs nothing and goes first.
    base = {
      kind: "constexpr",
      op: "getelementptr",
      type: PTR,
      operands: [base, constInt(64, rest)],
      sourceType: I8,
      predicate: null,
    };
    rest = 0n;
  }
  const last = rest !== 0n ? terms.length : terms.length - 1;
  for (let n = 0; n < last; n++) base = step(base, arrayOfBytes(terms[n].size), terms[n].index);
  const final = rest !== 0n ? { index: constInt(64, rest), size: 1 } : terms[last];
  const written = { sourceType: i.extra.sourceType, operands: i.operands };
  i.operands = [base, final.index];
  // `extra` is readonly for everyone else; this pass owns the instruction while it rewrites it.
  const extra = { sourceType: arrayOfBytes(final.size), inbounds: false };
  (i as { extra: unknown }).extra = keepsWritten ? { ...extra, written } : extra;
  return made;
}
function arrayOfBytes(size: number): Type {
  return size === 1 ? I8 : { kind: "array", count: size, element: I8 };
}
