// Interned tables of expressions, for loads at a symbolic index: a table is named by a number, and equal tables have the
// same number, so that a lookup is an ordinary node. The alternative, a chain of if-then-else, would be as long as the
// object that is read for each load.
// Invariant: all entries of a table have one width; entries are older than every lookup in them.

import type { ExprRef } from "./ops.js";

/** A table of expressions, as `lookup` takes it. */
export type TableRef = number & { readonly brand: "TableRef" };

export class Tables {
  private entries: Int32Array[] = [new Int32Array(0)];
  private supports: number[] = [0];
  private byHash = new Map<number, number[]>();

  get count(): number {
    return this.entries.length;
  }

  /** The table with these entries, or 0. */
  find(refs: ArrayLike<number>): TableRef {
    const bucket = this.byHash.get(hashRefs(refs));
    if (bucket !== undefined)
      for (const table of bucket) if (sameRefs(this.entries[table], refs)) return table as TableRef;
    return 0 as TableRef;
  }

  /** Adds a table that `find` did not find. */
  append(refs: ArrayLike<number>, support: number): TableRef {
    const table = this.entries.length as TableRef;
    this.entries.push(Int32Array.from(refs));
    this.supports.push(support);
    const hash = hashRefs(refs);
    const bucket = this.byHash.get(hash);
    if (bucket === undefined) this.byHash.set(hash, [table]);
    else bucket.push(table);
    return table;
  }

  /** Not to be modified. */
  entriesOf(table: TableRef): Int32Array {
    return this.entries[table];
  }

  supportOf(table: TableRef): number {
    return this.supports[table];
  }

  entry(table: TableRef, index: number): ExprRef {
    return this.entries[table][index] as ExprRef;
  }

  memory(): number {
    let bytes = 0;
    for (const refs of this.entries) bytes += refs.byteLength + 200;
    return bytes;
  }
}

function hashRefs(refs: ArrayLike<number>): number {
  let hash = refs.length;
  for (let i = 0; i < refs.length; i++) hash = Math.imul(hash ^ refs[i], 0x0100_0193) ^ (hash >>> 15);
  return hash;
}

function sameRefs(x: Int32Array, y: ArrayLike<number>): boolean {
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}
