// What the shadow of a value says in a program that is translated with definedness: a number that stands for the value's
// undefined bits and for where they come from. Equal ones have the same number, so a run makes few of them.
// Invariant: 0 means that all bits are defined; numbers from 1 on are the values of variables that were never set, in the
// order of ProgramImage.unsetValues.

import type { UnsetValue } from "../jit/image.js";

export class UnsetBits {
  private readonly masks: bigint[] = [0n];
  private readonly origins: number[] = [0];
  private readonly numbers = new Map<number, Map<bigint, number>>();
  private readonly first: number;

  /** `originOf` gives the number of the variable that a value belongs to. */
  constructor(unset: readonly UnsetValue[], originOf: (value: UnsetValue) => number) {
    for (const value of unset) this.add((1n << BigInt(value.bits)) - 1n, originOf(value));
    this.first = this.masks.length;
  }

  /** Forgets what runs have made. */
  reset(): void {
    this.masks.length = this.first;
    this.origins.length = this.first;
    this.numbers.clear();
  }

  /** 0 if no bit is undefined. */
  numberOf(mask: bigint, origin: number): number {
    if (mask === 0n) return 0;
    let known = this.numbers.get(origin);
    if (known === undefined) {
      known = new Map();
      this.numbers.set(origin, known);
    }
    let number = known.get(mask);
    if (number === undefined) {
      number = this.add(mask, origin);
      known.set(mask, number);
    }
    return number;
  }

  maskOf(number: number): bigint {
    return this.masks[number];
  }
  originOf(number: number): number {
    return this.origins[number];
  }

  private add(mask: bigint, origin: number): number {
    this.origins.push(origin);
    return this.masks.push(mask) - 1;
  }
}
