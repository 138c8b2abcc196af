// The allowed values of each input byte of one query: the intersection of its conditions over one byte. Cleared by a stamp,
// so that starting a query costs nothing.
// Invariant: place(byte) >= 0 exactly for the bytes that some condition over one byte mentions.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { type ByteDomains, DOMAIN_WORDS, nearestMember } from "./byte-domains.js";

export class ByteSets {
  /** How many bytes have a set; their indices, and eight words for each. */
  count = 0;
  bytes = new Int32Array(64);
  sets = new Int32Array(DOMAIN_WORDS * 64);
  /** Place of a byte, valid where the stamp is the current one. */
  private places = new Int32Array(64);
  private stamps = new Int32Array(64);
  private stamp = 0;
  private readonly rest = new Int32Array(DOMAIN_WORDS);

  constructor(
    private readonly arena: ExprArena,
    private readonly domains: ByteDomains,
  ) {}

  clear(): void {
    this.stamp++;
    this.count = 0;
  }

  place(byte: number): number {
    return byte < this.stamps.length && this.stamps[byte] === this.stamp ? this.places[byte] : -1;
  }

  /** Adds a condition over one byte. */
  intersect(condition: ExprRef): void {
    const byte = this.arena.support(condition)[0];
    const domain = this.domains.domain(condition);
    const { words } = this.domains;
    if (byte >= this.stamps.length) this.growBytes(byte);
    if (this.stamps[byte] === this.stamp) {
      const start = this.places[byte] * DOMAIN_WORDS;
      const sets = this.sets;
      for (let i = 0; i < DOMAIN_WORDS; i++) sets[start + i] &= words[domain + i];
      return;
    }
    const place = this.count++;
    if (place === this.bytes.length) this.growSets();
    this.stamps[byte] = this.stamp;
    this.places[byte] = place;
    this.bytes[place] = byte;
    const start = place * DOMAIN_WORDS;
    const sets = this.sets;
    for (let i = 0; i < DOMAIN_WORDS; i++) sets[start + i] = words[domain + i];
  }

  isEmpty(place: number): boolean {
    const start = place * DOMAIN_WORDS;
    const { sets } = this;
    return (
      (sets[start] | sets[start + 1] | sets[start + 2] | sets[start + 3]) === 0 &&
      (sets[start + 4] | sets[start + 5] | sets[start + 6] | sets[start + 7]) === 0
    );
  }

  /** The allowed value nearest to `wanted`. */
  nearest(place: number, wanted: number): number {
    return nearestMember(this.sets, place * DOMAIN_WORDS, wanted);
  }

  /** Positions of conditions over `byte` that together make its set, latest first where several would do. */
  makers(constraints: readonly ExprRef[], byte: number): number[] {
    const { arena, domains, rest, sets } = this;
    const start = this.place(byte) * DOMAIN_WORDS;
    rest.fill(-1);
    const positions: number[] = [];
    for (let i = constraints.length - 1; i >= 0; i--) {
      const e = constraints[i];
      if (arena.supportSize(e) !== 1 || arena.support(e)[0] !== byte) continue;
      const domain = domains.domain(e);
      let changed = 0;
      let missing = 0;
      for (let k = 0; k < DOMAIN_WORDS; k++) {
        const both = rest[k] & domains.words[domain + k];
        changed |= both ^ rest[k];
        missing |= both ^ sets[start + k];
        rest[k] = both;
      }
      if (changed === 0) continue;
      positions.unshift(i);
      if (missing === 0) break;
    }
    return positions;
  }

  private growBytes(byte: number): void {
    this.stamps = new Int32Array(byte * 2);
    this.places = new Int32Array(byte * 2);
    for (let place = 0; place < this.count; place++) {
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
}
