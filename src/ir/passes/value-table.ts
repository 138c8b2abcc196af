// The expressions computed so far on the way from the entry to the current block, for finding that the same one was
// computed before. A hash table whose entries leave in reverse order when the walk over the dominator tree leaves a
// block. The hash only picks the chain; equality is decided by comparing.

import { sameType, type Type } from "../types.js";
import type { Instruction, Value } from "../values.js";

export class ValueTable {
  private readonly mask: number;
  private readonly heads: Int32Array;
  private readonly entries: Instruction[] = [];
  private readonly next: number[] = [];
  private readonly buckets: number[] = [];

  /** `count`: about how many expressions there will be. */
  constructor(count: number) {
    const buckets = 1 << Math.min(16, Math.max(4, 32 - Math.clz32(count)));
    this.mask = buckets - 1;
    this.heads = new Int32Array(buckets).fill(-1);
  }

  /** An equal expression that is available here; if there is none, `i` becomes available and the result is null. */
  find(i: Instruction): Instruction | null {
    const bucket = hash(i) & this.mask;
    for (let at = this.heads[bucket]; at >= 0; at = this.next[at]) {
      if (sameExpression(this.entries[at], i)) return this.entries[at];
    }
    this.next.push(this.heads[bucket]);
    this.heads[bucket] = this.entries.length;
    this.entries.push(i);
    this.buckets.push(bucket);
    return null;
  }

  get size(): number {
    return this.entries.length;
  }

  /** Forgets all but the first `size` entries. */
  shrink(size: number): void {
    while (this.entries.length > size) {
      this.entries.pop();
      this.heads[this.buckets.pop() as number] = this.next.pop() as number;
    }
  }
}

function hash(i: Instruction): number {
  const { op, operands } = i;
  let h = op.charCodeAt(0) * 31 + op.charCodeAt(op.length - 1) * 7 + op.length;
  for (let k = 0; k < operands.length; k++) h = Math.imul(h ^ hashValue(operands[k]), 0x9e3779b1);
  return (h >>> 15) ^ h;
}
function hashValue(value: Value): number {
  switch (value.kind) {
    case "instruction":
      return value.id + 1000;
    case "argument":
      return value.index * 3;
    case "int":
      return Number(value.value) | 0;
    case "global":
      return value.target.name.length * 77 + value.target.name.charCodeAt(value.target.name.length - 1);
    default:
      return value.kind.length;
  }
}

export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "int":
      return b.kind === "int" && a.value === b.value && a.type.bits === b.type.bits;
    case "float":
      return b.kind === "float" && a.bits === b.bits && a.type.name === b.type.name;
    case "zero":
      return b.kind === "zero" && sameType(a.type, b.type);
    case "global":
      return b.kind === "global" && a.target === b.target;
    default:
      return false;
  }
}

function sameExpression(a: Instruction, b: Instruction): boolean {
  if (a.op !== b.op || a.operands.length !== b.operands.length) return false;
  for (let k = 0; k < a.operands.length; k++) if (!sameValue(a.operands[k], b.operands[k])) return false;
  if (!sameTypeFast(a.type, b.type)) return false;
  switch (a.op) {
    case "icmp":
      return b.op === "icmp" && a.extra.predicate === b.extra.predicate;
    case "fcmp":
      return b.op === "fcmp" && a.extra.predicate === b.extra.predicate;
    case "getelementptr":
      return b.op === "getelementptr" && sameTypeFast(a.extra.sourceType, b.extra.sourceType);
    case "extractvalue":
    case "insertvalue":
      return (b.op === "extractvalue" || b.op === "insertvalue") && sameNumbers(a.extra.indices, b.extra.indices);
    case "shufflevector":
      return b.op === "shufflevector" && sameNumbers(a.extra.mask, b.extra.mask);
    default:
      return true;
  }
}
function sameTypeFast(a: Type, b: Type): boolean {
  return a === b || sameType(a, b);
}
function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}
