// Rewriting under equalities: where the query says `x == constant`, x is replaced by the constant in the other conditions, and
// a condition that occurs inside another is replaced by true. Constructors fold and rewrite what comes out; often one byte
// remains, or a contradiction in plain sight. For plain arithmetic the SAT solver's propagation does the same at less cost,
// so that this is tried only where a product, quotient, shift or lookup may vanish (expensive-nodes.ts).
//
// Order: equalities first, by age; each condition is rewritten by those before it and never by itself, so that the rewritten
// query is equivalent to the original: an equality that was used is itself still there.
// Each rewritten condition knows the conditions that it was rewritten by, for the core.

import type { ExprArena, TableRef } from "../expr/arena.js";
import { FALSE, TRUE } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { ExpensiveNodes } from "./expensive-nodes.js";
import type { Query, Solver, Verdict } from "./solver.js";

/** Nodes that one query may visit: beyond that, the SAT solver is no slower. */
const MAX_VISITS = 20_000;
/** How often a rewritten query may be rewritten again. */
const MAX_ROUNDS = 3;

export class SubstitutionLayer implements Solver {
  /** Queries rewritten, and those of them that a contradiction in plain sight answered. */
  rewritten = 0;
  contradictions = 0;
  private readonly expensive: ExpensiveNodes;
  /** What a node is replaced by in the query at hand, and the position that says so. */
  private readonly replacement = new Map<ExprRef, ExprRef>();
  private readonly source = new Map<ExprRef, number>();
  /** Results for the condition at hand. */
  private readonly done = new Map<ExprRef, ExprRef>();
  private readonly stack: ExprRef[] = [];
  private used = new Set<number>();
  private visits = 0;
  private rounds = 0;
  /** Where rewritten queries start again; set by the chain after it is assembled. */
  front: Solver | null = null;

  constructor(
    private readonly arena: ExprArena,
    private readonly next: Solver,
  ) {
    this.expensive = new ExpensiveNodes(arena);
  }

  solve(query: Query): Verdict {
    const { constraints } = query;
    if (this.rounds >= MAX_ROUNDS || !this.isPromising(constraints)) return this.next.solve(query);
    const usedBy: Set<number>[] = [];
    const rewritten: ExprRef[] = [];
    let changed = false;
    this.replacement.clear();
    this.source.clear();
    this.visits = 0;
    for (const position of this.order(constraints)) {
      this.used = new Set();
      const before = constraints[position];
      const after = this.rewrite(before);
      if (this.visits > MAX_VISITS) return this.next.solve(query);
      if (after !== before) changed = true;
      rewritten[position] = after;
      usedBy[position] = this.used;
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

  private solveRewritten(query: Query, rewritten: readonly ExprRef[], usedBy: readonly Set<number>[]): Verdict {
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
      verdict = (this.front ?? this.next).solve({ constraints, hint: query.hint });
    } finally {
      this.rounds--;
    }
    if (verdict.kind !== "unsat") return verdict;
    const core = verdict.core.map((place) => positions[place]);
    return { kind: "unsat", core: closure(core, usedBy) };
  }

  private isPromising(constraints: readonly ExprRef[]): boolean {
    let equalities = 0;
    let expensive = 0;
    for (let i = 0; i < constraints.length; i++) {
      if (this.isEquality(constraints[i])) equalities++;
      if (this.expensive.has(constraints[i])) expensive++;
    }
    return equalities > 0 && expensive > 0 && constraints.length > 1;
  }

  private isEquality(e: ExprRef): boolean {
    return this.arena.op(e) === OPS.eq.code && this.arena.isConstant(this.arena.b(e));
  }

  /** Equalities by age, then everything else by position. */
  private order(constraints: readonly ExprRef[]): number[] {
    const positions = constraints.map((_, i) => i);
    const rank = (i: number): number => (this.isEquality(constraints[i]) ? constraints[i] : Number.POSITIVE_INFINITY);
    return positions.sort((x, y) => {
      const difference = rank(x) - rank(y);
      return Number.isNaN(difference) || difference === 0 ? x - y : difference;
    });
  }

  /** `e` is true: what follows for other nodes. */
  private learn(e: ExprRef, position: number): void {
    const { arena } = this;
    const pending: [ExprRef, ExprRef][] = [[e, TRUE]];
    while (pending.length > 0) {
      const [node, value] = pending.pop()!;
      if (arena.isConstant(node)) continue;
      this.replace(node, value, position);
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

  private replace(node: ExprRef, value: ExprRef, position: number): void {
    if (this.replacement.has(node)) return;
    this.replacement.set(node, value);
    this.source.set(node, position);
  }

  private rewrite(root: ExprRef): ExprRef {
    if (this.replacement.size === 0) return root;
    const { arena, stack, done } = this;
    done.clear();
    stack.push(root);
    while (stack.length > 0) {
      const e = stack[stack.length - 1];
      if (done.has(e)) {
        stack.pop();
        continue;
      }
      const value = this.replacement.get(e);
      if (value !== undefined) {
        this.used.add(this.source.get(e)!);
        done.set(e, value);
        stack.pop();
        continue;
      }
      if (++this.visits > MAX_VISITS) {
        stack.length = 0;
        return root;
      }
      const waiting = stack.length;
      this.pushOperands(e);
      if (stack.length > waiting) continue;
      stack.pop();
      done.set(e, arena.op(e) === OPS.lookup.code ? this.rebuildLookup(e) : this.rebuild(e));
    }
    return done.get(root)!;
  }

  private pushOperands(e: ExprRef): void {
    const { arena, stack, done } = this;
    const op = arena.op(e);
    const push = (operand: ExprRef): void => {
      if (!done.has(operand)) stack.push(operand);
    };
    if (op === OPS.constant.code || op === OPS.variable.code) return;
    push(arena.a(e));
    if (op === OPS.ite.code) {
      push(arena.b(e));
      push(arena.c(e));
    } else if (op === OPS.lookup.code) {
      for (const entry of arena.tableEntries(arena.payload(e) as TableRef)) {
        if (!arena.isConstant(entry as ExprRef)) push(entry as ExprRef);
      }
    } else if (!isUnary(op)) {
      push(arena.b(e));
    }
  }

  private rebuild(e: ExprRef): ExprRef {
    const { arena, done } = this;
    const op = arena.op(e);
    if (op === OPS.constant.code || op === OPS.variable.code) return e;
    const a = done.get(arena.a(e))!;
    if (isUnary(op)) {
      if (a === arena.a(e)) return e;
      if (op === OPS.extract.code) return arena.extract(a, arena.payload(e), arena.width(e));
      if (op === OPS.zext.code) return arena.zext(a, arena.width(e));
      if (op === OPS.sext.code) return arena.sext(a, arena.width(e));
      return arena.unary(op, a);
    }
    const b = done.get(arena.b(e))!;
    if (op === OPS.ite.code) {
      const c = done.get(arena.c(e))!;
      return a === arena.a(e) && b === arena.b(e) && c === arena.c(e) ? e : arena.ite(a, b, c);
    }
    if (a === arena.a(e) && b === arena.b(e)) return e;
    return op === OPS.concat.code ? arena.concat(a, b) : arena.binary(op, a, b);
  }

  private rebuildLookup(e: ExprRef): ExprRef {
    const { arena, done } = this;
    const index = done.get(arena.a(e))!;
    const table = arena.payload(e) as TableRef;
    const entries = arena.tableEntries(table);
    let changed = false;
    for (const entry of entries) if ((done.get(entry as ExprRef) ?? entry) !== entry) changed = true;
    if (!changed) return index === arena.a(e) ? e : arena.lookup(table, index);
    return arena.lookup(
      arena.table(Array.from(entries, (entry) => done.get(entry as ExprRef) ?? (entry as ExprRef))),
      index,
    );
  }
}

function isUnary(op: number): boolean {
  return (
    op === OPS.not.code ||
    op === OPS.neg.code ||
    op === OPS.extract.code ||
    op === OPS.zext.code ||
    op === OPS.sext.code
  );
}

/** The positions with everything that they were rewritten by, ascending. */
function closure(positions: readonly number[], usedBy: readonly Set<number>[]): number[] {
  const all = new Set(positions);
  // A set yields what is added to it while it is walked.
  for (const position of all) for (const other of usedBy[position] ?? []) all.add(other);
  return Array.from(all).sort((x, y) => x - y);
}
