// Function signatures and the function table, sorted by signature, so that the functions of one signature are a range of
// table indices (see emit-call.ts). All functions of the program are in the table: whether a function's address is
// taken would have to be known before any is translated, and a table entry costs nothing.

import type { IrFunction } from "../ir/module.js";
import type { Signature } from "./image.js";
import { signatureKey, signatureOf } from "./shape.js";

export interface SignatureEntry {
  readonly key: string;
  readonly signature: Signature;
  readonly typeIndex: number;
  /** The functions of this signature are table[firstTableIndex, firstTableIndex + tableCount). */
  firstTableIndex: number;
  tableCount: number;
  /** Function index of its mismatch resolver, -1 until it is needed. */
  resolver: number;
}

export class SignatureTable {
  private readonly byKey = new Map<string, SignatureEntry>();
  readonly entries: SignatureEntry[] = [];
  /** Sorted by signature; the position is the table index. */
  readonly functions: IrFunction[];
  private readonly tableIndex = new Map<IrFunction, number>();

  constructor(functions: readonly IrFunction[]) {
    const keyed = functions.map((fn) => ({ fn, entry: this.entryOf(signatureOf(fn.type)) }));
    keyed.sort((a, b) => a.entry.typeIndex - b.entry.typeIndex);
    this.functions = keyed.map(({ fn }) => fn);
    keyed.forEach(({ fn, entry }, index) => {
      this.tableIndex.set(fn, index);
      if (entry.tableCount === 0) entry.firstTableIndex = index;
      entry.tableCount++;
    });
  }

  entry(key: string, signature: Signature): SignatureEntry {
    let found = this.byKey.get(key);
    if (found === undefined) {
      found = {
        key,
        signature,
        typeIndex: this.entries.length,
        firstTableIndex: 0,
        tableCount: 0,
        resolver: -1,
      };
      this.byKey.set(key, found);
      this.entries.push(found);
    }
    return found;
  }
  entryOf(signature: Signature): SignatureEntry {
    return this.entry(signatureKey(signature), signature);
  }
  indexOf(fn: IrFunction): number | undefined {
    return this.tableIndex.get(fn);
  }
}
