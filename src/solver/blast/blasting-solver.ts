// The core of the chain: the query's constraints become gates, their cone becomes clauses, each constraint is one assumption,
// so that failed assumptions are the unsatisfiable core. The small SAT solver tries first; CaDiCaL takes what it gives up on.
// Constraints over one byte are not assumed: they restrict the byte's values before there are clauses (cone.ts). A core then
// has those of all bytes that the failed constraints mention, which may be more than needed (minimize-core.ts).

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { ByteDomains } from "../layers/byte-domains.js";
import { ByteSets } from "../layers/byte-sets.js";
import { answerOutOfTime } from "../out-of-time.js";
import { CadicalCore } from "../sat/cadical.js";
import { QuickSat } from "../sat/quick-sat.js";
import type { SatCore, SatOutcome } from "../sat/sat-core.js";
import type { Model, Query, Solver, Verdict } from "../solver.js";
import { BitBlaster, CircuitTooLarge } from "./bit-blast.js";
import { Cone } from "./cone.js";

export interface BlastingLimits {
  /** Conflicts after which a query goes to CaDiCaL, 0 for at once: where its set-up has paid off (bench/solver.ts). */
  readonly quickConflicts: number;
  /** Conflicts of CaDiCaL after which the answer is unknown. */
  readonly conflicts: number;
  readonly timeMs: number;
}

export const DEFAULT_BLASTING_LIMITS: BlastingLimits = {
  quickConflicts: 2000,
  conflicts: 10_000_000,
  timeMs: 10_000,
};

/** Of the time of a question: attempts are followed by the question itself. */
const ATTEMPT_SHARE = 1 / 8;

/** Some hundred megabytes, with the clauses made of them. */
const MANY_GATES = 1 << 19;

interface Gear {
  readonly blaster: BitBlaster;
  readonly cone: Cone;
  readonly quick: QuickSat;
  readonly cadical: CadicalCore;
}

function newGear(arena: ExprArena): Gear {
  const blaster = new BitBlaster(arena);
  return { blaster, cone: new Cone(blaster.graph), quick: new QuickSat(), cadical: new CadicalCore() };
}

export class BlastingSolver implements Solver {
  /** How often each of the two answered, and how often neither did. */
  readonly counts = { quick: 0, cadical: 0, unknown: 0, variables: 0, conflicts: 0 };
  /** Made for the first question that comes this far: for most tests of a suite there is none. */
  private made: Gear | null = null;
  private readonly sets: ByteSets;
  /** Literals of the constraints over several bytes, and where they are in the query. */
  private readonly roots: number[] = [];
  private readonly positions: number[] = [];

  constructor(
    private readonly arena: ExprArena,
    private readonly limits: BlastingLimits = DEFAULT_BLASTING_LIMITS,
    private readonly domains: ByteDomains = new ByteDomains(arena),
  ) {
    this.sets = new ByteSets(arena, domains);
  }

  private get gear(): Gear {
    this.made ??= newGear(this.arena);
    return this.made;
  }

  /** The circuits, with the room of the largest question so far. The next question makes its own anew. */
  giveBack(): void {
    if (this.made !== null && this.made.blaster.graph.count >= MANY_GATES) this.made = null;
  }

  solve(query: Query): Verdict {
    return this.decide(query, this.limits);
  }

  /** The same within so many conflicts; beyond them nothing is known, and nothing is counted as unknown. */
  attempt(query: Query, conflicts: number): Verdict {
    const { unknown } = this.counts;
    const timeMs = ATTEMPT_SHARE * this.limits.timeMs;
    const verdict = this.decide(query, { ...this.limits, quickConflicts: conflicts, conflicts, timeMs });
    this.counts.unknown = unknown;
    return verdict;
  }

  private decide(query: Query, limits: BlastingLimits): Verdict {
    const { roots, counts, sets } = this;
    const { blaster, cone, quick, cadical } = this.gear;
    const { deadlineMs: lastMs = Number.POSITIVE_INFINITY } = query;
    const deadlineMs = Math.min(lastMs, performance.now() + limits.timeMs);
    blaster.deadlineMs = deadlineMs;
    if (blaster.refresh()) cone.attach(blaster.graph);
    try {
      this.takeConstraints(query.constraints);
    } catch (error) {
      counts.unknown++;
      if (!(error instanceof CircuitTooLarge)) return answerOutOfTime(error);
      return { kind: "unknown", reason: error.reason };
    }
    for (let place = 0; place < sets.count; place++) {
      if (sets.isEmpty(place)) return { kind: "unsat", core: sets.makers(query.constraints, sets.bytes[place]) };
    }
    cone.build(roots, query.hint, sets.count > 0 ? sets : null);
    for (let i = 0; i < roots.length; i++) roots[i] = cone.literal(roots[i]);
    counts.variables += cone.clauses.variableCount;
    let core: SatCore = quick;
    let outcome: SatOutcome = "conflicts";
    if (limits.quickConflicts > 0) {
      outcome = this.run(core, Math.min(limits.quickConflicts, limits.conflicts), deadlineMs);
      counts.conflicts += quick.conflicts;
    }
    if (outcome === "conflicts" && limits.conflicts > limits.quickConflicts) {
      core = cadical;
      outcome = this.run(core, limits.conflicts - limits.quickConflicts, deadlineMs);
    }
    if (outcome === "time" || outcome === "conflicts") {
      counts.unknown++;
      return { kind: "unknown", reason: outcome };
    }
    if (core === quick) counts.quick++;
    else counts.cadical++;
    if (outcome === "unsat") return { kind: "unsat", core: this.coreOf(query.constraints, core.failed) };
    return { kind: "sat", model: this.readModel(core, query.hint) };
  }

  private takeConstraints(constraints: readonly ExprRef[]): void {
    const { roots, positions, sets, arena } = this;
    const { blaster } = this.gear;
    this.domains.refresh();
    sets.clear();
    roots.length = 0;
    positions.length = 0;
    for (let i = 0; i < constraints.length; i++) {
      if (arena.supportSize(constraints[i]) === 1) {
        sets.intersect(constraints[i]);
      } else {
        roots.push(blaster.literal(constraints[i]));
        positions.push(i);
      }
    }
  }

  private coreOf(constraints: readonly ExprRef[], failed: readonly number[]): number[] {
    const core = failed.map((place) => this.positions[place]);
    const bytes = new Set<number>();
    for (const position of core) for (const byte of this.arena.support(constraints[position])) bytes.add(byte);
    for (const byte of bytes) if (this.sets.place(byte) >= 0) core.push(...this.sets.makers(constraints, byte));
    return core.sort((x, y) => x - y);
  }

  private run(core: SatCore, conflicts: number, deadlineMs: number): SatOutcome {
    const { cone } = this.gear;
    return core.solve(cone.clauses, this.roots, cone.phases, { conflicts, deadlineMs });
  }

  private readModel(core: SatCore, hint: Model): Model {
    const { sets } = this;
    const { cone, blaster } = this.gear;
    const { a, b } = blaster.graph;
    let length = hint.length;
    for (let i = 0; i < cone.inputCount; i++) length = Math.max(length, a[cone.inputs[i]] + 1);
    for (let place = 0; place < sets.count; place++) length = Math.max(length, sets.bytes[place] + 1);
    const model = new Uint8Array(length);
    model.set(hint);
    // Bits that the set leaves no choice about are not in the cone: any allowed value has them.
    for (let place = 0; place < sets.count; place++) {
      model[sets.bytes[place]] = sets.nearest(place, model[sets.bytes[place]]);
    }
    for (let i = 0; i < cone.inputCount; i++) {
      const byte = a[cone.inputs[i]];
      const mask = 1 << b[cone.inputs[i]];
      if (core.value(i + 1) !== 0) model[byte] |= mask;
      else model[byte] &= ~mask;
    }
    return model;
  }
}
