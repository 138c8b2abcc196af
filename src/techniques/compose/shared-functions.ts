// A library's tests are many programs, and all of them have the library's functions. Each function is tested as a unit in the one or two of
// them whose tests give it most, and what it failed with is asked of the tests of some others. What time that takes is spent for all, so that
// a program without functions of its own has its share of the rest.

import type { FunctionFacts } from "./compose-work.js";

/** Programs in which one function is tested as a unit. */
const MOST_PROGRAMS = 2;

export type Place = Pick<FunctionFacts, "name" | "file" | "line">;

export class SharedFunctions<Program extends object> {
  /** By function: the programs that have it, those first where most is to be had of it. */
  private readonly programs = new Map<string, { readonly program: Program; readonly promise: number }[]>();
  private readonly told = new Set<Program>();
  private totalMs = 0;

  /** `promise`: what is to be had of the function there. All programs tell of theirs before one is asked about. */
  tell(program: Program, functions: readonly { readonly facts: Place; readonly promise: number }[]): void {
    if (this.told.has(program)) return;
    this.told.add(program);
    for (const { facts, promise } of functions) {
      const key = keyOf(facts);
      const all = this.programs.get(key) ?? [];
      this.programs.set(key, all);
      all.push({ program, promise });
      all.sort((a, b) => b.promise - a.promise);
    }
  }

  /** 0 where most is to be had of it, 1 for the next best; null if others are enough. */
  rankOf(program: Program, facts: Place): number | null {
    const rank = (this.programs.get(keyOf(facts)) ?? []).findIndex((one) => one.program === program);
    return rank >= MOST_PROGRAMS ? null : Math.max(0, rank);
  }

  /** Other programs that have it. */
  othersOf(program: Program, facts: Place): readonly Program[] {
    const all = this.programs.get(keyOf(facts)) ?? [];
    return all.flatMap((one) => (one.program === program ? [] : [one.program]));
  }

  spent(milliseconds: number): void {
    this.totalMs += milliseconds;
  }

  /** While this is done, nothing counts. */
  spendingNothing(done: () => void): void {
    const { totalMs } = this;
    done();
    this.totalMs = totalMs;
  }

  /** On functions, by each program on average. */
  get meanMs(): number {
    return this.totalMs / Math.max(1, this.told.size);
  }
}

/** The same in all programs that have the function. */
export function keyOf({ name, file, line }: Place): string {
  return `${name} ${file ?? ""}:${line}`;
}
