// Which input bytes an expression depends on: interned sets, so that most nodes share the set of an operand and a set is
// compared by its number. Inside, a set is a sorted list of runs [start, end): a checksum over n bytes makes n sets that
// grow by one byte each, which as plain lists would take n² memory and as runs takes n. The plain list is made when asked
// for and kept while it is short. (A bit set a node would cost more for the usual one to four bytes.)
// Invariant: runs are ascending, not empty, and never touch; set 0 is the empty one.

const CACHE_BITS = 12;
/** Longer lists are made anew on each request; keeping one per node of a long chain would be n² again. */
const KEPT_LIST_LENGTH = 1024;

export class SupportSets {
  private readonly runs: Int32Array[] = [new Int32Array(0)];
  private readonly lists: (Int32Array | null)[] = [new Int32Array(0)];
  private readonly sizes: number[] = [0];
  private readonly byHash = new Map<number, number[]>();
  private readonly singles: number[] = [];
  /** Direct-mapped cache of unions: first set, second set, union. */
  private readonly unions = new Int32Array(3 << CACHE_BITS);

  get count(): number {
    return this.runs.length;
  }

  /** The set of one input byte. */
  single(index: number): number {
    const known = this.singles[index];
    if (known !== undefined) return known;
    const set = this.intern(Int32Array.of(index, index + 1));
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
    const set = this.intern(mergeRuns(this.runs[first], this.runs[second]));
    cache[slot] = first;
    cache[slot + 1] = second;
    cache[slot + 2] = set;
    return set;
  }

  /** Number of input bytes. */
  size(set: number): number {
    return this.sizes[set];
  }

  /** Sorted pairs [start, end); not to be modified. */
  runsOf(set: number): Int32Array {
    return this.runs[set];
  }

  /** Sorted indices; not to be modified. */
  list(set: number): Int32Array {
    const known = this.lists[set];
    if (known !== null) return known;
    const runs = this.runs[set];
    const list = new Int32Array(this.sizes[set]);
    let at = 0;
    for (let i = 0; i < runs.length; i += 2) for (let index = runs[i]; index < runs[i + 1]; index++) list[at++] = index;
    if (list.length <= KEPT_LIST_LENGTH) this.lists[set] = list;
    return list;
  }

  /** An estimate, in bytes. */
  memory(): number {
    let bytes = this.unions.byteLength;
    for (let set = 0; set < this.runs.length; set++) {
      bytes += this.runs[set].byteLength + (this.lists[set]?.byteLength ?? 0) + 200;
    }
    return bytes;
  }

  private intern(runs: Int32Array): number {
    let hash = runs.length;
    for (let i = 0; i < runs.length; i++) hash = Math.imul(hash ^ runs[i], 0x0100_0193) ^ (hash >>> 15);
    const bucket = this.byHash.get(hash);
    if (bucket !== undefined) {
      for (const set of bucket) if (sameRuns(this.runs[set], runs)) return set;
    }
    const set = this.runs.length;
    let size = 0;
    for (let i = 0; i < runs.length; i += 2) size += runs[i + 1] - runs[i];
    this.runs.push(runs);
    this.lists.push(null);
    this.sizes.push(size);
    if (bucket === undefined) this.byHash.set(hash, [set]);
    else bucket.push(set);
    return set;
  }
}

function sameRuns(x: Int32Array, y: Int32Array): boolean {
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

function mergeRuns(x: Int32Array, y: Int32Array): Int32Array {
  const merged = new Int32Array(x.length + y.length);
  let length = 0;
  let i = 0;
  let j = 0;
  while (i < x.length || j < y.length) {
    const fromX = j >= y.length || (i < x.length && x[i] <= y[j]);
    const start = fromX ? x[i] : y[j];
    const end = fromX ? x[i + 1] : y[j + 1];
    if (fromX) i += 2;
    else j += 2;
    if (length > 0 && start <= merged[length - 1]) {
      if (end > merged[length - 1]) merged[length - 1] = end;
    } else {
      merged[length++] = start;
      merged[length++] = end;
    }
  }
  return merged.slice(0, length);
}
