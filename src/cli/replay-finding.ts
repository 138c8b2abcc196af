// `tangent replay ID`: a finding runs again, in the VM or natively, with everything its test had.

import { type Finding, userFrameOf } from "../findings/finding.js";
import { identify } from "../findings/identity.js";
import { ProgramFunctions } from "../findings/program-functions.js";
import { confirmNatively } from "../jobs/confirm.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { counted, pathsBelow, whereOf } from "../report/finding-view.js";
import { namedBy } from "../report/named-findings.js";
import { renderEnd } from "../report/text.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { knownFindings } from "./known-findings.js";
import { type ReplayChoices, replayInVm, replayTrouble } from "./replay-run.js";

const TROUBLE_STATUS = 3;

/** An id or the beginning of one, however short, as `tangent show` takes it. */
export function isId(word: string): boolean {
  return /^[0-9a-f]{1,64}$/.test(word);
}

/** The findings that these words name; null if one of them names none, and is a path perhaps. */
export function findingsNamed(folder: ProjectFolder, words: readonly string[]): readonly ResultFinding[] | null {
  if (!words.every(isId)) return null;
  const { findings } = knownFindings(folder);
  const named = words.map((word) => only(findings, word));
  return named.every((finding) => finding !== null) ? named : null;
}

function only(findings: readonly ResultFinding[], id: string): ResultFinding | null {
  const matching = namedBy(findings, id);
  return matching.length === 1 ? matching[0] : null;
}

/** 0 if each failed again as it did, 1 if one did not, 3 if one could not be run. */
export async function replayFindings(
  folder: ProjectFolder,
  findings: readonly ResultFinding[],
  choices: ReplayChoices,
  context: CommandContext,
): Promise<number> {
  let different = 0;
  const state = new ProjectState(folder.root, context.env);
  for (const finding of findings) {
    if (choices.native) {
      const { program: instead, timeoutMs } = choices;
      const native = { instead, sanitized: [], ...(timeoutMs === null ? {} : { timeoutMs }) };
      const { kind, level, words } = confirmNatively(folder, state, finding, native, context.env);
      context.out(`${visible(`${finding.id}: ${words}`)}\n`);
      if (kind === "not-run") return TROUBLE_STATUS;
      if (level === "vm") different++;
      continue;
    }
    const outcome = await failsAgain(folder, finding, choices, context);
    if (outcome === null) return TROUBLE_STATUS;
    if (!outcome) different++;
  }
  if (findings.length > 1) {
    context.out(
      `${counted(findings.length, "finding")} replayed: ${findings.length - different} as recorded, ${different} otherwise\n`,
    );
  }
  return different > 0 ? 1 : 0;
}

async function failsAgain(
  folder: ProjectFolder,
  finding: ResultFinding,
  choices: ReplayChoices,
  context: CommandContext,
): Promise<boolean | null> {
  const made = testOfFinding(folder, finding);
  if (made.kind === "gone") return replayTrouble(made.message, context);
  const { behind = [] } = finding;
  for (const { id } of behind)
    context.out(`${finding.id}: goes on behind finding ${id}, a bad read that comes first\n`);
  const goOnAt = behind.map(({ place }) => place);
  const uninitialised = finding.kind === "uninitialised";
  const replayed = await replayInVm(folder, { ...made, goOnAt, uninitialised }, choices, context);
  if (replayed === null) return null;
  const { run, image, readSource } = replayed;
  if (run.finding === null) context.out(renderEnd(run.result.end, null) ?? "");
  const identity = {
    ...{ program: made.seed.program, root: folder.root, readSource },
    functions: new ProgramFunctions(image),
  };
  const again = [...(run.finding === null ? [] : [run.finding]), ...(run.uninitialised ?? [])];
  const isSame = again.some((one) => identify(one, identity).id === finding.id || isAtPlaceOf(one, finding));
  const place = whereOf(finding, pathsBelow(folder.root));
  const verdict = isSame ? "fails again, as recorded" : `does not fail as recorded (${finding.kind} at ${place})`;
  context.out(`${visible(`${finding.id}: ${verdict}`)}\n`);
  return isSame;
}

/** What is a general helper depends on how the program was translated, and so does an id. A kind and a line do not. */
function isAtPlaceOf(again: Finding, { kind, location }: ResultFinding): boolean {
  const frame = userFrameOf(again);
  if (frame === null || location === null || again.kind !== kind) return false;
  return frame.functionName === location.function && frame.file === location.file && frame.line === location.line;
}
