// What both versions of a program do with inputs that execute the patch, and with what makes the new one fail.

import type { Found, ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { LoadedImage } from "../../findings/confirmation.js";
import { seenFrom, withValues } from "../../inputs/test-input.js";
import { BlobStore } from "../../project/blob-store.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { testOf } from "../../project/seed-test.js";
import { DEFAULT_LIMITS, type RunLimits } from "../../vm/run-options.js";
import { compareInput, type ProgramVersion } from "../behaviour/behaviour-item.js";
import { type ObservedRun, OTHER_WORLD, runForBehaviour, type World } from "../behaviour/observe.js";
import { endInWords, patchObserved } from "../behaviour/observed-output.js";
import { GivenTests } from "./given-tests.js";
import type { ComparedResult, ComparedWitness, ReachExtra, ReachResult, ReachSetup, ReachWork } from "./reach-work.js";

const COMPARED_MS = 5_000;

export function compared(
  work: Extract<ReachWork, { readonly kind: "compare" }>,
  setup: ReachSetup,
  context: ItemContext,
): ItemOutcome<ReachResult> {
  const { image, module } = context;
  const { old } = context.extra as Pick<ReachExtra, "old">;
  const tests = new GivenTests(setup, context);
  const versions = old === null ? null : versionsOf(setup, old, context);
  const endsMs = performance.now() + context.timeMs;
  const limits = compareLimits(setup);
  const changes: ComparedResult["changes"][number][] = [];
  const observed: ComparedResult["observed"][number][] = [];
  let count = 0;
  for (const seed of work.seeds) {
    if (context.abort.aborted || performance.now() >= endsMs) break;
    const isObserved = work.observed.includes(seed.id);
    if (versions === null && !isObserved) continue;
    const made = tests.invocationOf(seed);
    if (made.kind === "broken") continue;
    const test = tests.testFor(made.invocation);
    const run = (world?: World): ObservedRun => runForBehaviour(image, module, test, limits, world);
    const outcome = versions === null ? null : compareInput(versions.before, versions.after, test, limits);
    if (isObserved) {
      const first = outcome?.run ?? run();
      observed.push({ seedId: seed.id, end: endInWords(first), output: patchObserved(first, run(OTHER_WORLD)) });
    }
    if (outcome === null || outcome.kind === "unknown") continue;
    count++;
    if (outcome.kind !== "changed") continue;
    const { severity, differences } = outcome;
    changes.push({ seedId: seed.id, severity, differences });
  }
  const isComplete = !context.abort.aborted;
  return { kind: "report", report: { isComplete, result: { kind: "compare", compared: count, changes, observed } } };
}

function versionsOf(
  { root, newRoots, oldRoots }: ReachSetup,
  old: LoadedImage,
  current: LoadedImage,
): { readonly before: ProgramVersion; readonly after: ProgramVersion } {
  return { before: { ...old, roots: oldRoots }, after: { ...current, roots: [root, ...newRoots] } };
}

/** Whether it is the patch that makes it fail. Null if nobody can tell. */
export function witnessCompared(
  seed: Seed,
  { identity, witness, witnessCommand }: Found,
  setup: ReachSetup,
  { image, module, extra }: ItemContext,
): ComparedWitness | null {
  const { old } = extra as Pick<ReachExtra, "old">;
  const made = old === null ? null : testOf(seed, new BlobStore(new ProjectFolder(setup.root)), setup.root);
  if (old === null || made === null || made.kind === "broken") return null;
  const test = seenFrom(made.test, setup.roots);
  const { before, after } = versionsOf(setup, old, { image, module });
  const outcome = compareInput(before, after, withValues(test, witness), compareLimits(setup));
  if (outcome.kind === "unknown") return null;
  const change = outcome.kind === "changed" ? outcome : null;
  return {
    finding: identity.id,
    command: witnessCommand,
    change: change === null ? null : { severity: change.severity, differences: change.differences },
  };
}

function compareLimits({ instructionsPerPath: instructions, heapBytes }: ReachSetup): RunLimits {
  return { ...DEFAULT_LIMITS, instructions, milliseconds: COMPARED_MS, heapBytes };
}
