// Which input bytes an expression depends on: interned sets, so that most nodes share the set of an operand and a set is
// compared by its number. Inside, a set is a sorted list of runs [start, end): a checksum over n bytes makes n sets that
// grow by one byte each, which as plain lists would take n² memory and as runs takes n. The plain list is made when asked
// for and kept while it is short. (A bit set a node would cost more for the usual one to four bytes.) All runs lie in
// one typed array, so that a million sets are nothing to the garbage collector.
// Invariant: runs are ascending, not empty, and never touch; set 0 is the empty one.

const CACHE_BITS = 12;
/** Room at the beginning: words of runs, sets, places to find them. */
const FIRST_RUNS = 256;
const FIRST_SETS = 128;
const FIRST_SLOTS = 256;
/** Longer lists are made anew on each request; keeping one per node of a long chain would be n² again. */
const KEPT_LIST_LENGTH = 1024;

export class SupportSets {
  count = 1;
  /** Runs of all sets, those of set s from starts[s] to starts[s + 1]. */
  private pool = new Int32Array(FIRST_RUNS);
  private starts = new Int32Array(FIRST_SETS);
  private sizes = new Int32Array(FIRST_SETS);
  private slots = new Int32Array(FIRST_SLOTS);
  private lists: (Int32Array | undefined)[] = [new Int32Array(0)];
  private singles = new Int32Array(FIRST_SETS);
  /** Direct-mapped cache of unions: first set, second set, union. */
  private readonly unions = new Int32Array(3 << CACHE_BITS);

  /** As a new one. The cache, the largest part, is kept: an arena is cleared for every test of a suite. */
  clear(): void {
    this.count = 1;
    this.pool = new Int32Array(FIRST_RUNS);
    this.starts = new Int32Array(FIRST_SETS);
    this.sizes = new Int32Array(FIRST_SETS);
    this.slots = new Int32Array(FIRST_SLOTS);
    this.singles = new Int32Array(FIRST_SETS);
    this.lists = [new Int32Array(0)];
    this.unions.fill(0);
  }

  /** The set of one input byte. */
  single(index: number): number {
    if (index < this.singles.length && this.singles[index] !== 0) return this.singles[index];
    const end = this.reserve(2);
    this.pool[end] = index;
    this.pool[end + 1] = index + 1;
    const set = this.intern(2);
    if (index >= this.singles.length) this.singles = grown(this.singles, index + 1);
    this.singles[index] = set;
    return set;
  }

  union(x: number, y: number): number {
    if (x === y || y === 0) return x;
    if (x === 0) return y;
    const first = Math.min(x, y);
    const second = Math.max(x, y);
    const slot = 3 * ((Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b)) >>> (32 - CACHE_BITS));
    const cache = this.unions;
    if (cache[slot] === first && cache[slot + 1] === second) return cache[slot + 2];
    const set = this.intern(this.merge(first, second));
    cache[slot] = first;
    cache[slot + 1] = second;
    cache[slot + 2] = set;
    return set;
  }

  /** Number of input bytes. */
  size(set: number): number {
    return this.sizes[set];
  }

  has(set: number, index: number): boolean {
    const { pool } = this;
    // The last run that starts at or before the index.
    let low = this.starts[set] >> 1;
    let high = this.starts[set + 1] >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pool[middle * 2] > index) high = middle;
      else low = middle + 1;
    }
    return low > this.starts[set] >> 1 && index < pool[low * 2 - 1];
  }

  /** Sorted pairs [start, end); not to be modified. */
  runsOf(set: number): Int32Array {
    return this.pool.subarray(this.starts[set], this.starts[set + 1]);
  }

  /** Sorted indices; not to be modified. */
  list(set: number): Int32Array {
    const known = this.lists[set];
    if (known !== undefined) return known;
    const { pool, starts } = this;
    const list = new Int32Array(this.sizes[set]);
    let at = 0;
    for (let i = starts[set]; i < starts[set + 1]; i += 2) {
      for (let index = pool[i]; index < pool[i + 1]; index++) list[at++] = index;
    }
    if (list.length <= KEPT_LIST_LENGTH) this.lists[set] = list;
    return list;
  }

  /** An estimate, in bytes: a list that is kept costs some hundred bytes as an object. */
  memory(): number {
    const { pool, starts, sizes, slots, singles, unions, lists } = this;
    const arrays = [pool, starts, sizes, slots, singles, unions];
    return arrays.reduce((sum, array) => sum + array.byteLength, 0) + lists.length * 8 + this.count * 60;
  }

  /** Merges two sets' runs behind the end of the pool; gives the number of words written. */
  private merge(x: number, y: number): number {
    const { starts } = this;
    const end = this.reserve(starts[x + 1] - starts[x] + starts[y + 1] - starts[y]);
    const pool = this.pool;
    const iEnd = starts[x + 1];
    const jEnd = starts[y + 1];
    let out = end;
    let i = starts[x];
    let j = starts[y];
    while (i < iEnd || j < jEnd) {
      const fromX = j >= jEnd || (i < iEnd && pool[i] <= pool[j]);
      const from = fromX ? i : j;
      if (fromX) i += 2;
      else j += 2;
      if (out > end && pool[from] <= pool[out - 1]) {
        if (pool[from + 1] > pool[out - 1]) pool[out - 1] = pool[from + 1];
      } else {
        pool[out] = pool[from];
        pool[out + 1] = pool[from + 1];
        out += 2;
      }
    }
    return out - end;
  }

  /** Makes room for so many words behind the end of the pool, and gives where that is. */
  private reserve(length: number): number {
    const end = this.starts[this.count];
    if (end + length > this.pool.length) this.pool = grown(this.pool, end + length);
    return end;
  }

  /** The set whose runs are the `length` words behind the end of the pool: a known one, or they become a new one. */
  private intern(length: number): number {
    const { pool, starts, slots } = this;
    const end = starts[this.count];
    let hash = length;
    for (let i = end; i < end + length; i++) hash = Math.imul(hash ^ pool[i], 0x0100_0193) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 16)) & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      if (this.sameRuns(slots[slot], end, length)) return slots[slot];
    }
    const set = this.count++;
    slots[slot] = set;
    this.lists.push(undefined);
    if (this.count + 1 >= starts.length) {
      this.starts = grown(starts, this.count + 2);
      this.sizes = grown(this.sizes, this.count + 2);
    }
    this.starts[this.count] = end + length;
    let size = 0;
    for (let i = end; i < end + length; i += 2) size += pool[i + 1] - pool[i];
    this.sizes[set] = size;
    if (this.count * 2 > slots.length) this.growSlots();
    return set;
  }

  private sameRuns(set: number, at: number, length: number): boolean {
    const { pool, starts } = this;
    const start = starts[set];
    if (starts[set + 1] - start !== length) return false;
    for (let i = 0; i < length; i++) if (pool[start + i] !== pool[at + i]) return false;
    return true;
  }

  private growSlots(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const { pool, starts } = this;
    for (let set = 1; set < this.count; set++) {
      let hash = starts[set + 1] - starts[set];
      for (let i = starts[set]; i < starts[set + 1]; i++) hash = Math.imul(hash ^ pool[i], 0x0100_0193) ^ (hash >>> 15);
      let slot = (hash ^ (hash >>> 16)) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = set;
    }
    this.slots = slots;
  }
}

function grown(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(Math.max(length, from.length * 2));
  to.set(from);
  return to;
}
