// The graph of an inclusion-based points-to analysis (Andersen). A node stands for a value, or for what a location holds; its set is
// the locations it may point to. An edge says that one set includes another. Loads, stores, address arithmetic, copies and calls through
// pointers are constraints on a node: each new location in its set may add edges.
//
// Solved in waves (Pereira and Berlin, CGO 2009): cycles of edges become one node, what is new is passed on in topological order, and only
// what is new; then constraints look at it, and so on until nothing is. Departure: cycles are looked for again only when enough
// edges have come, since looking at all nodes costs more than most waves do. What is derived from a node in one way (loads, fields) is
// one node with one constraint, and stays one when nodes become one: most of the work was the same question asked again. And nodes whose sets have grown beyond all use become one
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
type Telling = readonly [NodeId, readonly Watch[], SparseSet];
/** What is computed from a node in one way, such as what is loaded through it: one node and one constraint for all who ask. */
interface Derived {
  readonly node: NodeId;
  readonly watch: Watch;
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
  private readonly derivations: (Map<string, Derived> | null)[] = [];
  private readonly large = new Set<number>();
  /** Pairs of nodes that are to become one. */
  private readonly twins: NodeId[] = [];
  /** Constraints of a node that are to be told of locations. */
  private postponed: Telling[] = [];
  private isUniting = false;
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
    this.derivations.push(null);
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
    this.watch(root, { each, inBlob });
  }

  private watch(root: number, watch: Watch): void {
    this.constraints[root] ??= [];
    this.constraints[root].push(watch);
    const set = this.sets[root];
    if (set === null) return;
    const fresh = this.fresh[root];
    const told = fresh === null ? set : set.minus(fresh);
    for (const location of told?.values() ?? []) watch.each(location);
  }

  /**
   * The node of what is computed from another in the way that the key names. `each` and `inBlob` are made for the first who asks: all
   * that ask for the same of one node, or of nodes that become one, share the result and the work.
   */
  derived(
    node: NodeId,
    key: string,
    each: (result: NodeId) => Constraint,
    inBlob: (result: NodeId) => void = (result) => this.absorb(result),
  ): NodeId {
    const root = this.find(node);
    const known = this.derivations[root]?.get(key);
    if (known !== undefined) return known.node;
    const result = this.node();
    if (root === this.find(this.blob)) {
      inBlob(result);
      return result;
    }
    this.derivations[root] ??= new Map();
    const watch: Watch = { each: each(result), inBlob: () => inBlob(result) };
    this.derivations[root].set(key, { node: result, watch });
    this.watch(root, watch);
    return result;
  }

  /** Puts a node into the blob. */
  absorb(node: NodeId): void {
    this.unite(this.blob, node);
  }

  /** Makes one node of two. What is derived from both in the same way is one, too. */
  unite(a: NodeId, b: NodeId): void {
    this.twins.push(a, b);
    if (this.isUniting) return;
    this.isUniting = true;
    for (let second = this.twins.pop(); second !== undefined; second = this.twins.pop()) {
      this.uniteTwo(this.twins.pop() as NodeId, second);
    }
    this.isUniting = false;
  }

  private uniteTwo(a: NodeId, b: NodeId): void {
    const blob = this.find(this.blob);
    const [first, second] = [this.find(a), this.find(b)];
    if (first === second) return;
    const [into, from] = second === blob ? [second, first] : [first, second];
    this.parent[from] = into;
    if (into === blob) this.derivations[into] = this.derivations[from] = null;
    else this.joinDerivations(into, from);
    const { sets, fresh, successors, constraints, known } = this;
    const [mine, theirs] = [sets[into], sets[from]];
    // What only they have told is fresh; what only I have told is told to theirs, who are few.
    const forMine = difference(told(theirs, fresh[from]), mine);
    const forTheirs = difference(told(mine, fresh[into]), theirs);
    sets[into] = mine ?? theirs;
    if (mine !== null && theirs !== null) mine.addAll(theirs);
    for (const part of [fresh[from], forMine]) {
      if (part !== null && fresh[into] !== null) fresh[into].addAll(part);
      else fresh[into] ??= part;
    }
    if (fresh[into] !== null) this.isChanged = true;
    if (forTheirs !== null) this.tell(into, from, forTheirs);
    successors[into] = joined(successors[into], successors[from]);
    constraints[into] = joined(constraints[into], constraints[from]);
    sets[from] = fresh[from] = successors[from] = constraints[from] = null;
    known[into] = known[from] = null;
    if (into !== blob) return;
    const all = constraints[into] ?? [];
    constraints[into] = all.filter(({ inBlob }) => inBlob === null);
    for (const { inBlob } of all) inBlob?.();
  }

  /** Those of `whose`, which is now one with `node`, are told of locations: its successors at once, its constraints with the next wave. */
  private tell(node: number, whose: number, locations: SparseSet): void {
    for (const successor of this.successors[whose] ?? []) {
      const target = this.find(successor as NodeId);
      if (target !== node) this.addAll(target, locations);
    }
    const constraints = this.constraints[whose];
    if (constraints === null || constraints.length === 0) return;
    this.postponed.push([node as NodeId, [...constraints], locations]);
    this.isChanged = true;
  }

  private joinDerivations(into: number, from: number): void {
    const [mine, theirs] = [this.derivations[into], this.derivations[from]];
    this.derivations[from] = null;
    if (theirs === null) return;
    if (mine === null) {
      this.derivations[into] = theirs;
      return;
    }
    const dropped = new Set<Watch>();
    for (const [key, derived] of theirs) {
      const same = mine.get(key);
      if (same === undefined) mine.set(key, derived);
      else {
        dropped.add(derived.watch);
        this.twins.push(same.node, derived.node);
      }
    }
    if (dropped.size === 0) return;
    this.constraints[from] = this.constraints[from]?.filter((watch) => !dropped.has(watch)) ?? null;
  }

  solve(): void {
    while (this.isChanged) {
      this.waves++;
      for (const node of [...this.large]) this.absorb(node as NodeId);
      this.large.clear();
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
    // A constraint may add others to the same node, which `constrain` tells, or unite nodes, which postpones.
    const work = this.postponed;
    this.postponed = [];
    for (const [node, set] of untold) work.push([node as NodeId, [...(this.constraints[node] ?? [])], set]);
    // Small sets first: what is done for a large one is in vain if it ends in the blob.
    work.sort((a, b) => a[2].words - b[2].words);
    for (const [node, constraints, set] of work) {
      if ((this.setOf(node)?.words ?? 0) > this.mostWords) this.absorb(node);
      const isInBlob = this.find(node) === this.find(this.blob);
      const locations = set.values();
      for (const { each, inBlob } of constraints) {
        if (isInBlob && inBlob !== null) continue;
        this.work += locations.length;
        for (const location of locations) each(location);
      }
      this.mostWords = (MOST_WORDS.find(([done]) => this.work < done) ?? MOST_WORDS[0])[1];
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
      for (const member of members) this.unite(members[members.length - 1] as NodeId, member as NodeId);
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

function difference(a: SparseSet | null, b: SparseSet | null): SparseSet | null {
  return a === null || b === null ? (a?.copy() ?? null) : a.minus(b);
}
