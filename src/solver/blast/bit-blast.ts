// Expressions to gates, each expression once: the bits of an expression are remembered by its index for as long as the
// arena keeps it. Works through operands before results with a stack of its own; the families of operations are files of
// their own (adder, multiplier, divider, shifter, comparison, table-lookup, float-*).
// Invariant: where(e) > 0 means that bits[where(e) - 1, + width) are the literals of e, lowest bit first.

import { ARITY, type ExprArena, type TableRef } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";
import { addWords, invertWord, muxWords, negateWord, subtractWords, type Word } from "./adder.js";
import { equalWords, signedLess, signedLessOrEqual, unsignedLess, unsignedLessOrEqual } from "./comparison.js";
import { divideSigned, divideUnsigned } from "./divider.js";
import { floatCircuit } from "./float-circuits.js";
import { FALSE_LITERAL, GateGraph, TRUE_LITERAL } from "./gates.js";
import { multiplyWords } from "./multiplier.js";
import { shiftLeft, shiftRightArithmetic, shiftRightLogical } from "./shifter.js";
import { lookUp } from "./table-lookup.js";

/** Gates beyond which everything is forgotten before the next query: about 35 bytes a gate with the hash table. */
const MAX_KEPT_GATES = 1_000_000;
/** Gates that one query may have in the graph; the clauses of twice as many would not fit in memory. */
const MAX_GATES = 8_000_000;

/** Gates between two looks at the clock. */
const GATES_BETWEEN_LOOKS = 1 << 15;

/** The circuit of a query is too large to be built, or to be built in time. */
export class CircuitTooLarge extends Error {
  constructor(readonly reason: "unsupported" | "time") {
    super(reason === "time" ? "no time for the circuit" : `a circuit of more than ${MAX_GATES} gates`);
  }
}

type BinaryCircuit = (graph: GateGraph, x: Word, y: Word) => Word;

const BINARY_CIRCUITS: (BinaryCircuit | undefined)[] = [];
BINARY_CIRCUITS[OPS.add.code] = (graph, x, y) => addWords(graph, x, y, FALSE_LITERAL);
BINARY_CIRCUITS[OPS.sub.code] = subtractWords;
BINARY_CIRCUITS[OPS.mul.code] = multiplyWords;
BINARY_CIRCUITS[OPS.udiv.code] = (graph, x, y) => divideUnsigned(graph, x, y).quotient;
BINARY_CIRCUITS[OPS.urem.code] = (graph, x, y) => divideUnsigned(graph, x, y).remainder;
BINARY_CIRCUITS[OPS.sdiv.code] = (graph, x, y) => divideSigned(graph, x, y).quotient;
BINARY_CIRCUITS[OPS.srem.code] = (graph, x, y) => divideSigned(graph, x, y).remainder;
BINARY_CIRCUITS[OPS.and.code] = (graph, x, y) => x.map((literal, i) => graph.and(literal, y[i]));
BINARY_CIRCUITS[OPS.or.code] = (graph, x, y) => x.map((literal, i) => graph.or(literal, y[i]));
BINARY_CIRCUITS[OPS.xor.code] = (graph, x, y) => x.map((literal, i) => graph.xor(literal, y[i]));
BINARY_CIRCUITS[OPS.shl.code] = shiftLeft;
BINARY_CIRCUITS[OPS.lshr.code] = shiftRightLogical;
BINARY_CIRCUITS[OPS.ashr.code] = shiftRightArithmetic;
BINARY_CIRCUITS[OPS.eq.code] = (graph, x, y) => [equalWords(graph, x, y)];
BINARY_CIRCUITS[OPS.ult.code] = (graph, x, y) => [unsignedLess(graph, x, y)];
BINARY_CIRCUITS[OPS.ule.code] = (graph, x, y) => [unsignedLessOrEqual(graph, x, y)];
BINARY_CIRCUITS[OPS.slt.code] = (graph, x, y) => [signedLess(graph, x, y)];
BINARY_CIRCUITS[OPS.sle.code] = (graph, x, y) => [signedLessOrEqual(graph, x, y)];

export class BitBlaster {
  graph = new GateGraph();
  /** By the clock of `performance.now`: what is not built by then is not needed. */
  deadlineMs = Number.POSITIVE_INFINITY;
  private lookAt = GATES_BETWEEN_LOOKS;
  private where = new Int32Array(1024);
  private bits = new Int32Array(8192);
  private bitCount = 0;
  private generation: number;
  private readonly stack: ExprRef[] = [];

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
  }

  /** To be called before a query's first literal: drops everything if the arena was collected or the graph is too large. */
  refresh(): boolean {
    if (this.arena.generation === this.generation && this.graph.count < MAX_KEPT_GATES) return false;
    this.generation = this.arena.generation;
    this.graph = new GateGraph();
    this.lookAt = GATES_BETWEEN_LOOKS;
    this.where = new Int32Array(1024);
    this.bits = new Int32Array(8192);
    this.bitCount = 0;
    return true;
  }

  /** The literal of a constraint (width 1). */
  literal(e: ExprRef): number {
    return this.bit(e, 0);
  }

  bit(e: ExprRef, bit: number): number {
    this.build(e);
    return this.bits[this.where[e] - 1 + bit];
  }

  private isBuilt(e: ExprRef): boolean {
    return e < this.where.length && this.where[e] !== 0;
  }

  private build(root: ExprRef): void {
    if (this.isBuilt(root)) return;
    const { stack } = this;
    stack.push(root);
    while (stack.length > 0) {
      const e = stack[stack.length - 1];
      if (this.isBuilt(e)) {
        stack.pop();
        continue;
      }
      const waiting = stack.length;
      this.pushOperands(e);
      if (stack.length > waiting) continue;
      stack.pop();
      if (this.graph.count > this.lookAt) this.lookAtLimits();
      this.store(e, this.circuit(e));
    }
  }

  private lookAtLimits(): void {
    const { count } = this.graph;
    const isLate = performance.now() > this.deadlineMs;
    if (count > MAX_GATES || isLate) {
      this.stack.length = 0;
      throw new CircuitTooLarge(isLate ? "time" : "unsupported");
    }
    this.lookAt = Math.min(MAX_GATES, count + GATES_BETWEEN_LOOKS);
  }

  private pushOperands(e: ExprRef): void {
    const { arena, stack } = this;
    const op = arena.op(e);
    if (op === OPS.constant.code || op === OPS.variable.code) return;
    const push = (operand: ExprRef): void => {
      if (!this.isBuilt(operand)) stack.push(operand);
    };
    push(arena.a(e));
    if (ARITY[op] > 1) push(arena.b(e));
    if (ARITY[op] > 2) push(arena.c(e));
    if (op === OPS.lookup.code) {
      for (const entry of arena.tableEntries(arena.payload(e) as TableRef)) push(entry as ExprRef);
    }
  }

  private store(e: ExprRef, word: Word): void {
    if (e >= this.where.length) {
      const larger = new Int32Array(Math.max(this.where.length * 2, e + 1));
      larger.set(this.where);
      this.where = larger;
    }
    while (this.bitCount + word.length > this.bits.length) {
      const larger = new Int32Array(this.bits.length * 2);
      larger.set(this.bits);
      this.bits = larger;
    }
    this.where[e] = this.bitCount + 1;
    for (let i = 0; i < word.length; i++) this.bits[this.bitCount++] = word[i];
  }

  /** The literals of an expression that is built. */
  private word(e: ExprRef): Word {
    const start = this.where[e] - 1;
    const word: Word = [];
    for (let i = 0, width = this.arena.width(e); i < width; i++) word.push(this.bits[start + i]);
    return word;
  }

  private circuit(e: ExprRef): Word {
    const { arena, graph } = this;
    const op = arena.op(e);
    const binary = BINARY_CIRCUITS[op];
    if (binary !== undefined) return binary(graph, this.word(arena.a(e)), this.word(arena.b(e)));
    const width = arena.width(e);
    if (op >= FIRST_FLOAT_OP) {
      const y = ARITY[op] > 1 ? this.word(arena.b(e)) : [];
      const z = ARITY[op] > 2 ? this.word(arena.c(e)) : [];
      return floatCircuit(graph, op, width, arena.payload(e), this.word(arena.a(e)), y, z);
    }
    switch (op) {
      case OPS.constant.code:
        return constantWord(arena, e);
      case OPS.variable.code:
        return Array.from({ length: width }, (_, bit) => graph.input(arena.payload(e), bit));
      case OPS.not.code:
        return invertWord(this.word(arena.a(e)));
      case OPS.neg.code:
        return negateWord(graph, this.word(arena.a(e)));
      case OPS.extract.code:
        return this.word(arena.a(e)).slice(arena.payload(e), arena.payload(e) + width);
      case OPS.concat.code:
        return [...this.word(arena.b(e)), ...this.word(arena.a(e))];
      case OPS.zext.code:
      case OPS.sext.code: {
        const word = this.word(arena.a(e));
        const fill = op === OPS.zext.code ? FALSE_LITERAL : word[word.length - 1];
        while (word.length < width) word.push(fill);
        return word;
      }
      case OPS.ite.code:
        return muxWords(graph, this.word(arena.a(e))[0], this.word(arena.b(e)), this.word(arena.c(e)));
      case OPS.lookup.code:
        return this.lookup(e, width);
      default:
        throw new Error(`bit-blast: no circuit for operation ${op}`);
    }
  }

  private lookup(e: ExprRef, width: number): Word {
    const { arena } = this;
    const index = this.word(arena.a(e));
    const entries = Array.from(arena.tableEntries(arena.payload(e) as TableRef), (entry) =>
      this.word(entry as ExprRef),
    );
    // What is known of every value of the index: constant bits, and the arena's ranges.
    let smallest = 0;
    let largest = 0;
    for (let bit = 0; bit < index.length; bit++) {
      if (index[bit] === TRUE_LITERAL) smallest += 2 ** bit;
      if (index[bit] !== FALSE_LITERAL) largest += 2 ** bit;
    }
    if (index.length <= 64) {
      smallest = Math.max(smallest, arena.facts.minimum(arena.a(e)));
      largest = Math.min(largest, arena.facts.maximum(arena.a(e)));
    }
    return lookUp(this.graph, entries, index, width, smallest, largest);
  }
}

function constantWord(arena: ExprArena, e: ExprRef): Word {
  const width = arena.width(e);
  const word: Word = [];
  if (width <= 64) {
    const low = arena.constantLow(e);
    const high = arena.constantHigh(e);
    for (let bit = 0; bit < width; bit++) {
      const value = bit < 32 ? (low >>> bit) & 1 : (high >>> (bit - 32)) & 1;
      word.push(value === 1 ? TRUE_LITERAL : FALSE_LITERAL);
    }
    return word;
  }
  let rest = arena.constantBigValue(e);
  for (let bit = 0; bit < width; bit++, rest >>= 1n) word.push((rest & 1n) === 1n ? TRUE_LITERAL : FALSE_LITERAL);
  return word;
}
