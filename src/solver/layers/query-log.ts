// Writes every query that reaches the core as an SMT-LIB 2 file with the verdict it got, for comparison with another solver
// (scripts/qualify-solver.ts) and for bug reports. Files are numbered; beyond a limit nothing is written, so that a long
// search does not fill the disk.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExprArena } from "../../expr/arena.js";
import { queryScript } from "../external.js";
import type { Query, Solver, Verdict } from "../solver.js";

const DEFAULT_LOG_LIMIT = 100_000;

export class QueryLog {
  written = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly directory: string,
    private readonly limit: number = DEFAULT_LOG_LIMIT,
  ) {
    mkdirSync(directory, { recursive: true });
  }

  /** Returns the file's path, or null beyond the limit. */
  write(query: Query, verdict: string): string | null {
    if (this.written >= this.limit) return null;
    this.written++;
    const path = join(this.directory, `${String(this.written).padStart(6, "0")}-${verdict}.smt2`);
    writeFileSync(path, queryScript(this.arena, query.constraints, verdict));
    return path;
  }
}

export class QueryLogLayer implements Solver {
  constructor(
    private readonly log: QueryLog,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    const verdict = this.next.solve(query);
    this.log.write(query, verdict.kind);
    return verdict;
  }
}
