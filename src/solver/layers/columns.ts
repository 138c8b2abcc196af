// The values of an expression for all 256 values of one input byte, the other bytes fixed: node by node, as columns of 256,
// which costs a tenth of 256 evaluations. What does not depend on the byte is evaluated once. Up to 64 bits; wider
// expressions, and tables whose entries depend on the byte, are refused.
// Columns of up to 32 bits are one int32 a value, up to 64 two; bits from the width upwards are zero.

import { ARITY, type ExprArena, type TableRef } from "../../expr/arena.js";
import type { Evaluator } from "../../expr/evaluate.js";
import { foldFloat } from "../../expr/float-fold.js";
import { foldBinary } from "../../expr/fold.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";
import { Word64 } from "../../expr/word64.js";
import { VALUES, type WideColumn, wideBinary, wideUnary } from "./columns-wide.js";

/** Columns of two kilobytes each. */
const MAX_KEPT = 128;
/** A millisecond or so. */
const COLUMNS_BETWEEN_LOOKS = 1024;

export class Columns {
  /** Columns made so far, and how many may be: beyond that expressions are refused. */
  made = 0;
  limit = Number.POSITIVE_INFINITY;
  /** By the clock of `performance.now`, looked at now and then: expressions are refused after it, too. */
  deadlineMs = Number.POSITIVE_INFINITY;
  private lows: Int32Array[] = [];
  private highs: Int32Array[] = [];
  private readonly pairs: WideColumn[] = [];
  private used = 0;
  /** Place of a node's column, valid where the stamp is the current one. */
  private place = new Int32Array(1024);
  private stamps = new Int32Array(1024);
  private stamp = 0;
  private readonly stack: ExprRef[] = [];
  private readonly word = new Word64();
  private byte = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly evaluator: Evaluator,
  ) {}

  /** So many columns are kept that it is time for another `begin`. */
  get isLarge(): boolean {
    return this.used > MAX_KEPT;
  }

  /** Starts on a byte; the other bytes are those of the model that the evaluator has loaded. */
  begin(byte: number): void {
    this.byte = byte;
    this.stamp++;
    this.used = 0;
  }

  /**
   * Intersects the eight words at `start` with the values for which `e` (width 1) holds. False if it was refused; then
   * `begin` comes next, because some columns may be unfinished.
   */
  intersect(e: ExprRef, words: Int32Array, start: number): boolean {
    if (!this.build(e)) return false;
    const column = this.lows[this.place[e]];
    for (let word = 0; word < 8; word++) {
      const from = word * 32;
      let bits = 0;
      for (let bit = 0; bit < 32; bit++) bits |= column[from + bit] << bit;
      words[start + word] &= bits;
    }
    return true;
  }

  private build(root: ExprRef): boolean {
    const { arena, stack } = this;
    if (this.stamps.length < arena.size) {
      const size = arena.size * 2;
      this.stamps = new Int32Array(size);
      this.place = new Int32Array(size);
      this.stamp = 1;
      this.used = 0;
    }
    stack.length = 0;
    stack.push(root);
    while (stack.length > 0) {
      const e = stack[stack.length - 1];
      if (this.stamps[e] === this.stamp) {
        stack.pop();
        continue;
      }
      if (arena.width(e) > 64 || this.made >= this.limit) return false;
      if (!this.dependsOnByte(e)) {
        stack.pop();
        this.fillScalar(e);
        continue;
      }
      const waiting = stack.length;
      this.pushOperands(e);
      if (stack.length > waiting) continue;
      stack.pop();
      if (!this.fill(e)) return false;
      if (this.made % COLUMNS_BETWEEN_LOOKS === 0 && performance.now() > this.deadlineMs) return false;
    }
    return true;
  }

  private dependsOnByte(e: ExprRef): boolean {
    const runs = this.arena.supportRuns(e);
    for (let i = 0; i < runs.length; i += 2) if (this.byte >= runs[i] && this.byte < runs[i + 1]) return true;
    return false;
  }

  private push(operand: ExprRef): void {
    if (this.stamps[operand] !== this.stamp) this.stack.push(operand);
  }

  private pushOperands(e: ExprRef): void {
    const { arena } = this;
    const op = arena.op(e);
    if (op === OPS.variable.code) return;
    this.push(arena.a(e));
    if (ARITY[op] > 1) this.push(arena.b(e));
    if (ARITY[op] > 2) this.push(arena.c(e));
  }

  private allocate(e: ExprRef): number {
    const place = this.used++;
    if (place === this.lows.length) {
      this.lows.push(new Int32Array(VALUES));
      this.highs.push(new Int32Array(VALUES));
      this.pairs.push({ low: this.lows[place], high: this.highs[place] });
    }
    this.place[e] = place;
    this.stamps[e] = this.stamp;
    this.made++;
    return place;
  }

  private fillScalar(e: ExprRef): void {
    const place = this.allocate(e);
    this.lows[place].fill(this.evaluator.low(e));
    if (this.arena.width(e) > 32) this.highs[place].fill(this.evaluator.high(e));
  }

  private fill(e: ExprRef): boolean {
    const { arena } = this;
    const op = arena.op(e);
    const place = this.allocate(e);
    const out = this.lows[place];
    if (op === OPS.variable.code) {
      for (let v = 0; v < VALUES; v++) out[v] = v;
      return true;
    }
    const width = arena.width(e);
    const from = arena.width(arena.a(e));
    const first = this.place[arena.a(e)];
    if (op === OPS.lookup.code) return this.fillLookup(e, out, this.highs[place], first, from);
    if (op === OPS.ite.code) {
      const then = this.place[arena.b(e)];
      const otherwise = this.place[arena.c(e)];
      choose(out, this.lows[first], this.lows[then], this.lows[otherwise]);
      if (width > 32) choose(this.highs[place], this.lows[first], this.highs[then], this.highs[otherwise]);
      return true;
    }
    if (op >= FIRST_FLOAT_OP) {
      this.fillFloat(e, op, place, first, from, width);
      return true;
    }
    if (width > 32 || from > 32) {
      if (!this.fillCommonWide(e, op, place, first, from, width)) this.fillWide(e, op, place, first, from, width);
      return true;
    }
    if (isBinary(op)) {
      const y = this.lows[this.place[arena.b(e)]];
      if (!binary32(op, out, this.lows[first], y, from, width, arena.width(arena.b(e)))) {
        this.fillWide(e, op, place, first, from, width);
      }
      return true;
    }
    unary32(op, out, this.lows[first], from, width, arena.payload(e));
    return true;
  }

  private fillLookup(e: ExprRef, low: Int32Array, high: Int32Array, index: number, indexWidth: number): boolean {
    const { arena, evaluator } = this;
    const entries = arena.tableEntries(arena.payload(e) as TableRef);
    const wide = arena.width(e) > 32;
    const indexLow = this.lows[index];
    const indexHigh = this.highs[index];
    for (let v = 0; v < VALUES; v++) {
      const at = indexLow[v] >>> 0;
      low[v] = 0;
      high[v] = 0;
      if (at >= entries.length || (indexWidth > 32 && indexHigh[v] !== 0)) continue;
      const entry = entries[at] as ExprRef;
      if (!arena.isConstant(entry) && this.dependsOnByte(entry)) return false;
      low[v] = evaluator.low(entry);
      if (wide) high[v] = evaluator.high(entry);
    }
    return true;
  }

  /** Value by value. Halves of operands that the operation does not have, or that are narrow, mean nothing to it. */
  private fillFloat(e: ExprRef, op: number, place: number, first: number, from: number, width: number): void {
    const { arena, word, lows, highs } = this;
    const second = ARITY[op] > 1 ? this.place[arena.b(e)] : first;
    const third = ARITY[op] > 2 ? this.place[arena.c(e)] : first;
    const mode = arena.payload(e);
    const [low, high] = [lows[place], highs[place]];
    const [xl, xh, yl, yh] = [lows[first], highs[first], lows[second], highs[second]];
    const [zl, zh] = [lows[third], highs[third]];
    for (let v = 0; v < VALUES; v++) {
      foldFloat(word, op, width, from, mode, xl[v], xh[v], yl[v], yh[v], zl[v], zh[v]);
      low[v] = word.lo;
      high[v] = word.hi;
    }
  }

  private fillCommonWide(e: ExprRef, op: number, place: number, first: number, from: number, width: number): boolean {
    const { arena, pairs } = this;
    if (!isBinary(op)) return wideUnary(op, pairs[place], pairs[first], from, width, arena.payload(e));
    if (op === OPS.concat.code) return false;
    return wideBinary(op, pairs[place], pairs[first], pairs[this.place[arena.b(e)]], from);
  }

  /** Anything with more than 32 bits, value by value. */
  private fillWide(e: ExprRef, op: number, place: number, first: number, from: number, width: number): void {
    const { arena, word } = this;
    const low = this.lows[place];
    const high = this.highs[place];
    const xLow = this.lows[first];
    const xHigh = this.highs[first];
    const wideX = from > 32;
    if (isBinary(op)) {
      const second = this.place[arena.b(e)];
      const yLow = this.lows[second];
      const yHigh = this.highs[second];
      const lowWidth = arena.width(arena.b(e));
      const wideY = lowWidth > 32;
      for (let v = 0; v < VALUES; v++) {
        const hi = wideX ? xHigh[v] : 0;
        const otherHi = wideY ? yHigh[v] : 0;
        if (op === OPS.concat.code) {
          word.shl(xLow[v], hi, lowWidth);
          word.set(word.lo | yLow[v], word.hi | otherHi);
        } else {
          foldBinary(word, op, from, xLow[v], hi, yLow[v], otherHi);
        }
        low[v] = word.lo;
        high[v] = word.hi;
      }
      return;
    }
    const lowBit = arena.payload(e);
    for (let v = 0; v < VALUES; v++) {
      const lo = xLow[v];
      const hi = wideX ? xHigh[v] : 0;
      if (op === OPS.not.code) word.set(~lo, ~hi);
      else if (op === OPS.neg.code) word.neg(lo, hi);
      else if (op === OPS.extract.code) word.lshr(lo, hi, lowBit);
      else if (op === OPS.sext.code) word.signExtend(lo, hi, from);
      else word.set(lo, hi);
      word.truncate(width);
      low[v] = word.lo;
      high[v] = word.hi;
    }
  }
}

function isBinary(op: number): boolean {
  return (
    (op >= OPS.add.code && op <= OPS.ashr.code) || (op >= OPS.eq.code && op <= OPS.sle.code) || op === OPS.concat.code
  );
}

function choose(out: Int32Array, condition: Int32Array, then: Int32Array, otherwise: Int32Array): void {
  for (let v = 0; v < VALUES; v++) out[v] = condition[v] !== 0 ? then[v] : otherwise[v];
}

function truncate(out: Int32Array, width: number): void {
  if (width === 32) return;
  const mask = (1 << width) - 1;
  for (let v = 0; v < VALUES; v++) out[v] &= mask;
}

function unary32(op: number, out: Int32Array, x: Int32Array, from: number, width: number, lowBit: number): void {
  if (op === OPS.extract.code) for (let v = 0; v < VALUES; v++) out[v] = x[v] >>> lowBit;
  else if (op === OPS.not.code) for (let v = 0; v < VALUES; v++) out[v] = ~x[v];
  else if (op === OPS.neg.code) for (let v = 0; v < VALUES; v++) out[v] = -x[v];
  else if (op === OPS.sext.code) {
    const unused = 32 - from;
    for (let v = 0; v < VALUES; v++) out[v] = (x[v] << unused) >> unused;
  } else {
    out.set(x);
    return;
  }
  truncate(out, width);
}

/** False for the rare operations, which go value by value. */
function binary32(
  op: number,
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  from: number,
  width: number,
  lowWidth: number,
): boolean {
  const unused = 32 - from;
  switch (op) {
    case OPS.add.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] + y[v];
      truncate(out, width);
      return true;
    case OPS.sub.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] - y[v];
      truncate(out, width);
      return true;
    case OPS.mul.code:
      for (let v = 0; v < VALUES; v++) out[v] = Math.imul(x[v], y[v]);
      truncate(out, width);
      return true;
    case OPS.and.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] & y[v];
      return true;
    case OPS.or.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] | y[v];
      return true;
    case OPS.xor.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] ^ y[v];
      return true;
    case OPS.concat.code:
      for (let v = 0; v < VALUES; v++) out[v] = (x[v] << lowWidth) | y[v];
      return true;
    case OPS.eq.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] === y[v] ? 1 : 0;
      return true;
    case OPS.ult.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] >>> 0 < y[v] >>> 0 ? 1 : 0;
      return true;
    case OPS.ule.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] >>> 0 <= y[v] >>> 0 ? 1 : 0;
      return true;
    case OPS.slt.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] << unused < y[v] << unused ? 1 : 0;
      return true;
    case OPS.sle.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] << unused <= y[v] << unused ? 1 : 0;
      return true;
    default:
      return false;
  }
}
