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
import type { Judgement, Z3Process } from "./z3-process.js";

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
const AT_ONCE = 8;

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

  /** As far as the time allows. */
  async judge(queries: readonly SampledQuery[], timeMs: number): Promise<void> {
    const deadline = performance.now() + timeMs;
    for (let at = 0; at < queries.length && performance.now() < deadline; at += AT_ONCE) {
      const asked = queries.slice(at, at + AT_ONCE).filter((query) => this.canBeAsked(query));
      const scripts = asked.map(({ constraints, verdict }) =>
        printSmt(this.arena, verdict.kind === "unsat" ? verdict.core.map((i) => constraints[i]) : constraints),
      );
      if (asked.length === 0) continue;
      const judgements = await this.z3.judge(scripts);
      for (const [i, query] of asked.entries()) this.compare(query, judgements[i], scripts[i].text);
    }
  }

  private canBeAsked({ constraints, verdict }: SampledQuery): boolean {
    if (verdict.kind === "unknown") this.counts.unknown++;
    else if (coneOf(this.arena, constraints).length > LARGE) this.counts.large++;
    else return true;
    return false;
  }

  private compare({ constraints, verdict }: SampledQuery, judgement: Judgement, text: string): void {
    const { counts } = this;
    if (verdict.kind === "unknown") return;
    if (verdict.kind === "sat") this.checkModel("our model", constraints, verdict.model, text);
    if (judgement.kind === "undecided") {
      counts.undecided++;
      if (!/^(unknown|timeout)/.test(judgement.why)) this.wrong.push(`z3: ${judgement.why}\n${text}`);
    } else if (judgement.kind !== verdict.kind) {
      const what = verdict.kind === "unsat" ? `unsat (core of ${verdict.core.length} of ${constraints.length})` : "sat";
      this.wrong.push(`we say ${what}, z3 ${judgement.kind}\n${text}`);
    } else {
      counts[verdict.kind]++;
      if (judgement.kind === "sat") this.checkModel("z3's model", constraints, judgement.model, text);
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
