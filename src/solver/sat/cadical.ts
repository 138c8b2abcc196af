// CaDiCaL (WebAssembly) for the queries that quick-sat.ts gives up on. A fresh instance for each: releasing costs less than
// what an old instance remembers. Its C functions are called directly; the package's wrapper converts every argument and
// checks every literal. The time limit is kept by its terminate callback, which it asks some five times a millisecond
// (measured); making the callback takes a tenth of a millisecond, which these queries can afford.

import { loadCadical } from "cadical-wasm";
import { CLAUSE_LITERALS, CLAUSE_SIZE, type ClauseArena } from "../blast/clauses.js";
import type { SatCore, SatLimits, SatOutcome } from "./sat-core.js";

/** The functions of the compiled CaDiCaL that are used here. Handles and text are addresses in its memory. */
interface CadicalFunctions {
  _ccadical_init(): number;
  _ccadical_release(solver: number): void;
  _ccadical_add(solver: number, literal: number): void;
  _ccadical_assume(solver: number, literal: number): void;
  _ccadical_phase(solver: number, literal: number): void;
  _ccadical_limit(solver: number, name: number, value: number): void;
  _ccadical_solve(solver: number): number;
  _ccadical_val(solver: number, literal: number): number;
  _ccadical_failed(solver: number, literal: number): number;
  _ccadical_set_terminate(solver: number, state: number, callback: number): void;
  _ccadical_declare_more_variables(solver: number, count: number): number;
  _malloc(bytes: number): number;
  addFunction(callback: () => number, signature: string): number;
  removeFunction(callback: number): void;
  stringToUTF8(text: string, address: number, maxBytes: number): void;
}

// Loading compiles a megabyte of WebAssembly (20 ms). It is asynchronous and a solver is not, so it happens on import.
const functions = (await loadCadical()) as unknown as CadicalFunctions;
const CONFLICTS_TEXT = cText("conflicts");

const SATISFIABLE = 10;
const UNSATISFIABLE = 20;
/** What its C interface takes. */
const MAX_CONFLICTS = 0x7fff_ffff;

function cText(text: string): number {
  const address = functions._malloc(text.length + 1);
  functions.stringToUTF8(text, address, text.length + 1);
  return address;
}

function toDimacs(literal: number): number {
  return (literal & 1) !== 0 ? -(literal >> 1) : literal >> 1;
}

export class CadicalCore implements SatCore {
  readonly failed: number[] = [];
  private values = new Uint8Array(0);

  value(variable: number): number {
    return this.values[variable];
  }

  solve(clauses: ClauseArena, assumptions: readonly number[], phases: Uint8Array, limits: SatLimits): SatOutcome {
    this.failed.length = 0;
    const constantFalse = assumptions.indexOf(1);
    if (constantFalse >= 0) {
      this.failed.push(constantFalse);
      return "unsat";
    }
    const isLate = functions.addFunction(() => (performance.now() > limits.deadlineMs ? 1 : 0), "ii");
    const solver = functions._ccadical_init();
    try {
      functions._ccadical_set_terminate(solver, 0, isLate);
      functions._ccadical_declare_more_variables(solver, clauses.variableCount);
      addClauses(solver, clauses);
      for (let variable = 1; variable <= clauses.variableCount; variable++) {
        functions._ccadical_phase(solver, phases[variable] !== 0 ? variable : -variable);
      }
      return this.search(solver, clauses.variableCount, assumptions, limits);
    } finally {
      functions._ccadical_release(solver);
      functions.removeFunction(isLate);
    }
  }

  private search(solver: number, variableCount: number, assumptions: readonly number[], limits: SatLimits): SatOutcome {
    for (const literal of assumptions) if (literal > 1) functions._ccadical_assume(solver, toDimacs(literal));
    functions._ccadical_limit(solver, CONFLICTS_TEXT, Math.min(limits.conflicts, MAX_CONFLICTS));
    const status = functions._ccadical_solve(solver);
    if (status === SATISFIABLE) {
      this.readModel(solver, variableCount);
      return "sat";
    }
    if (status !== UNSATISFIABLE) return performance.now() > limits.deadlineMs ? "time" : "conflicts";
    for (let i = 0; i < assumptions.length; i++) {
      const literal = assumptions[i];
      if (literal > 1 && functions._ccadical_failed(solver, toDimacs(literal)) !== 0) this.failed.push(i);
    }
    return "unsat";
  }

  private readModel(solver: number, variableCount: number): void {
    if (this.values.length <= variableCount) this.values = new Uint8Array(variableCount + 1);
    for (let variable = 1; variable <= variableCount; variable++) {
      this.values[variable] = functions._ccadical_val(solver, variable) > 0 ? 1 : 0;
    }
  }
}

function addClauses(solver: number, clauses: ClauseArena): void {
  const { data, first } = clauses;
  const add = functions._ccadical_add;
  let clause = first;
  while (clause < clauses.inputEnd) {
    const size = data[clause + CLAUSE_SIZE];
    for (let i = 0; i < size; i++) add(solver, toDimacs(data[clause + CLAUSE_LITERALS + i]));
    add(solver, 0);
    clause += CLAUSE_LITERALS + size;
  }
}
