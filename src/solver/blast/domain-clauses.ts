// A set of byte values as clauses over its eight bits: each clause forbids a cube of values outside of the set. Cubes are
// grown greedily from single values, which for the sets that programs make (digits, letters, ranges, all but one) is as good
// as an exact minimum. The clauses of a set are kept: a program has few different sets, for many bytes.

import { DOMAIN_WORDS } from "../layers/byte-domains.js";

const VALUES = 256;
const MAX_KEPT = 4096;
const FIRST_SLOTS = 64;

export class DomainClauses {
  private kept: { readonly set: Int32Array; readonly cubes: Int32Array }[] = [];
  private slots = new Int32Array(FIRST_SLOTS);
  private readonly forbidden = new Uint8Array(VALUES);
  private readonly covered = new Uint8Array(VALUES);

  /** Cubes that cover exactly the values outside of the set: bits that matter, and (shifted by 8) their values. */
  cubes(words: Int32Array, start: number): Int32Array {
    if (this.kept.length >= MAX_KEPT) {
      this.kept = [];
      this.slots.fill(0);
    }
    if (2 * this.kept.length >= this.slots.length) this.grow();
    const hash = hashOf(words, start);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = this.kept[this.slots[slot] - 1];
      let i = 0;
      while (i < DOMAIN_WORDS && known.set[i] === words[start + i]) i++;
      if (i === DOMAIN_WORDS) return known.cubes;
    }
    const set = words.slice(start, start + DOMAIN_WORDS);
    const cubes = this.cover(set);
    this.kept.push({ set, cubes });
    this.slots[slot] = this.kept.length;
    return cubes;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    const mask = this.slots.length - 1;
    for (const [index, { set }] of this.kept.entries()) {
      let slot = hashOf(set, 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = index + 1;
    }
  }

  private cover(set: Int32Array): Int32Array {
    const { forbidden, covered } = this;
    for (let v = 0; v < VALUES; v++) forbidden[v] = ((set[v >> 5] >>> (v & 31)) & 1) ^ 1;
    covered.fill(0);
    const cubes: number[] = [];
    for (let v = 0; v < VALUES; v++) {
      if (forbidden[v] === 0 || covered[v] !== 0) continue;
      let care = VALUES - 1;
      for (let bit = 0; bit < 8; bit++) {
        if (this.isForbidden(care & ~(1 << bit), v)) care &= ~(1 << bit);
      }
      for (let w = 0; w < VALUES; w++) if ((w & care) === (v & care)) covered[w] = 1;
      cubes.push(care | ((v & care) << 8));
    }
    return Int32Array.from(cubes);
  }

  private isForbidden(care: number, value: number): boolean {
    for (let w = 0; w < VALUES; w++) if ((w & care) === (value & care) && this.forbidden[w] === 0) return false;
    return true;
  }
}

function hashOf(words: Int32Array, start: number): number {
  let hash = 0;
  for (let i = 0; i < DOMAIN_WORDS; i++) hash = Math.imul(hash ^ words[start + i], 0x9e37_79b1) ^ (hash >>> 15);
  return hash;
}
