// A library's tests are many programs, and all of them have the library's functions. Each function is tested as a unit in the one or two of
// them whose tests give it most; what time that takes is spent for all, so that a program without functions of its own has its share of the
// rest.

import type { FunctionFacts } from "./compose-work.js";

/** Programs in which one function is tested as a unit. */
const MOST_PROGRAMS = 2;

type Place = Pick<FunctionFacts, "name" | "file" | "line">;

export class SharedFunctions {
  /** By function: the programs that have it. */
  private readonly programs = new Map<string, { readonly program: object; readonly promise: number }[]>();
  private readonly told = new Set<object>();
  private totalMs = 0;

  /** `promise`: what is to be had of the function there. All programs tell of theirs before one is asked about. */
  tell(program: object, functions: readonly { readonly facts: Place; readonly promise: number }[]): void {
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
  rankOf(program: object, facts: Place): number | null {
    const rank = (this.programs.get(keyOf(facts)) ?? []).findIndex((one) => one.program === program);
    return rank >= MOST_PROGRAMS ? null : Math.max(0, rank);
  }

  spent(milliseconds: number): void {
    this.totalMs += milliseconds;
  }

  /** On functions, by each program on average. */
  get meanMs(): number {
    return this.totalMs / Math.max(1, this.told.size);
  }
}

function keyOf({ name, file, line }: Place): string {
  return `${name} ${file ?? ""}:${line}`;
}
