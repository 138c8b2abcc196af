// Compares the solver with another one (z3 unless told) on random conditions over floating-point numbers. Where we found a
// model it is checked by evaluation, and the other solver is asked whether it is one; to find one of its own would take it
// many times as long and show less. A contradiction is asked by its core, the stronger claim. A query that one of the two
// gives up is counted, not compared; limits are in units of work, so that a busy machine changes nothing.
// Use: node dist/scripts/qualify-floats.js [--count 20000] [--solver z3] [--seed 1] [--resources 1000000]
// With fewer resources z3 gives up earlier what it would give up anyway.
// Ends with 1 if there is a disagreement, and leaves the disputed query in qualify-floats-disputed.smt2.

import { writeFileSync } from "node:fs";
import { ExprArena } from "../src/expr/arena.js";
import { Evaluator } from "../src/expr/evaluate.js";
import { FIRST_FLOAT_OP, OPS } from "../src/expr/ops.js";
import { printSmt, smtByteName } from "../src/expr/smt.js";
import { assembleSolver } from "../src/solver/chain.js";
import { askBatch, type ExternalCommand, locateExternal, queryScript } from "../src/solver/external.js";
import { RandomFloats } from "../src/solver/random-float-fixture.js";
import { operationsBelow } from "../src/solver/random-formula-fixture.js";
import { Random } from "../src/support/random.js";
import { scriptArguments } from "./usage.js";

/** Queries from one arena and one chain, and of one process of the other solver. */
const BATCH = 50;
/** Our limit, in conflicts; z3's is in its own unit: a second or so each. Other solvers ignore it. */
const CONFLICTS = 20_000;
/** Only in case that something hangs. */
const QUERY_MS = 60_000;

interface Asked {
  readonly script: string;
  readonly verdict: "sat" | "unsat" | "unknown";
}

interface Totals {
  compared: number;
  sat: number;
  unsat: number;
  ourUnknown: number;
  theirUnknown: number;
  ourMs: number;
  readonly met: Set<number>;
}

class WrongModel extends Error {}

function ask(seed: number, count: number, resources: number, totals: Totals): Asked[] {
  const arena = new ExprArena();
  const random = new Random(seed * 7919);
  const evaluator = new Evaluator(arena);
  const words = 1 + (seed % 3);
  const floats = new RandomFloats(arena, random, words);
  const chain = assembleSolver(arena, { timeMs: QUERY_MS, conflicts: CONFLICTS });
  const asked: Asked[] = [];
  for (let i = 0; i < count; i++) {
    const constraints = Array.from({ length: 1 + floats.below(3) }, () => floats.condition(1 + floats.below(3)));
    const hint = new Uint8Array(8 * words);
    random.fill(hint);
    const start = performance.now();
    const verdict = chain.solve({ constraints, hint });
    totals.ourMs += performance.now() - start;
    if (verdict.kind === "sat") {
      evaluator.load(verdict.model);
      for (const e of constraints) {
        if (!evaluator.holds(e)) throw new WrongModel(queryScript(arena, constraints, verdict.kind));
      }
    }
    const claimed = verdict.kind === "unsat" ? verdict.core.map((position) => constraints[position]) : constraints;
    const { text, bytes } = printSmt(arena, claimed);
    const given = verdict.kind === "sat" ? bytes.map((byte) => assertion(byte, verdict.model[byte])).join("") : "";
    const script = `(set-option :rlimit ${resources})\n${text}${given}(check-sat)\n`;
    asked.push({ script, verdict: verdict.kind });
  }
  for (const op of operationsBelow(arena)) totals.met.add(op);
  return asked;
}

function assertion(byte: number, value: number): string {
  return `(assert (= ${smtByteName(byte)} (_ bv${value} 8)))\n`;
}

/** The first query on which the verdicts differ, or null. */
function compare(command: ExternalCommand, batch: readonly Asked[], totals: Totals): Asked | null {
  const scripts = batch.map(({ script }) => script);
  const answers = askBatch(command, scripts, QUERY_MS * batch.length);
  for (const [i, one] of batch.entries()) {
    if (one.verdict === "unknown") totals.ourUnknown++;
    else if (answers[i] === "unknown") totals.theirUnknown++;
    else if (answers[i] !== one.verdict) return one;
    else totals.compared++;
    if (one.verdict === "sat") totals.sat++;
    if (one.verdict === "unsat") totals.unsat++;
  }
  return null;
}

function report(what: string, script: string): number {
  writeFileSync("qualify-floats-disputed.smt2", script);
  process.stdout.write(`DISAGREEMENT: ${what}; see qualify-floats-disputed.smt2\n`);
  return 1;
}

function main(): number {
  const { values } = scriptArguments(import.meta.url, {
    options: {
      count: { type: "string", default: "20000" },
      solver: { type: "string", default: "z3" },
      seed: { type: "string", default: "1" },
      resources: { type: "string", default: "1000000" },
    },
  });
  const located = locateExternal(values.solver);
  if (located.kind === "error") {
    process.stderr.write(`qualify-floats: ${located.message}\n`);
    return 2;
  }
  const totals: Totals = {
    ...{ compared: 0, sat: 0, unsat: 0, ourUnknown: 0, theirUnknown: 0, ourMs: 0 },
    met: new Set(),
  };
  // So many must have been compared, not only asked.
  for (let seed = Number(values.seed); totals.compared < Number(values.count); seed++) {
    let batch: Asked[];
    try {
      batch = ask(seed, Math.min(BATCH, Number(values.count) - totals.compared), Number(values.resources), totals);
    } catch (error) {
      if (!(error instanceof WrongModel)) throw error;
      return report(`our model is none (seed ${seed})`, error.message);
    }
    const disputed = compare(located.command, batch, totals);
    if (disputed !== null) return report(`we say ${disputed.verdict} (seed ${seed})`, disputed.script);
    const { compared, sat, unsat, ourUnknown, theirUnknown, ourMs } = totals;
    process.stdout.write(
      `${compared} agree (asked: ${sat} sat, ${unsat} unsat), unknown to us ${ourUnknown}, to ${values.solver} only ` +
        `${theirUnknown}; our time ${(ourMs / 1000).toFixed(1)} s\n`,
    );
  }
  const missing = Object.entries(OPS).filter(([, { code }]) => code >= FIRST_FLOAT_OP && !totals.met.has(code));
  if (missing.length > 0) process.stdout.write(`never asked: ${missing.map(([name]) => name).join(", ")}\n`);
  return 0;
}

process.exitCode = main();
