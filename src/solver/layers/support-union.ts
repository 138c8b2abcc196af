// The input bytes of several constraints together, ascending. Stamps instead of a set: this runs for most queries.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model } from "../solver.js";

export class SupportUnion {
  private stamps = new Int32Array(64);
  private stamp = 0;
  private bytes = new Int32Array(64);

  constructor(private readonly arena: ExprArena) {}

  of(constraints: readonly ExprRef[]): Int32Array {
    const stamp = ++this.stamp;
    let count = 0;
    let ascending = true;
    for (let i = 0; i < constraints.length; i++) {
      const support = this.arena.support(constraints[i]);
      for (let k = 0; k < support.length; k++) {
        const byte = support[k];
        if (byte >= this.stamps.length) this.stamps = grown(this.stamps, byte + 1);
        if (this.stamps[byte] === stamp) continue;
        this.stamps[byte] = stamp;
        if (count === this.bytes.length) this.bytes = grown(this.bytes, count + 1);
        if (count > 0 && byte < this.bytes[count - 1]) ascending = false;
        this.bytes[count++] = byte;
      }
    }
    const result = this.bytes.slice(0, count);
    return ascending ? result : result.sort();
  }
}

function grown(old: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(old.length * 2, atLeast));
  larger.set(old);
  return larger;
}

/** The hint with `values` at `bytes` (ascending). */
export function overlay(hint: Model, bytes: Int32Array, values: Uint8Array): Model {
  const last = bytes.length === 0 ? 0 : bytes[bytes.length - 1] + 1;
  const model = new Uint8Array(Math.max(hint.length, last));
  model.set(hint);
  for (let i = 0; i < bytes.length; i++) model[bytes[i]] = values[i];
  return model;
}

/** The model's values at `bytes`; 0 beyond its end. */
export function valuesAt(model: Model, bytes: Int32Array): Uint8Array {
  const values = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) if (bytes[i] < model.length) values[i] = model[bytes[i]];
  return values;
}
