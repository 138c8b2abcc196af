// A failing line of units, with what is known of it: the conditions of functions under which it fails, how far up they have come, and what
// stood against them.

import type { CallCondition, ChainLink, Realism, TargetRef, UnmetState } from "./compose-work.js";

/** A condition that is to be lifted. */
export interface LiftStep {
  readonly condition: CallCondition;
  /** Tests in whose runs it was asked for. */
  readonly tests: Set<string>;
  /** Callers that were explored for it. */
  readonly callers: Set<number>;
  /** How often its tests were explored further. */
  explored: number;
  /** How often tests were edited towards it. */
  approached: number;
}

export interface Obstacle {
  /** Of the caller; null: the whole program, run with the test of this command. */
  readonly caller: number | null;
  readonly command: string;
  readonly state: UnmetState;
}

/** For one target, of all kinds: then it waits until nothing else is left. */
const MOST_OBSTACLES = 64;
const MOST_STEPS = 12;

export class TargetRecord {
  readonly steps: LiftStep[] = [];
  readonly obstacles: Obstacle[] = [];
  /** Its id, if a whole run has failed there. */
  finding: string | null = null;
  /** Items that were spent on lifting it. */
  tries = 0;

  constructor(
    readonly target: TargetRef,
    readonly message: string,
  ) {}

  get isOpen(): boolean {
    return this.finding === null;
  }

  /** The longest that was shown; the highest caller first. */
  get chain(): readonly ChainLink[] {
    let longest: readonly ChainLink[] = [];
    for (const { condition } of this.steps) if (condition.chain.length > longest.length) longest = condition.chain;
    return longest;
  }

  /** False if there are enough of that function already, or it is the same again. */
  add(condition: CallCondition): boolean {
    const same = this.steps.filter((step) => step.condition.function === condition.function);
    const text = textOf(condition);
    if (this.steps.length >= MOST_STEPS || same.some((step) => textOf(step.condition) === text)) return false;
    this.steps.push({ condition, tests: new Set(), callers: new Set(), explored: 0, approached: 0 });
    return true;
  }

  /** The exact form of a condition, as one more. */
  exactly({ condition }: LiftStep): void {
    if (condition.exact !== null) this.add({ ...condition, ...condition.exact, exact: null });
  }

  /** What is learned later of the same caller stands in its place. */
  obstructed(obstacle: Obstacle): void {
    const at = this.obstacles.findIndex(
      ({ caller, command }) => caller === obstacle.caller && command === obstacle.command,
    );
    if (at >= 0) this.obstacles[at] = obstacle;
    else if (this.obstacles.length < MOST_OBSTACLES) this.obstacles.push(obstacle);
  }
}

/** Of targets that no whole run has shown yet. */
export function openSteps(targets: ReadonlyMap<string, TargetRecord>, realisms: readonly Realism[]): LiftStep[] {
  return [...targets.values()].flatMap((record) =>
    record.isOpen ? record.steps.filter(({ condition }) => realisms.includes(condition.realism)) : [],
  );
}

function textOf({ function: index, parts }: CallCondition): string {
  return `${index} ${parts.map(({ text }) => text).join(" && ")}`;
}
