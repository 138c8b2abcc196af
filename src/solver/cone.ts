// The part of the gate graph that some roots depend on, as clauses: "solve on the cone of the query". An everlasting SAT
// solver that remembers every query was measured 150 times slower on a small one.
//
// Variables are numbered inputs first: the SAT core decides the lowest number first, so that an undisturbed search walks the
// input bits with the hint's values and everything else follows by propagation. Each gate's phase is its value under the
// hint, which makes the starting point one consistent assignment that violates only the constraints the hint violates.

import { ClauseArena } from "./clauses.js";
import { GATE, type GateGraph } from "./gates.js";
import type { Model } from "./solver.js";

export class Cone {
  readonly clauses = new ClauseArena();
  /** Gates of the inputs in the cone; variable i + 1 is inputs[i]. */
  inputs = new Int32Array(64);
  inputCount = 0;
  /** Value under the hint, by variable: 1 or 0. */
  phases = new Uint8Array(1024);
  private gates = new Int32Array(1024);
  private gateCount = 0;
  private stack = new Int32Array(1024);
  /** Variable of each gate, valid where `seen` has the current stamp. */
  private variable = new Int32Array(0);
  private seen = new Int32Array(0);
  private stamp = 0;

  constructor(private graph: GateGraph) {}

  /** Starts over on another graph. */
  attach(graph: GateGraph): void {
    this.graph = graph;
    this.seen = new Int32Array(0);
    this.variable = new Int32Array(0);
  }

  /** Makes the clauses of everything below `roots` (literals of the graph; constants are ignored). */
  build(roots: readonly number[], hint: Model): void {
    this.collect(roots);
    const variableCount = this.inputCount + this.gateCount;
    this.clauses.reset(variableCount);
    if (this.phases.length <= variableCount) this.phases = new Uint8Array(variableCount * 2);
    for (let i = 0; i < this.inputCount; i++) this.emitInput(i, hint);
    for (let i = 0; i < this.gateCount; i++) this.emitGate(this.gates[i], this.inputCount + i + 1);
    this.clauses.seal();
  }

  /** The clause literal of a graph literal in the cone; constants stay 0 (true) and 1 (false). */
  literal(graphLiteral: number): number {
    if (graphLiteral <= 1) return graphLiteral;
    return this.variable[graphLiteral >> 1] * 2 + (graphLiteral & 1);
  }

  /** Whether the graph literal was part of the last cone. */
  contains(graphLiteral: number): boolean {
    return graphLiteral > 1 && this.seen[graphLiteral >> 1] === this.stamp;
  }

  /** Depth first, operands before gates; a gate stays on the stack (as its complement) until its operands are done. */
  private collect(roots: readonly number[]): void {
    const graph = this.graph;
    if (this.seen.length < graph.count) {
      this.seen = new Int32Array(graph.kind.length);
      this.variable = new Int32Array(graph.kind.length);
      this.stamp = 0;
    }
    this.stamp++;
    this.inputCount = 0;
    this.gateCount = 0;
    for (let i = 0; i < roots.length; i++) if (roots[i] > 1) this.walk(roots[i] >> 1);
    for (let i = 0; i < this.inputCount; i++) this.variable[this.inputs[i]] = i + 1;
    for (let i = 0; i < this.gateCount; i++) this.variable[this.gates[i]] = this.inputCount + i + 1;
  }

  private walk(root: number): void {
    const { seen, stamp } = this;
    if (seen[root] === stamp) return;
    const { kind, a, b, c, pool } = this.graph;
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
        for (let i = 0; i < operandCount; i++) {
          const operand = pool[start + i] >> 1;
          if (seen[operand] !== stamp) this.stack[top++] = operand;
        }
        continue;
      }
      const x = a[gate] >> 1;
      const y = b[gate] >> 1;
      if (seen[x] !== stamp) this.stack[top++] = x;
      if (seen[y] !== stamp) this.stack[top++] = y;
      // Operands of multiplexers and majorities are never constant; for other gates c is 0.
      const z = c[gate] >> 1;
      if (z !== 0 && seen[z] !== stamp) this.stack[top++] = z;
    }
  }

  private emitInput(place: number, hint: Model): void {
    const gate = this.inputs[place];
    const byte = this.graph.a[gate];
    const value = byte < hint.length ? hint[byte] : 0;
    this.phases[place + 1] = (value >> this.graph.b[gate]) & 1;
  }

  private emitGate(gate: number, variable: number): void {
    const { kind, a, b, c } = this.graph;
    const { clauses, phases } = this;
    const kindOf = kind[gate];
    const g = variable * 2;
    if (kindOf === GATE.conjunction) {
      this.emitConjunction(gate, variable);
      return;
    }
    clauses.reserve(36);
    const x = this.variable[a[gate] >> 1] * 2 + (a[gate] & 1);
    const y = this.variable[b[gate] >> 1] * 2 + (b[gate] & 1);
    const px = phases[x >> 1] ^ (x & 1);
    const py = phases[y >> 1] ^ (y & 1);
    if (kindOf === GATE.and) {
      clauses.binary(g ^ 1, x);
      clauses.binary(g ^ 1, y);
      clauses.ternary(g, x ^ 1, y ^ 1);
      phases[variable] = px & py;
      return;
    }
    if (kindOf === GATE.xor) {
      clauses.ternary(g ^ 1, x, y);
      clauses.ternary(g ^ 1, x ^ 1, y ^ 1);
      clauses.ternary(g, x ^ 1, y);
      clauses.ternary(g, x, y ^ 1);
      phases[variable] = px ^ py;
      return;
    }
    const z = this.variable[c[gate] >> 1] * 2 + (c[gate] & 1);
    const pz = phases[z >> 1] ^ (z & 1);
    if (kindOf === GATE.mux) {
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

  private emitConjunction(gate: number, variable: number): void {
    const { a, b, pool } = this.graph;
    const { clauses, phases } = this;
    const count = b[gate];
    const start = a[gate];
    clauses.reserve(count * 6 + 16);
    let value = 1;
    for (let i = 0; i < count; i++) {
      const operand = pool[start + i];
      const x = this.variable[operand >> 1] * 2 + (operand & 1);
      value &= phases[x >> 1] ^ (x & 1);
      clauses.binary(variable * 2 + 1, x);
    }
    const at = clauses.length + 3;
    clauses.data[at] = variable * 2;
    for (let i = 0; i < count; i++) {
      const operand = pool[start + i];
      clauses.data[at + 1 + i] = this.variable[operand >> 1] * 2 + ((operand & 1) ^ 1);
    }
    clauses.linkWritten(count + 1);
    phases[variable] = value;
  }
}

function doubled(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
