// The graph of an inclusion-based points-to analysis (Andersen). A node stands for a value, or for what a location holds; its set is
// the locations it may point to. An edge says that one set includes another. Loads, stores, address arithmetic, copies and calls through
// pointers are constraints on a node: each new location in its set may add edges.
//
// Solved in waves (Pereira and Berlin, CGO 2009): cycles of edges become one node, what is new is passed on in topological order, and only
// what is new; then constraints look at it, and so on until nothing is. Departure: cycles are looked for again only when enough
// edges have come, since looking at all nodes costs more than most waves do. And nodes whose sets have grown beyond all use become one
// node, the *blob*, as a unification-based analysis (Steensgaard) would have it from the beginning: what is loaded through the blob is in
// it, what is stored through it goes into it. That bounds the time by what is still worth knowing.

import { SparseSet } from "./sparse-set.js";

export type NodeId = number & { readonly brand: "NodeId" };

/** Called with the locations that are new in a node's set. */
export type Constraint = (location: number) => void;
interface Watch {
  readonly each: Constraint;
  /** Instead, once, if the node is in the blob; null: the blob's locations are told as others are. */
  readonly inBlob: (() => void) | null;
}
/** A set of more words has grown beyond all use; the more has been done already, the sooner. In calls of constraints. */
const MOST_WORDS: readonly (readonly [number, number])[] = [
  [4_000_000, 160],
  [12_000_000, 32],
  [30_000_000, 12],
  [Number.POSITIVE_INFINITY, 4],
];

/** Lists of successors that are longer have a set beside them. */
const LONG_LIST = 12;
/** Cycles are looked for when one edge in so many is new, or after so many passes over what cycles are left. */
const NEW_EDGE_SHARE = 20;
const MOST_PASSES = 6;

export class ConstraintGraph {
  private readonly parent: number[] = [];
  private readonly sets: (SparseSet | null)[] = [];
  /** The part of the set that successors and constraints have not been told. */
  private readonly fresh: (SparseSet | null)[] = [];
  private readonly successors: (number[] | null)[] = [];
  private readonly known: (Set<number> | null)[] = [];
  private readonly constraints: (Watch[] | null)[] = [];
  private readonly large = new Set<number>();
  private mostWords = MOST_WORDS[0][1];
  private work = 0;
  readonly blob: NodeId = this.node();
  /** Nodes in topological order as it was when cycles were last looked for; later nodes behind them. */
  private order = new Int32Array(0);
  private ordered = 0;
  private edges = 0;
  private newEdges = 0;
  /** Whether some node has a fresh part. */
  private isChanged = false;
  waves = 0;
  condensations = 0;

  get nodeCount(): number {
    return this.parent.length;
  }

  node(): NodeId {
    const id = this.parent.length;
    this.parent.push(id);
    this.sets.push(null);
    this.fresh.push(null);
    this.successors.push(null);
    this.known.push(null);
    this.constraints.push(null);
    return id as NodeId;
  }

  find(node: NodeId): NodeId {
    const { parent } = this;
    let root: number = node;
    while (parent[root] !== root) root = parent[root];
    for (let at: number = node; parent[at] !== root; ) {
      const next = parent[at];
      parent[at] = root;
      at = next;
    }
    return root as NodeId;
  }

  setOf(node: NodeId): SparseSet | null {
    return this.sets[this.find(node)];
  }

  add(node: NodeId, location: number): void {
    const root = this.find(node);
    this.sets[root] ??= new SparseSet();
    if (!this.sets[root].add(location)) return;
    this.fresh[root] ??= new SparseSet();
    this.fresh[root].add(location);
    this.isChanged = true;
  }

  private addAll(root: number, locations: SparseSet): void {
    const set = this.sets[root];
    const rest = set === null ? locations.copy() : locations.minus(set);
    if (rest === null) return;
    if (set === null) this.sets[root] = rest.copy();
    else {
      set.addAll(rest);
      if (set.words > this.mostWords) this.large.add(root);
    }
    const fresh = this.fresh[root];
    if (fresh === null) this.fresh[root] = rest;
    else fresh.addAll(rest);
    this.isChanged = true;
  }

  /** The set of `to` includes that of `from`. */
  include(from: NodeId, to: NodeId): void {
    const source = this.find(from);
    const target = this.find(to);
    if (source === target) return;
    this.successors[source] ??= [];
    const list = this.successors[source];
    if (list.length < LONG_LIST) {
      if (list.includes(target)) return;
    } else {
      this.known[source] ??= new Set(list);
      if (this.known[source].has(target)) return;
      this.known[source].add(target);
    }
    list.push(target);
    this.edges++;
    this.newEdges++;
    // What has been told already is told to newcomers here; the rest comes with the next wave.
    const set = this.sets[source];
    if (set === null) return;
    const fresh = this.fresh[source];
    const told = fresh === null ? set : set.minus(fresh);
    if (told !== null) this.addAll(target, told);
  }

  /** `each` hears of each location of the node, now and later; if the node is in the blob, `inBlob` is called instead. */
  constrain(node: NodeId, each: Constraint, inBlob: (() => void) | null = null): void {
    const root = this.find(node);
    if (inBlob !== null && root === this.find(this.blob)) return inBlob();
    this.constraints[root] ??= [];
    this.constraints[root].push({ each, inBlob });
    const set = this.sets[root];
    if (set === null) return;
    const fresh = this.fresh[root];
    const told = fresh === null ? set : set.minus(fresh);
    for (const location of told?.values() ?? []) each(location);
  }

  /** Puts a node into the blob. */
  absorb(node: NodeId): void {
    const before = this.find(this.blob);
    const root = this.find(node);
    if (root === before) return;
    this.unite(before, root);
    const all = this.constraints[before] ?? [];
    this.constraints[before] = all.filter(({ inBlob }) => inBlob === null);
    for (const { inBlob } of all) inBlob?.();
  }

  unite(a: NodeId, b: NodeId): void {
    const into = this.find(a);
    const from = this.find(b);
    if (into === from) return;
    this.parent[from] = into;
    const { sets, fresh, successors, constraints, known } = this;
    const [mine, theirs] = [sets[into], sets[from]];
    // What only one of them has told must be told again for the other: what both have told is known to all.
    const both = intersection(told(mine, fresh[into]), told(theirs, fresh[from]));
    const set = mine ?? theirs?.copy() ?? null;
    if (mine !== null && theirs !== null) mine.addAll(theirs);
    sets[into] = set;
    fresh[into] = set === null ? null : both === null ? set.copy() : set.minus(both);
    if (fresh[into] !== null) this.isChanged = true;
    successors[into] = joined(successors[into], successors[from]);
    constraints[into] = joined(constraints[into], constraints[from]);
    sets[from] = fresh[from] = successors[from] = constraints[from] = null;
    known[into] = known[from] = null;
  }

  solve(): void {
    while (this.isChanged) {
      this.waves++;
      for (const node of [...this.large]) this.absorb(node as NodeId);
      this.large.clear();
      this.mostWords = (MOST_WORDS.find(([work]) => this.work < work) ?? MOST_WORDS[0])[1];
      if (this.newEdges * NEW_EDGE_SHARE >= this.edges) this.condense();
      this.constrainAll(this.propagate());
    }
  }

  /** Passes on what is fresh until nothing is; returns what the constraints must hear of. */
  private propagate(): ReadonlyMap<number, SparseSet> {
    let untold = new Map<number, SparseSet>();
    for (let pass = 0; this.isChanged; pass++) {
      if (pass === MOST_PASSES) {
        this.condense();
        const moved = new Map<number, SparseSet>();
        for (const [node, set] of untold) {
          const root = this.find(node as NodeId);
          const there = moved.get(root);
          if (there === undefined) moved.set(root, set);
          else there.addAll(set);
        }
        untold = moved;
      }
      this.isChanged = false;
      for (let at = this.ordered - 1; at >= 0; at--) this.pass(this.order[at], untold);
      for (let node = this.order.length; node < this.parent.length; node++) this.pass(node, untold);
    }
    return untold;
  }

  private pass(node: number, untold: Map<number, SparseSet>): void {
    const fresh = this.fresh[node];
    if (fresh === null) return;
    this.fresh[node] = null;
    const list = this.successors[node];
    if (list !== null) {
      for (const successor of list) {
        const target = this.find(successor as NodeId);
        if (target !== node) this.addAll(target, fresh);
      }
    }
    if (this.constraints[node] === null) return;
    const there = untold.get(node);
    if (there === undefined) untold.set(node, fresh);
    else there.addAll(fresh);
  }

  private constrainAll(untold: ReadonlyMap<number, SparseSet>): void {
    // A constraint may add others to the same node, which `constrain` tells, or unite nodes, which tells everything again.
    const work: [readonly Watch[], SparseSet][] = [];
    for (const [node, set] of untold) work.push([[...(this.constraints[node] ?? [])], set]);
    for (const [constraints, set] of work) {
      const locations = set.values();
      this.work += locations.length * constraints.length;
      for (const { each } of constraints) for (const location of locations) each(location);
    }
  }

  /** Makes one node of every cycle, and orders those that are left. */
  private condense(): void {
    this.condensations++;
    const count = this.parent.length;
    const index = new Int32Array(count).fill(-1);
    const low = new Int32Array(count);
    const next = new Int32Array(count);
    const isOpen = new Uint8Array(count);
    const path: number[] = [];
    const open: number[] = [];
    const cycles: number[][] = [];
    // Its length says which nodes were there.
    const order = new Int32Array(count);
    let ordered = 0;
    let clock = 0;
    this.edges = 0;
    this.newEdges = 0;
    const enter = (v: number): void => {
      index[v] = low[v] = clock++;
      isOpen[v] = 1;
      path.push(v);
      open.push(v);
      const list = this.successors[v];
      if (list === null || list.length === 0) return;
      this.cleanSuccessors(v, list);
      this.edges += list.length;
    };
    for (let root = 0; root < count; root++) {
      if (index[root] >= 0 || this.parent[root] !== root) continue;
      enter(root);
      while (path.length > 0) {
        const v = path[path.length - 1];
        const list = this.successors[v];
        if (list !== null && next[v] < list.length) {
          const w = list[next[v]++];
          if (index[w] < 0) enter(w);
          else if (isOpen[w] === 1 && index[w] < low[v]) low[v] = index[w];
          continue;
        }
        path.pop();
        if (path.length > 0) {
          const parent = path[path.length - 1];
          if (low[v] < low[parent]) low[parent] = low[v];
        }
        if (low[v] !== index[v]) continue;
        order[ordered++] = v;
        if (open[open.length - 1] === v) {
          open.pop();
          isOpen[v] = 0;
          continue;
        }
        const members: number[] = [];
        for (let w = -1; w !== v; ) {
          w = open.pop() as number;
          isOpen[w] = 0;
          members.push(w);
        }
        cycles.push(members);
      }
    }
    for (const members of cycles) {
      const isBlob = members.includes(this.find(this.blob));
      for (const member of members) {
        if (isBlob) this.absorb(member as NodeId);
        else this.unite(members[members.length - 1] as NodeId, member as NodeId);
      }
    }
    this.order = order;
    this.ordered = ordered;
  }

  /** Each successor once, by its representative; in place. */
  private cleanSuccessors(node: number, list: number[]): void {
    let isClean = true;
    for (const successor of list) if (this.parent[successor] !== successor || successor === node) isClean = false;
    if (isClean) return;
    const seen = new Set<number>();
    for (const successor of list) seen.add(this.find(successor as NodeId));
    seen.delete(node);
    list.length = 0;
    for (const successor of seen) list.push(successor);
    this.known[node] = list.length < LONG_LIST ? null : seen;
  }
}

function told(set: SparseSet | null, fresh: SparseSet | null): SparseSet | null {
  return set === null || fresh === null ? set : set.minus(fresh);
}

function joined<T>(a: T[] | null, b: T[] | null): T[] | null {
  if (a === null) return b;
  if (b !== null) for (const item of b) a.push(item);
  return a;
}

function intersection(a: SparseSet | null, b: SparseSet | null): SparseSet | null {
  if (a === null || b === null) return null;
  const onlyA = a.minus(b);
  return onlyA === null ? a : (a.minus(onlyA) ?? null);
}
