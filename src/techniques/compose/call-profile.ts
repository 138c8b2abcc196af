// Which functions of a program call which: statically, and in one execution. An execution is what its covered blocks say, so that profiling
// costs what a concrete run costs: a call by name happened if its block was executed and the callee was entered; a call through a pointer,
// or back from the C library, is taken to have happened between a caller and a candidate (indirect-calls.ts) that were both entered.
//
// Only functions of the program itself have blocks; those of libc and of the runtime are no part of a profile.

import type { ProgramImage } from "../../jit/image.js";
import type { CallProfile } from "./compose-work.js";

/** By function: those that it may call otherwise than by name. Functions are indices into `image.functions`. */
export type IndirectCallees = ReadonlyMap<number, readonly number[]>;

export class ProgramCalls {
  /** Of the image, libc's among them. */
  readonly functionCount: number;
  /** Those with blocks, ascending. */
  readonly functions: readonly number[];
  /** The first blocks of those. */
  readonly entryBlocks: readonly number[];
  /** By function: its first block, -1 if it is not counted. */
  private readonly entries: Int32Array;
  /** By block: functions of the program that it calls by name. */
  private readonly calls: readonly (readonly number[])[];
  /** By block: its function. */
  private readonly callerOf: Int32Array;
  /** By function, ascending. */
  private readonly callees: readonly (readonly number[])[];

  constructor(
    { functions, coverage }: Pick<ProgramImage, "functions" | "coverage">,
    private readonly indirect: IndirectCallees = new Map(),
  ) {
    this.functionCount = functions.length;
    this.entries = new Int32Array(functions.length).fill(-1);
    coverage.forEach(({ functionIndex }, block) => {
      if (this.entries[functionIndex] < 0) this.entries[functionIndex] = block;
    });
    this.callerOf = Int32Array.from(coverage, ({ functionIndex }) => functionIndex);
    this.functions = functions.flatMap((_, index) => (this.entries[index] < 0 ? [] : [index]));
    this.entryBlocks = this.functions.map((index) => this.entries[index]);
    const callees: Set<number>[] = functions.map(() => new Set());
    this.calls = coverage.map(({ functionIndex, calls }) => {
      const own = calls.filter((callee) => this.entries[callee] >= 0);
      for (const callee of own) callees[functionIndex].add(callee);
      return own;
    });
    for (const [caller, candidates] of indirect) {
      for (const callee of candidates) if (this.entries[callee] >= 0) callees[caller].add(callee);
    }
    this.callees = callees.map((set) => [...set].sort((a, b) => a - b));
  }

  /** Functions of the program that a function may call, whichever way. */
  calleesOf(caller: number): readonly number[] {
    return this.callees[caller] ?? [];
  }

  /** One execution of a CallProfile. `coverage`: a byte a block, not 0 if it was executed. */
  pairsOf(coverage: Uint8Array): Float64Array {
    const { functionCount, entries } = this;
    const isEntered = (index: number): boolean => coverage[entries[index]] !== 0;
    const pairs = new Set<number>();
    const add = (caller: number, callee: number): void => {
      if (isEntered(callee)) pairs.add(caller * functionCount + callee);
    };
    for (const index of this.functions) {
      if (!isEntered(index)) continue;
      pairs.add(index * functionCount + index);
      for (const callee of this.indirect.get(index) ?? []) if (entries[callee] >= 0) add(index, callee);
    }
    const caller = this.callerOf;
    for (let block = 0; block < this.calls.length; block++) {
      if (coverage[block] === 0) continue;
      for (const callee of this.calls[block]) add(caller[block], callee);
    }
    return Float64Array.from(pairs).sort();
  }
}

/** Executions of a profile, equal ones once with how often they were seen. */
export class ProfileBuilder {
  private readonly byText = new Map<string, { readonly pairs: Float64Array; times: number }>();

  /** Different ones. */
  get size(): number {
    return this.byText.size;
  }

  add(pairs: Float64Array): void {
    const known = this.byText.get(textOf(pairs));
    if (known !== undefined) known.times++;
    else this.addNew(pairs);
  }

  /** Counts it only if there is none like it. */
  addNew(pairs: Float64Array): void {
    const text = textOf(pairs);
    if (!this.byText.has(text)) this.byText.set(text, { pairs, times: 1 });
  }

  profile(): CallProfile {
    const all = [...this.byText.values()];
    return { executions: all.map(({ pairs }) => pairs), times: all.map(({ times }) => times) };
  }
}

function textOf(pairs: Float64Array): string {
  return Buffer.from(pairs.buffer, pairs.byteOffset, pairs.byteLength).toString("latin1");
}
