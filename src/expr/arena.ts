// The arena of bit-vector expressions: hash-consed nodes in typed arrays, named by index, children before parents. A
// run of a program makes the same expressions as the run before it for as long as their paths agree, so what must be fast
// is making an expression that exists: a direct-mapped memo answers (operation, operands) with the rewritten result, and
// rules (rewrite.ts) are tried on a miss only. Objects linked by references, the alternative, cost four times the memory
// and give the garbage collector all of it to walk.
//
// Words of a node after its head (operation | width << 8), by operation:
//   constant   low half, high half, number of a constant wider than 64 bits (else 0)
//   variable   -, -, index of the input byte
//   extract    operand, -, lowest bit          lookup   index, -, table
//   ite        condition, then, else           ffma     three operands
//   fround     operand, -, mode                others   first operand, second operand, -
// Invariants: operands have smaller indices than results; equal expressions have equal indices; a constant's bits from its
// width upwards are zero. Rewriting may nest but is rationed (FUEL), so no depth of expressions overflows the stack.

import { ConstantFolder } from "./constant-folder.js";
import { Facts } from "./facts.js";
import { maskBig } from "./fold.js";
import { Memo } from "./memo.js";
import { NodeTable } from "./node-table.js";
import {
  type BinaryName,
  CONCRETE,
  type ExprRef,
  FIRST_FLOAT_OP,
  type FloatConversionName,
  type FloatRounding,
  OP_CODES,
  OPS,
  type OpInfo,
} from "./ops.js";
import { RULE_COUNT, rulesFor } from "./rewrite.js";
import { SupportSets } from "./support-sets.js";
import { type TableRef, Tables } from "./tables.js";
import { WideConstants } from "./wide-constants.js";

export type { TableRef } from "./tables.js";

/** The constants of width 1, the same in every arena. */
export const FALSE = 1 as ExprRef;
export const TRUE = 2 as ExprRef;

/** How many nested constructions one request may cause before nodes are taken as they come: bounds stack and time. */
const FUEL = 256;

const CONSTANT = OPS.constant.code;
const VARIABLE = OPS.variable.code;
const EXTRACT = OPS.extract.code;
const CONCAT = OPS.concat.code;
const ITE = OPS.ite.code;
const LOOKUP = OPS.lookup.code;
const FFMA = OPS.ffma.code;
const FROUND = OPS.fround.code;

/** By operation code: 1 if the operands may change places. */
const COMMUTATIVE = new Uint8Array(OP_CODES);
/** By operation code: 1 if the result has width 1, whatever the operands. */
const COMPARES = new Uint8Array(OP_CODES);
/** By operation code: number of operands that are expressions. */
export const ARITY = new Uint8Array(OP_CODES);
for (const info of Object.values(OPS) as OpInfo[]) {
  COMMUTATIVE[info.code] = info.commutative === true ? 1 : 0;
  COMPARES[info.code] = info.width === "one" ? 1 : 0;
  ARITY[info.code] = info.arity;
}

export class ExprArena {
  readonly TRUE = TRUE;
  readonly FALSE = FALSE;
  /** How often each rule was applied, by its index in RULES. */
  readonly fired = new Uint32Array(RULE_COUNT);
  /** Requests whose rewriting was cut short because they ran out of fuel. */
  exhausted = 0;
  /** Grows by one with each `collect`: references from before are void. */
  generation = 0;

  private readonly nodes = new NodeTable();
  private readonly sets = new SupportSets();
  /** What is known of every value of a node. */
  readonly facts = new Facts();
  private tables = new Tables();
  private supports = new Int32Array(this.nodes.capacity);
  private wide = new WideConstants();
  private readonly folder = new ConstantFolder(this);
  private readonly memo = new Memo();
  private nesting = 0;
  private fuel = FUEL;

  constructor() {
    this.facts.reserve(this.nodes.capacity);
    this.constant(1, 0, 0);
    this.constant(1, 1, 0);
  }

  /** Number of nodes; indices are below it. */
  get size(): number {
    return this.nodes.count;
  }

  /** An estimate, in bytes. */
  get memory(): number {
    const fixed = this.nodes.memory + this.supports.byteLength + this.memo.memory + this.facts.memory;
    return fixed + this.sets.memory() + this.tables.memory() + this.wide.memory;
  }

  // ---- reading -------------------------------------------------------------------------------------------------

  op(e: ExprRef): number {
    return this.nodes.words[e << 2] & 0xff;
  }

  width(e: ExprRef): number {
    return this.nodes.words[e << 2] >>> 8;
  }

  a(e: ExprRef): ExprRef {
    return this.nodes.words[(e << 2) + 1] as ExprRef;
  }

  b(e: ExprRef): ExprRef {
    return this.nodes.words[(e << 2) + 2] as ExprRef;
  }

  c(e: ExprRef): ExprRef {
    return this.nodes.words[(e << 2) + 3] as ExprRef;
  }

  /** Index of a variable, lowest bit of an extract, table of a lookup. */
  payload(e: ExprRef): number {
    return this.nodes.words[(e << 2) + 3];
  }

  /** Four words a node, as described above. Replaced when the arena grows: do not keep it across constructions. */
  get words(): Int32Array {
    return this.nodes.words;
  }

  isConstant(e: ExprRef): boolean {
    return this.op(e) === CONSTANT;
  }

  /** Of a constant: bits 0 to 31, as int32. */
  constantLow(e: ExprRef): number {
    const at = e << 2;
    const number = this.nodes.words[at + 3];
    return number === 0 ? this.nodes.words[at + 1] : Number(BigInt.asIntN(32, this.wide.value(number)));
  }

  /** Of a constant: bits 32 to 63, as int32. */
  constantHigh(e: ExprRef): number {
    const at = e << 2;
    const number = this.nodes.words[at + 3];
    return number === 0 ? this.nodes.words[at + 2] : Number(BigInt.asIntN(32, this.wide.value(number) >> 32n));
  }

  constantBigValue(e: ExprRef): bigint {
    const at = e << 2;
    const words = this.nodes.words;
    if (words[at + 3] !== 0) return this.wide.value(words[at + 3]);
    return (BigInt(words[at + 2] >>> 0) << 32n) | BigInt(words[at + 1] >>> 0);
  }

  /** Sorted indices of the input bytes it depends on. Interned: not to be modified. */
  support(e: ExprRef): Int32Array {
    return this.sets.list(this.supports[e]);
  }

  /** The same as sorted pairs [start, end), which stay short for thousands of adjacent bytes. */
  supportRuns(e: ExprRef): Int32Array {
    return this.sets.runsOf(this.supports[e]);
  }

  /** Equal numbers mean equal supports; 0 is the empty one. Valid until `collect`. */
  supportId(e: ExprRef): number {
    return this.supports[e];
  }

  /** Number of supports there are; their numbers are below it. */
  get supportCount(): number {
    return this.sets.count;
  }

  /** Whether the expression depends on the input byte. */
  dependsOn(e: ExprRef, byte: number): boolean {
    return this.sets.has(this.supports[e], byte);
  }

  supportSize(e: ExprRef): number {
    return this.sets.size(this.supports[e]);
  }

  /** Entries of a table; not to be modified. */
  tableEntries(table: TableRef): Int32Array {
    return this.tables.entriesOf(table);
  }

  /** No entry of it depends on input. */
  isConstantTable(table: TableRef): boolean {
    return this.sets.size(this.tables.supportOf(table)) === 0;
  }

  // ---- constants and variables ---------------------------------------------------------------------------------

  /** For widths 1 to 64; bits beyond the width are ignored. */
  constant(width: number, low: number, high: number): ExprRef {
    if (width < 32) return this.intern(CONSTANT | (width << 8), low & ((1 << width) - 1), 0, 0);
    if (width === 32) return this.intern(CONSTANT | (32 << 8), low | 0, 0, 0);
    if (width === 64) return this.intern(CONSTANT | (64 << 8), low | 0, high | 0, 0);
    if (width > 64) throw new Error(`constant: ${width} bits do not fit in two halves, use constantBig`);
    return this.intern(CONSTANT | (width << 8), low | 0, high & ((1 << (width - 32)) - 1), 0);
  }

  constantBig(width: number, value: bigint): ExprRef {
    if (width <= 64) {
      return this.constant(width, Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
    }
    return this.intern(CONSTANT | (width << 8), 0, 0, this.wide.number(value & maskBig(width)));
  }

  /** An input byte. */
  variable(index: number): ExprRef {
    return this.intern(VARIABLE | (8 << 8), 0, 0, index);
  }

  // ---- operations ----------------------------------------------------------------------------------------------

  /** Two operands of equal width; comparisons give width 1. The operation by name or by code. */
  binary(op: BinaryName | number, a: ExprRef, b: ExprRef): ExprRef {
    const code = typeof op === "number" ? op : OPS[op].code;
    const known = this.memo.get(code, a, b);
    if (known !== CONCRETE) return known;
    const operandWidth = this.width(a);
    if (operandWidth !== this.width(b)) throw new Error(`operation ${op}: widths ${operandWidth} and ${this.width(b)}`);
    if (code >= FIRST_FLOAT_OP) checkFloat(operandWidth);
    const width = COMPARES[code] === 1 ? 1 : operandWidth;
    let left = a;
    let right = b;
    if (COMMUTATIVE[code] === 1) {
      const leftConstant = this.isConstant(a);
      if (leftConstant !== this.isConstant(b) ? leftConstant : a > b) {
        left = b;
        right = a;
      }
    }
    const result =
      this.isConstant(left) && this.isConstant(right)
        ? this.folder.binary(code, width, left, right)
        : this.rewrite(code, width, left, right, 0);
    return this.remember(code, a, b, result);
  }

  unary(op: "not" | "neg" | "fsqrt" | number, a: ExprRef): ExprRef {
    const code = typeof op === "number" ? op : OPS[op].code;
    const known = this.memo.get(code, a, 0);
    if (known !== CONCRETE) return known;
    const width = this.width(a);
    let result: ExprRef;
    if (code >= FIRST_FLOAT_OP) checkFloat(width);
    if (!this.isConstant(a)) result = this.rewrite(code, width, a, CONCRETE, 0);
    else if (code >= FIRST_FLOAT_OP) result = this.folder.float(code, width, a, CONCRETE, CONCRETE, 0);
    else if (code === OPS.neg.code) result = this.folder.binary(OPS.sub.code, width, this.zero(width), a);
    else result = this.folder.binary(OPS.xor.code, width, a, this.allOnes(width));
    return this.remember(code, a, 0, result);
  }

  not(e: ExprRef): ExprRef {
    return this.unary(OPS.not.code, e);
  }

  neg(e: ExprRef): ExprRef {
    return this.unary(OPS.neg.code, e);
  }

  /** Bits lowBit to lowBit + width - 1. */
  extract(e: ExprRef, lowBit: number, width: number): ExprRef {
    if (this.width(e) === width) return e;
    const key = EXTRACT | (width << 8);
    const known = this.memo.get(key, e, lowBit);
    if (known !== CONCRETE) return known;
    if (lowBit < 0 || width < 1 || lowBit + width > this.width(e)) {
      throw new Error(`extract: bits ${lowBit} to ${lowBit + width - 1} of ${this.width(e)}`);
    }
    const result = this.isConstant(e)
      ? this.folder.extract(e, lowBit, width)
      : this.rewrite(EXTRACT, width, e, CONCRETE, lowBit);
    return this.remember(key, e, lowBit, result);
  }

  concat(high: ExprRef, low: ExprRef): ExprRef {
    const known = this.memo.get(CONCAT, high, low);
    if (known !== CONCRETE) return known;
    const width = this.width(high) + this.width(low);
    const result =
      this.isConstant(high) && this.isConstant(low)
        ? this.folder.concat(high, low)
        : this.rewrite(CONCAT, width, high, low, 0);
    return this.remember(CONCAT, high, low, result);
  }

  zext(e: ExprRef, width: number): ExprRef {
    return this.extend(OPS.zext.code, e, width);
  }

  sext(e: ExprRef, width: number): ExprRef {
    return this.extend(OPS.sext.code, e, width);
  }

  ite(condition: ExprRef, then: ExprRef, otherwise: ExprRef): ExprRef {
    if (condition === TRUE || then === otherwise) return then;
    if (condition === FALSE) return otherwise;
    const width = this.width(then);
    if (width !== this.width(otherwise) || this.width(condition) !== 1) {
      throw new Error(`ite: widths ${this.width(condition)}, ${width} and ${this.width(otherwise)}`);
    }
    const known = this.nodes.find(ITE | (width << 8), condition, then, otherwise);
    return known !== 0 ? (known as ExprRef) : this.rewrite(ITE, width, condition, then, otherwise);
  }

  /** Expressions of equal width, at least one. */
  table(refs: readonly ExprRef[] | Int32Array): TableRef {
    const known = this.tables.find(refs);
    if (known !== 0) return known;
    const width = this.width(refs[0] as ExprRef);
    let support = 0;
    for (let i = 0; i < refs.length; i++) {
      if (this.width(refs[i] as ExprRef) !== width) throw new Error("table: entries differ in width");
      support = this.sets.union(support, this.supports[refs[i]]);
    }
    const table = this.tables.append(refs, support);
    this.facts.keepTable(table, refs);
    return table;
  }

  /** The entry at an index of any width, unsigned; 0 beyond the end. */
  lookup(table: TableRef, index: ExprRef): ExprRef {
    const entries = this.tables.entriesOf(table);
    const known = this.memo.get(LOOKUP, index, table);
    if (known !== CONCRETE) return known;
    const width = this.width(entries[0] as ExprRef);
    let result: ExprRef;
    if (this.isConstant(index)) {
      const at = this.constantNumber(index);
      result = at < entries.length ? (entries[at] as ExprRef) : this.zero(width);
    } else {
      result = this.rewrite(LOOKUP, width, index, CONCRETE, table);
    }
    return this.remember(LOOKUP, index, table, result);
  }

  /** a times b plus c, floating-point, rounded once. */
  ffma(a: ExprRef, b: ExprRef, c: ExprRef): ExprRef {
    const width = this.width(a);
    checkFloat(width);
    if (this.width(b) !== width || this.width(c) !== width) throw new Error("ffma: operands differ in width");
    const [first, second] = a < b ? [a, b] : [b, a];
    if (this.isConstant(a) && this.isConstant(b) && this.isConstant(c))
      return this.folder.float(FFMA, width, a, b, c, 0);
    return this.rewrite(FFMA, width, first, second, c);
  }

  /** A floating-point number made integral. */
  fround(mode: FloatRounding, a: ExprRef): ExprRef {
    const width = this.width(a);
    checkFloat(width);
    if (mode < 0 || mode > 4) throw new Error(`fround: mode ${mode}`);
    if (this.isConstant(a)) return this.folder.float(FROUND, width, a, CONCRETE, CONCRETE, mode);
    return this.rewrite(FROUND, width, a, CONCRETE, mode);
  }

  /** `width` is that of the result. Integers may have 1 to 64 bits, floating-point numbers 32 or 64. */
  convert(op: FloatConversionName | number, width: number, a: ExprRef): ExprRef {
    const code = typeof op === "number" ? op : OPS[op].code;
    const from = this.width(a);
    checkFloat(code === OPS.sitof.code || code === OPS.uitof.code ? width : from);
    if (Math.max(width, from) > 64) throw new Error(`operation ${op}: from ${from} to ${width} bits`);
    if (code === OPS.fcvt.code) {
      checkFloat(width);
      if (width === from) return a;
    }
    // Other widths are cut from what a processor has (jit/emit-cast.ts): unsigned 32 bits and less from signed integers.
    if (code === OPS.ftosi.code && width !== 32 && width !== 64) {
      return this.extract(this.convert(code, width < 32 ? 32 : 64, a), 0, width);
    }
    if (code === OPS.ftoui.code && width !== 64) {
      const whole = width <= 32 ? this.convert("ftosi", width < 32 ? 32 : 64, a) : this.convert(code, 64, a);
      return this.extract(whole, 0, width);
    }
    const key = code | (width << 8);
    const known = this.memo.get(key, a, 0);
    if (known !== CONCRETE) return known;
    const result = this.isConstant(a)
      ? this.folder.float(code, width, a, CONCRETE, CONCRETE, 0)
      : this.rewrite(code, width, a, CONCRETE, 0);
    return this.remember(key, a, 0, result);
  }

  // ---- constants, as rules ask about them ----------------------------------------------------------------------

  zero(width: number): ExprRef {
    return width <= 64 ? this.constant(width, 0, 0) : this.constantBig(width, 0n);
  }

  one(width: number): ExprRef {
    return width <= 64 ? this.constant(width, 1, 0) : this.constantBig(width, 1n);
  }

  allOnes(width: number): ExprRef {
    return width <= 64 ? this.constant(width, -1, -1) : this.constantBig(width, -1n);
  }

  /** Of a constant: its value if that is exact as a number, else Infinity. */
  constantNumber(e: ExprRef): number {
    if (this.width(e) > 64) {
      const value = this.constantBigValue(e);
      return value <= 0x1f_ffff_ffff_ffffn ? Number(value) : Number.POSITIVE_INFINITY;
    }
    const high = this.constantHigh(e) >>> 0;
    return high < 0x20_0000 ? high * 4294967296 + (this.constantLow(e) >>> 0) : Number.POSITIVE_INFINITY;
  }

  // ---- collection ----------------------------------------------------------------------------------------------

  /**
   * Keeps only what the roots reach. Gives, by old reference, the new one, 0 for what is gone; all references and tables
   * from before are void. One pass down marks, as operands are older than users; one pass up moves.
   */
  collect(roots: ArrayLike<number>): Int32Array {
    const { nodes, facts } = this;
    const { words, count } = nodes;
    const marks = new Uint8Array(count);
    marks[FALSE] = 1;
    marks[TRUE] = 1;
    for (let i = 0; i < roots.length; i++) marks[roots[i]] = 1;
    for (let node = count - 1; node > 0; node--) if (marks[node] === 1) this.markOperands(node, marks);
    const remap = new Int32Array(count);
    const oldTables = this.tables;
    const tableRemap = new Int32Array(oldTables.count);
    const oldWide = this.wide;
    this.tables = new Tables();
    this.sets.clear();
    this.wide = new WideConstants();
    let kept = 1;
    for (let node = 1; node < count; node++) {
      if (marks[node] === 0) continue;
      const at = node << 2;
      const op = words[at] & 0xff;
      const arity = ARITY[op];
      let c = words[at + 3];
      if (op === CONSTANT && c !== 0) c = this.wide.number(oldWide.value(c));
      else if (arity === 3) c = remap[c];
      else if (op === LOOKUP) {
        if (tableRemap[c] === 0) {
          const entries = oldTables.entriesOf(c as TableRef).map((entry) => remap[entry]);
          tableRemap[c] = this.table(entries);
        }
        c = tableRemap[c];
      }
      const to = kept << 2;
      words[to] = words[at];
      words[to + 1] = arity > 0 ? remap[words[at + 1]] : words[at + 1];
      words[to + 2] = arity > 1 ? remap[words[at + 2]] : words[at + 2];
      words[to + 3] = c;
      facts.move(node, kept);
      this.supports[kept] = this.supportOfNew(op, words[to + 1], words[to + 2], c);
      remap[node] = kept++;
    }
    nodes.rebuild(kept);
    if (this.supports.length > nodes.capacity) this.supports = this.supports.slice(0, nodes.capacity);
    facts.reserve(nodes.capacity);
    this.memo.clear();
    this.generation++;
    return remap;
  }

  /** As a new one; all references from before are void. */
  clear(): void {
    this.collect([]);
    this.fired.fill(0);
    this.exhausted = 0;
  }

  private markOperands(node: number, marks: Uint8Array): void {
    const at = node << 2;
    const words = this.nodes.words;
    const op = words[at] & 0xff;
    const arity = ARITY[op];
    if (arity > 0) marks[words[at + 1]] = 1;
    if (arity > 1) marks[words[at + 2]] = 1;
    if (arity > 2) marks[words[at + 3]] = 1;
    if (op !== LOOKUP) return;
    for (const entry of this.tables.entriesOf(words[at + 3] as TableRef)) marks[entry] = 1;
  }

  // ---- inside --------------------------------------------------------------------------------------------------

  private extend(code: number, e: ExprRef, width: number): ExprRef {
    const from = this.width(e);
    if (from === width) return e;
    if (from > width) throw new Error(`extension of ${from} bits to ${width}`);
    const key = code | (width << 8);
    const known = this.memo.get(key, e, 0);
    if (known !== CONCRETE) return known;
    let result: ExprRef;
    if (!this.isConstant(e)) result = this.rewrite(code, width, e, CONCRETE, 0);
    else if (code === OPS.zext.code) result = this.folder.concat(this.zero(width - from), e);
    else result = this.folder.signExtension(e, width);
    return this.remember(key, e, 0, result);
  }

  private remember(key: number, a: number, b: number, result: ExprRef): ExprRef {
    // What came out after the fuel ran out depends on the request it was part of: not to be handed to another.
    if (this.fuel > 0 || this.nesting === 0) this.memo.put(key, a, b, result);
    return result;
  }

  /** Operands in order, not all constant. */
  private rewrite(op: number, width: number, a: ExprRef, b: ExprRef, c: number): ExprRef {
    if (this.nesting === 0) this.fuel = FUEL;
    if (--this.fuel <= 0) {
      if (this.fuel === 0) this.exhausted++;
      return this.intern(op | (width << 8), a, b, c);
    }
    this.nesting++;
    const head = this.nodes.words[a << 2];
    const rules = rulesFor(op, head & 0xff, b !== CONCRETE && this.isConstant(b), head >>> 8 === 1);
    let result = CONCRETE;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i];
      result = rule.apply(this, a, b, c as ExprRef, width);
      if (result !== CONCRETE) {
        this.fired[rule.index]++;
        break;
      }
    }
    if (result === CONCRETE) result = this.intern(op | (width << 8), a, b, c);
    this.nesting--;
    return result;
  }

  private intern(head: number, a: number, b: number, c: number): ExprRef {
    const known = this.nodes.find(head, a, b, c);
    if (known !== 0) return known as ExprRef;
    this.derive(head & 0xff, head >>> 8, a, b, c);
    if ((head & 0xff) !== CONSTANT && this.facts.isDecided()) {
      return this.constant(head >>> 8, this.facts.derivedLow, this.facts.derivedHigh);
    }
    const node = this.nodes.append(head, a, b, c);
    if (node >= this.supports.length) this.grow();
    this.facts.keep(node);
    this.supports[node] = this.supportOfNew(head & 0xff, a, b, c);
    return node as ExprRef;
  }

  /** Leaves in `facts` what is known of the node to be. */
  private derive(op: number, width: number, a: number, b: number, c: number): void {
    const { facts } = this;
    if (width > 64 || op === VARIABLE || op >= FIRST_FLOAT_OP) {
      facts.deriveNothing(width);
    } else if (op === CONSTANT) {
      facts.deriveConstant(a, b);
    } else if (op === ITE) {
      facts.deriveIte(b, c);
    } else if (op === LOOKUP) {
      facts.deriveLookup(width, c as TableRef, facts.maximum(a) >= this.tables.entriesOf(c as TableRef).length);
    } else {
      const operandWidth = this.width(a as ExprRef);
      if (operandWidth > 64) facts.deriveNothing(width);
      else if (ARITY[op] === 1) facts.deriveUnary(op, width, a, operandWidth, c);
      else facts.deriveBinary(op, width, a, b, operandWidth);
    }
  }

  private supportOfNew(op: number, a: number, b: number, c: number): number {
    if (op === CONSTANT) return 0;
    if (op === VARIABLE) return this.sets.single(c);
    const first = this.supports[a];
    switch (ARITY[op]) {
      case 1:
        return op === LOOKUP ? this.sets.union(first, this.tables.supportOf(c as TableRef)) : first;
      case 2:
        return this.sets.union(first, this.supports[b]);
      default:
        return this.sets.union(first, this.sets.union(this.supports[b], this.supports[c]));
    }
  }

  private grow(): void {
    const supports = new Int32Array(this.nodes.capacity);
    supports.set(this.supports);
    this.supports = supports;
    this.facts.reserve(this.nodes.capacity);
    this.memo.fit(this.nodes.capacity);
  }
}

function checkFloat(width: number): void {
  if (width !== 32 && width !== 64) throw new Error(`a floating-point number of ${width} bits`);
}
