// One work item of patch testing, as a worker thread does it: a survey (what some tests execute), how far its runs are from the
// targets, a search for one target from the inputs at hand, a look at what both versions do with inputs, or amplification around one.
// Plain data goes in and comes out.

import type { ItemContext, ItemOutcome, ItemRunner } from "../../campaign/technique.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import { AMPLIFY_RUNNER } from "../amplify-item.js";
import { compared, witnessCompared } from "./compare-item.js";
import { GivenTests } from "./given-tests.js";
import { groundOf, type ReachGround } from "./reach-ground.js";
import { distanceOf, type ReachInput, ReachPool } from "./reach-pool.js";
import type {
  GivenInput,
  ReachExtra,
  ReachResult,
  ReachSetup,
  ReachWork,
  SearchResult,
  Standing,
  SurveyedRun,
} from "./reach-work.js";
import { surveyed } from "./survey-item.js";
import { STRATEGIES, type Strategy, TargetSearch } from "./target-search.js";
import { whyNotReached, whyUnreachable } from "./why-not.js";

const MOST_MADE = 12;
const MOST_FAILED = 8;

export const REACH_RUNNER: ItemRunner<ReachWork, ReachResult, ReachSetup> = {
  run(work, setup, context) {
    switch (work.kind) {
      case "survey":
        return surveyed(work.seeds, setup, context);
      case "measure":
        return measured(work.runs, groundFor(setup, context));
      case "search":
        return searched(new SearchItem(groundFor(setup, context), setup, context), work);
      case "compare":
        return compared(work, setup, context);
      case "amplify":
        return amplified(work, setup, context);
    }
  },
};

function strategiesLeftOut({ without }: ReachSetup): ReadonlySet<Strategy> {
  return new Set(without.filter((name) => STRATEGIES.includes(name)));
}

function groundFor(setup: ReachSetup, { image, module, extra }: ItemContext): ReachGround {
  const { graph } = extra as Pick<ReachExtra, "graph">;
  return groundOf(image, module, graph, setup.wanted, !strategiesLeftOut(setup).has("preconditions"));
}

function amplified(
  { seed, distance, isMade }: Extract<ReachWork, { readonly kind: "amplify" }>,
  setup: ReachSetup,
  context: ItemContext,
): ItemOutcome<ReachResult> {
  const known = new Set<string>();
  const outcome = AMPLIFY_RUNNER.run({ seed, distance, isMade }, setup, {
    ...context,
    tell(event) {
      context.tell(event);
      if (event.kind !== "finding" || known.has(event.found.identity.id)) return;
      known.add(event.found.identity.id);
      const value = witnessCompared(seed, event.found, setup, context);
      if (value !== null) context.tell({ kind: "own", value });
    },
  });
  if (outcome.kind === "skipped") return outcome;
  const { isComplete, result } = outcome.report;
  if (result.isPlain === true || result.isMoves === true) return { kind: "skipped", why: "it was only run" };
  return { kind: "report", report: { isComplete, result: { kind: "amplify", amplified: result } } };
}

function measured(runs: readonly SurveyedRun[], ground: ReachGround): ItemOutcome<ReachResult> {
  const targets = ground.targets.map(({ blocks: _, ...target }) => target);
  const unreachable = ground.targets.map(({ blocks }) => whyUnreachable(ground, blocks));
  const standings = runs.map((run) => standingOf(ground, run));
  return { kind: "report", report: { isComplete: true, result: { kind: "measure", targets, unreachable, standings } } };
}

function standingOf(ground: ReachGround, { blocks, instructions, end }: SurveyedRun): Standing {
  const distances = ground.targets.map((_, target) => {
    const distance = distanceOf(blocks, ground.distancesTo(target));
    return distance === UNREACHED ? null : distance;
  });
  return { distances, instructions, end };
}

function searched(item: SearchItem, work: Extract<ReachWork, { readonly kind: "search" }>): ItemOutcome<ReachResult> {
  const outcome = item.search(work);
  item.release();
  return outcome;
}

class SearchItem {
  private readonly tests: GivenTests;

  constructor(
    private readonly ground: ReachGround,
    private readonly setup: ReachSetup,
    private readonly context: ItemContext,
  ) {
    this.tests = new GivenTests(setup, context);
  }

  search(work: Extract<ReachWork, { readonly kind: "search" }>): ItemOutcome<ReachResult> {
    const { ground, setup, context } = this;
    const target = ground.indexOf(work.target);
    if (target < 0) return { kind: "skipped", why: `${work.target} is not in this program` };
    const startedMs = performance.now();
    const timeMs = Math.min(work.timeMs, context.timeMs);
    const done = new Set(work.done.map((id) => ground.indexOf(id)));
    const open = new Set(ground.targets.keys());
    for (const one of done) open.delete(one);
    const pool = new ReachPool();
    const reached: { readonly target: string; readonly input: ReachInput; readonly milliseconds: number }[] = [];
    const failed = new Map<string, ReachInput>();
    const covered = new Uint8Array(ground.image.coverage.length);
    const search = new TargetSearch(
      ground,
      pool,
      this.tests.runner,
      open,
      { ...setup, without: strategiesLeftOut(setup), abort: context.abort },
      ({ target: index, input }) => {
        const milliseconds = Math.round(performance.now() - startedMs);
        reached.push({ target: ground.targets[index].id, input, milliseconds });
      },
      (place, input) => {
        if (failed.size < MOST_FAILED && !failed.has(place)) failed.set(place, input);
      },
    );
    for (const given of work.inputs) {
      const input = this.inputOf(given);
      if (input === null || performance.now() - startedMs > timeMs / 2) continue;
      pool.add(search.tryInput(input, 0));
    }
    const given = pool.entries.length;
    const attempt = open.has(target) ? search.search(target, startedMs + timeMs - performance.now()) : null;
    const why = attempt === null ? null : whyNotReached(ground, target, attempt);
    for (const { blocks } of pool.entries) for (const block of blocks) covered[block] = 1;
    context.tell({ kind: "covered", coverage: covered, byTests: false });
    const made = pool.entries
      .slice(given)
      .filter(({ input }) => input.by !== "test")
      .slice(-MOST_MADE)
      .map(({ input, blocks, instructions }) => ({
        input,
        standing: standingOf(ground, { blocks, instructions, end: "made" }),
      }));
    const isComplete = !context.abort.aborted;
    const { accounts } = search;
    const result: SearchResult = { kind: "search", reached, made, failed: [...failed.values()], why, accounts };
    return { kind: "report", report: { isComplete, result } };
  }

  release(): void {
    this.tests.release();
  }

  private inputOf(given: GivenInput): ReachInput | null {
    if (given.kind === "made") return given.input;
    const made = this.tests.invocationOf(given.seed);
    if (made.kind === "broken") return null;
    return { invocation: made.invocation, seedId: given.seed.id, steps: [], by: "test" };
  }
}
