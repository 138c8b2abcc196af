// The first layer: conditions over one input byte are intersected as sets of values (byte-domains.ts). A query of nothing
// else is answered here, with the value nearest to the hint's; an empty set is a contradiction, whatever else the query says.
// The rest goes on to the next layer.

import type { ExprArena } from "../../expr/arena.js";
import { FALSE, TRUE } from "../../expr/arena.js";
import { answerOutOfTime } from "../out-of-time.js";
import type { Model, Query, Solver, Verdict } from "../solver.js";
import type { ByteDomains } from "./byte-domains.js";
import { ByteSets } from "./byte-sets.js";

export class ByteDomainLayer implements Solver {
  /** Queries answered here. */
  sat = 0;
  unsat = 0;
  private readonly sets: ByteSets;

  constructor(
    private readonly arena: ExprArena,
    private readonly domains: ByteDomains,
    private readonly next: Solver,
  ) {
    this.sets = new ByteSets(arena, domains);
  }

  solve(query: Query): Verdict {
    this.domains.begin(query.deadlineMs ?? Number.POSITIVE_INFINITY);
    try {
      return this.decide(query);
    } catch (thrown) {
      return answerOutOfTime(thrown);
    }
  }

  private decide(query: Query): Verdict {
    const { constraints } = query;
    const { arena, sets } = this;
    this.domains.refresh();
    sets.clear();
    let others = 0;
    for (let i = 0; i < constraints.length; i++) {
      const e = constraints[i];
      if (arena.supportSize(e) === 1) {
        sets.intersect(e);
      } else if (e === FALSE) {
        this.unsat++;
        return { kind: "unsat", core: [i] };
      } else if (e !== TRUE) {
        others++;
      }
    }
    for (let place = 0; place < sets.count; place++) {
      if (!sets.isEmpty(place)) continue;
      this.unsat++;
      return { kind: "unsat", core: sets.makers(constraints, sets.bytes[place]) };
    }
    if (others > 0) {
      const { isTimed, deadlineMs } = this.domains;
      return this.next.solve(isTimed ? { ...query, deadlineMs } : query);
    }
    this.sat++;
    return { kind: "sat", model: this.model(query.hint) };
  }

  private model(hint: Model): Model {
    const { sets } = this;
    let length = hint.length;
    for (let place = 0; place < sets.count; place++) if (sets.bytes[place] >= length) length = sets.bytes[place] + 1;
    const model = new Uint8Array(length);
    model.set(hint);
    for (let place = 0; place < sets.count; place++) {
      const byte = sets.bytes[place];
      model[byte] = sets.nearest(place, model[byte]);
    }
    return model;
  }
}
