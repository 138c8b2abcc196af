// A growing set of small integers as sorted words of 32 bits, only those that are not 0. Sets of a points-to analysis are many, mostly
// tiny and close together (locations of one object have neighbouring numbers), and the one operation that counts is the union that
// says what was new. A hash set costs several times the memory; a dense bitmap costs the whole universe for each node. Plain arrays of
// small integers are made and grown several times as fast as typed ones, which counts more than their size.

export class SparseSet {
  /** Indices of words, ascending, and the words themselves. */
  private keys: number[] = [];
  private bits: number[] = [];

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /** How large it is, without counting. */
  get words(): number {
    return this.keys.length;
  }

  get size(): number {
    let count = 0;
    for (const word of this.bits) count += bitCount(word);
    return count;
  }

  has(value: number): boolean {
    const at = this.find(value >>> 5);
    return at >= 0 && (this.bits[at] & (1 << (value & 31))) !== 0;
  }

  /** True if it was not there. */
  add(value: number): boolean {
    const key = value >>> 5;
    const bit = 1 << (value & 31);
    const at = this.find(key);
    if (at >= 0) {
      if ((this.bits[at] & bit) !== 0) return false;
      this.bits[at] |= bit;
      return true;
    }
    this.insert(~at, key, bit);
    return true;
  }

  /** Adds all of `other`; true if something was new. */
  addAll(other: SparseSet): boolean {
    const { keys, bits } = this;
    const { keys: otherKeys, bits: otherBits } = other;
    const used = keys.length;
    const count = otherKeys.length;
    let fresh = 0;
    let changed = false;
    for (let i = 0, j = 0; j < count; j++) {
      const key = otherKeys[j];
      while (i < used && keys[i] < key) i++;
      if (i === used || keys[i] !== key) fresh++;
      else if ((otherBits[j] & ~bits[i]) !== 0) {
        bits[i] |= otherBits[j];
        changed = true;
      }
    }
    if (fresh === 0) return changed;
    for (let n = 0; n < fresh; n++) {
      keys.push(0);
      bits.push(0);
    }
    // From the back, so that nothing is overwritten before it is read.
    let i = used - 1;
    let j = count - 1;
    for (let to = used + fresh - 1; j >= 0; to--) {
      const mine = i >= 0 ? keys[i] : -1;
      const theirs = otherKeys[j];
      if (mine > theirs) {
        keys[to] = mine;
        bits[to] = bits[i--];
      } else {
        keys[to] = theirs;
        bits[to] = mine === theirs ? bits[i--] : otherBits[j];
        j--;
      }
    }
    return true;
  }

  /** What is in this set and not in `other`, or null if nothing is. */
  minus(other: SparseSet): SparseSet | null {
    const { keys, bits } = this;
    const { keys: otherKeys, bits: otherBits } = other;
    let result: SparseSet | null = null;
    for (let i = 0, j = 0; i < keys.length; i++) {
      const key = keys[i];
      while (j < otherKeys.length && otherKeys[j] < key) j++;
      const word = j < otherKeys.length && otherKeys[j] === key ? bits[i] & ~otherBits[j] : bits[i];
      if (word === 0) continue;
      result ??= new SparseSet();
      result.keys.push(key);
      result.bits.push(word);
    }
    return result;
  }

  copy(): SparseSet {
    const result = new SparseSet();
    result.keys = this.keys.slice();
    result.bits = this.bits.slice();
    return result;
  }

  forEach(visit: (value: number) => void): void {
    for (let i = 0; i < this.keys.length; i++) {
      const base = this.keys[i] << 5;
      for (let word = this.bits[i]; word !== 0; word &= word - 1) visit(base + 31 - Math.clz32(word & -word));
    }
  }

  values(): number[] {
    const all: number[] = [];
    this.forEach((value) => {
      all.push(value);
    });
    return all;
  }

  /** The position of a key, or the complement of where it belongs. */
  private find(key: number): number {
    let low = 0;
    let high = this.keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.keys[middle];
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return ~low;
  }

  private insert(at: number, key: number, word: number): void {
    const { keys, bits } = this;
    keys.push(key);
    bits.push(word);
    for (let i = keys.length - 1; i > at; i--) {
      keys[i] = keys[i - 1];
      bits[i] = bits[i - 1];
    }
    keys[at] = key;
    bits[at] = word;
  }
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  return (((v + (v >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
