// `tangent replay ID` for an input that a campaign made: it runs again, in the VM or natively, and what it was made for is looked
// at: whether it still executes the places that patch testing reached by it, or whether it fails, which there was no time to confirm.

import type { ProgramImage } from "../jit/image.js";
import { runSeedNatively } from "../jobs/confirm.js";
import { BlobStore } from "../project/blob-store.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { testOf } from "../project/seed-test.js";
import { ProjectState } from "../project/state-folder.js";
import { seedWithId } from "../report/finding-test.js";
import { knownInputs } from "../report/kept-inputs.js";
import { placesInWords, shownCommand } from "../report/patch-input-text.js";
import type { PatchInput, PatchTarget } from "../report/patch-result.js";
import { checkedEnd } from "../report/path-end.js";
import { readResultFile } from "../report/result-file.js";
import { visible } from "../support/visible-text.js";
import { isSameFile } from "../techniques/reach/targets.js";
import type { CommandContext } from "./command.js";
import { isId } from "./replay-finding.js";
import { type ReplayChoices, replayInVm, replayTrouble } from "./replay-run.js";

const TROUBLE_STATUS = 3;

interface NamedInput {
  readonly input: Pick<PatchInput, "id" | "command" | "observed">;
  /** None: it failed when it was made. */
  readonly targets: readonly PatchTarget[];
}

/**
 * The inputs of `tangent patch` or `reach`, the last or an earlier one, that these words name, or any other that is kept; null if one of
 * them names none.
 */
export function inputsNamed(folder: ProjectFolder, words: readonly string[]): readonly NamedInput[] | null {
  if (!words.every(isId)) return null;
  const read = readResultFile(folder.known("report", "results.json"));
  const result = read.kind === "unreadable" ? null : read.result;
  const found = words.map((word): readonly NamedInput[] => {
    const known = knownInputs(folder, result, word);
    const made = known.length === 0 ? new SeedStore(folder, "made").find(word) : null;
    return made === null ? known : [{ input: { id: made.id, command: made.arguments }, targets: [] }];
  });
  return found.every(({ length }) => length === 1) ? found.flat() : null;
}

/** 0 if each reaches what it reached, 1 if one does not, 3 if one could not be run. */
export async function replayInputs(
  folder: ProjectFolder,
  inputs: readonly NamedInput[],
  choices: ReplayChoices,
  context: CommandContext,
): Promise<number> {
  let status = 0;
  for (const { input, targets } of inputs) {
    const seed = seedWithId(folder, input.id);
    if (seed === null) {
      context.error(
        `tangent replay: ${input.id} is no longer in .tangent/made; make it again with \`tangent patch\`\n`,
      );
      return TROUBLE_STATUS;
    }
    context.out(`${visible(`${input.id}: ${shownCommand(input.command, folder.root)}`)}\n`);
    const one = choices.native
      ? runNatively(folder, seed, input, choices, context)
      : await runInVm(folder, seed, targets, choices, context);
    if (one === TROUBLE_STATUS) return one;
    status = Math.max(status, one);
  }
  return status;
}

async function runInVm(
  folder: ProjectFolder,
  seed: Seed,
  targets: readonly PatchTarget[],
  choices: ReplayChoices,
  context: CommandContext,
): Promise<number> {
  const made = testOf(seed, new BlobStore(folder), folder.root);
  if (made.kind === "broken") {
    replayTrouble(`${seed.id}: ${made.problem}`, context);
    return TROUBLE_STATUS;
  }
  const replayed = await replayInVm(folder, { seed, test: made.test, witness: [] }, choices, context);
  if (replayed === null) return TROUBLE_STATUS;
  const { run, image } = replayed;
  const missed = notExecuted(image, run.result.coverage, targets);
  const again = targets.filter((target) => !missed.includes(target));
  const parts = [
    `ends with ${checkedEnd(run)}`,
    ...(again.length === 0 ? [] : [`reaches ${placesInWords(again)} again`]),
    ...(missed.length === 0 ? [] : [`does not reach ${placesInWords(missed)}`]),
  ];
  context.out(`${visible(`${seed.id}: ${parts.join(", ")}`)}\n`);
  return missed.length > 0 || (targets.length === 0 && run.finding !== null) ? 1 : 0;
}

/** Targets at whose place no block that was executed has code. */
function notExecuted(image: ProgramImage, coverage: Uint8Array, targets: readonly PatchTarget[]): PatchTarget[] {
  return targets.filter(
    ({ file, line, column }) =>
      !image.coverage.some(
        ({ locations }, block) =>
          coverage[block] !== 0 &&
          locations.some((index) => {
            const place = image.locations[index];
            return place.line === line && place.column === column && isSameFile(place.file, file);
          }),
      ),
  );
}

function runNatively(
  folder: ProjectFolder,
  seed: Seed,
  { observed }: NamedInput["input"],
  { program, timeoutMs, verbose }: ReplayChoices,
  context: CommandContext,
): number {
  const state = new ProjectState(folder.root, context.env);
  const run = runSeedNatively(folder, state, seed, { instead: program, timeoutMs }, context.env);
  if (run.kind === "not-run") {
    context.error(`tangent replay: ${visible(`${seed.id}: not run natively: ${run.why}`)}\n`);
    return TROUBLE_STATUS;
  }
  if (verbose) context.out(run.output);
  const end = run.signal ?? (run.status === null ? "it was ended" : `exit status ${run.status}`);
  const expected = observed === undefined || observed.status === null ? null : observed.status;
  const isOther = expected !== null && run.status !== expected;
  context.out(`${visible(`${seed.id}: natively ${end}${isOther ? `, in the VM exit status ${expected}` : ""}`)}\n`);
  return isOther ? 1 : 0;
}
