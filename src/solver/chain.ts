// (being written) One place that assembles the chain.
import type { ExprArena } from "../expr/arena.js";
import { BlastingSolver } from "./blasting-solver.js";
import type { Solver } from "./solver.js";
export type ChainOptions = Record<string, never>;
export function assembleSolver(arena: ExprArena, _options: ChainOptions): Solver {
  return new BlastingSolver(arena);
}
