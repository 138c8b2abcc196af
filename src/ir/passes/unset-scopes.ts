// A variable of a loop's body is a new one in each round, whose value nobody has set. In a register it would keep the old one,
// so where definedness is followed, the beginning of its scope becomes a store of nothing in particular. Only scalars: a
// variable that stays in memory is marked there, when its scope begins (jit/emit-intrinsic.ts).

import type { AllocaUses } from "../analysis/alloca-uses.js";
import { VOID } from "../types.js";
import { type Instruction, instruction, intValue } from "../values.js";

/** Returns true if it has put something in. */
export function unsetAtScopes({ variables, body, layout }: AllocaUses): boolean {
  const stores = new Map<Instruction, Instruction>();
  for (const { alloca, escapes, copies, lifetimes } of variables) {
    const type = alloca.extra.allocated;
    const isScalar = type.kind === "int" || type.kind === "ptr" || type.kind === "float";
    if (escapes || copies.length > 0 || !isScalar || intValue(alloca.operands[0]) !== 1n) continue;
    for (const { instruction: mark, ends } of lifetimes) {
      if (ends) continue;
      const value = { kind: "undef", type, variable: alloca.extra.variable ?? null } as const;
      const extra = { accessType: type, align: layout.abiAlign(type), volatile: false, unchecked: true };
      stores.set(mark, instruction("store", VOID, [value, alloca as unknown as Instruction], extra));
    }
  }
  if (stores.size === 0) return false;
  for (const block of body.blocks) {
    if (!block.instructions.some((i) => stores.has(i))) continue;
    block.instructions = block.instructions.flatMap((i) => {
      const store = stores.get(i);
      return store === undefined ? [i] : [i, store];
    });
  }
  return true;
}
