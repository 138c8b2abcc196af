// How much two functions have to do with each other, as FOCAL measures it: of the executions in which f ran, the share in which f called g
// or g called f, directly or through others; the same of g's; and the mean of the two. Every execution counts a pair once, however often
// the one called the other.
//
// Calls through others are the closure of an execution's direct calls: bit sets, one a component of functions that call each other,
// callees first. Counts are kept for the functions that ran at all.

import type { CallProfile } from "./compose-work.js";

export interface Relevance {
  /** From 0 (never) to 1 (the one never runs without the other, and calls it or is called). */
  of(f: number, g: number): number;
  /** The relevance that the most relevant pairs have, that share of all pairs that occur: at least it. 2 if there are no pairs. */
  threshold(share: number): number;
  /** Executions in which it ran. */
  runsOf(f: number): number;
}

/** More than any relevance. */
const NONE = 2;
const BUCKETS = 4096;

export function relevanceOf(profiles: readonly CallProfile[], functionCount: number): Relevance {
  const executions = profiles.flatMap(({ executions: own, times }) =>
    own.map((pairs, n) => ({ pairs, times: times?.[n] ?? 1 })),
  );
  // Functions that ran get small numbers.
  const places = new Map<number, number>();
  const place = (index: number): number => {
    const known = places.get(index);
    if (known !== undefined) return known;
    places.set(index, places.size);
    return places.size - 1;
  };
  for (const { pairs } of executions) {
    for (const pair of pairs) {
      place(Math.floor(pair / functionCount));
      place(pair % functionCount);
    }
  }
  const counts = new PairCounts(places.size);
  for (const { pairs, times } of executions) {
    const edges = Array.from(pairs, (pair): readonly [number, number] => [
      place(Math.floor(pair / functionCount)),
      place(pair % functionCount),
    ]);
    countExecution(counts, edges, times);
  }
  return new CountedRelevance(places, counts);
}

class CountedRelevance implements Relevance {
  private readonly thresholds = new Map<number, number>();

  constructor(
    private readonly places: ReadonlyMap<number, number>,
    private readonly counts: PairCounts,
  ) {}

  of(f: number, g: number): number {
    const a = this.places.get(f);
    const b = this.places.get(g);
    return a === undefined || b === undefined || a === b ? 0 : this.counts.relevance(a, b);
  }

  runsOf(f: number): number {
    const place = this.places.get(f);
    return place === undefined ? 0 : this.counts.runs[place];
  }

  threshold(share: number): number {
    const known = this.thresholds.get(share);
    if (known !== undefined) return known;
    const found = this.findThreshold(share);
    this.thresholds.set(share, found);
    return found;
  }

  /** Buckets first: pairs may be millions, and only those of one bucket are sorted. */
  private findThreshold(share: number): number {
    const inBucket = new Float64Array(BUCKETS + 1);
    const bucketOf = (relevance: number): number => Math.floor(relevance * BUCKETS);
    let all = 0;
    this.counts.forEach((relevance) => {
      inBucket[bucketOf(relevance)]++;
      all++;
    });
    const wanted = Math.min(all, Math.ceil(all * share));
    if (wanted < 1) return NONE;
    let bucket = BUCKETS;
    let above = 0;
    while (above + inBucket[bucket] < wanted) above += inBucket[bucket--];
    if (bucket === BUCKETS) return 1;
    const values = new Float64Array(inBucket[bucket]);
    let n = 0;
    this.counts.forEach((relevance) => {
      if (bucketOf(relevance) === bucket) values[n++] = relevance;
    });
    values.sort();
    return values[values.length - (wanted - above)];
  }
}

/** Of unordered pairs of small numbers. */
class PairCounts {
  /** By function: executions in which it ran. */
  readonly runs: Float64Array;
  /** By the smaller number: counts by the larger one, from the smaller on; made when there is something to count. */
  private readonly rows: (Uint32Array | undefined)[];

  constructor(private readonly count: number) {
    this.runs = new Float64Array(count);
    this.rows = new Array<Uint32Array | undefined>(count).fill(undefined);
  }

  add(a: number, b: number, times: number): void {
    const low = Math.min(a, b);
    const row = this.rows[low] ?? new Uint32Array(this.count - low);
    this.rows[low] = row;
    row[Math.max(a, b) - low] += times;
  }

  relevance(a: number, b: number): number {
    const together = this.rows[Math.min(a, b)]?.[Math.abs(a - b)] ?? 0;
    return together === 0 ? 0 : (together / this.runs[a] + together / this.runs[b]) / 2;
  }

  /** Pairs that occur. */
  forEach(visit: (relevance: number) => void): void {
    this.rows.forEach((row, low) => {
      if (row === undefined) return;
      for (let n = 1; n < row.length; n++) if (row[n] !== 0) visit(this.relevance(low, low + n));
    });
  }
}

function countExecution(counts: PairCounts, edges: readonly (readonly [number, number])[], times: number): void {
  const own = [...new Set(edges.flat())];
  const local = new Map(own.map((place, n) => [place, n]));
  for (const place of own) counts.runs[place] += times;
  const successors: number[][] = own.map(() => []);
  for (const [from, to] of edges) {
    if (from !== to) successors[local.get(from) as number].push(local.get(to) as number);
  }
  const reached = reachable(successors);
  reached.forEach((bits, f) => {
    for (let word = 0; word < bits.length; word++) {
      for (let rest = bits[word]; rest !== 0; rest &= rest - 1) {
        const g = 32 * word + 31 - Math.clz32(rest & -rest);
        // Where each calls the other, the pair is counted from one side.
        if (g !== f && !(g < f && has(reached[g], f))) counts.add(own[f], own[g], times);
      }
    }
  });
}

function has(bits: Int32Array, n: number): boolean {
  return ((bits[n >>> 5] >>> (n & 31)) & 1) !== 0;
}

/** By node: what is reached from it. Nodes of one component share a set. Tarjan's algorithm with a list of work. */
function reachable(successors: readonly (readonly number[])[]): readonly Int32Array[] {
  const count = successors.length;
  const words = (count + 31) >>> 5;
  const sets = new Array<Int32Array>(count);
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  let visited = 0;
  const enter = (node: number, path: number[]): void => {
    order[node] = visited;
    low[node] = visited++;
    isOpen[node] = 1;
    open.push(node);
    path.push(node);
  };
  const close = (root: number): void => {
    const from = open.lastIndexOf(root);
    const members = open.splice(from);
    const set = new Int32Array(words);
    for (const node of members) {
      isOpen[node] = 0;
      sets[node] = set;
    }
    for (const node of members) {
      for (const to of successors[node]) {
        set[to >>> 5] |= 1 << (to & 31);
        const other = sets[to];
        if (other !== set) for (let word = 0; word < words; word++) set[word] |= other[word];
      }
    }
  };
  for (let start = 0; start < count; start++) {
    if (order[start] >= 0) continue;
    const path: number[] = [];
    enter(start, path);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const to = successors[node][next[node]++];
      if (to === undefined) {
        path.pop();
        const caller = path.at(-1);
        if (caller !== undefined) low[caller] = Math.min(low[caller], low[node]);
        if (low[node] === order[node]) close(node);
      } else if (order[to] < 0) enter(to, path);
      else if (isOpen[to] === 1) low[node] = Math.min(low[node], order[to]);
    }
  }
  return sets;
}
