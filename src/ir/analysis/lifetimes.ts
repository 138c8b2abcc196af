// Which accesses to local variables may come after the variable's scope has ended. Clang marks scopes with
// llvm.lifetime.start and .end; a pointer that outlives its variable, once its own copies are gone, looks like a direct
// access to the variable, and promoting the variable or skipping the check would hide the bug.
// A forward dataflow over bit sets: a bit is set where the variable may be dead.

import type { Instruction, Value } from "../values.js";
import type { Predecessors } from "./cfg.js";

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

/** A start or end of a variable's scope. In the order of the instructions. */
export interface ScopeMark {
  readonly variable: number;
  readonly ends: boolean;
  readonly block: number;
}

/** Where variables may be dead at the start of a block. */
export class Scopes {
  private readonly words: number;
  private readonly dead: Int32Array;

  /** Of each variable, the marks must be in the order of the instructions. */
  constructor(preds: Predecessors, variables: number, marks: readonly ScopeMark[]) {
    const words = (variables + 31) >> 5;
    this.words = words;
    const size = preds.length * words;
    const ended = new Int32Array(size);
    const started = new Int32Array(size);
    for (const { variable, ends, block } of marks) {
      const word = block * words + (variable >> 5);
      const bit = 1 << (variable & 31);
      // The last mark in a block decides.
      if (ends) {
        ended[word] |= bit;
        started[word] &= ~bit;
      } else {
        started[word] |= bit;
        ended[word] &= ~bit;
      }
    }
    const dead = new Int32Array(size);
    this.dead = dead;
    for (let changed = true; changed; ) {
      changed = false;
      for (let b = 0; b < preds.length; b++) {
        const row = b * words;
        for (const p of preds[b]) {
          const from = p * words;
          for (let w = 0; w < words; w++) {
            const out = (dead[from + w] & ~started[from + w]) | ended[from + w];
            const merged = dead[row + w] | out;
            if (merged !== dead[row + w]) {
              dead[row + w] = merged;
              changed = true;
            }
          }
        }
      }
    }
  }

  mayBeDeadAtStart(block: number, variable: number): boolean {
    return ((this.dead[block * this.words + (variable >> 5)] >> (variable & 31)) & 1) !== 0;
  }
}
