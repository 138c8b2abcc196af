// Which accesses to local variables may come after the variable's scope has ended. Clang marks scopes with
// llvm.lifetime.start and .end; a pointer that outlives its variable, once its own copies are gone, looks like a direct
// access to the variable, and promoting the variable or skipping the check would hide the bug.
// A forward dataflow over bit sets: a bit is set where the variable may be dead.

import type { Predecessors } from "./cfg.js";
import type { Body, Instruction, Value } from "./values.js";

export type LifetimeMarker = "start" | "end";

export function lifetimeMarker(i: Instruction): LifetimeMarker | null {
  if (i.op !== "call") return null;
  const [callee] = i.operands;
  if (callee.kind !== "global") return null;
  const { name } = callee.target;
  if (!name.startsWith("llvm.lifetime.")) return null;
  return name.startsWith("llvm.lifetime.end") ? "end" : "start";
}

/** The pointer a lifetime call names: its last argument (LLVM 22 has no size argument any more). */
export function lifetimePointer(i: Instruction): Value {
  return i.operands[i.operands.length - 1];
}

export class Lifetimes {
  /** Does any scope end before the function does? */
  readonly someEnd: boolean;
  readonly #words: number;
  /** May be dead at the start of the block: #words words for each block. */
  readonly #in: Int32Array;

  /**
   * `variableOf` numbers the variables looked at: from 0, or -1. Instruction ids must be current. `count` variables.
   */
  constructor(
    body: Body,
    preds: Predecessors,
    readonly variableOf: (pointer: Value) => number,
    count: number,
  ) {
    const words = (count + 31) >> 5;
    this.#words = words;
    const size = body.blocks.length * words;
    const ended = new Int32Array(size);
    const started = new Int32Array(size);
    let any = false;
    for (const block of body.blocks) {
      const row = block.index * words;
      for (const i of block.instructions) {
        const marker = lifetimeMarker(i);
        if (marker === null) continue;
        const variable = variableOf(lifetimePointer(i));
        if (variable < 0) continue;
        const word = row + (variable >> 5);
        const bit = 1 << (variable & 31);
        if (marker === "end") {
          any = true;
          ended[word] |= bit;
          started[word] &= ~bit;
        } else {
          started[word] |= bit;
          ended[word] &= ~bit;
        }
      }
    }
    this.#in = new Int32Array(size);
    this.someEnd = any;
    if (!any) return;
    const into = this.#in;
    for (let changed = true; changed; ) {
      changed = false;
      for (let b = 0; b < body.blocks.length; b++) {
        const row = b * words;
        for (const p of preds[b]) {
          const from = p * words;
          for (let w = 0; w < words; w++) {
            const out = (into[from + w] & ~started[from + w]) | ended[from + w];
            const merged = into[row + w] | out;
            if (merged !== into[row + w]) {
              into[row + w] = merged;
              changed = true;
            }
          }
        }
      }
    }
  }

  /** The set at the start of a block, to be kept current with `step` while walking its instructions. */
  enter(block: number): Int32Array {
    return this.#in.slice(block * this.#words, (block + 1) * this.#words);
  }
  step(dead: Int32Array, i: Instruction): void {
    const marker = lifetimeMarker(i);
    if (marker === null) return;
    const variable = this.variableOf(lifetimePointer(i));
    if (variable < 0) return;
    if (marker === "end") dead[variable >> 5] |= 1 << (variable & 31);
    else dead[variable >> 5] &= ~(1 << (variable & 31));
  }
}

export function mayBeDead(dead: Int32Array, variable: number): boolean {
  return ((dead[variable >> 5] >> (variable & 31)) & 1) !== 0;
}
