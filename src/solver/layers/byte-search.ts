// Looks for a model that differs from the hint in one byte, or two, before anything becomes gates: a byte that all violated
// conditions mention is given every value at once (columns.ts), and what all its conditions allow is intersected. Most
// conditions that a run turns around can be satisfied by one byte, and such a model is as close to the hint as can be.
// For two bytes, the values of one are tried nearest first, while the other takes all of its values at once.
//
// This never proves anything unsatisfiable. It is given a budget of columns that grows with success and shrinks with failure,
// and is mostly left out where it keeps failing.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model, Query, Solver, Verdict } from "../solver.js";
import { type ByteDomains, DOMAIN_WORDS, nearestMember } from "./byte-domains.js";
import { Columns } from "./columns.js";
import type { LoadedModel } from "./loaded-model.js";

/** Columns per query; each takes about a quarter of a microsecond, and much more before the code is compiled. */
const FIRST_BUDGET = 96;
const LEAST_BUDGET = 40;
const MOST_BUDGET = 240;
const MAX_CONSTRAINTS = 200;
const MAX_VIOLATED = 4;
const MAX_CANDIDATES = 16;
/** Two bytes are searched only if the violated conditions mention no more than this. */
const MAX_PAIR_CANDIDATES = 3;
/** Values of the one byte that are tried: few for each pair first, then more. */
const ROWS = [3, 20] as const;
/** After this many attempts the success rate decides whether to go on. */
const TRIAL = 64;

export class ByteSearchLayer implements Solver {
  found = 0;
  private attempts = 0;
  private skipped = 0;
  private readonly columns: Columns;
  private readonly set = new Int32Array(DOMAIN_WORDS);
  private readonly rowSet = new Int32Array(DOMAIN_WORDS);
  private readonly violated: ExprRef[] = [];

  constructor(
    private readonly arena: ExprArena,
    private readonly domains: ByteDomains,
    private readonly loaded: LoadedModel,
    private readonly next: Solver,
  ) {
    this.columns = new Columns(arena, loaded.evaluator);
    this.columns.limit = FIRST_BUDGET;
  }

  solve(query: Query): Verdict {
    if (!this.isPromising(query.constraints)) return this.next.solve(query);
    const { columns } = this;
    const model = this.search(query);
    if (model === null) {
      columns.limit = Math.max(LEAST_BUDGET, columns.limit - 4);
      return this.next.solve(query);
    }
    columns.limit = Math.min(MOST_BUDGET, columns.limit + 16);
    this.found++;
    return { kind: "sat", model };
  }

  private isPromising(constraints: readonly ExprRef[]): boolean {
    if (constraints.length > MAX_CONSTRAINTS) return false;
    if (this.attempts < TRIAL || this.found * 8 > this.attempts) return true;
    // Programs change their ways: now and then it is tried again.
    return ++this.skipped % 8 === 0;
  }

  private search({ constraints, hint }: Query): Model | null {
    const { loaded, violated, columns } = this;
    this.attempts++;
    loaded.use(hint);
    violated.length = 0;
    for (let i = constraints.length - 1; i >= 0; i--) {
      if (loaded.holds(constraints[i])) continue;
      if (violated.length === MAX_VIOLATED) return null;
      violated.push(constraints[i]);
    }
    if (violated.length === 0) return this.withByte(hint, -1, 0);
    const candidates = this.candidates();
    columns.made = 0;
    for (let i = 0; i < candidates.length && columns.made < columns.limit; i++) {
      const byte = candidates[i];
      const value = this.valueFor(constraints, byte, byte < hint.length ? hint[byte] : 0);
      if (value >= 0) return this.withByte(hint, byte, value);
    }
    if (candidates.length < 2 || candidates.length > MAX_PAIR_CANDIDATES) return null;
    return this.searchPairs(constraints, hint, candidates);
  }

  /** The bytes that all violated conditions mention. */
  private candidates(): number[] {
    const { arena, violated } = this;
    const support = arena.support(violated[0]);
    const result: number[] = [];
    for (let i = 0; i < support.length && result.length < MAX_CANDIDATES; i++) {
      let everywhere = true;
      for (let k = 1; k < violated.length && everywhere; k++) everywhere = this.mentions(violated[k], support[i]);
      if (everywhere) result.push(support[i]);
    }
    return result;
  }

  private mentions(e: ExprRef, byte: number): boolean {
    const runs = this.arena.supportRuns(e);
    for (let i = 0; i < runs.length; i += 2) if (byte >= runs[i] && byte < runs[i + 1]) return true;
    return false;
  }

  /** The value nearest to `wanted` that satisfies every condition on the byte, the rest being as loaded; or -1. */
  private valueFor(constraints: readonly ExprRef[], byte: number, wanted: number): number {
    const { arena, columns, domains, set, violated } = this;
    set.fill(-1);
    columns.begin(byte);
    for (let i = 0; i < violated.length; i++) {
      if (!columns.intersect(violated[i], set, 0)) return -1;
      if (isEmpty(set)) return -1;
    }
    for (let i = 0; i < constraints.length; i++) {
      const e = constraints[i];
      if (arena.supportSize(e) === 1) {
        if (arena.support(e)[0] !== byte) continue;
        const domain = domains.domain(e);
        for (let k = 0; k < DOMAIN_WORDS; k++) set[k] &= domains.words[domain + k];
      } else {
        if (!this.mentions(e, byte) || violated.includes(e)) continue;
        if (!columns.intersect(e, set, 0)) return -1;
      }
      if (isEmpty(set)) return -1;
    }
    return nearestMember(set, 0, wanted);
  }

  private searchPairs(constraints: readonly ExprRef[], hint: Model, candidates: readonly number[]): Model | null {
    for (const rows of ROWS) {
      for (const fixed of candidates) {
        for (const free of candidates) {
          if (free === fixed) continue;
          const model = this.searchPair(constraints, hint, fixed, free, rows);
          if (model !== null) return model;
          if (this.columns.made >= this.columns.limit) return null;
        }
      }
    }
    return null;
  }

  private searchPair(
    constraints: readonly ExprRef[],
    hint: Model,
    fixed: number,
    free: number,
    rows: number,
  ): Model | null {
    const { loaded, rowSet } = this;
    const model = this.withByte(hint, Math.max(fixed, free), 0);
    if (Math.max(fixed, free) < hint.length) model.set(hint);
    const wanted = model[fixed];
    this.allowed(constraints, fixed, rowSet);
    rowSet[wanted >> 5] &= ~(1 << (wanted & 31));
    for (let row = 0; row < rows && this.columns.made < this.columns.limit; row++) {
      const value = nearestMember(rowSet, 0, wanted);
      if (value < 0) return null;
      rowSet[value >> 5] &= ~(1 << (value & 31));
      model[fixed] = value;
      loaded.load(model);
      const other = this.valueFor(constraints, free, model[free]);
      if (other < 0 || !this.holdWithout(constraints, fixed, free)) continue;
      model[free] = other;
      return model;
    }
    return null;
  }

  /** What the conditions over this byte alone allow. */
  private allowed(constraints: readonly ExprRef[], byte: number, out: Int32Array): void {
    const { arena, domains } = this;
    out.fill(-1);
    for (let i = 0; i < constraints.length; i++) {
      const e = constraints[i];
      if (arena.supportSize(e) !== 1 || arena.support(e)[0] !== byte) continue;
      const domain = domains.domain(e);
      for (let k = 0; k < DOMAIN_WORDS; k++) out[k] &= domains.words[domain + k];
    }
  }

  /** Whether the conditions on `fixed` that do not mention `free` hold in the loaded model. */
  private holdWithout(constraints: readonly ExprRef[], fixed: number, free: number): boolean {
    for (let i = 0; i < constraints.length; i++) {
      const e = constraints[i];
      if (this.mentions(e, fixed) && !this.mentions(e, free) && !this.loaded.holds(e)) return false;
    }
    return true;
  }

  private withByte(hint: Model, byte: number, value: number): Model {
    const model = new Uint8Array(Math.max(hint.length, byte + 1));
    model.set(hint);
    if (byte >= 0) model[byte] = value;
    return model;
  }
}

function isEmpty(set: Int32Array): boolean {
  return (set[0] | set[1] | set[2] | set[3] | set[4] | set[5] | set[6] | set[7]) === 0;
}
