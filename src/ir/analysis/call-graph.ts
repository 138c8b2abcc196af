// The order in which functions are optimised: callees before callers, so that a callee's finished body is at hand when
// its caller wants to inline it. Edges are the linker's references (calls and addresses taken alike), which are known
// without parsing; a true call graph would need all bodies at once.
// Invariant: in `order`, a function stands after everything it refers to, except what is in its own component.

import type { GlobalValue, IrFunction } from "../module.js";
import type { Value } from "../values.js";

export interface CallGraph {
  readonly order: readonly IrFunction[];
  /** Strongly connected components, numbered in `order`. Two functions of one component may be recursive. */
  readonly component: ReadonlyMap<IrFunction, number>;
}

/** Tarjan's algorithm with an explicit stack. */
export function callGraph(
  functions: readonly IrFunction[],
  references: ReadonlyMap<IrFunction, readonly GlobalValue[]>,
): CallGraph {
  const index = new Map<IrFunction, number>();
  functions.forEach((fn, i) => {
    index.set(fn, i);
  });
  const successors = functions.map((fn) => {
    const list: number[] = [];
    for (const value of references.get(fn) ?? []) {
      const target = value.resolved;
      if (target?.kind !== "function") continue;
      const to = index.get(target);
      if (to !== undefined) list.push(to);
    }
    return list;
  });

  const count = functions.length;
  const visited = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = new Int32Array(count);
  const open = new Uint8Array(count);
  const path: number[] = [];
  const pending: number[] = [];
  const order: IrFunction[] = [];
  const component = new Map<IrFunction, number>();
  let clock = 0;
  let components = 0;
  const enter = (v: number): void => {
    visited[v] = low[v] = clock++;
    open[v] = 1;
    path.push(v);
    pending.push(v);
  };
  for (let root = 0; root < count; root++) {
    if (visited[root] >= 0) continue;
    enter(root);
    while (path.length > 0) {
      const v = path[path.length - 1];
      if (next[v] < successors[v].length) {
        const w = successors[v][next[v]++];
        if (visited[w] < 0) enter(w);
        else if (open[w] === 1 && visited[w] < low[v]) low[v] = visited[w];
        continue;
      }
      path.pop();
      if (path.length > 0) {
        const parent = path[path.length - 1];
        if (low[v] < low[parent]) low[parent] = low[v];
      }
      if (low[v] !== visited[v]) continue;
      for (let w = -1; w !== v; ) {
        w = pending.pop() as number;
        open[w] = 0;
        order.push(functions[w]);
        component.set(functions[w], components);
      }
      components++;
    }
  }
  return { order, component };
}

/** What a call's callee operand denotes, if that is known now. */
export function calledFunction(callee: Value): IrFunction | null {
  if (callee.kind !== "global") return null;
  const { target } = callee;
  if (target.resolved?.kind === "function") return target.resolved;
  return target.kind === "function" ? target : null;
}
