// Our verdicts against z3's: a satisfiable query must be satisfiable for z3 too, and both models must satisfy it; of an
// unsatisfiable one z3 gets the core, which must be a contradiction by itself.

import type { ExprArena } from "../../src/expr/arena.js";
import { coneOf } from "../../src/expr/cone.js";
import { Evaluator } from "../../src/expr/evaluate.js";
import type { ExprRef } from "../../src/expr/ops.js";
import { printSmt } from "../../src/expr/smt.js";
import type { Model } from "../../src/solver/solver.js";
import { violated } from "./independent-values.js";
import type { SampledQuery } from "./query-sample.js";
import type { Z3Process } from "./z3-process.js";

export interface QueryCounts {
  /** Verdicts that z3 shares. */
  sat: number;
  unsat: number;
  /** z3 did not answer in time. */
  undecided: number;
  /** We did not. */
  unknown: number;
  /** Too large to be asked. */
  large: number;
  /** Models of ours and of z3 that were evaluated. */
  models: number;
}

export const NO_QUERIES: QueryCounts = { sat: 0, unsat: 0, undecided: 0, unknown: 0, large: 0, models: 0 };

/** Nodes; z3 takes seconds to read more. */
const LARGE = 100_000;

export class QueryJudge {
  readonly counts: QueryCounts = { ...NO_QUERIES };
  readonly wrong: string[] = [];
  private readonly evaluator: Evaluator;

  constructor(
    private readonly arena: ExprArena,
    private readonly z3: Z3Process,
  ) {
    this.evaluator = new Evaluator(arena);
  }

  async judge({ constraints, verdict }: SampledQuery): Promise<void> {
    const { arena, counts, z3 } = this;
    if (verdict.kind === "unknown") {
      counts.unknown++;
      return;
    }
    if (coneOf(arena, constraints).length > LARGE) {
      counts.large++;
      return;
    }
    const script = printSmt(arena, verdict.kind === "sat" ? constraints : verdict.core.map((i) => constraints[i]));
    if (verdict.kind === "sat") this.checkModel("our model", constraints, verdict.model, script.text);
    const judgement = await z3.judge(script);
    if (judgement.kind === "undecided") {
      counts.undecided++;
      if (!/^(unknown|timeout)$/.test(judgement.why)) this.wrong.push(`z3: ${judgement.why}\n${script.text}`);
    } else if (judgement.kind !== verdict.kind) {
      const what = verdict.kind === "unsat" ? `unsat (core of ${verdict.core.length} of ${constraints.length})` : "sat";
      this.wrong.push(`we say ${what}, z3 ${judgement.kind}\n${script.text}`);
    } else {
      counts[verdict.kind]++;
      if (judgement.kind === "sat") this.checkModel("z3's model", constraints, judgement.model, script.text);
    }
  }

  private checkModel(whose: string, constraints: readonly ExprRef[], model: Model, text: string): void {
    this.counts.models++;
    this.evaluator.load(model);
    const bad = constraints.flatMap((constraint, i) => (this.evaluator.holds(constraint) ? [] : [i]));
    const reference = violated(this.arena, constraints, model);
    if (bad.length > 0 || reference.length > 0) {
      const say = (list: readonly number[]): string => (list.length === 0 ? "none" : list.join(" "));
      const places = `constraints violated by the evaluator: ${say(bad)}; by the reference: ${say(reference)}`;
      this.wrong.push(`${whose} is none (${places}): ${Buffer.from(model).toString("hex")}\n${text}`);
    }
  }
}
