// The decisions of a `switch` and of `goto *p`. For a switch cases are grouped into dense clusters; a binary tree of
// comparisons finds the cluster, a br_table (or one comparison) the target. One table for all would explode for sparse
// cases, a chain of comparisons is slow for many. The labels of a function are numbered densely: one table.

import type { InstructionOf } from "../ir/values.js";
import { FAULTS } from "./boundary.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

interface Cluster {
  readonly low: bigint;
  /** Target block index per value from `low` on; -1 for the default. */
  readonly targets: number[];
}

/** A table may be this many times larger than its cases. */
const MAX_TABLE_FACTOR = 4;
const MAX_GAP = 64n;
/** V8 takes no larger one (65,520). */
const MAX_TABLE = 60_000n;

function clusters(i: InstructionOf<"switch">): Cluster[] {
  const cases = i.extra.cases.map((value, n) => ({ value, target: i.blocks[n + 1].index }));
  cases.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
  const result: Cluster[] = [];
  let used = 0;
  for (const { value, target } of cases) {
    const last = result[result.length - 1];
    if (last !== undefined) {
      const distance = value - last.low;
      const gap = distance - BigInt(last.targets.length);
      if (gap < 0n) continue;
      const most = BigInt((used + 1) * MAX_TABLE_FACTOR + 4);
      if (gap <= MAX_GAP && distance < most && distance < MAX_TABLE) {
        for (let n = 0n; n < gap; n++) last.targets.push(-1);
        last.targets.push(target);
        used++;
        continue;
      }
    }
    result.push({ low: value, targets: [target] });
    used = 1;
  }
  return result;
}

export function emitSwitchDecision(
  e: FunctionEmitter,
  i: InstructionOf<"switch">,
  labelOf: (blockIndex: number) => number,
): void {
  const parts = partsOf(i.operands[0].type);
  if (parts.length !== 1) throw new ShapeError("a switch on more than 64 bits");
  const wide = parts[0].wasm === "i64";
  const value = e.local(i.operands[0]);
  const fallback = i.blocks[0].index;
  const constant = (n: bigint): void => {
    if (wide) e.i64(n);
    else e.i32(Number(BigInt.asIntN(32, n)));
  };
  const jump = (blockIndex: number): void => {
    e.op(W.br);
    e.code.u32(labelOf(blockIndex));
  };
  const leaf = (cluster: Cluster): void => {
    if (cluster.targets.length === 1) {
      e.get(value);
      constant(cluster.low);
      e.op(wide ? W.i64_eq : W.i32_eq);
      e.brIf(labelOf(cluster.targets[0]));
      jump(fallback);
      return;
    }
    e.get(value);
    if (cluster.low !== 0n) {
      constant(cluster.low);
      e.op(wide ? W.i64_sub : W.i32_sub);
    }
    if (wide) {
      const distance = e.temp("i64");
      e.tee(distance);
      e.i64(BigInt(cluster.targets.length));
      e.op(W.i64_ge_u);
      e.brIf(labelOf(fallback));
      e.get(distance);
      e.op(W.i32_wrap_i64);
    }
    e.op(W.br_table);
    e.code.u32(cluster.targets.length);
    for (const target of cluster.targets) e.code.u32(labelOf(target < 0 ? fallback : target));
    e.code.u32(labelOf(fallback));
  };
  // Depth is logarithmic in the number of clusters.
  const tree = (list: readonly Cluster[]): void => {
    if (list.length === 0) return jump(fallback);
    if (list.length === 1) return leaf(list[0]);
    const middle = list.length >> 1;
    e.get(value);
    constant(list[middle].low);
    e.op(wide ? W.i64_lt_u : W.i32_lt_u);
    e.op(W.if);
    e.op(0x40);
    e.labels.push(-1);
    tree(list.slice(0, middle));
    e.op(W.else);
    tree(list.slice(middle));
    e.end();
    e.labels.pop();
    e.op(W.unreachable);
  };
  tree(clusters(i));
}

/** Jumps to the label whose address the operand is; anything else is a fault. */
export function emitJumpDecision(
  e: FunctionEmitter,
  i: InstructionOf<"indirectbr">,
  labelOf: (blockIndex: number) => number,
): void {
  const base = e.module.blockAddressBase(e.name);
  const targets: number[] = [];
  for (const block of i.blocks) targets[e.module.labelAddress(e.name, block.name) - base] = block.index;
  const pointer = e.local(i.operands[0]);
  const number = e.temp("i64");
  e.block();
  e.labels.push(-1);
  e.get(pointer);
  e.i64(BigInt(base));
  e.op(W.i64_sub);
  e.tee(number);
  e.i64(BigInt(targets.length));
  e.op(W.i64_ge_u);
  e.brIfUnlikely(0);
  e.get(number);
  e.op(W.i32_wrap_i64);
  e.op(W.br_table);
  e.code.u32(targets.length);
  for (let n = 0; n < targets.length; n++) e.code.u32(targets[n] === undefined ? 0 : labelOf(targets[n]));
  e.code.u32(0);
  e.end();
  e.labels.pop();
  e.i32(FAULTS["wild-jump"]);
  e.get(pointer);
  e.op(W.i32_wrap_i64);
  e.get(pointer);
  e.i64(32n);
  e.op(W.i64_shr_u);
  e.op(W.i32_wrap_i64);
  e.i32(0);
  e.call(e.module.host("fault"));
  e.op(W.unreachable);
}
