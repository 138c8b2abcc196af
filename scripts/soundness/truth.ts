// The truth oracle: whatever a run tells of its path must be true of the run's own input. A branch's condition evaluates to
// the side that was taken, the chosen alternative holds and no other does, what a check calls bad is not the case, a pinned
// value equals its constant. A translation that loses a shadow, builds a wrong expression or keeps a stale one is caught
// here at the very decision, while the engine would notice at best a divergence some paths later.
//
// Sits between the executor and its observer (the engine's recorder), or alone. Evaluates before it passes on, because
// the observer may end the run.

import type { Executor, RunLimits, RunOutcome } from "../../src/engine/executor.js";
import type { ProgramExecutor } from "../../src/engine/program-executor.js";
import { Evaluator } from "../../src/expr/evaluate.js";
import type { ExprRef } from "../../src/expr/ops.js";
import type { ProgramImage } from "../../src/jit/image.js";
import type { CheckKind, PathObserver, SiteId } from "../../src/path/observer.js";
import { RunStopped } from "../../src/path/run-stopped.js";
import type { Model } from "../../src/solver/solver.js";

/** Enough to see a pattern; one wrong shadow spoils all that follows. */
const MOST_REMEMBERED = 20;

export class TruthExecutor implements Executor {
  readonly arena;
  readonly coverage;
  /** Conditions looked at. */
  conditions = 0;
  /** Conditions that were not what the run did, and the first of them in words. */
  wrong = 0;
  readonly wrongs: string[] = [];
  /** What the checks guard against, by site. */
  readonly checks = new Map<SiteId, CheckKind>();
  private readonly evaluator: Evaluator;
  private next: PathObserver | null = null;
  private loaded = -1;
  private readonly oracle: PathObserver;

  constructor(private readonly inner: ProgramExecutor) {
    this.arena = inner.arena;
    this.coverage = inner.coverage;
    this.evaluator = new Evaluator(inner.arena);
    this.oracle = this.makeOracle();
  }

  /** Runs with the oracle before the observer; null: there is no other observer. */
  run(input: Model, observer: PathObserver | null, limits: RunLimits): RunOutcome {
    this.next = observer;
    this.loaded = -1;
    return this.inner.run(input, this.oracle, limits);
  }

  instructionsSoFar(): number {
    return this.inner.instructionsSoFar();
  }
  blocksOfRun(): readonly number[] {
    return this.inner.blocksOfRun();
  }

  private makeOracle(): PathObserver {
    return {
      branch: (site, condition, taken) => {
        this.expect(condition, taken, site, "branch");
        this.next?.branch(site, condition, taken);
      },
      choose: (site, taken, others) => {
        this.expect(taken, true, site, "choice taken");
        for (const other of others) this.expect(other, false, site, "choice not taken");
        this.next?.choose(site, taken, others);
      },
      check: (site, kind, bad) => {
        this.expect(bad, false, site, kind);
        this.checks.set(site, kind);
        this.next?.check(site, kind, bad);
      },
      pin: (site, reason, equals) => {
        this.expect(equals, true, site, `pin ${reason}`);
        this.next?.pin(site, reason, equals);
      },
      assume: (site, condition, holds) => {
        this.expect(condition, holds, site, "assumption");
        this.next?.assume(site, condition, holds);
        if (!holds) throw new RunStopped("assumption");
      },
    };
  }

  private expect(condition: ExprRef, value: boolean, site: SiteId, what: string): void {
    this.conditions++;
    const model = this.inner.host.inputs.currentModel();
    // The run's input grows when it meets a new object, and only then.
    if (this.loaded !== model.length) {
      this.loaded = model.length;
      this.evaluator.load(model);
    }
    if (this.evaluator.holds(condition) === value) return;
    this.wrong++;
    if (this.wrongs.length < MOST_REMEMBERED) {
      this.wrongs.push(`${what} at ${placeOf(this.inner.image, site)}: the condition is ${!value} on this input`);
    }
  }
}

/** A site in words. */
export function placeOf(image: ProgramImage, site: SiteId): string {
  if (site < 0) return "the start";
  const location = image.locations[image.sites[site].location];
  if (location === undefined) return `site ${site}`;
  return `${location.file}:${location.line}:${location.column} in ${location.functionName}`;
}
