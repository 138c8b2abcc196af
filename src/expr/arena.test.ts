import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena, FALSE, TRUE } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import type { ExprRef } from "./ops.js";
import { buildSteps, randomModel, referenceValues, StepMaker } from "./reference.js";

function randomMaker(seed: number, steps: number): StepMaker {
  const maker = new StepMaker(new Random(seed));
  while (maker.steps.length < steps) maker.grow();
  return maker;
}

describe("arena", () => {
  it("gives the same index for the same construction, also after the tables have grown", () => {
    const arena = new ExprArena();
    const made: { steps: StepMaker; refs: ExprRef[] }[] = [];
    for (let seed = 1; seed <= 300; seed++) {
      const steps = randomMaker(seed, 60);
      made.push({ steps, refs: buildSteps(arena, steps.steps) });
    }
    assert.ok(arena.size > 5000);
    const size = arena.size;
    for (const { steps, refs } of made) assert.deepEqual(buildSteps(arena, steps.steps), refs);
    assert.equal(arena.size, size);
  });

  it("keeps no two equal nodes, and operands before their users", () => {
    const arena = new ExprArena();
    for (let seed = 1; seed <= 100; seed++) buildSteps(arena, randomMaker(seed, 60).steps);
    const seen = new Set<string>();
    const { words } = arena;
    for (let node = 1; node < arena.size; node++) {
      const key = words.subarray(node * 4, node * 4 + 4).join();
      assert.ok(!seen.has(key), `node ${node} is there twice`);
      seen.add(key);
      const e = node as ExprRef;
      if (!arena.isConstant(e)) assert.ok(arena.a(e) < node && (arena.b(e) < node || arena.b(e) === 0));
    }
  });

  it("keeps constants of any width, bits beyond the width ignored", () => {
    const arena = new ExprArena();
    assert.equal(arena.constant(8, 0x1ff, 7), arena.constant(8, 0xff, 0));
    assert.equal(arena.constant(33, -1, -1), arena.constantBig(33, 0x1_ffff_ffffn));
    const wide = arena.constantBig(100, -1n);
    assert.equal(arena.constantBigValue(wide), (1n << 100n) - 1n);
    assert.equal(arena.constantBig(100, (1n << 200n) - 1n), wide);
    assert.notEqual(arena.constantBig(101, (1n << 100n) - 1n), wide);
    assert.equal(arena.constantLow(wide), -1);
    assert.equal(arena.constantHigh(wide), -1);
    assert.equal(arena.constant(1, 0, 0), FALSE);
    assert.equal(arena.constant(1, 1, 0), TRUE);
  });

  it("refuses operands of unequal width and slices beyond the end", () => {
    const arena = new ExprArena();
    const x = arena.variable(0);
    assert.throws(() => arena.binary("add", x, arena.constant(16, 1, 0)), /widths 8 and 16/);
    assert.throws(() => arena.extract(x, 4, 5), /bits 4 to 8 of 8/);
    assert.throws(() => arena.zext(arena.zext(x, 32), 16), /32 bits to 16/);
    assert.throws(() => arena.ite(x, x, arena.variable(1)), /widths 8/);
    assert.throws(() => arena.table([x, TRUE]), /differ in width/);
  });

  it("knows a support that contains every input byte on which the value depends", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = new Random(seed);
      const { steps } = randomMaker(seed, 40);
      const arena = new ExprArena();
      const refs = buildSteps(arena, steps);
      const evaluator = new Evaluator(arena);
      const model = randomModel(random);
      const byte = random.next() % model.length;
      const before = referenceValues(steps, model);
      model[byte] ^= 1 + (random.next() % 255);
      const after = referenceValues(steps, model);
      evaluator.load(model);
      for (let i = 0; i < steps.length; i++) {
        const support = arena.support(refs[i]);
        if (before[i] !== after[i]) assert.ok(support.includes(byte));
        assert.ok(support.every((index, at) => at === 0 || support[at - 1] < index));
        assert.equal(arena.supportSize(refs[i]), support.length);
        for (let index = 0; index < model.length; index++) {
          assert.equal(arena.dependsOn(refs[i], index), support.includes(index));
        }
      }
    }
  });

  it("shares supports: equal sets have one number, and a sum over many bytes keeps one run", () => {
    const arena = new ExprArena();
    let sum = arena.zext(arena.variable(0), 32);
    for (let i = 1; i < 5000; i++) sum = arena.binary("add", sum, arena.zext(arena.variable(i), 32));
    assert.deepEqual(Array.from(arena.supportRuns(sum)), [0, 5000]);
    assert.equal(arena.support(sum).length, 5000);
    const p = arena.binary("ult", arena.variable(3), arena.variable(7));
    const q = arena.binary("add", arena.variable(7), arena.variable(3));
    assert.equal(arena.supportId(p), arena.supportId(q));
    assert.equal(arena.support(p), arena.support(q));
    assert.deepEqual(Array.from(arena.support(p)), [3, 7]);
    assert.ok(arena.memory < 20e6, `${arena.memory} bytes`);
  });

  it("survives expressions of any depth without recursion", () => {
    const arena = new ExprArena();
    let chain = arena.variable(0);
    let deep = arena.zext(chain, 32);
    for (let i = 0; i < 200_000; i++) {
      deep = arena.binary(
        "mul",
        arena.binary("xor", deep, arena.constant(32, i * 2654435761, 0)),
        arena.constant(32, 33, 0),
      );
      chain = arena.ite(
        arena.binary("ult", arena.variable(i & 7), chain),
        arena.variable((i + 1) & 7),
        arena.not(chain),
      );
    }
    const low = arena.extract(deep, 0, 8);
    const negated = arena.not(arena.binary("eq", arena.concat(low, chain), arena.constant(16, 77, 0)));
    const evaluator = new Evaluator(arena);
    evaluator.load(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]));
    assert.equal(typeof evaluator.holds(negated), "boolean");
    arena.collect([negated]);
  });

  it("keeps a checksum that works bit by bit linear, and rewrites it without running out of fuel", () => {
    const arena = new ExprArena();
    const k = (value: number) => arena.constant(32, value, 0);
    let masked = k(-1);
    let chosen = k(-1);
    for (let i = 0; i < 64; i++) {
      const byte = arena.zext(arena.variable(i), 32);
      masked = arena.binary("xor", masked, byte);
      chosen = arena.binary("xor", chosen, byte);
      for (let bit = 0; bit < 8; bit++) {
        const mask = arena.binary("sub", k(0), arena.binary("and", masked, k(1)));
        masked = arena.binary("xor", arena.binary("lshr", masked, k(1)), arena.binary("and", k(0xedb88320), mask));
        const shifted = arena.binary("lshr", chosen, k(1));
        const odd = arena.binary("eq", arena.binary("and", chosen, k(1)), k(1));
        chosen = arena.ite(odd, arena.binary("xor", shifted, k(0xedb88320)), shifted);
      }
    }
    assert.equal(arena.exhausted, 0);
    assert.ok(arena.size < 64 * 400, `${arena.size} nodes`);
    const evaluator = new Evaluator(arena);
    evaluator.load(new Uint8Array(64).fill(0x61));
    assert.equal(evaluator.low(masked), evaluator.low(chosen));
  });

  it("collects what the roots do not reach, and what is left keeps value, support and facts", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const { steps } = randomMaker(seed, 120);
      const arena = new ExprArena();
      const refs = buildSteps(arena, steps);
      const kept = [5, 40, 80, 119].map((position) => ({ position, ref: refs[position] }));
      const before = kept.map(({ ref }) => [
        Array.from(arena.support(ref)),
        arena.facts.minimum(ref),
        arena.facts.onesLow(ref),
      ]);
      const evaluator = new Evaluator(arena);
      const model = randomModel(random);
      const values = referenceValues(steps, model);
      evaluator.load(model);
      evaluator.big(refs[119]);
      const size = arena.size;
      const remap = arena.collect(kept.map(({ ref }) => ref));
      assert.ok(arena.size < size);
      evaluator.load(model);
      for (const [i, { position, ref }] of kept.entries()) {
        const now = remap[ref] as ExprRef;
        assert.ok(now > 0 && now <= ref);
        assert.equal(evaluator.big(now), values[position]);
        assert.deepEqual(
          [Array.from(arena.support(now)), arena.facts.minimum(now), arena.facts.onesLow(now)],
          before[i],
        );
      }
      // The hash table finds what was kept: building the same again gives the same nodes.
      const again = buildSteps(arena, steps);
      for (const { position, ref } of kept)
        assert.equal(arena.width(again[position]), arena.width(remap[ref] as ExprRef));
      assert.equal(again[5], remap[refs[5]]);
      const rebuilt = referenceValues(steps, model);
      evaluator.load(model);
      for (let i = 0; i < steps.length; i++) assert.equal(evaluator.big(again[i]), rebuilt[i]);
    }
  });

  it("reads a table beyond its end as 0", () => {
    const arena = new ExprArena();
    const table = arena.table([arena.constant(32, 7, 0), arena.zext(arena.variable(1), 32)]);
    assert.equal(arena.table([arena.constant(32, 7, 0), arena.zext(arena.variable(1), 32)]), table);
    const read = arena.lookup(table, arena.variable(0));
    const evaluator = new Evaluator(arena);
    evaluator.load(new Uint8Array([1, 99]));
    assert.equal(evaluator.low(read), 99);
    evaluator.load(new Uint8Array([2, 99]));
    assert.equal(evaluator.low(read), 0);
    assert.equal(arena.lookup(table, arena.constant(64, 0, 1)), arena.constant(32, 0, 0));
    assert.deepEqual(Array.from(arena.support(read)), [0, 1]);
  });
});
