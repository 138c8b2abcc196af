// A survey: every test runs once, with nothing symbolic, and the targets it executes are covered. That needs no more than the program's
// image; its graph, which takes seconds to make, is asked for only where a target is left.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { ProgramImage } from "../../jit/image.js";
import type { Seed } from "../../project/seed.js";
import { GivenTests } from "./given-tests.js";
import { blockList } from "./reach-pool.js";
import type { ReachResult, ReachSetup, SurveyResult } from "./reach-work.js";
import { leftOvers, type Target, targetsIn, type Wanted } from "./targets.js";

const SURVEY_MS = 10_000;

export function surveyed(seeds: readonly Seed[], setup: ReachSetup, context: ItemContext): ItemOutcome<ReachResult> {
  const { image } = context;
  const own = targetsFor(image, setup.wanted);
  const targets = own.map(({ blocks: _, ...target }) => target);
  const runs: SurveyResult["runs"][number][] = [];
  let isComplete = true;
  // A program that has nothing of the patch is none of our business.
  if (own.length > 0) {
    const tests = new GivenTests(setup, context);
    const covered = new Uint8Array(image.coverage.length);
    const endsMs = performance.now() + context.timeMs;
    for (const seed of seeds) {
      if (context.abort.aborted || performance.now() >= endsMs) {
        isComplete = false;
        runs.push(null);
        continue;
      }
      const made = tests.invocationOf(seed);
      if (made.kind === "broken") {
        context.tell({ kind: "note", text: `${seed.arguments.join(" ")}: ${made.problem}` });
        runs.push(null);
        continue;
      }
      const { coverage, instructions, end } = tests.run(made.invocation, SURVEY_MS);
      for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) covered[block] = 1;
      const executed = own.flatMap(({ blocks }, index) =>
        blocks.some((block) => coverage[block] !== 0) ? [index] : [],
      );
      runs.push({ blocks: blockList(coverage), instructions, end: end.kind, executed });
    }
    context.tell({ kind: "covered", coverage: covered, byTests: true });
    tests.release();
  }
  return { kind: "report", report: { isComplete, result: { kind: "survey", targets, runs } } };
}

const known = new WeakMap<ProgramImage, { readonly wanted: string; readonly targets: readonly Target[] }>();

/** Without those in functions of which certainly only inlined copies are left. */
function targetsFor(image: ProgramImage, wanted: readonly Wanted[]): readonly Target[] {
  const key = JSON.stringify(wanted);
  const before = known.get(image);
  if (before?.wanted === key) return before.targets;
  const used = new Set(image.tableFunctions);
  for (const { calls } of image.coverage) for (const callee of calls) used.add(callee);
  const targets = targetsIn(image, wanted, leftOvers(image, used));
  known.set(image, { wanted: key, targets });
  return targets;
}
