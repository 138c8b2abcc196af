// The part of the gate graph that some roots depend on, as clauses: "solve on the cone of the query". An everlasting SAT
// solver that remembers every query was measured 150 times slower on a small one.
//
// What the query says about single bytes (byte-sets.ts) is used before there are clauses: a gate over one byte that is
// constant on the byte's allowed values becomes a constant, and what hangs on it is folded: digits have four bits, not
// 32. The sets themselves become clauses over the input bits (domain-clauses.ts).
//
// Variables are numbered inputs first: the SAT core decides the lowest number first, so that an undisturbed search walks the
// input bits with the hint's values and everything else follows by propagation. Each gate's phase is its value under the
// hint, which makes the starting point one consistent assignment that violates only the constraints the hint violates.
//
// Steps: collect (depth first, operands before gates), fold (a smaller circuit in arrays of its own), mark what the roots
// still need, emit clauses.

import type { ByteSets } from "../layers/byte-sets.js";
import type { Model } from "../solver.js";
import { ClauseArena } from "./clauses.js";
import { DomainClauses } from "./domain-clauses.js";
import { GATE, type GateGraph } from "./gates.js";

const COLUMN_WORDS = 8;

export class Cone {
  readonly clauses = new ClauseArena();
  /** Gates of the inputs in the cone; variable i + 1 is inputs[i]. */
  inputs = new Int32Array(64);
  inputCount = 0;
  /** Value under the hint, by variable: 1 or 0. */
  phases = new Uint8Array(1024);
  private readonly domainClauses = new DomainClauses();
  private sets: ByteSets | null = null;
  private gates = new Int32Array(1024);
  private gateCount = 0;
  private stack = new Int32Array(1024);
  /** Folded literal of each gate, valid where `seen` has the current stamp. */
  private folded = new Int32Array(0);
  private seen = new Int32Array(0);
  private stamp = 0;
  private foundConstant = false;
  // The folded circuit: kind and operands by folded variable (inputs first), then the final variable of each.
  private kind = new Uint8Array(1024);
  private x = new Int32Array(1024);
  private y = new Int32Array(1024);
  private z = new Int32Array(1024);
  private final = new Int32Array(1024);
  private foldedCount = 0;
  private pool = new Int32Array(1024);
  private poolLength = 0;

  constructor(private graph: GateGraph) {}

  /** Starts over on another graph. */
  attach(graph: GateGraph): void {
    this.graph = graph;
    this.seen = new Int32Array(0);
    this.folded = new Int32Array(0);
  }

  /**
   * Makes the clauses of everything below `roots` (literals of the graph; constants are ignored). If `sets` are given, the
   * clauses allow exactly their values for their bytes.
   */
  build(roots: readonly number[], hint: Model, sets: ByteSets | null): void {
    this.sets = sets;
    if (sets !== null) this.makeSetInputs(sets);
    this.begin();
    if (sets !== null) this.enterSetInputs(sets);
    for (let i = 0; i < roots.length; i++) if (roots[i] > 1) this.walk(roots[i] >> 1);
    this.fold();
    const variableCount = this.number(roots);
    this.clauses.reset(variableCount);
    if (this.phases.length <= variableCount) this.phases = new Uint8Array(variableCount * 2);
    for (let i = 0; i < this.inputCount; i++) this.phaseOfInput(i, hint);
    if (sets !== null) for (let place = 0; place < sets.count; place++) this.emitSet(sets, place);
    for (let v = this.inputCount + 1; v <= this.foldedCount; v++) if (this.final[v] !== 0) this.emitGate(v);
    this.clauses.seal();
  }

  /** The clause literal of a graph literal in the cone: 0 if it is true, 1 if it is false. */
  literal(graphLiteral: number): number {
    if (graphLiteral <= 1) return graphLiteral;
    const folded = this.folded[graphLiteral >> 1] ^ (graphLiteral & 1);
    return folded <= 1 ? folded : this.final[folded >> 1] * 2 + (folded & 1);
  }

  // ---- collect -------------------------------------------------------------------------------------------------

  private begin(): void {
    const { graph } = this;
    if (this.seen.length < graph.count) {
      this.seen = new Int32Array(graph.kind.length);
      this.folded = new Int32Array(graph.kind.length);
      this.stamp = 0;
    }
    this.stamp++;
    this.inputCount = 0;
    this.gateCount = 0;
    this.foundConstant = false;
  }

  /** Before the arrays over gates get their size. */
  private makeSetInputs(sets: ByteSets): void {
    for (let place = 0; place < sets.count; place++) {
      for (let bit = 0; bit < 8; bit++) this.graph.input(sets.bytes[place], bit);
    }
  }

  /**
   * All eight bits of a restricted byte take part: its set may tie them together. Last byte first: restricted bytes are
   * mostly text, and of a number in text the last digit is best decided first (measured: a seventh of the conflicts).
   */
  private enterSetInputs(sets: ByteSets): void {
    for (let place = sets.count - 1; place >= 0; place--) {
      for (let bit = 0; bit < 8; bit++) this.walk(this.graph.input(sets.bytes[place], bit) >> 1);
    }
  }

  /** A gate stays on the stack (as its complement) until its operands are done. */
  private walk(root: number): void {
    const { seen, stamp } = this;
    if (seen[root] === stamp) return;
    const { kind, a, b, c, pool, column } = this.graph;
    let top = 0;
    this.stack[top++] = root;
    while (top > 0) {
      const gate = this.stack[--top];
      if (gate < 0) {
        if (this.gateCount === this.gates.length) this.gates = doubled(this.gates);
        this.gates[this.gateCount++] = ~gate;
        continue;
      }
      if (seen[gate] === stamp) continue;
      seen[gate] = stamp;
      if (this.sets !== null && column[gate] !== 0 && this.isConstant(gate)) continue;
      const kindOf = kind[gate];
      if (kindOf === GATE.input) {
        if (this.inputCount === this.inputs.length) this.inputs = doubled(this.inputs);
        this.inputs[this.inputCount++] = gate;
        continue;
      }
      const operandCount = kindOf === GATE.conjunction ? b[gate] : 3;
      while (top + operandCount + 1 > this.stack.length) this.stack = doubled(this.stack);
      this.stack[top++] = ~gate;
      if (kindOf === GATE.conjunction) {
        const start = a[gate];
        for (let i = operandCount - 1; i >= 0; i--) {
          const operand = pool[start + i] >> 1;
          if (seen[operand] !== stamp) this.stack[top++] = operand;
        }
        continue;
      }
      const x = a[gate] >> 1;
      const y = b[gate] >> 1;
      // Operands of multiplexers and majorities are never constant; for other gates c is 0.
      const z = c[gate] >> 1;
      if (z !== 0 && seen[z] !== stamp) this.stack[top++] = z;
      if (seen[y] !== stamp) this.stack[top++] = y;
      if (seen[x] !== stamp) this.stack[top++] = x;
    }
  }

  /** Whether a gate over one byte has the same value for all allowed values of the byte. */
  private isConstant(gate: number): boolean {
    const sets = this.sets!;
    const place = sets.place(this.graph.byte[gate]);
    if (place < 0) return false;
    const { columns } = this.graph;
    const at = this.graph.column[gate] - 1;
    const set = place * COLUMN_WORDS;
    let ones = 0;
    let zeros = 0;
    for (let i = 0; i < COLUMN_WORDS; i++) {
      ones |= columns[at + i] & sets.sets[set + i];
      zeros |= ~columns[at + i] & sets.sets[set + i];
    }
    if (ones !== 0 && zeros !== 0) return false;
    this.folded[gate] = ones !== 0 ? 0 : 1;
    this.foundConstant = true;
    return true;
  }

  // ---- fold ----------------------------------------------------------------------------------------------------

  private fold(): void {
    const { graph, folded } = this;
    const capacity = this.inputCount + this.gateCount + 1;
    if (this.kind.length < capacity) {
      this.kind = new Uint8Array(capacity * 2);
      this.x = new Int32Array(capacity * 2);
      this.y = new Int32Array(capacity * 2);
      this.z = new Int32Array(capacity * 2);
      this.final = new Int32Array(capacity * 2);
    }
    this.foldedCount = this.inputCount;
    this.poolLength = 0;
    for (let i = 0; i < this.inputCount; i++) folded[this.inputs[i]] = 2 * (i + 1);
    for (let i = 0; i < this.gateCount; i++) {
      const gate = this.gates[i];
      const kind = graph.kind[gate];
      if (kind === GATE.conjunction) {
        folded[gate] = this.foldConjunction(gate);
        continue;
      }
      const a = graph.a[gate];
      const b = graph.b[gate];
      const x = folded[a >> 1] ^ (a & 1);
      const y = folded[b >> 1] ^ (b & 1);
      if (kind === GATE.and) {
        folded[gate] = this.and(x, y);
      } else if (kind === GATE.xor) {
        folded[gate] = this.xor(x, y);
      } else {
        const c = graph.c[gate];
        const z = folded[c >> 1] ^ (c & 1);
        folded[gate] = kind === GATE.mux ? this.mux(x, y, z) : this.majority(x, y, z);
      }
    }
  }

  private add(kind: number, x: number, y: number, z: number): number {
    const v = ++this.foldedCount;
    this.kind[v] = kind;
    this.x[v] = x;
    this.y[v] = y;
    this.z[v] = z;
    return v * 2;
  }

  private and(x: number, y: number): number {
    if (x <= 1) return x === 0 ? y : 1;
    if (y <= 1) return y === 0 ? x : 1;
    if (x >> 1 === y >> 1) return x === y ? x : 1;
    return this.add(GATE.and, x, y, 0);
  }

  private or(x: number, y: number): number {
    return this.and(x ^ 1, y ^ 1) ^ 1;
  }

  private xor(x: number, y: number): number {
    if (x <= 1) return y ^ x ^ 1;
    if (y <= 1) return x ^ y ^ 1;
    if (x >> 1 === y >> 1) return x === y ? 1 : 0;
    return this.add(GATE.xor, x, y, 0);
  }

  private mux(c: number, t: number, f: number): number {
    if (c <= 1) return c === 0 ? t : f;
    if (t === f) return t;
    if (t === (f ^ 1)) return this.xor(c, f);
    if (t === 0 || t === c) return this.or(c, f);
    if (t === 1 || t === (c ^ 1)) return this.and(c ^ 1, f);
    if (f === 0 || f === (c ^ 1)) return this.or(c ^ 1, t);
    if (f === 1 || f === c) return this.and(c, t);
    return this.add(GATE.mux, c, t, f);
  }

  private majority(x: number, y: number, z: number): number {
    if (x === y || x === z) return x;
    if (y === z) return y;
    if (x === (y ^ 1)) return z;
    if (x === (z ^ 1)) return y;
    if (y === (z ^ 1)) return x;
    if (x <= 1) return x === 0 ? this.or(y, z) : this.and(y, z);
    if (y <= 1) return y === 0 ? this.or(x, z) : this.and(x, z);
    if (z <= 1) return z === 0 ? this.or(x, y) : this.and(x, y);
    return this.add(GATE.majority, x, y, z);
  }

  private foldConjunction(gate: number): number {
    const { a, b, pool } = this.graph;
    const count = b[gate];
    if (this.poolLength + count > this.pool.length) {
      const larger = new Int32Array(Math.max(this.pool.length * 2, this.poolLength + count));
      larger.set(this.pool);
      this.pool = larger;
    }
    const start = this.poolLength;
    let length = start;
    for (let i = 0; i < count; i++) {
      const operand = pool[a[gate] + i];
      const literal = this.folded[operand >> 1] ^ (operand & 1);
      if (literal === 1) return 1;
      if (literal !== 0) this.pool[length++] = literal;
    }
    if (length === start) return 0;
    if (length === start + 1) return this.pool[start];
    if (length === start + 2) return this.and(this.pool[start], this.pool[start + 1]);
    this.poolLength = length;
    return this.add(GATE.conjunction, start, length - start, 0);
  }

  // ---- number --------------------------------------------------------------------------------------------------

  /** Gives final variables to the inputs and to the gates that the roots need; returns how many there are. */
  private number(roots: readonly number[]): number {
    const { final, kind, x, y, z, pool } = this;
    const count = this.foldedCount;
    if (!this.foundConstant) {
      // Nothing was folded away, so all is needed.
      for (let v = 1; v <= count; v++) final[v] = v;
      return count;
    }
    final.fill(0, 0, count + 1);
    for (let i = 0; i < roots.length; i++) {
      if (roots[i] > 1) final[this.folded[roots[i] >> 1] >> 1] = 1;
    }
    for (let v = count; v > this.inputCount; v--) {
      if (final[v] === 0) continue;
      if (kind[v] === GATE.conjunction) {
        for (let i = 0; i < y[v]; i++) final[pool[x[v] + i] >> 1] = 1;
        continue;
      }
      final[x[v] >> 1] = 1;
      final[y[v] >> 1] = 1;
      if (kind[v] === GATE.mux || kind[v] === GATE.majority) final[z[v] >> 1] = 1;
    }
    let variableCount = 0;
    for (let v = 1; v <= count; v++) if (v <= this.inputCount || final[v] !== 0) final[v] = ++variableCount;
    return variableCount;
  }

  // ---- emit ----------------------------------------------------------------------------------------------------

  private phaseOfInput(place: number, hint: Model): void {
    const { graph, sets } = this;
    const gate = this.inputs[place];
    const byte = graph.a[gate];
    let value = byte < hint.length ? hint[byte] : 0;
    const set = sets === null ? -1 : sets.place(byte);
    if (set >= 0) value = sets!.nearest(set, value);
    this.phases[place + 1] = (value >> graph.b[gate]) & 1;
  }

  private emitSet(sets: ByteSets, place: number): void {
    const { clauses } = this;
    const cubes = this.domainClauses.cubes(sets.sets, place * COLUMN_WORDS);
    for (let i = 0; i < cubes.length; i++) {
      const care = cubes[i] & 255;
      const value = cubes[i] >> 8;
      clauses.reserve(16);
      let at = clauses.length + 3;
      let satisfied = false;
      for (let bit = 0; bit < 8 && !satisfied; bit++) {
        if (((care >> bit) & 1) === 0) continue;
        const literal = this.literal(this.graph.input(sets.bytes[place], bit)) ^ ((value >> bit) & 1);
        if (literal === 0) satisfied = true;
        else if (literal !== 1) clauses.data[at++] = literal;
      }
      // One literal left would be a bit with one allowed value, which is a constant already.
      if (!satisfied) clauses.linkWritten(at - clauses.length - 3);
    }
  }

  private finalLiteral(folded: number): number {
    return this.final[folded >> 1] * 2 + (folded & 1);
  }

  private emitGate(v: number): void {
    const { clauses, phases } = this;
    const kind = this.kind[v];
    const variable = this.final[v];
    const g = variable * 2;
    if (kind === GATE.conjunction) {
      this.emitConjunction(v, variable);
      return;
    }
    clauses.reserve(36);
    const x = this.finalLiteral(this.x[v]);
    const y = this.finalLiteral(this.y[v]);
    const px = phases[x >> 1] ^ (x & 1);
    const py = phases[y >> 1] ^ (y & 1);
    if (kind === GATE.and) {
      clauses.binary(g ^ 1, x);
      clauses.binary(g ^ 1, y);
      clauses.ternary(g, x ^ 1, y ^ 1);
      phases[variable] = px & py;
      return;
    }
    if (kind === GATE.xor) {
      clauses.ternary(g ^ 1, x, y);
      clauses.ternary(g ^ 1, x ^ 1, y ^ 1);
      clauses.ternary(g, x ^ 1, y);
      clauses.ternary(g, x, y ^ 1);
      phases[variable] = px ^ py;
      return;
    }
    const z = this.finalLiteral(this.z[v]);
    const pz = phases[z >> 1] ^ (z & 1);
    if (kind === GATE.mux) {
      clauses.ternary(g ^ 1, x ^ 1, y);
      clauses.ternary(g, x ^ 1, y ^ 1);
      clauses.ternary(g ^ 1, x, z);
      clauses.ternary(g, x, z ^ 1);
      // Redundant, but without them equal branches do not propagate until the condition is known.
      clauses.ternary(g ^ 1, y, z);
      clauses.ternary(g, y ^ 1, z ^ 1);
      phases[variable] = px !== 0 ? py : pz;
      return;
    }
    clauses.ternary(g ^ 1, x, y);
    clauses.ternary(g ^ 1, x, z);
    clauses.ternary(g ^ 1, y, z);
    clauses.ternary(g, x ^ 1, y ^ 1);
    clauses.ternary(g, x ^ 1, z ^ 1);
    clauses.ternary(g, y ^ 1, z ^ 1);
    phases[variable] = (px & py) | (px & pz) | (py & pz);
  }

  private emitConjunction(v: number, variable: number): void {
    const { clauses, phases, pool } = this;
    const start = this.x[v];
    const count = this.y[v];
    clauses.reserve(count * 6 + 16);
    let value = 1;
    for (let i = 0; i < count; i++) {
      const x = this.finalLiteral(pool[start + i]);
      value &= phases[x >> 1] ^ (x & 1);
      clauses.binary(variable * 2 + 1, x);
    }
    const at = clauses.length + 3;
    clauses.data[at] = variable * 2;
    for (let i = 0; i < count; i++) clauses.data[at + 1 + i] = this.finalLiteral(pool[start + i]) ^ 1;
    clauses.linkWritten(count + 1);
    phases[variable] = value;
  }
}

function doubled(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
