// The first layer: conditions over one input byte are intersected as sets of values (byte-domains.ts). A query of nothing
// else is answered here, with the value nearest to the hint's; an empty set is a contradiction, whatever else the query says.
// The rest goes on to the next layer.

import type { ExprArena } from "../expr/arena.js";
import { FALSE, TRUE } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { ByteDomains, DOMAIN_WORDS, nearestMember } from "./byte-domains.js";
import type { Model, Query, Solver, Verdict } from "./solver.js";

export class ByteDomainLayer implements Solver {
  /** Queries answered here. */
  sat = 0;
  unsat = 0;
  readonly domains: ByteDomains;
  /** The sets of the query at hand, in the order in which its bytes appear. */
  private sets = new Int32Array(DOMAIN_WORDS * 64);
  private bytes = new Int32Array(64);
  private byteCount = 0;
  /** Place of a byte in `bytes`, valid where the stamp is the current one. */
  private places = new Int32Array(64);
  private stamps = new Int32Array(64);
  private stamp = 0;
  private readonly rest = new Int32Array(DOMAIN_WORDS);

  constructor(
    private readonly arena: ExprArena,
    private readonly next: Solver,
  ) {
    this.domains = new ByteDomains(arena);
  }

  solve(query: Query): Verdict {
    const { constraints } = query;
    const { arena, domains } = this;
    domains.refresh();
    this.stamp++;
    this.byteCount = 0;
    let others = 0;
    for (let i = 0; i < constraints.length; i++) {
      const e = constraints[i];
      const size = arena.supportSize(e);
      if (size === 1) {
        this.intersect(arena.support(e)[0], domains.domain(e));
      } else if (e === FALSE) {
        this.unsat++;
        return { kind: "unsat", core: [i] };
      } else if (e !== TRUE) {
        others++;
      }
    }
    for (let place = 0; place < this.byteCount; place++) {
      if (!this.isEmpty(place)) continue;
      this.unsat++;
      return { kind: "unsat", core: this.core(constraints, this.bytes[place]) };
    }
    if (others > 0) return this.next.solve(query);
    this.sat++;
    return { kind: "sat", model: this.model(query.hint) };
  }

  private intersect(byte: number, domain: number): void {
    if (byte >= this.stamps.length) {
      this.stamps = new Int32Array(byte * 2);
      this.places = new Int32Array(byte * 2);
      this.restamp();
    }
    const { words } = this.domains;
    if (this.stamps[byte] === this.stamp) {
      const start = this.places[byte] * DOMAIN_WORDS;
      const sets = this.sets;
      for (let i = 0; i < DOMAIN_WORDS; i++) sets[start + i] &= words[domain + i];
      return;
    }
    const place = this.byteCount++;
    if (place === this.bytes.length) this.growSets();
    this.stamps[byte] = this.stamp;
    this.places[byte] = place;
    this.bytes[place] = byte;
    const start = place * DOMAIN_WORDS;
    const sets = this.sets;
    for (let i = 0; i < DOMAIN_WORDS; i++) sets[start + i] = words[domain + i];
  }

  private restamp(): void {
    for (let place = 0; place < this.byteCount; place++) {
      this.stamps[this.bytes[place]] = this.stamp;
      this.places[this.bytes[place]] = place;
    }
  }

  private growSets(): void {
    const bytes = new Int32Array(this.bytes.length * 2);
    bytes.set(this.bytes);
    this.bytes = bytes;
    const sets = new Int32Array(this.sets.length * 2);
    sets.set(this.sets);
    this.sets = sets;
  }

  private isEmpty(place: number): boolean {
    const start = place * DOMAIN_WORDS;
    const { sets } = this;
    return (
      (sets[start] | sets[start + 1] | sets[start + 2] | sets[start + 3]) === 0 &&
      (sets[start + 4] | sets[start + 5] | sets[start + 6] | sets[start + 7]) === 0
    );
  }

  private model(hint: Model): Model {
    let length = hint.length;
    for (let place = 0; place < this.byteCount; place++) length = Math.max(length, this.bytes[place] + 1);
    const model = new Uint8Array(length);
    model.set(hint);
    for (let place = 0; place < this.byteCount; place++) {
      const byte = this.bytes[place];
      model[byte] = nearestMember(this.sets, place * DOMAIN_WORDS, model[byte]);
    }
    return model;
  }

  /** Of the conditions over `byte`, those that shrink the set, latest first, until it is empty. */
  private core(constraints: readonly ExprRef[], byte: number): number[] {
    const { arena, domains, rest } = this;
    rest.fill(-1);
    const core: number[] = [];
    for (let i = constraints.length - 1; i >= 0; i--) {
      const e = constraints[i];
      if (e === TRUE || arena.supportSize(e) !== 1 || arena.support(e)[0] !== byte) continue;
      const domain = domains.domain(e);
      let changed = 0;
      let left = 0;
      for (let k = 0; k < DOMAIN_WORDS; k++) {
        const both = rest[k] & domains.words[domain + k];
        changed |= both ^ rest[k];
        left |= both;
        rest[k] = both;
      }
      if (changed === 0) continue;
      core.unshift(i);
      if (left === 0) break;
    }
    return core;
  }
}
