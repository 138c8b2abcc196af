// PLACEHOLDER with the surface that jobs and commands are written against: it plans nothing. The integrator replaces it.

import type { ItemReport, Technique, WorkItem } from "../../campaign/technique.js";
import type { ProgramPlace } from "../../campaign/work-messages.js";
import type { Seed } from "../../project/seed.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "../test-limits.js";
import type { ComposeFunction, ComposeTarget, ComposeTotals } from "./compose-outcome.js";
import type { ComposeItemResult, ComposePart, ComposeSetup, ComposeWork } from "./compose-work.js";

export interface ComposePlan extends TestLimits {
  /** For one function in the first round. */
  readonly unitMs: number;
  /** Only failures in these, by name; all if there is none. */
  readonly functions: readonly string[];
  readonly without: readonly ComposePart[];
  readonly workers: number;
}

export const DEFAULT_COMPOSE_PLAN: ComposePlan = {
  ...DEFAULT_TEST_LIMITS,
  unitMs: 3000,
  functions: [],
  without: [],
  workers: 1,
};

export class ComposeTechnique implements Technique<ComposeWork, ComposeItemResult> {
  readonly name = "compose";
  readonly settings = {};

  constructor(
    readonly seeds: readonly Seed[],
    readonly programs: readonly ProgramPlace[],
    private readonly plan: ComposePlan,
  ) {}

  setup(root: string): ComposeSetup {
    const { unitMs: _, functions: __, workers: ___, ...rest } = this.plan;
    return { root, ...rest };
  }

  nextRound(): readonly WorkItem<ComposeWork>[] | null {
    return null;
  }

  absorb(_item: WorkItem<ComposeWork>, _report: ItemReport<ComposeItemResult>): void {}

  memoryOf(report: ItemReport<ComposeItemResult>): unknown {
    return report.result;
  }

  recall(_item: WorkItem<ComposeWork>, _memory: unknown): boolean {
    return false;
  }

  targets(): readonly ComposeTarget[] {
    return [];
  }

  functions(): readonly ComposeFunction[] {
    return [];
  }

  totals(): ComposeTotals {
    return {
      ...{ seeds: this.seeds.length, functions: 0, units: 0, uncalled: 0, targets: 0, lifted: 0, notFailing: 0 },
      ...{ interpolants: 0, interpolantsUsed: 0, cached: 0 },
      milliseconds: { profile: 0, units: 0, lifting: 0, interpolation: 0, whole: 0 },
    };
  }

  /** For the live view: "profile", "units 123 of 900", "lifting". */
  phase(): string {
    return "profile";
  }
}
