// Compares the solver with another one (z3 unless told) over many queries: either the files of a query log
// (`assembleSolver({ logDirectory })`, `--log DIR`), whose first line holds our verdict, or random formulas of every width,
// made here, with models checked by evaluation and cores asked again. One process of the other solver takes a batch.
// Use: node dist/scripts/qualify-solver.js [--count 20000] [--solver z3] [--seed 1] [--log DIR]
// Ends with 1 if there is a disagreement, and leaves the disputed query in qualify-solver-disputed.smt2.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExprArena } from "../src/expr/arena.js";
import { assembleSolver } from "../src/solver/chain.js";
import { askBatch, type ExternalCommand, locateExternal, queryScript } from "../src/solver/external.js";
import { RandomFormulas } from "../src/solver/random-formula-fixture.js";
import { Random } from "../src/support/random.js";
import { scriptArguments } from "./usage.js";

const BATCH = 200;
/** Queries from one arena, on one chain, so that caches and reuse take part. */
const PER_ARENA = 200;
const BATCH_TIME_MS = 300_000;
const WIDTHS = [1, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128];

interface Asked {
  readonly script: string;
  readonly verdict: string;
  readonly name: string;
}

interface Totals {
  compared: number;
  agreed: number;
  ourUnknown: number;
  theirUnknown: number;
}

function* logged(directory: string): Generator<Asked> {
  for (const name of readdirSync(directory).sort()) {
    if (!name.endsWith(".smt2")) continue;
    const script = readFileSync(join(directory, name), "utf8");
    yield { script, verdict: /^; verdict: (\w+)/.exec(script)?.[1] ?? "unknown", name };
  }
}

function* generated(count: number, seed: number): Generator<Asked> {
  for (let made = 0, round = seed; made < count; round++) {
    const arena = new ExprArena();
    const random = new Random(round * 7919);
    const maxWidth = WIDTHS[round % WIDTHS.length];
    const bytes = 1 + (round % 10);
    const formulas = new RandomFormulas(arena, random, { bytes, hard: maxWidth <= 16 });
    const chain = assembleSolver(arena, { timeMs: 2000 });
    const pool = Array.from({ length: 40 }, () => formulas.condition(2 + formulas.below(5), maxWidth));
    for (let i = 0; i < PER_ARENA && made < count; i++, made++) {
      const constraints = Array.from({ length: 1 + formulas.below(6) }, () => {
        const e = formulas.below(4) === 0 ? formulas.condition(3, maxWidth) : formulas.pick(pool);
        return formulas.below(4) === 0 ? arena.not(e) : e;
      });
      const hint = new Uint8Array(bytes);
      random.fill(hint);
      // The chain itself checks every model by evaluation.
      const verdict = chain.solve({ constraints, hint });
      // A core is asked in place of its query: it is the stronger claim.
      const claimed = verdict.kind === "unsat" ? verdict.core.map((position) => constraints[position]) : constraints;
      yield {
        script: queryScript(arena, claimed, verdict.kind),
        verdict: verdict.kind,
        name: `round ${round}, query ${i}`,
      };
    }
  }
}

function compare(command: ExternalCommand, batch: readonly Asked[], totals: Totals): Asked | null {
  const answers = askBatch(
    command,
    batch.map(({ script }) => script),
    BATCH_TIME_MS,
  );
  for (let i = 0; i < batch.length; i++) {
    totals.compared++;
    if (batch[i].verdict === "unknown") totals.ourUnknown++;
    else if (answers[i] === "unknown") totals.theirUnknown++;
    else if (answers[i] === batch[i].verdict) totals.agreed++;
    else return batch[i];
  }
  return null;
}

function main(): number {
  const { values } = scriptArguments(import.meta.url, {
    options: {
      count: { type: "string", default: "20000" },
      solver: { type: "string", default: "z3" },
      seed: { type: "string", default: "1" },
      log: { type: "string" },
    },
  });
  const located = locateExternal(values.solver);
  if (located.kind === "error") {
    process.stderr.write(`qualify-solver: ${located.message}\n`);
    return 2;
  }
  const totals: Totals = { compared: 0, agreed: 0, ourUnknown: 0, theirUnknown: 0 };
  const queries = values.log === undefined ? generated(Number(values.count), Number(values.seed)) : logged(values.log);
  let batch: Asked[] = [];
  const finish = (): Asked | null => {
    const disputed = compare(located.command, batch, totals);
    batch = [];
    process.stdout.write(
      `${totals.compared} compared, ${totals.agreed} agree, unknown to us ${totals.ourUnknown}, to ${values.solver} ${totals.theirUnknown}\n`,
    );
    return disputed;
  };
  for (const asked of queries) {
    batch.push(asked);
    const disputed = batch.length === BATCH ? finish() : null;
    if (disputed !== null) return report(disputed);
  }
  const disputed = batch.length > 0 ? finish() : null;
  return disputed === null ? 0 : report(disputed);
}

function report(disputed: Asked): number {
  writeFileSync("qualify-solver-disputed.smt2", disputed.script);
  process.stdout.write(
    `DISAGREEMENT: we say ${disputed.verdict} to ${disputed.name}; see qualify-solver-disputed.smt2\n`,
  );
  return 1;
}

process.exitCode = main();
