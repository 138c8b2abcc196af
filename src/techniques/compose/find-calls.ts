// Calls of one function in runs of recorded tests: the tests are run one after the other, with their own input symbolic (literals too, where a
// library is tested), until there are enough calls that depend on it, or the time is over.

import type { RunLimits } from "../../engine/executor.js";
import type { TestInput } from "../../inputs/test-input.js";
import { BlobStore } from "../../project/blob-store.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { testOf } from "../../project/seed-test.js";
import { allTexts, givenPrograms, usesLiterals, withChosen } from "../literal-inputs.js";
import { DEFAULT_TEST_LIMITS } from "../test-limits.js";
import type { CallFacts, CallGround } from "./call-ground.js";
import { differentCalls } from "./different-calls.js";
import { type RecordedContext, recordContexts } from "./record-contexts.js";

/** Tests, and what must be known of the function to look at its calls. Plain data. */
export interface TestsToSearch {
  /** The project's. */
  readonly root: string;
  readonly seeds: readonly Seed[];
  readonly facts: CallFacts;
}

export interface FoundCall extends RecordedContext {
  readonly seed: Seed;
  readonly test: TestInput;
}

export interface FoundCalls {
  /** The best first, from different callers. */
  readonly calls: readonly FoundCall[];
  readonly testsRun: number;
  /** Why tests could not be run, each reason once. */
  readonly problems: readonly string[];
}

const MOST_CALLS = 3;
/** Calls that depend on the input, to choose from. */
const ENOUGH = 6;
const LONGEST_RUN_MS = 2000;
/** However short the time is, the first test is to come somewhere. */
const SHORTEST_RUN_MS = 200;
const { heapBytes, randomSeed, instructionsPerPath } = DEFAULT_TEST_LIMITS;
export const CALL_EXECUTION = { heapBytes, seed: randomSeed } as const;
export const CALL_RUN: Omit<RunLimits, "abort"> = { instructions: instructionsPerPath, timeMs: LONGEST_RUN_MS };

export function findCalls(
  ground: CallGround,
  { root, seeds, facts }: TestsToSearch,
  { timeMs, abort }: { readonly timeMs: number; readonly abort: { readonly aborted: boolean } },
): FoundCalls {
  const endsMs = performance.now() + timeMs;
  const blobs = new BlobStore(new ProjectFolder(root));
  const given = givenPrograms(seeds, (content) => blobs.sizeOf(content));
  const found: FoundCall[] = [];
  const problems = new Set<string>();
  let testsRun = 0;
  for (const seed of seeds) {
    const leftMs = endsMs - performance.now();
    const isEnough = found.filter(({ dependent }) => dependent > 0).length >= ENOUGH;
    if (isEnough || abort.aborted || (leftMs <= 0 && testsRun > 0)) break;
    const made = testOf(seed, blobs, root);
    if (made.kind === "broken") {
      problems.add(made.problem);
      continue;
    }
    testsRun++;
    const hasLiterals = usesLiterals(ground.image, made.test, "auto", !given.has(seed.program));
    const test = hasLiterals ? withChosen(made.test, allTexts(ground.image)) : made.test;
    const recorded = recordContexts(ground, test, {
      execution: CALL_EXECUTION,
      limits: { ...CALL_RUN, timeMs: Math.max(SHORTEST_RUN_MS, Math.min(LONGEST_RUN_MS, leftMs)), abort },
      isWanted: (fn) => fn === facts.index,
    });
    if ("kind" in recorded) problems.add(recorded.message);
    else found.push(...recorded.contexts.map((context) => ({ ...context, seed, test })));
  }
  const sorted = found.sort((a, b) => b.dependent - a.dependent);
  return { calls: differentCalls(sorted, MOST_CALLS), testsRun, problems: [...problems] };
}
