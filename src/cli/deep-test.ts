// `tangent test --deep`: the tests are amplified in the first half of the time, then composition has what is left. One report has both.

import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { readBaseline } from "../report/baseline.js";
import { deepResult } from "../report/deep-result.js";
import { type AmplifyChoices, amplifyOnly } from "./amplify.js";
import { type EndedCampaign, endCampaign, writeResults } from "./campaign-end.js";
import type { CommandContext } from "./command.js";
import { composeOnly } from "./compose.js";
import { recheckFindings, withThoseBack } from "./recheck-findings.js";

const DEFAULT_TIME_MS = 10 * 60_000;
const AMPLIFY_SHARE = 0.5;

/** Null if it could not begin; the reason has been told. */
export async function testDeeply(
  folder: ProjectFolder,
  seeds: readonly Seed[],
  choices: AmplifyChoices,
  context: CommandContext,
): Promise<EndedCampaign | null> {
  const time = choices.time ?? DEFAULT_TIME_MS;
  const amplified = await amplifyOnly(folder, seeds, { ...choices, time: time * AMPLIFY_SHARE }, context);
  if (amplified === null) return null;
  const baseline = readBaseline(choices.baseline);
  // The user wants the prompt.
  if (amplified.reason === "aborted") return endCampaign(folder, amplified, baseline, choices, context);
  // What comes now may take long, and must not cost what is there.
  writeResults(folder, amplified, context);
  const left = Math.max(0, time - amplified.durationMs);
  const told = new Set(amplified.findings.map(({ id }) => id));
  const composed = await composeOnly(folder, seeds, { ...choices, time: left, told }, context);
  const found = composed === null ? amplified : deepResult(amplified, composed);
  const result = await withThoseBack(folder, seeds, found, context);
  const ended = endCampaign(folder, result, baseline, choices, context);
  await recheckFindings(folder, seeds, result, context);
  return ended;
}
