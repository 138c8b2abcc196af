import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import type { ExprRef } from "./ops.js";
import { buildSteps, randomModel, StepMaker } from "./reference.js";
import { growTowards } from "./reference-shapes.js";
import { RULES } from "./rewrite.js";
import { printSmt, smtByteName } from "./smt.js";

const z3 = spawnSync("z3", ["--version"]).status === 0;

describe("SMT-LIB text", () => {
  it("declares each byte once, defines each node once, asserts each constraint", () => {
    const arena = new ExprArena();
    const sum = arena.binary("add", arena.zext(arena.variable(4), 32), arena.sext(arena.variable(2), 32));
    const p = arena.binary("ult", sum, arena.constant(32, 1000, 0));
    const q = arena.binary("eq", arena.binary("mul", sum, sum), arena.constant(32, 49, 0));
    const { text, bytes } = printSmt(arena, [p, q]);
    assert.deepEqual(bytes, [2, 4]);
    assert.equal(text.match(/declare-const/g)?.length, 2);
    assert.equal(text.match(/bvadd/g)?.length, 1);
    assert.equal(text.match(/\(assert /g)?.length, 2);
    assert.match(text, /^\(set-logic QF_BV\)\n/);
  });

  it("stays linear in the number of nodes where the tree would be exponential", () => {
    const arena = new ExprArena();
    let e = arena.zext(arena.variable(0), 32);
    for (let i = 0; i < 200; i++) e = arena.binary("mul", e, arena.binary("xor", e, arena.constant(32, i + 3, 0)));
    const { text } = printSmt(arena, [arena.binary("eq", e, arena.constant(32, 1, 0))]);
    assert.ok(text.length < 40_000);
  });

  it("means to z3 what it means to the evaluator", { skip: z3 ? false : "z3 is not on PATH" }, () => {
    let script = "";
    const expected: boolean[] = [];
    for (let seed = 1; seed <= 300; seed++) {
      const random = new Random(seed * 104729);
      const maker = new StepMaker(random);
      while (maker.steps.length < 40) {
        if (maker.chance(40)) maker.grow();
        else growTowards(maker, RULES[maker.below(RULES.length)]);
      }
      const arena = new ExprArena();
      const refs = buildSteps(arena, maker.steps);
      const evaluator = new Evaluator(arena);
      const model = randomModel(random);
      evaluator.load(model);
      // The last values, each compared with what the evaluator says, or with something else.
      const claims: ExprRef[] = refs.slice(-4).map((e, i) => {
        const value = evaluator.big(e) ^ (i === 3 && random.next() % 3 === 0 ? 1n : 0n);
        return arena.binary("eq", e, arena.constantBig(arena.width(e), value));
      });
      const { text, bytes } = printSmt(arena, claims);
      const values = bytes.map((index) => `(assert (= ${smtByteName(index)} (_ bv${model[index]} 8)))\n`);
      script += `${text}${values.join("")}(check-sat)\n(reset)\n`;
      expected.push(claims.every((claim) => evaluator.holds(claim)));
    }
    const { stdout } = spawnSync("z3", ["-in"], { input: script, encoding: "utf8", maxBuffer: 1 << 26 });
    const verdicts = stdout.trim().split("\n");
    assert.equal(verdicts.length, expected.length, stdout.slice(0, 500));
    for (const [i, holds] of expected.entries()) assert.equal(verdicts[i], holds ? "sat" : "unsat", `formula ${i + 1}`);
    assert.ok(expected.includes(false) && expected.includes(true));
  });
});
