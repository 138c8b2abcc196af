// Comparisons of order (<, <=, >, >=) and differences of two pointers, told to the host before they are made: in C both
// have a meaning only inside one object. A pair is two calls of the observer, first pointer first. Differences of pointers
// that the program itself has converted to integers look the same here, and are told too.

import type { Instruction, Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { W } from "./wasm.js";

/** What the observer is told: the first pointer of a pair, and the second of a comparison or a difference. */
export const PAIR = { first: 0, compared: 1, subtracted: 2 } as const;

/** The two pointers of an instruction that is told; null if it is none. */
function pointersOf(i: Instruction): { readonly pair: readonly [Value, Value]; readonly code: number } | null {
  const [a, b] = i.operands;
  if (i.op === "icmp") {
    const { predicate } = i.extra;
    if (predicate === "eq" || predicate === "ne" || a.type.kind !== "ptr") return null;
    return { pair: [a, b], code: PAIR.compared };
  }
  if (i.op !== "sub") return null;
  const [from, to] = [a, b].map((value) =>
    value.kind === "instruction" && value.op === "ptrtoint" ? value.operands[0] : null,
  );
  return from?.type.kind !== "ptr" || to?.type.kind !== "ptr" ? null : { pair: [from, to], code: PAIR.subtracted };
}

/** Before the instruction itself; nothing, if pairs are not told or it has none. */
export function emitPointerPair(e: FunctionEmitter, i: Instruction): void {
  if (!e.tellsPairs) return;
  const found = pointersOf(i);
  if (found === null) return;
  // It may stand in the middle of the instruction that uses its result.
  e.markedAs(i.loc, () => {
    found.pair.forEach((pointer, n) => {
      e.i32(n === 0 ? PAIR.first : found.code);
      e.push(pointer);
      e.op(W.i32_wrap_i64);
      e.call(e.module.observer);
    });
  });
}
