import assert from "node:assert/strict";
import test from "node:test";
import { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { assembleSolver } from "./chain.js";

/** A machine may be busy; without a deadline each of these takes ten times as long or more. */
const GENEROUS_MS = 10_000;
const HINT = new Uint8Array(16);

/** A hash of one byte, longer and longer, and a condition on each stage of it. */
function hashConditions(arena: ExprArena, stages: number): ExprRef[] {
  const constant = (value: number): ExprRef => arena.constant(64, value, 0);
  let state = arena.binary(OPS.add.code, arena.zext(arena.variable(0), 64), constant(1));
  const conditions: ExprRef[] = [];
  for (let i = 0; i < stages; i++) {
    const shifted = arena.binary(OPS.lshr.code, state, constant(7));
    const mixed = arena.binary(OPS.xor.code, arena.binary(OPS.mul.code, state, constant(0x9e37_79b1)), shifted);
    state = arena.binary(OPS.add.code, mixed, constant(i + 12_345));
    conditions.push(arena.not(arena.binary(OPS.eq.code, state, constant(i))));
  }
  return conditions;
}

test("deadline: thousands of deep conditions on one byte are given up in time, and nothing half made is left", () => {
  const arena = new ExprArena();
  const solver = assembleSolver(arena, {});
  const constraints = hashConditions(arena, 6000);
  const began = performance.now();
  const verdict = solver.solve({ constraints, hint: HINT, deadlineMs: began + 100 });
  assert.ok(performance.now() - began < GENEROUS_MS, `${performance.now() - began} ms`);
  assert.deepEqual(verdict, { kind: "unknown", reason: "time" });
  const few = constraints.slice(0, 40);
  const fresh = assembleSolver(arena, {}).solve({ constraints: few, hint: HINT });
  assert.equal(fresh.kind, "sat");
  assert.deepEqual(solver.solve({ constraints: few, hint: HINT }), fresh);
});

test("deadline: sets of values are part of the time that the solver itself allows a query", () => {
  const arena = new ExprArena();
  const constraints = hashConditions(arena, 6000);
  const began = performance.now();
  const verdict = assembleSolver(arena, { timeMs: 100 }).solve({ constraints, hint: HINT });
  assert.ok(performance.now() - began < GENEROUS_MS, `${performance.now() - began} ms`);
  assert.deepEqual(verdict, { kind: "unknown", reason: "time" });
});

test("deadline: a product that cannot be factored is given up in time", () => {
  const arena = new ExprArena();
  const word = (first: number): ExprRef => {
    let value: ExprRef = arena.variable(first);
    for (let byte = 1; byte < 8; byte++) value = arena.concat(arena.variable(first + byte), value);
    return arena.zext(value, 128);
  };
  const product = arena.binary(OPS.mul.code, word(0), word(8));
  // 13249961062380153451 * 14488038916154245697, two primes.
  const wanted = arena.constantBig(128, 13249961062380153451n * 14488038916154245697n);
  const one = arena.constantBig(128, 1n);
  const constraints = [
    arena.binary(OPS.ult.code, one, word(0)),
    arena.binary(OPS.ult.code, one, word(8)),
    arena.binary(OPS.eq.code, product, wanted),
  ];
  const began = performance.now();
  const solver = assembleSolver(arena, { timeMs: 600_000, conflicts: 1e9 });
  const verdict = solver.solve({ constraints, hint: HINT, deadlineMs: began + 300 });
  assert.ok(performance.now() - began < GENEROUS_MS, `${performance.now() - began} ms`);
  assert.deepEqual(verdict, { kind: "unknown", reason: "time" });
});

test("deadline: a query without one, and an easy one with one that is far, are answered as ever", () => {
  const arena = new ExprArena();
  const solver = assembleSolver(arena, {});
  const constraints = [arena.binary(OPS.eq.code, arena.variable(3), arena.constant(8, 77, 0))];
  for (const deadlineMs of [undefined, performance.now() + 1e6]) {
    const verdict = solver.solve({ constraints, hint: HINT, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
    assert.ok(verdict.kind === "sat" && verdict.model[3] === 77);
  }
});
