// The graph of an inclusion-based points-to analysis (Andersen). A node stands for a value, or for what a location holds; its set is
// the locations it may point to. An edge says that one set includes another. Loads, stores, address arithmetic, copies and calls through
// pointers are constraints on a node: each new location in its set may add edges.
//
// Solved in waves (Pereira and Berlin, CGO 2009): cycles of edges become one node, new locations are passed on in topological order,
// constraints look at what is new, and so on until nothing is. Departure: nodes that turn out equal before solving are not looked for.

import { SparseSet } from "./sparse-set.js";

export type NodeId = number & { readonly brand: "NodeId" };

/** Called with the locations that are new in a node's set. */
export type Constraint = (location: number) => void;

export class ConstraintGraph {
  private readonly parent: number[] = [];
  private readonly sets: (SparseSet | null)[] = [];
  /** What the successors and the constraints have been told. */
  private readonly told: (SparseSet | null)[] = [];
  private readonly successors: (number[] | null)[] = [];
  private readonly constraints: (Constraint[] | null)[] = [];
  /** Edges and elements that came since the last wave. */
  private isChanged = false;
  waves = 0;

  get nodeCount(): number {
    return this.parent.length;
  }

  node(): NodeId {
    const id = this.parent.length;
    this.parent.push(id);
    this.sets.push(null);
    this.told.push(null);
    this.successors.push(null);
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
    if (this.sets[root].add(location)) this.isChanged = true;
  }

  /** The set of `to` includes that of `from`. */
  include(from: NodeId, to: NodeId): void {
    const source = this.find(from);
    const target = this.find(to);
    if (source === target) return;
    this.successors[source] ??= [];
    const list = this.successors[source];
    // Most lists are short; the long ones are cleaned when cycles are looked for.
    if (list.length < 16 ? list.includes(target) : list[list.length - 1] === target) return;
    list.push(target);
    // What has been told already is told to newcomers here.
    const told = this.told[source];
    if (told === null) return;
    this.sets[target] ??= new SparseSet();
    if (this.sets[target].addAll(told)) this.isChanged = true;
  }

  /** `constraint` hears of each location of the node, now and later. */
  constrain(node: NodeId, constraint: Constraint): void {
    const root = this.find(node);
    this.constraints[root] ??= [];
    this.constraints[root].push(constraint);
    for (const location of this.told[root]?.values() ?? []) constraint(location);
  }

  unite(a: NodeId, b: NodeId): void {
    const into = this.find(a);
    const from = this.find(b);
    if (into === from) return;
    this.parent[from] = into;
    const { sets, told, successors, constraints } = this;
    // What only one of them has told must be told again for the other: what both have told is known to all.
    const set = sets[into] ?? new SparseSet();
    if (sets[from] !== null) set.addAll(sets[from]);
    sets[into] = set;
    const both = intersection(told[into], told[from]);
    told[into] = both;
    successors[into] = joined(successors[into], successors[from]);
    constraints[into] = joined(constraints[into], constraints[from]);
    sets[from] = told[from] = successors[from] = constraints[from] = null;
    this.isChanged = true;
  }

  solve(): void {
    do {
      this.isChanged = false;
      this.waves++;
      this.wave(this.condensed());
    } while (this.isChanged);
  }

  private wave(order: Int32Array): void {
    const pending: [Constraint[], SparseSet][] = [];
    for (let at = order.length - 1; at >= 0; at--) {
      const node = order[at];
      const set = this.sets[node];
      if (set === null) continue;
      const told = this.told[node];
      const fresh = told === null ? set.copy() : set.minus(told);
      if (fresh === null) continue;
      if (told === null) this.told[node] = set.copy();
      else told.addAll(fresh);
      for (const successor of this.successors[node] ?? []) {
        const target = this.find(successor as NodeId);
        if (target === node) continue;
        this.sets[target] ??= new SparseSet();
        this.sets[target].addAll(fresh);
      }
      const constraints = this.constraints[node];
      if (constraints !== null) pending.push([constraints, fresh]);
    }
    for (const [constraints, fresh] of pending) {
      const locations = fresh.values();
      // A constraint may add others to the same node; those have been told by `constrain`.
      const count = constraints.length;
      for (let i = 0; i < count; i++) for (const location of locations) constraints[i](location);
    }
    if (pending.length > 0) this.isChanged = true;
  }

  /** Makes one node of every cycle; returns the nodes that are left, successors before predecessors. */
  private condensed(): Int32Array {
    const count = this.parent.length;
    const index = new Int32Array(count).fill(-1);
    const low = new Int32Array(count);
    const next = new Int32Array(count);
    const isOpen = new Uint8Array(count);
    const path: number[] = [];
    const open: number[] = [];
    const cycles: number[][] = [];
    const order: number[] = [];
    let clock = 0;
    const enter = (v: number): void => {
      index[v] = low[v] = clock++;
      isOpen[v] = 1;
      path.push(v);
      open.push(v);
      const list = this.successors[v];
      if (list !== null && list.length > 0) this.successors[v] = this.cleaned(v, list);
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
        order.push(v);
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
    const changed = this.isChanged;
    for (const members of cycles)
      for (const member of members) this.unite(members[members.length - 1] as NodeId, member as NodeId);
    this.isChanged = changed;
    return Int32Array.from(order);
  }

  /** Each successor once, by its representative. */
  private cleaned(node: number, list: readonly number[]): number[] {
    const seen = new Set<number>();
    for (const successor of list) {
      const target = this.find(successor as NodeId);
      if (target !== node) seen.add(target);
    }
    return [...seen];
  }
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
