// Replaces nodes by constants inside expressions, building what comes out through the arena's constructors, which fold and
// rewrite. Results are kept while the replacements stay the same, so that conditions that share parts pay for them once.
// With each result goes the set of sources (positions of conditions) that it depends on, as bits of one integer; beyond 31
// sources the last bit stands for all further ones, which is coarser but never wrong.

import { ARITY, type ExprArena, type TableRef } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { withOperands } from "../../expr/with-operands.js";

const LAST_BIT = 31;

export class Rewriter {
  /** Nodes visited since `begin`. */
  visits = 0;
  /** Bits of the sources that the last result depends on. */
  used = 0;
  /** Positions of the sources, by number. */
  private readonly sources: number[] = [];
  private value = new Int32Array(1024);
  private valueStamp = new Int32Array(1024);
  private valueBits = new Int32Array(1024);
  private done = new Int32Array(1024);
  private doneStamp = new Int32Array(1024);
  private doneBits = new Int32Array(1024);
  private queryStamp = 0;
  private epoch = 0;
  private readonly stack: ExprRef[] = [];

  constructor(private readonly arena: ExprArena) {}

  /** Forgets all replacements. */
  begin(): void {
    this.queryStamp++;
    this.epoch++;
    this.visits = 0;
    this.sources.length = 0;
  }

  /** Results from before are not used any more: replacements have come that matter to them. */
  refresh(): void {
    this.epoch++;
  }

  /** From now on `node` is `value`, because of the condition at `position`; the first replacement of a node stays. */
  replace(node: ExprRef, value: ExprRef, position: number): void {
    this.reserve(node);
    if (this.valueStamp[node] === this.queryStamp) return;
    if (this.sources[this.sources.length - 1] !== position) this.sources.push(position);
    this.valueStamp[node] = this.queryStamp;
    this.value[node] = value;
    this.valueBits[node] = 1 << Math.min(this.sources.length - 1, LAST_BIT);
  }

  /** The positions that bits of `used` stand for. */
  positions(bits: number): number[] {
    return this.sources.filter((_, number) => ((bits >>> Math.min(number, LAST_BIT)) & 1) === 1);
  }

  /** The expression after all replacements, or 0 if more than `maxVisits` nodes were visited since `begin`. */
  rewrite(root: ExprRef, maxVisits: number): ExprRef {
    const { arena, stack } = this;
    this.reserve(arena.size);
    stack.length = 0;
    stack.push(root);
    while (stack.length > 0) {
      const e = stack[stack.length - 1];
      if (this.doneStamp[e] === this.epoch) {
        stack.pop();
        continue;
      }
      if (this.valueStamp[e] === this.queryStamp) {
        this.finish(e, this.value[e], this.valueBits[e]);
        continue;
      }
      if (++this.visits > maxVisits) return 0 as ExprRef;
      const waiting = stack.length;
      this.pushOperands(e);
      if (stack.length > waiting) continue;
      this.used = 0;
      const result = arena.op(e) === OPS.lookup.code ? this.rebuildLookup(e) : this.rebuild(e);
      this.finish(e, result, this.used);
    }
    this.used = this.doneBits[root];
    return this.done[root] as ExprRef;
  }

  private finish(e: ExprRef, result: number, bits: number): void {
    this.doneStamp[e] = this.epoch;
    this.done[e] = result;
    this.doneBits[e] = bits;
    this.stack.pop();
  }

  /** The result for an operand; what it depends on is noted. */
  private result(operand: ExprRef): ExprRef {
    this.used |= this.doneBits[operand];
    return this.done[operand] as ExprRef;
  }

  private push(operand: ExprRef): void {
    if (this.doneStamp[operand] !== this.epoch) this.stack.push(operand);
  }

  private pushOperands(e: ExprRef): void {
    const { arena } = this;
    const op = arena.op(e);
    if (op === OPS.constant.code || op === OPS.variable.code) return;
    this.push(arena.a(e));
    if (op === OPS.lookup.code) {
      const table = arena.payload(e) as TableRef;
      // Most tables are the program's own constants, thousands of entries long.
      if (arena.isConstantTable(table)) return;
      const entries = arena.tableEntries(table);
      for (let i = 0; i < entries.length; i++) {
        if (!arena.isConstant(entries[i] as ExprRef)) this.push(entries[i] as ExprRef);
      }
      return;
    }
    if (ARITY[op] > 1) this.push(arena.b(e));
    if (ARITY[op] > 2) this.push(arena.c(e));
  }

  private rebuild(e: ExprRef): ExprRef {
    const { arena } = this;
    const op = arena.op(e);
    if (op === OPS.constant.code || op === OPS.variable.code) return e;
    const a = this.result(arena.a(e));
    const b = ARITY[op] > 1 ? this.result(arena.b(e)) : arena.b(e);
    const c = ARITY[op] > 2 ? this.result(arena.c(e)) : arena.c(e);
    if (a === arena.a(e) && b === arena.b(e) && c === arena.c(e)) return e;
    return withOperands(arena, e, a, b, c);
  }

  private rebuildLookup(e: ExprRef): ExprRef {
    const { arena } = this;
    const index = this.result(arena.a(e));
    const table = arena.payload(e) as TableRef;
    if (arena.isConstantTable(table)) return index === arena.a(e) ? e : arena.lookup(table, index);
    const entries = arena.tableEntries(table);
    const rebuilt: ExprRef[] = [];
    let changed = false;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as ExprRef;
      const result = arena.isConstant(entry) ? entry : this.result(entry);
      if (result !== entry) changed = true;
      rebuilt.push(result);
    }
    if (!changed) return index === arena.a(e) ? e : arena.lookup(table, index);
    return arena.lookup(arena.table(rebuilt), index);
  }

  private reserve(node: number): void {
    if (node < this.done.length) return;
    const size = Math.max(this.done.length * 2, node + 1);
    for (const name of ["value", "valueStamp", "valueBits", "done", "doneStamp", "doneBits"] as const) {
      const larger = new Int32Array(size);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
