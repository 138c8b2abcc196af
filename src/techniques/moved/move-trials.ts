// Runs inputs that moves made, with nothing symbolic, and says of each what it shows: code that no test executes, a failure, or another
// behaviour than the input before it. A growth is climbed by a few amounts; where behaviour changes between two of them, the amount is
// narrowed down. So a buffer that is too small by one byte is met at that byte, with a dozen runs.

import type { Invocation } from "../../inputs/invocation.js";
import type { Growth } from "../../inputs/moves/growth.js";
import { invocationKey, problemOf } from "../../inputs/moves/invocation-key.js";
import { asksTheMachine } from "../../inputs/system-files.js";
import type { ProgramImage } from "../../jit/image.js";
import { placeKeyOf } from "../../vm/place-key.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import { failsInTests } from "../failures-of-tests.js";
import type { ConcreteRun } from "../reach/concrete-runner.js";
import type { GivenTests } from "../reach/given-tests.js";

export interface Trial {
  readonly invocation: Invocation;
  readonly coverage: Uint8Array;
  readonly instructions: number;
  /** The same for runs that execute the same blocks and end in the same way. */
  readonly signature: string;
  /** Where it failed, the same for failures at the same place; null if it did not. */
  readonly place: string | null;
  /** It failed in the tests' own code, on literals of theirs that were changed. */
  readonly isOfTests: boolean;
  /** It ended by itself, and not because of a limit or of what the machine lacks. */
  readonly isWhole: boolean;
}

/** What a run is compared with. */
type TrialStart = Pick<Trial, "invocation" | "instructions">;

export interface Rung {
  readonly amount: number;
  readonly trial: Trial;
}

/** What climbing a growth has shown. */
export interface Climbed {
  /** The smallest amount of each behaviour that is not the test's own. */
  readonly changes: readonly Rung[];
  /** The largest amounts before such a change. */
  readonly limits: readonly Rung[];
  /** Rungs on which the program did something else than without them, however little; ascending. */
  readonly rungs: readonly Rung[];
}

const RUN_MS = 1000;
/** A run that was changed a little may take that many times the instructions of the one it was made from. */
const MORE_INSTRUCTIONS = 8;
const LEAST_INSTRUCTIONS = 3_000_000;
/** Rungs without any effect, after which the program is believed not to look. */
const IDLE_RUNGS = 2;
/** Runs for one growth. */
const RUNS_A_GROWTH = 48;

export class MoveTrials {
  /** So far. */
  runs = 0;
  private readonly met = new Set<string>();

  constructor(
    private readonly image: ProgramImage,
    private readonly tests: GivenTests,
    private readonly mostRuns: number,
    private readonly isOver: () => boolean,
  ) {}

  get isSpent(): boolean {
    return this.runs >= this.mostRuns || this.isOver();
  }

  /** The test as it is. */
  base(invocation: Invocation): Trial {
    this.met.add(invocationKey(invocation));
    return this.trialOf(invocation, this.tests.run(invocation, RUN_MS));
  }

  /** Null if it cannot be run, or was already. */
  run(invocation: Invocation | null, from: TrialStart): Trial | null {
    const trial = this.lend(invocation, from);
    return trial === null ? null : { ...trial, coverage: trial.coverage.slice() };
  }

  /** As `run`; its coverage is good until the next run. */
  lend(invocation: Invocation | null, from: TrialStart): Trial | null {
    if (invocation === null || this.isSpent || problemOf(invocation, from.invocation) !== null) return null;
    if (asksTheMachine(invocation, from.invocation)) return null;
    const key = invocationKey(invocation);
    if (this.met.has(key)) return null;
    this.met.add(key);
    const most = Math.max(LEAST_INSTRUCTIONS, from.instructions * MORE_INSTRUCTIONS);
    this.runs++;
    return this.trialOf(invocation, this.tests.lend(invocation, RUN_MS, most));
  }

  climb(growth: Growth, base: Trial): Climbed {
    const changes: Rung[] = [];
    const limits: Rung[] = [];
    const rungs: Rung[] = [];
    const lastRun = this.runs + RUNS_A_GROWTH;
    let before: Rung = { amount: 0, trial: base };
    let idle = 0;
    for (const amount of growth.rungs) {
      const trial = this.run(growth.make(amount), base);
      if (trial === null) continue;
      const isIdle = trial.instructions === base.instructions && trial.signature === base.signature;
      if (isIdle && ++idle >= IDLE_RUNGS && rungs.length === 0) break;
      if (!isIdle) rungs.push({ amount, trial });
      const rung = { amount, trial };
      if (trial.signature !== before.trial.signature) {
        for (const { low, high } of this.narrowed(growth, base, before, rung, lastRun)) {
          if (low.amount > 0) limits.push(low);
          changes.push(high);
        }
      }
      before = rung;
      // What is longer fails too.
      if (trial.place !== null || this.runs >= lastRun) break;
    }
    return { changes, limits, rungs };
  }

  /** Neighbouring amounts between which behaviour changes. */
  private *narrowed(
    growth: Growth,
    base: Trial,
    low: Rung,
    high: Rung,
    lastRun: number,
  ): Generator<{ readonly low: Rung; readonly high: Rung }> {
    let [from, to] = [low, high];
    while (to.amount - from.amount > 1 && this.runs < lastRun) {
      const amount = (from.amount + to.amount) >> 1;
      const trial = this.run(growth.make(amount), base);
      if (trial === null) break;
      const middle = { amount, trial };
      if (trial.signature === from.trial.signature) from = middle;
      else if (trial.signature === to.trial.signature) to = middle;
      else {
        yield* this.narrowed(growth, base, from, middle, lastRun);
        from = middle;
      }
    }
    yield { low: from, high: to };
  }

  private trialOf(invocation: Invocation, run: ConcreteRun): Trial {
    const { end, coverage, instructions } = run;
    const how = end.kind === "exit" ? end.code : end.kind === "signal" ? `signal ${end.signal}` : end.kind;
    const signature = `${coverageHash(coverage)} ${how}`;
    const frames = end.kind === "fault" ? sourceFrames(this.image, end.trace) : null;
    const place = frames === null ? null : placeKeyOf(frames);
    return {
      invocation,
      coverage,
      instructions,
      signature,
      place: end.kind === "signal" ? signature : place,
      isOfTests: frames !== null && invocation.literals !== undefined && failsInTests(this.image, frames),
      isWhole: end.kind === "exit" || end.kind === "signal" || end.kind === "fault",
    };
  }
}

function coverageHash(coverage: Uint8Array): string {
  let low = 0x811c_9dc5;
  let high = 0x1234_5678;
  for (let block = 0; block < coverage.length; block++) {
    if (coverage[block] === 0) continue;
    low = Math.imul(low ^ block, 0x0100_0193);
    high = Math.imul(high ^ (block + 0x9e37), 0x85eb_ca6b) ^ (high >>> 13);
  }
  return `${low} ${high}`;
}
