// How long expressions take: making one that exists (what a re-run of a path does), making a new one, evaluating a path
// condition on many models, collecting. Prints nanoseconds per operation or node: the least of many rounds that are shorter
// than a turn of the scheduler, because the machine is shared.
//
//   node dist/bench/expr.js

import { scriptWords } from "../scripts/usage.js";
import { ExprArena } from "../src/expr/arena.js";
import { coneOf } from "../src/expr/cone.js";
import { Evaluator } from "../src/expr/evaluate.js";
import { type ExprRef, OPS } from "../src/expr/ops.js";
import { Random } from "../src/support/random.js";

scriptWords(import.meta.url);
const ROUNDS = 400;
const INPUT_BYTES = 16;

/** Nanoseconds per unit; `work` says how many units it did. */
function measure(name: string, unit: string, work: (round: number) => number): void {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    const units = work(round);
    least = Math.min(least, Number(process.hrtime.bigint() - start) / units);
  }
  console.log(`${name.padEnd(58)} ${least.toFixed(1).padStart(8)} ns per ${unit}`);
}

const ADD = OPS.add.code;
const MUL = OPS.mul.code;
const EQ = OPS.eq.code;
const ULT = OPS.ult.code;
const SLT = OPS.slt.code;

/** What a scanner does: classify each byte, read numbers. Gives its branch conditions. */
function scanner(arena: ExprArena, offset: number, operations: { count: number }): ExprRef[] {
  const conditions: ExprRef[] = [];
  const k = (value: number) => arena.constant(32, value, 0);
  let number = k(0);
  let count = 0;
  for (let i = 0; i < INPUT_BYTES; i++) {
    const c = arena.sext(arena.variable(offset + i), 32);
    conditions.push(arena.binary(EQ, c, k(10)));
    conditions.push(arena.not(arena.binary(EQ, c, k(32))));
    const digit = arena.binary(ADD, c, k(-48));
    conditions.push(arena.binary(ULT, digit, k(10)));
    conditions.push(arena.binary(SLT, c, k(97)));
    number = arena.binary(ADD, arena.binary(MUL, number, k(10)), digit);
    conditions.push(arena.binary(SLT, number, k(1000)));
    count += 17;
  }
  operations.count += count;
  return conditions;
}

const operations = { count: 0 };

measure("new expressions (a scanner on 16 new bytes)", "call", () => {
  const arena = new ExprArena();
  operations.count = 0;
  for (let run = 0; run < 10; run++) scanner(arena, run * INPUT_BYTES, operations);
  return operations.count;
});
const shared = new ExprArena();
for (let run = 0; run < ROUNDS; run++) scanner(shared, run * INPUT_BYTES, operations);
const conditions = scanner(shared, 0, operations);
measure("expressions that exist (the same scanner again)", "call", () => {
  operations.count = 0;
  for (let run = 0; run < 20; run++) scanner(shared, 0, operations);
  return operations.count;
});
measure("the same, each on other bytes", "call", (round) => {
  operations.count = 0;
  for (let run = 0; run < 20; run++) scanner(shared, ((round + run) % ROUNDS) * INPUT_BYTES, operations);
  return operations.count;
});
console.log(`  (${shared.size} nodes, ${(shared.memory / shared.size).toFixed(0)} bytes a node)`);

const random = new Random(1);
const models = Array.from({ length: 64 }, () => {
  const model = new Uint8Array(INPUT_BYTES);
  random.fill(model);
  return model;
});
const nodes = coneOf(shared, conditions).filter((node) => !shared.isConstant(node as ExprRef)).length;
const evaluator = new Evaluator(shared);
measure(`evaluating ${conditions.length} conditions of ${nodes} nodes, a new model each time`, "node", () => {
  let held = 0;
  for (let run = 0; run < 50; run++) {
    evaluator.load(models[run & 63]);
    for (let i = 0; i < conditions.length; i++) if (evaluator.holds(conditions[i])) held++;
  }
  return held > 0 ? nodes * 50 : 1;
});

const near = models[0].slice();
measure("the same, the model differs from the last in one byte", "model", (round) => {
  let held = 0;
  for (let run = 0; run < 50; run++) {
    near[run % INPUT_BYTES] = round + run;
    evaluator.load(near);
    for (let i = 0; i < conditions.length; i++) if (evaluator.holds(conditions[i])) held++;
  }
  return held > 0 ? 50 : 1;
});

function hashConditions(width: 32 | 64): ExprRef[] {
  let hash = shared.constantBig(width, 0xcbf2_9ce4_8422_2325n);
  const made: ExprRef[] = [];
  for (let i = 0; i < 200; i++) {
    hash = shared.binary("xor", hash, shared.zext(shared.variable(i % INPUT_BYTES), width));
    hash = shared.binary("mul", hash, shared.constantBig(width, 0x100_0000_01b3n));
    made.push(shared.binary("ult", hash, shared.constantBig(width, 0x1234_5678_9abc_def0n)));
  }
  return made;
}
for (const width of [32, 64] as const) {
  const hashes = hashConditions(width);
  const size = coneOf(shared, hashes).filter((node) => !shared.isConstant(node as ExprRef)).length;
  measure(`evaluating a chain of xor and mul, ${width} bits, ${size} nodes`, "node", () => {
    for (let run = 0; run < 10; run++) {
      evaluator.load(models[run & 63]);
      for (let i = 0; i < hashes.length; i++) evaluator.holds(hashes[i]);
    }
    return size * 10;
  });
}

const kept: ExprRef[] = [];
const collected = new ExprArena();
for (let run = 0; run < 20; run++) kept.push(...scanner(collected, run * INPUT_BYTES, operations));
let roots = Int32Array.from(kept);
measure("collecting, everything kept", "node", () => {
  const remap = collected.collect(roots);
  roots = roots.map((root) => remap[root]);
  return collected.size;
});
