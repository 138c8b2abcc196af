// Rewriting under equalities: where the query says `x == constant`, x is replaced by the constant in the other conditions, and
// a condition that occurs inside another is replaced by true. Constructors fold and rewrite what comes out; often one byte
// remains, or a contradiction in plain sight. For plain arithmetic the SAT solver's propagation does the same at less cost,
// so that this is tried only where a product, quotient, shift or lookup may vanish (expensive-nodes.ts).
//
// Order: equalities first, by age; each condition is rewritten by those before it and never by itself, so that the rewritten
// query is equivalent to the original: an equality that was used is itself still there.
// Each rewritten condition knows the conditions that it was rewritten by, for the core.

import type { ExprArena } from "../../expr/arena.js";
import { FALSE, TRUE } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import type { Query, Solver, Verdict } from "../solver.js";
import type { ExpensiveNodes } from "./expensive-nodes.js";
import { Rewriter } from "./rewriter.js";

/** Nodes that one query may visit: beyond that, the SAT solver is no slower. */
const MAX_VISITS = 10_000;
/** How often a rewritten query may be rewritten again. */
const MAX_ROUNDS = 3;
/** After this many attempts, the share of queries that changed decides whether to go on. */
const TRIAL = 64;

export class SubstitutionLayer implements Solver {
  /** Queries rewritten, and those of them that a contradiction in plain sight answered. */
  rewritten = 0;
  contradictions = 0;
  private readonly rewriter: Rewriter;
  private attempts = 0;
  private skipped = 0;
  private rounds = 0;
  /** Where rewritten queries start again; set by the chain after it is assembled. */
  front: Solver | null = null;

  constructor(
    private readonly arena: ExprArena,
    private readonly expensive: ExpensiveNodes,
    private readonly next: Solver,
  ) {
    this.rewriter = new Rewriter(arena);
  }

  solve(query: Query): Verdict {
    const { constraints } = query;
    if (this.rounds >= MAX_ROUNDS || !this.isPromising(constraints)) return this.next.solve(query);
    this.attempts++;
    const { rewriter } = this;
    const usedBy: number[][] = [];
    const rewritten: ExprRef[] = [];
    let changed = false;
    rewriter.begin();
    for (const position of this.order(constraints)) {
      const before = constraints[position];
      const after = rewriter.rewrite(before, MAX_VISITS);
      if (after === 0) return this.next.solve(query);
      if (after !== before) changed = true;
      rewritten[position] = after;
      usedBy[position] = rewriter.used === 0 ? NOTHING : rewriter.positions(rewriter.used);
      if (after === FALSE) {
        this.contradictions++;
        return { kind: "unsat", core: closure([position], usedBy) };
      }
      if (after !== TRUE) this.learn(after, position);
    }
    if (!changed) return this.next.solve(query);
    this.rewritten++;
    return this.solveRewritten(query, rewritten, usedBy);
  }

  private solveRewritten(query: Query, rewritten: readonly ExprRef[], usedBy: readonly number[][]): Verdict {
    const positions: number[] = [];
    const constraints: ExprRef[] = [];
    for (let i = 0; i < rewritten.length; i++) {
      if (rewritten[i] === TRUE) continue;
      positions.push(i);
      constraints.push(rewritten[i]);
    }
    this.rounds++;
    let verdict: Verdict;
    try {
      verdict = (this.front ?? this.next).solve({ ...query, constraints });
    } finally {
      this.rounds--;
    }
    if (verdict.kind !== "unsat") return verdict;
    const core = verdict.core.map((place) => positions[place]);
    return { kind: "unsat", core: closure(core, usedBy) };
  }

  private isPromising(constraints: readonly ExprRef[]): boolean {
    if (constraints.length < 2) return false;
    let equalities = 0;
    let expensive = 0;
    for (let i = 0; i < constraints.length; i++) {
      if (this.isEquality(constraints[i])) equalities++;
      if (this.expensive.has(constraints[i])) expensive++;
    }
    if (equalities === 0 || expensive === 0) return false;
    if (this.attempts < TRIAL || (this.rewritten + this.contradictions) * 8 > this.attempts) return true;
    return ++this.skipped % 8 === 0;
  }

  private isEquality(e: ExprRef): boolean {
    return this.arena.op(e) === OPS.eq.code && this.arena.isConstant(this.arena.b(e));
  }

  /** Equalities by age, then everything else by position. */
  private order(constraints: readonly ExprRef[]): number[] {
    const equalities: number[] = [];
    const others: number[] = [];
    for (let i = 0; i < constraints.length; i++) (this.isEquality(constraints[i]) ? equalities : others).push(i);
    equalities.sort((x, y) => constraints[x] - constraints[y] || x - y);
    return equalities.concat(others);
  }

  /** `e` is true: what follows for other nodes. */
  private learn(e: ExprRef, position: number): void {
    const { arena, rewriter } = this;
    rewriter.replace(e, TRUE, position);
    const op = arena.op(e);
    if (op === OPS.not.code) rewriter.replace(arena.a(e), FALSE, position);
    if (op !== OPS.and.code && op !== OPS.not.code && !this.isEquality(e)) return;
    rewriter.refresh();
    const pending: [ExprRef, ExprRef][] = [[e, TRUE]];
    while (pending.length > 0) this.learnNode(pending, position);
  }

  private learnNode(pending: [ExprRef, ExprRef][], position: number): void {
    const { arena, rewriter } = this;
    const [node, value] = pending.pop()!;
    if (arena.isConstant(node)) return;
    rewriter.replace(node, value, position);
    const op = arena.op(node);
    if (value === TRUE && op === OPS.and.code) {
      pending.push([arena.a(node), TRUE], [arena.b(node), TRUE]);
    } else if (value === FALSE && op === OPS.or.code) {
      pending.push([arena.a(node), FALSE], [arena.b(node), FALSE]);
    } else if (value === TRUE && this.isEquality(node)) {
      pending.push([arena.a(node), arena.b(node)]);
    } else if (op === OPS.concat.code) {
      const low = arena.width(arena.b(node));
      pending.push([arena.b(node), arena.extract(value, 0, low)]);
      pending.push([arena.a(node), arena.extract(value, low, arena.width(value) - low)]);
    } else if (op === OPS.zext.code || op === OPS.sext.code) {
      pending.push([arena.a(node), arena.extract(value, 0, arena.width(arena.a(node)))]);
    } else if (op === OPS.not.code) {
      pending.push([arena.a(node), arena.not(value)]);
    }
  }
}

const NOTHING: number[] = [];

/** The positions with everything that they were rewritten by, ascending. */
function closure(positions: readonly number[], usedBy: readonly number[][]): number[] {
  const all = new Set(positions);
  // A set yields what is added to it while it is walked.
  for (const position of all) for (const other of usedBy[position] ?? NOTHING) all.add(other);
  return Array.from(all).sort((x, y) => x - y);
}
