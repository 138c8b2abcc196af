// Moves a model towards a seed while its constraints hold, so that a witness shows only what the path needs. First whole
// groups of bytes at once, halved until single bytes (as delta debugging does it), then the bits of the bytes that must
// differ, highest first. It only evaluates: asking a solver for the nearest model (a maximum-satisfiability question) gives
// smaller differences at a thousand times the cost.
// The result is minimal in this sense: no single differing byte can be given back. Unless the caller says that it is enough.

import type { ExprArena } from "../expr/arena.js";
import type { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import type { Model } from "./solver.js";

export function minimizeModel(
  arena: ExprArena,
  evaluator: Evaluator,
  constraints: readonly ExprRef[],
  model: Model,
  seed: Model,
  isEnough: () => boolean = () => false,
): Model {
  return new Minimizer(arena, evaluator, constraints, model, seed, isEnough).run();
}

class Minimizer {
  private readonly result: Model;
  /** Constraints that mention a byte. */
  private readonly mentions = new Map<number, ExprRef[]>();

  constructor(
    arena: ExprArena,
    private readonly evaluator: Evaluator,
    constraints: readonly ExprRef[],
    model: Model,
    private readonly seed: Model,
    private readonly isEnough: () => boolean,
  ) {
    // Beyond its end a model is 0, which the seed need not be.
    this.result = new Uint8Array(Math.max(model.length, seed.length));
    this.result.set(model);
    for (const constraint of constraints) {
      for (const byte of arena.support(constraint)) {
        const list = this.mentions.get(byte);
        if (list === undefined) this.mentions.set(byte, [constraint]);
        else list.push(constraint);
      }
    }
  }

  run(): Model {
    // Giving one byte back may free another, so repeat until nothing changes; every change brings a bit nearer.
    for (let changed = true; changed && !this.isEnough(); ) {
      changed = this.giveBack(this.differing());
      if (changed) continue;
      for (const byte of this.differing()) {
        if (this.isEnough()) break;
        changed = this.giveBackBits(byte) || changed;
      }
    }
    return this.result;
  }

  private seedValue(byte: number): number {
    return byte < this.seed.length ? this.seed[byte] : 0;
  }

  private differing(): number[] {
    const bytes: number[] = [];
    for (let byte = 0; byte < this.result.length; byte++)
      if (this.result[byte] !== this.seedValue(byte)) bytes.push(byte);
    return bytes;
  }

  private giveBack(bytes: readonly number[]): boolean {
    let changed = false;
    const groups: (readonly number[])[] = [bytes];
    while (groups.length > 0 && !this.isEnough()) {
      const group = groups.pop()!;
      if (group.length === 0) continue;
      const before = group.map((byte) => this.result[byte]);
      for (const byte of group) this.result[byte] = this.seedValue(byte);
      if (this.holdsFor(group)) {
        changed = true;
        continue;
      }
      group.forEach((byte, i) => {
        this.result[byte] = before[i];
      });
      if (group.length === 1) continue;
      const half = group.length >> 1;
      groups.push(group.slice(half), group.slice(0, half));
    }
    return changed;
  }

  private giveBackBits(byte: number): boolean {
    let changed = false;
    for (let bit = 7; bit >= 0; bit--) {
      const before = this.result[byte];
      const after = (before & ~(1 << bit)) | (this.seedValue(byte) & (1 << bit));
      if (after === before) continue;
      this.result[byte] = after;
      if (this.holdsFor([byte])) changed = true;
      else this.result[byte] = before;
    }
    return changed;
  }

  private holdsFor(bytes: readonly number[]): boolean {
    this.evaluator.load(this.result);
    for (const byte of bytes) {
      for (const constraint of this.mentions.get(byte) ?? []) if (!this.evaluator.holds(constraint)) return false;
    }
    return true;
  }
}
