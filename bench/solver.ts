// Microseconds per query of the solver, by kind of query, and of its core with either SAT solver alone. Every query is made
// new from a seeded generator, so that no cache answers twice; a warm-up round comes first. Times are the processor's, so
// that other programs on the machine matter less.
// Use: node dist/bench/solver.js [queries per kind]

import { scriptWords } from "../scripts/usage.js";
import { ExprArena } from "../src/expr/arena.js";
import type { ExprRef } from "../src/expr/ops.js";
import { BlastingSolver, DEFAULT_BLASTING_LIMITS } from "../src/solver/blast/blasting-solver.js";
import { assembleSolver } from "../src/solver/chain.js";
import type { Query, Solver } from "../src/solver/solver.js";
import { Random } from "../src/support/random.js";

type MakeQuery = (arena: ExprArena, random: Random) => Query;

function bytesAsWord(arena: ExprArena, from: number, count: number): ExprRef {
  let word = arena.variable(from);
  for (let i = 1; i < count; i++) word = arena.concat(arena.variable(from + i), word);
  return word;
}

function randomHint(random: Random, length: number): Uint8Array {
  const hint = new Uint8Array(length);
  random.fill(hint);
  return hint;
}

/** What a scanner asks: this byte is none of some characters, in a range, and now it shall be another one. */
const singleByte: MakeQuery = (arena, random) => {
  const byte = arena.variable(random.next() % 16);
  const constraints: ExprRef[] = [];
  const count = 1 + (random.next() % 6);
  for (let i = 0; i < count; i++) {
    constraints.push(arena.not(arena.binary("eq", byte, arena.constant(8, random.next() & 63, 0))));
  }
  constraints.push(arena.binary("ult", byte, arena.constant(8, 128 + (random.next() & 63), 0)));
  constraints.push(arena.binary("ult", arena.constant(8, random.next() & 63, 0), byte));
  return { constraints, hint: randomHint(random, 64) };
};

/** Four digits, and a comparison of the number that they are. */
const atoi: MakeQuery = (arena, random) => {
  const constraints: ExprRef[] = [];
  let value = arena.constant(32, 0, 0);
  const start = random.next() % 32;
  for (let i = 0; i < 4; i++) {
    const byte = arena.variable(start + i);
    const digit = arena.binary("sub", arena.zext(byte, 32), arena.constant(32, 48, 0));
    constraints.push(arena.binary("ult", digit, arena.constant(32, 10, 0)));
    value = arena.binary("add", arena.binary("mul", value, arena.constant(32, 10, 0)), digit);
  }
  const limit = arena.constant(32, random.next() % 10_000, 0);
  constraints.push(arena.binary(random.next() % 2 === 0 ? "eq" : "slt", value, limit));
  return { constraints, hint: randomHint(random, 64) };
};

/** x * 1103515245 + 12345 = something, for a 32-bit x. */
const multiplyAdd: MakeQuery = (arena, random) => {
  const x = bytesAsWord(arena, 4 * (random.next() % 8), 4);
  const factor = arena.constant(32, (random.next() | 1) >>> 0, 0);
  const sum = arena.binary("add", arena.binary("mul", x, factor), arena.constant(32, 12_345, 0));
  const constraints = [arena.binary("eq", sum, arena.constant(32, random.next(), 0))];
  return { constraints, hint: randomHint(random, 64) };
};

/** The comparisons of a bubble sort of six ints, the last one turned around. */
const sortedness: MakeQuery = (arena, random) => {
  const words = Array.from({ length: 6 }, (_, i) => bytesAsWord(arena, 4 * i, 4));
  const hint = randomHint(random, 24);
  const view = new DataView(hint.buffer);
  const constraints: ExprRef[] = [];
  const order = [0, 1, 2, 3, 4, 5];
  for (let end = 5; end > 0; end--) {
    for (let i = 0; i < end; i++) {
      const left = view.getInt32(4 * order[i], true);
      const right = view.getInt32(4 * order[i + 1], true);
      const greater = arena.binary("slt", words[order[i + 1]], words[order[i]]);
      constraints.push(left > right ? greater : arena.not(greater));
      if (left > right) order.splice(i, 2, order[i + 1], order[i]);
    }
  }
  const kept = constraints.slice(0, 1 + (random.next() % constraints.length));
  kept[kept.length - 1] = arena.not(kept[kept.length - 1]);
  return { constraints: kept, hint };
};

/** A byte of a table of 4096 entries at a 12-bit index of two input bytes. */
function tableLookup(): MakeQuery {
  const contents = new Uint8Array(4096);
  new Random(5).fill(contents);
  return (arena, random) => {
    const table = arena.table(Array.from(contents, (value) => arena.constant(8, value, 0)));
    const index = arena.extract(bytesAsWord(arena, 2 * (random.next() % 4), 2), 0, 12);
    const constraints = [
      arena.binary("eq", arena.lookup(table, index), arena.constant(8, random.next() & 255, 0)),
      arena.binary("ult", arena.constant(12, random.next() & 2047, 0), index),
    ];
    return { constraints, hint: randomHint(random, 16) };
  };
}

const KINDS: readonly (readonly [string, MakeQuery])[] = [
  ["single-byte slices", singleByte],
  ["4-byte atoi chains", atoi],
  ["32-bit multiply-add", multiplyAdd],
  ["sortedness of 6 ints", sortedness],
  ["4096-entry lookup", tableLookup()],
];

const SOLVERS: readonly (readonly [string, (arena: ExprArena) => Solver])[] = [
  ["chain", (arena) => assembleSolver(arena, {})],
  ["core", (arena) => new BlastingSolver(arena)],
  ["CaDiCaL", (arena) => new BlastingSolver(arena, { ...DEFAULT_BLASTING_LIMITS, quickConflicts: 0 })],
];

function measure(kind: MakeQuery, makeSolver: (arena: ExprArena) => Solver, count: number): string {
  const arena = new ExprArena();
  const solver = makeSolver(arena);
  const random = new Random(42);
  const queries = Array.from({ length: count * 2 }, () => kind(arena, random));
  for (let i = 0; i < count; i++) solver.solve(queries[i]);
  let unsat = 0;
  const start = process.cpuUsage();
  for (let i = count; i < queries.length; i++) if (solver.solve(queries[i]).kind === "unsat") unsat++;
  const { user, system } = process.cpuUsage(start);
  const share = Math.round((100 * unsat) / count);
  return `${((user + system) / count).toFixed(2).padStart(9)} us  (${share} % unsat)`;
}

const count = Number(scriptWords(import.meta.url)[0] ?? 300);
for (const [kindName, kind] of KINDS) {
  for (const [solverName, makeSolver] of SOLVERS) {
    const line = measure(
      kind,
      makeSolver,
      solverName === "chain" && kindName.startsWith("single") ? count * 20 : count,
    );
    process.stdout.write(`${kindName.padEnd(22)} ${solverName.padEnd(8)} ${line}\n`);
  }
}
