// A part of the execution tree for itself: decisions before a given depth are taken as they come, and their other sides are
// somebody else's. Several engines can so divide one exploration between them: a pending path is handed over as an input
// that follows it and the number of decisions that are fixed by that.
//
// Invariant: rows are made exactly as the frontier makes them, so that a later run of this engine finds its way along them.

import type { ExprRef } from "../expr/ops.js";
import type { NewGround } from "../path/frontier.js";
import type { CheckKind, SiteId } from "../path/observer.js";
import type { PathConditions } from "../path/path-conditions.js";
import { CLOSED, type ExecutionTree, ROW, type RowIndex } from "../path/tree.js";

export class SubtreeGround implements NewGround {
  constructor(
    private readonly tree: ExecutionTree,
    private readonly conditions: PathConditions,
    private readonly beyond: NewGround,
    /** Decisions that are fixed. */
    private readonly depth: number,
  ) {}

  two(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    return this.isFixed ? this.add(site, kind, holds) : this.beyond.two(site, kind, holds);
  }

  choose(site: SiteId, holds: ExprRef, others: readonly ExprRef[]): RowIndex {
    if (!this.isFixed) return this.beyond.choose(site, holds, others);
    const choice = this.tree.addRow(site, ROW.choose, holds, CLOSED.none);
    for (const other of others) this.tree.addRow(site, ROW.alternative, other, CLOSED.none);
    this.conditions.push(holds, false);
    return choice;
  }

  check(site: SiteId, kind: CheckKind, bad: ExprRef, holds: ExprRef): RowIndex {
    return this.isFixed ? this.add(site, ROW.check, holds) : this.beyond.check(site, kind, bad, holds);
  }

  assumed(site: SiteId, kind: number, holds: ExprRef): void {
    if (this.isFixed) this.add(site, kind, holds);
    else this.beyond.assumed(site, kind, holds);
  }

  violated(site: SiteId, kind: number, holds: ExprRef, assumption: ExprRef): boolean {
    if (!this.isFixed) return this.beyond.violated(site, kind, holds, assumption);
    this.tree.addRow(site, kind, holds, CLOSED.none);
    return false;
  }

  private get isFixed(): boolean {
    return this.conditions.position < this.depth;
  }

  private add(site: SiteId, kind: number, holds: ExprRef): RowIndex {
    const row = this.tree.addRow(site, kind, holds, CLOSED.none);
    this.conditions.push(holds, false);
    return row;
  }
}
