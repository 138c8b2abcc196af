// Which values of its input byte satisfy a condition over one byte: a set of 256 bits, made once for each condition.
// Scanners and parsers ask almost nothing else, so that most queries are a few bitwise ands (about a microsecond) and
// need neither gates nor search. Intervals would be smaller, but `isalnum`, masks and tables are not intervals.
//
// Conditions are evaluated for all 256 values at once, node by node (values as arrays of 256), which costs a tenth of 256
// evaluations. Nodes that this cannot do (wider than 32 bits) go through the evaluator.
// Invariant: where[e] > 0 means that the eight words from where[e] - 1 on are the set of e.

import type { ExprArena, TableRef } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import { type ExprRef, OPS } from "../expr/ops.js";

export const DOMAIN_WORDS = 8;
const VALUES = 256;
/** Sets beyond which everything is forgotten: 32 bytes each. */
const MAX_DOMAINS = 1 << 20;
/** A cone with more nodes is left to the evaluator. */
const MAX_CONE = 64;

export class ByteDomains {
  /** All sets, eight words each, bit v % 32 of word v / 32 for the value v. */
  words = new Int32Array(DOMAIN_WORDS * 1024);
  private used = 0;
  private where = new Int32Array(1024);
  private generation: number;
  private readonly evaluator: Evaluator;
  private probe = new Uint8Array(64);
  private readonly cone: ExprRef[] = [];
  private readonly columns: Int32Array[] = [];
  private readonly stack: ExprRef[] = [];
  /** Column of a node in the cone at hand. */
  private readonly columnOf = new Map<ExprRef, number>();

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
    this.evaluator = new Evaluator(arena);
  }

  /** Where in `words` the set of `e` starts. `e` has width 1 and depends on exactly one input byte. */
  domain(e: ExprRef): number {
    if (e < this.where.length && this.where[e] > 0) return this.where[e] - 1;
    return this.make(e);
  }

  /** Drops all sets if the arena was collected or there are too many; call it between queries. */
  refresh(): void {
    if (this.arena.generation === this.generation && this.used < MAX_DOMAINS * DOMAIN_WORDS) return;
    this.generation = this.arena.generation;
    this.where = new Int32Array(1024);
    this.used = 0;
  }

  private make(e: ExprRef): number {
    const { arena } = this;
    // The opposite condition is often there already, or will be asked for next.
    const negated = arena.op(e) === OPS.not.code ? arena.a(e) : e;
    if (negated !== e) {
      const source = this.domain(negated);
      const start = this.allocate(e);
      for (let i = 0; i < DOMAIN_WORDS; i++) this.words[start + i] = ~this.words[source + i];
      return start;
    }
    const start = this.allocate(e);
    if (!this.fillByColumns(e, start)) this.fillByEvaluation(e, start);
    return start;
  }

  private allocate(e: ExprRef): number {
    if (e >= this.where.length) {
      const larger = new Int32Array(Math.max(this.where.length * 2, e + 1));
      larger.set(this.where);
      this.where = larger;
    }
    if (this.used + DOMAIN_WORDS > this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    const start = this.used;
    this.used += DOMAIN_WORDS;
    this.where[e] = start + 1;
    return start;
  }

  private fillByEvaluation(e: ExprRef, start: number): void {
    const byte = this.arena.support(e)[0];
    if (byte >= this.probe.length) this.probe = new Uint8Array(byte * 2);
    const { probe, evaluator, words } = this;
    words.fill(0, start, start + DOMAIN_WORDS);
    for (let value = 0; value < VALUES; value++) {
      probe[byte] = value;
      evaluator.load(probe);
      if (evaluator.holds(e)) words[start + (value >> 5)] |= 1 << (value & 31);
    }
    probe[byte] = 0;
  }

  private fillByColumns(e: ExprRef, start: number): boolean {
    if (!this.collect(e)) return false;
    const { cone, columnOf, columns, words } = this;
    columnOf.clear();
    for (let i = 0; i < cone.length; i++) {
      if (columns.length === i) columns.push(new Int32Array(VALUES));
      columnOf.set(cone[i], i);
      if (!this.fillColumn(cone[i], columns[i])) return false;
    }
    const result = columns[cone.length - 1];
    for (let word = 0; word < DOMAIN_WORDS; word++) {
      let bits = 0;
      for (let bit = 0; bit < 32; bit++) bits |= (result[word * 32 + bit] & 1) << bit;
      words[start + word] = bits;
    }
    return true;
  }

  /** The nodes below `e`, operands first; false if there are too many or some are too wide. */
  private collect(e: ExprRef): boolean {
    const { arena, cone, stack, columnOf } = this;
    cone.length = 0;
    stack.length = 0;
    columnOf.clear();
    stack.push(e);
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (columnOf.has(node)) continue;
      if (cone.length === MAX_CONE || arena.width(node) > 32) return false;
      columnOf.set(node, 0);
      cone.push(node);
      const op = arena.op(node);
      if (op === OPS.constant.code || op === OPS.variable.code) continue;
      stack.push(arena.a(node));
      if (op === OPS.ite.code) stack.push(arena.b(node), arena.c(node));
      else if (op === OPS.lookup.code) {
        const entries = arena.tableEntries(arena.payload(node) as TableRef);
        for (const entry of entries) if (!arena.isConstant(entry as ExprRef)) return false;
      } else if (op !== OPS.extract.code && op !== OPS.not.code && op !== OPS.neg.code && !isExtension(op)) {
        stack.push(arena.b(node));
      }
    }
    // Operands have smaller indices than what is made of them.
    cone.sort((x, y) => x - y);
    return true;
  }

  private column(e: ExprRef): Int32Array {
    return this.columns[this.columnOf.get(e)!];
  }

  /** Values are kept zero-extended in an int32. */
  private fillColumn(e: ExprRef, out: Int32Array): boolean {
    const { arena } = this;
    const op = arena.op(e);
    const width = arena.width(e);
    const unused = 32 - width;
    if (op === OPS.constant.code) {
      out.fill(arena.constantLow(e));
      return true;
    }
    if (op === OPS.variable.code) {
      for (let v = 0; v < VALUES; v++) out[v] = v;
      return true;
    }
    const x = this.column(arena.a(e));
    const from = 32 - arena.width(arena.a(e));
    switch (op) {
      case OPS.zext.code:
        out.set(x);
        return true;
      case OPS.sext.code:
        for (let v = 0; v < VALUES; v++) out[v] = ((((x[v] << from) >> from) << unused) >>> unused) | 0;
        return true;
      case OPS.extract.code: {
        const low = arena.payload(e);
        for (let v = 0; v < VALUES; v++) out[v] = (((x[v] >>> low) << unused) >>> unused) | 0;
        return true;
      }
      case OPS.not.code:
        for (let v = 0; v < VALUES; v++) out[v] = ((~x[v] << unused) >>> unused) | 0;
        return true;
      case OPS.neg.code:
        for (let v = 0; v < VALUES; v++) out[v] = ((-x[v] << unused) >>> unused) | 0;
        return true;
      case OPS.ite.code: {
        const then = this.column(arena.b(e));
        const otherwise = this.column(arena.c(e));
        for (let v = 0; v < VALUES; v++) out[v] = x[v] !== 0 ? then[v] : otherwise[v];
        return true;
      }
      case OPS.lookup.code: {
        const entries = arena.tableEntries(arena.payload(e) as TableRef);
        for (let v = 0; v < VALUES; v++) {
          const index = x[v] >>> 0;
          out[v] = index < entries.length ? arena.constantLow(entries[index] as ExprRef) : 0;
        }
        return true;
      }
      default:
        return fillBinary(op, out, x, this.column(arena.b(e)), from, unused, arena.width(arena.b(e)));
    }
  }
}

function isExtension(op: number): boolean {
  return op === OPS.zext.code || op === OPS.sext.code;
}

/** False for the operations that are rare on one byte (divisions and variable shifts). */
function fillBinary(
  op: number,
  out: Int32Array,
  x: Int32Array,
  y: Int32Array,
  from: number,
  unused: number,
  lowWidth: number,
): boolean {
  switch (op) {
    case OPS.add.code:
      for (let v = 0; v < VALUES; v++) out[v] = (((x[v] + y[v]) << unused) >>> unused) | 0;
      return true;
    case OPS.sub.code:
      for (let v = 0; v < VALUES; v++) out[v] = (((x[v] - y[v]) << unused) >>> unused) | 0;
      return true;
    case OPS.mul.code:
      for (let v = 0; v < VALUES; v++) out[v] = ((Math.imul(x[v], y[v]) << unused) >>> unused) | 0;
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
      for (let v = 0; v < VALUES; v++) out[v] = x[v] << from < y[v] << from ? 1 : 0;
      return true;
    case OPS.sle.code:
      for (let v = 0; v < VALUES; v++) out[v] = x[v] << from <= y[v] << from ? 1 : 0;
      return true;
    default:
      return false;
  }
}

/** The member nearest to `wanted` (the smaller of two equally near), or -1 if the set of eight words is empty. */
export function nearestMember(words: Int32Array, start: number, wanted: number): number {
  if (((words[start + (wanted >> 5)] >>> (wanted & 31)) & 1) !== 0) return wanted;
  let above = -1;
  for (let word = wanted >> 5, mask = -1 << (wanted & 31); word < DOMAIN_WORDS; word++, mask = -1) {
    const bits = words[start + word] & mask;
    if (bits === 0) continue;
    above = word * 32 + 31 - Math.clz32(bits & -bits);
    break;
  }
  let below = -1;
  for (let word = wanted >> 5, mask = ~(-1 << (wanted & 31)); word >= 0; word--, mask = -1) {
    const bits = words[start + word] & mask;
    if (bits === 0) continue;
    below = word * 32 + 31 - Math.clz32(bits);
    break;
  }
  if (above < 0) return below;
  return below >= 0 && wanted - below <= above - wanted ? below : above;
}
