// One test of a campaign run again in the VM, as the campaign had it: the same translation, which is in the cache, and the same limits.

import type { StartableProgram } from "../campaign/work-messages.js";
import type { CheckedRun } from "../findings/check.js";
import type { InputValue } from "../inputs/input-value.js";
import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { AMPLIFY_COMPILE_OPTIONS, DEFINEDNESS_COMPILE_OPTIONS } from "../jit/options.js";
import { findProgram } from "../jobs/find-program.js";
import { RunThread } from "../jobs/run-thread.js";
import { latestSeeds } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { compiledContents, type ReadSource, sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { movedLiteral } from "../report/finding-test.js";
import { renderFinding } from "../report/text.js";
import { commandMs } from "../support/command-clock.js";
import { visible } from "../support/visible-text.js";
import { TEST_HEAP_BYTES, TEST_INSTRUCTIONS } from "../techniques/test-limits.js";
import type { RunEnd } from "../vm/run-end.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import type { CommandContext } from "./command.js";
import { withRoots } from "./roots.js";

export const DEFAULT_TIMEOUT_MS = 60_000;

export interface ReplayChoices {
  readonly native: boolean;
  readonly verbose: boolean;
  /** Null: as long as is usual. */
  readonly timeoutMs: number | null;
  readonly roots?: readonly string[];
  /** Another build of the program, say one where the bug is fixed. */
  readonly program: string | null;
  /** The program that was recorded runs, also if the sources have changed since. */
  readonly asRecorded?: boolean;
  /** If the sources are not those of the project as they are now. */
  readonly sources?: ReadSource;
}

export interface ReplayedTest {
  readonly seed: Seed;
  readonly test: TestInput;
  readonly witness: readonly InputValue[];
  /** Places of bad reads that the run goes on behind. */
  readonly goOnAt?: readonly string[];
  /** Uses of what was never set are looked for. */
  readonly uninitialised?: boolean;
}

export interface Replayed {
  readonly run: CheckedRun;
  readonly image: ProgramImage;
  readonly readSource: ReadSource;
}

/** A finding is printed. Null: it could not be run, which was told. */
export async function replayInVm(
  folder: ProjectFolder,
  { seed, test, witness, goOnAt = [], uninitialised = false }: ReplayedTest,
  { program, timeoutMs, verbose, roots, sources }: ReplayChoices,
  context: CommandContext,
): Promise<Replayed | null> {
  const state = new ProjectState(folder.root, context.env);
  const path = program ?? sameProgram(state, seed);
  if (path === null) return replayTrouble(`${seed.program} is no longer what it was; make or record it again`, context);
  const compile = uninitialised ? DEFINEDNESS_COMPILE_OPTIONS : AMPLIFY_COMPILE_OPTIONS;
  const found = await findProgram(path, { env: context.env, clang: null, flags: [], compile });
  if (found.kind === "failed") return replayTrouble(found.message, context);
  const moved = movedLiteral(found.image(), test);
  if (moved !== null) return replayTrouble(moved, context);
  const output = verbose ? "inherit" : "capture";
  const ended = await new RunThread().run({
    source: found.source,
    options: {
      ...runOptionsOf(test, witness),
      ...(goOnAt.length === 0 ? {} : { goOnAt }),
      ...withRoots(roots),
      limits: {
        ...DEFAULT_LIMITS,
        milliseconds: timeoutMs ?? DEFAULT_TIMEOUT_MS,
        heapBytes: TEST_HEAP_BYTES,
        instructions: TEST_INSTRUCTIONS,
      },
      stdout: output,
      stderr: output,
    },
    check: { repeat: "for-stacks", leaks: false },
    ...{ startable: startableOf(state, folder), compile },
    // A test's limit is for its run.
    untilMs: commandMs() + (timeoutMs ?? DEFAULT_TIMEOUT_MS),
  });
  if (ended.kind === "died") return replayTrouble(`the virtual machine's thread died: ${ended.message}`, context);
  const { run } = ended;
  const colour = process.stdout.isTTY === true && !context.env.NO_COLOR;
  const readSource = sources ?? sourcesBelow([folder.root], compiledContents(found.image().sources));
  for (const finding of [...(run.uninitialised ?? []), ...(run.finding === null ? [] : [run.finding])]) {
    context.out(renderFinding(finding, { colour, relativeTo: process.cwd(), readSource }));
  }
  return { run, image: found.image(), readSource };
}

/** The project's programs, which may start each other. */
function startableOf(state: ProjectState, folder: ProjectFolder): StartableProgram[] {
  const programs = new Map<string, StartableProgram>();
  for (const seed of latestSeeds(new SeedStore(folder).list())) {
    const path = programs.has(seed.program) ? null : sameProgram(state, seed);
    if (path !== null) programs.set(seed.program, { name: seed.program, path });
  }
  return [...programs.values()];
}

/** By itself: a run that was cut short says nothing. */
export function hasEnded({ kind }: RunEnd): boolean {
  return kind === "exit" || kind === "signal" || kind === "silent";
}

export function replayTrouble(message: string, context: CommandContext): null {
  context.error(`tangent replay: ${visible(message)}\n`);
  return null;
}
