// A growing set of small integers as sorted words of 32 bits, only those that are not 0. Sets of a points-to analysis are many, mostly
// tiny and close together (locations of one object have neighbouring numbers), and the one operation that counts is the union that
// says what was new. A hash set costs several times the memory; a dense bitmap costs the whole universe for each node.

const EMPTY = new Int32Array(0);

export class SparseSet {
  /** Indices of words, ascending, and the words themselves. */
  private keys = EMPTY;
  private bits = EMPTY;
  private used = 0;

  get isEmpty(): boolean {
    return this.used === 0;
  }

  /** How large it is, without counting. */
  get words(): number {
    return this.used;
  }

  get size(): number {
    let count = 0;
    for (let i = 0; i < this.used; i++) count += bitCount(this.bits[i]);
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
    let fresh = 0;
    let changed = false;
    for (let i = 0, j = 0; j < other.used; j++) {
      const key = other.keys[j];
      while (i < this.used && this.keys[i] < key) i++;
      if (i === this.used || this.keys[i] !== key) fresh++;
      else if ((other.bits[j] & ~this.bits[i]) !== 0) changed = true;
    }
    if (fresh === 0) {
      if (!changed) return false;
      for (let i = 0, j = 0; j < other.used; j++) {
        const key = other.keys[j];
        while (this.keys[i] < key) i++;
        this.bits[i] |= other.bits[j];
      }
      return true;
    }
    this.reserve(this.used + fresh);
    // From the back, so that nothing is overwritten before it is read.
    let i = this.used - 1;
    let j = other.used - 1;
    for (let to = this.used + fresh - 1; j >= 0; to--) {
      const mine = i >= 0 ? this.keys[i] : -1;
      const theirs = other.keys[j];
      if (mine > theirs) {
        this.keys[to] = mine;
        this.bits[to] = this.bits[i--];
      } else {
        this.keys[to] = theirs;
        this.bits[to] = mine === theirs ? this.bits[i--] | other.bits[j] : other.bits[j];
        j--;
      }
    }
    this.used += fresh;
    return true;
  }

  /** What is in this set and not in `other`, or null if nothing is. */
  minus(other: SparseSet): SparseSet | null {
    let result: SparseSet | null = null;
    for (let i = 0, j = 0; i < this.used; i++) {
      const key = this.keys[i];
      while (j < other.used && other.keys[j] < key) j++;
      const word = j < other.used && other.keys[j] === key ? this.bits[i] & ~other.bits[j] : this.bits[i];
      if (word === 0) continue;
      if (result === null) {
        result = new SparseSet();
        result.reserve(this.used - i);
      }
      result.keys[result.used] = key;
      result.bits[result.used++] = word;
    }
    return result;
  }

  copy(): SparseSet {
    const result = new SparseSet();
    result.keys = this.keys.slice(0, this.used);
    result.bits = this.bits.slice(0, this.used);
    result.used = this.used;
    return result;
  }

  forEach(visit: (value: number) => void): void {
    for (let i = 0; i < this.used; i++) {
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
    let high = this.used - 1;
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
    this.reserve(this.used + 1);
    this.keys.copyWithin(at + 1, at, this.used);
    this.bits.copyWithin(at + 1, at, this.used);
    this.keys[at] = key;
    this.bits[at] = word;
    this.used++;
  }

  private reserve(count: number): void {
    if (count <= this.keys.length) return;
    const room = Math.max(count, this.keys.length + (this.keys.length >> 1) + 1);
    const keys = new Int32Array(room);
    const words = new Int32Array(room);
    keys.set(this.keys.subarray(0, this.used));
    words.set(this.bits.subarray(0, this.used));
    this.keys = keys;
    this.bits = words;
  }
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  return (((v + (v >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
