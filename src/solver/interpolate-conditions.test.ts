import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import { Random } from "../support/random.js";
import { BlastingSolver } from "./blast/blasting-solver.js";
import { assembleSolver } from "./chain.js";
import { DEFAULT_CONDITION_LIMITS, interpolateConditions, verifyInterpolant } from "./interpolate-conditions.js";
import { RandomFormulas } from "./random-formula-fixture.js";
import type { Query, Solver, Verdict } from "./solver.js";

const LIMITS = { ...DEFAULT_CONDITION_LIMITS, timeMs: 20_000, verify: true };

function isUnsat(arena: ExprArena, constraints: readonly ExprRef[]): boolean {
  return new BlastingSolver(arena).solve({ constraints, hint: new Uint8Array(8) }).kind === "unsat";
}

/** Of some bytes; with some of the shared ones in each, and of the others, if they are to be mixed. */
function conditions(
  arena: ExprArena,
  random: Random,
  bytes: readonly number[],
  count: number,
  isMixed: boolean,
): ExprRef[] {
  const formulas = new RandomFormulas(arena, random, { bytes: 8, hard: false });
  const chosen: ExprRef[] = [];
  while (chosen.length < count) {
    const e = formulas.condition(3, 12);
    const support = Array.from(arena.support(e));
    const kinds = new Set(support.map((byte) => byte === 2 || byte === 3));
    if (kinds.size >= (isMixed ? 2 : 1) && support.every((byte) => bytes.includes(byte))) chosen.push(e);
  }
  return chosen;
}

/** Words and comparisons of a caller's and a callee's input. */
function language(arena: ExprArena) {
  const word = (first: number, bytes = 4): ExprRef => {
    const parts = Array.from({ length: bytes }, (_, n) => arena.variable(first + n));
    return parts.reduce((low, high) => arena.concat(high, low));
  };
  const number = (value: number, width = 32): ExprRef => arena.constantBig(width, BigInt.asUintN(width, BigInt(value)));
  const below = (x: ExprRef, y: ExprRef): ExprRef => arena.binary("ult", x, y);
  const add = (x: ExprRef, y: ExprRef): ExprRef => arena.binary("add", x, y);
  const texts = (expressions: readonly ExprRef[]): string[] => expressions.map((e) => printExpr(arena, e, String));
  return { word, number, below, add, texts };
}

describe("interpolants of conditions", () => {
  it("have the three properties for random conditions, whichever way they were found", () => {
    const ways = new Map<string, number>();
    for (let seed = 1; seed <= 600; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed);
      const isMixed = seed % 2 === 0;
      const a = conditions(arena, random, [0, 1, 2, 3], 3, isMixed);
      const b = conditions(arena, random, [2, 3, 4, 5], 3, isMixed);
      if (isMixed) {
        // Bytes of one side only that are fixed: the rest is about shared ones, and none of the conditions is.
        const is = (byte: number): ExprRef =>
          arena.binary("eq", arena.variable(byte), arena.constant(8, random.next() % 4, 0));
        a.push(is(0), is(1));
        b.push(is(4), is(5));
      }
      const isShared = (byte: number): boolean => byte === 2 || byte === 3;
      const solver = assembleSolver(arena, {});
      const result = interpolateConditions(arena, solver, a, b, isShared, LIMITS);
      const contradicts = isUnsat(arena, [...a, ...b]);
      const message = `seed ${seed}`;
      ways.set(result.kind, (ways.get(result.kind) ?? 0) + 1);
      if (result.kind === "compatible") {
        assert.deepEqual([result.isSatisfiable, contradicts], [true, false], message);
        continue;
      }
      assert.ok(contradicts, message);
      if (result.kind === "too-large") continue;
      assert.ok(result.kind === "interpolant", message);
      ways.set(result.how, (ways.get(result.how) ?? 0) + 1);
      for (const conjunct of result.conjuncts) {
        assert.ok(isUnsat(arena, [...a, arena.not(conjunct)]), `${message}: A does not imply it`);
        for (const byte of arena.support(conjunct)) assert.ok(isShared(byte), `${message}: mentions ${byte}`);
      }
      assert.ok(isUnsat(arena, [...b, ...result.conjuncts]), `${message}: it does not contradict B`);
      // Why: these alone contradict each other.
      const core = [...result.needed.map((n) => a[n]), ...result.against.map((n) => b[n])];
      assert.ok(isUnsat(arena, core), `${message}: the reason is none`);
    }
    for (const way of ["core-of-a", "core-of-b", "projection", "compatible"]) {
      assert.ok((ways.get(way) ?? 0) > 10, `${way}: ${ways.get(way)}`);
    }
    assert.ok((ways.get("too-large") ?? 0) < 10);
  });

  it("A's own condition is taken as it stands, without the others; conjunctions are taken apart", () => {
    const arena = new ExprArena();
    const { word, number, below, texts } = language(arena);
    const length = word(0);
    const long = below(number(64), length);
    const secret = below(word(8), number(5));
    const a = [arena.binary("and", secret, long), below(word(4), number(9))];
    const b = [below(word(12), number(7)), below(length, number(65))];
    const found = interpolateConditions(arena, assembleSolver(arena, {}), a, b, (byte) => byte < 8, LIMITS);
    assert.ok(found.kind === "interpolant");
    assert.equal(found.how, "core-of-a");
    assert.deepEqual(texts(found.conjuncts), texts([long]));
    assert.deepEqual([found.needed, found.against], [[0], [1]]);
  });

  it("else what B has decided is turned round", () => {
    const arena = new ExprArena();
    const { word, number, below, add } = language(arena);
    const [x, y, own] = [word(0), word(4), word(8)];
    // A needs both to be large, by way of something of its own.
    const a = [below(number(100), own), below(own, x), below(own, y)];
    const b = [below(word(20), number(3)), below(x, number(50)), below(add(y, number(1)), number(400))];
    const found = interpolateConditions(arena, assembleSolver(arena, {}), a, b, (byte) => byte < 8, LIMITS);
    assert.ok(found.kind === "interpolant");
    assert.equal(found.how, "core-of-b");
    assert.deepEqual(found.conjuncts, [arena.not(b[1])]);
    assert.deepEqual(found.against, [1]);
  });

  it("else A is projected: a range of a word, found by bits and told as a comparison", () => {
    const arena = new ExprArena();
    const { word, number, below, add, texts } = language(arena);
    const [x, ofA, ofB] = [word(0), word(8), word(16)];
    const a = [below(ofA, number(100)), below(x, ofA)];
    const b = [below(number(127), ofB), arena.binary("eq", ofB, x)];
    const found = interpolateConditions(arena, assembleSolver(arena, {}), a, b, (byte) => byte < 4, LIMITS);
    assert.ok(found.kind === "interpolant");
    assert.equal(found.how, "projection");
    assert.deepEqual(texts(found.conjuncts), texts([below(x, number(128))]));
    // A sum that both sides speak of is a word of its own: the bytes of its parts are too many cubes.
    const sum = add(x, word(4));
    const [sumA, sumB] = [
      [below(ofA, number(100)), below(sum, ofA)],
      [below(number(127), ofB), arena.binary("eq", ofB, sum)],
    ];
    const ofSum = interpolateConditions(arena, assembleSolver(arena, {}), sumA, sumB, (byte) => byte < 8, LIMITS);
    assert.ok(ofSum.kind === "interpolant");
    assert.deepEqual(texts(ofSum.conjuncts), texts([below(sum, number(128))]));
  });

  it("what is not shared may stand on both sides; if only that contradicts, the shared values are compatible", () => {
    const arena = new ExprArena();
    const { word, number, below } = language(arena);
    const [x, hidden] = [word(0), word(8)];
    const isShared = (byte: number): boolean => byte < 4;
    const solver = assembleSolver(arena, {});
    const a = [below(hidden, number(10)), below(x, number(5))];
    const b = [below(number(20), hidden), below(number(2), x)];
    assert.deepEqual(interpolateConditions(arena, solver, a, b, isShared, LIMITS), {
      kind: "compatible",
      isSatisfiable: false,
    });
    const reallyB = [...b, below(number(30), x)];
    const found = interpolateConditions(arena, solver, a, reallyB, isShared, LIMITS);
    assert.ok(found.kind === "interpolant");
    assert.deepEqual(found.conjuncts, [a[1]]);
  });

  it("a side that contradicts itself: false, and no conjunct at all", () => {
    const arena = new ExprArena();
    const { word, number, below } = language(arena);
    const [x, own] = [word(0), word(8)];
    const never = [below(own, x), below(x, own)];
    const some = [below(x, number(9))];
    const solver = assembleSolver(arena, {});
    const ofA = interpolateConditions(arena, solver, never, some, (byte) => byte < 4, LIMITS);
    assert.ok(ofA.kind === "interpolant");
    assert.deepEqual(ofA.conjuncts, [arena.FALSE]);
    const ofB = interpolateConditions(arena, solver, some, never, (byte) => byte < 4, LIMITS);
    assert.ok(ofB.kind === "interpolant");
    assert.deepEqual(ofB.conjuncts, []);
  });

  it("limits: bits, cubes, time", () => {
    const arena = new ExprArena();
    const { word, number, below } = language(arena);
    const [x, ofA, ofB] = [word(0), word(8), word(16)];
    // Each of A's values of x needs a cube: it equals a hidden multiple of seven.
    const seventh = arena.binary("eq", arena.binary("urem", ofA, number(7)), number(0));
    const a = [seventh, arena.binary("eq", x, ofA), below(ofA, number(70_000))];
    const b = [
      arena.not(arena.binary("eq", arena.binary("urem", ofB, number(7)), number(0))),
      arena.binary("eq", x, ofB),
    ];
    const isShared = (byte: number): boolean => byte < 4;
    const solver = assembleSolver(arena, {});
    const ask = (limits: Partial<typeof LIMITS>) =>
      interpolateConditions(arena, solver, a, b, isShared, { ...LIMITS, ...limits });
    assert.deepEqual(ask({ maxCubes: 5 }), { kind: "too-large" });
    assert.deepEqual(ask({ maxBits: 31 }), { kind: "too-large" });
    assert.deepEqual(ask({ timeMs: -1 }), { kind: "unknown", reason: "time" });
  });

  it("what a solver gets wrong is noticed by verification", () => {
    const arena = new ExprArena();
    const { word, number, below } = language(arena);
    const x = word(0);
    const a = [below(x, number(9))];
    const b = [below(x, number(5))];
    // Says that everything contradicts everything.
    const liar: Solver = {
      solve: ({ constraints }: Query): Verdict => ({ kind: "unsat", core: constraints.map((_, n) => n) }),
    };
    assert.throws(() => interpolateConditions(arena, liar, a, b, () => true, LIMITS), /does not contradict B/);
    const verify = (conjunct: ExprRef, isShared: boolean) => () =>
      verifyInterpolant(arena, a, [arena.not(a[0])], [conjunct], () => isShared, LIMITS);
    assert.throws(verify(b[0], true), /does not follow from A/);
    assert.throws(verify(a[0], false), /speaks of variable 0/);
    verify(a[0], true)();
  });
});
