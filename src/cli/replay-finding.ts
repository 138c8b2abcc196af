// `tangent replay ID`: a finding runs again, in the VM or natively, with everything its test had.

import type { CheckedRun } from "../findings/check.js";
import { type Finding, userFrameOf } from "../findings/finding.js";
import { identify } from "../findings/identity.js";
import { ProgramFunctions } from "../findings/program-functions.js";
import { confirmNatively } from "../jobs/confirm.js";
import { programContent } from "../project/program-content.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sourcesBelow } from "../project/sources.js";
import { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { changedInWords, sourcesOfBuild } from "../report/finding-build.js";
import { seedWithId, testOfFinding } from "../report/finding-test.js";
import { counted, pathsBelow, whereOf } from "../report/finding-view.js";
import { KeptFindings } from "../report/kept-findings.js";
import { idsOf, namedBy } from "../report/named-findings.js";
import { renderEnd } from "../report/text.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { knownFindings } from "./known-findings.js";
import { type PresentBuild, presentBuild } from "./present-build.js";
import { hasEnded, type ReplayChoices, replayInVm, replayTrouble } from "./replay-run.js";

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
      const { timeoutMs } = choices;
      const instead = await nativeProgram(folder, finding, choices, context);
      if (instead === undefined) return TROUBLE_STATUS;
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

/** Null: the one that was recorded. Undefined: it could not be built, which was told. */
async function nativeProgram(
  folder: ProjectFolder,
  finding: ResultFinding,
  { program, asRecorded = false }: ReplayChoices,
  context: CommandContext,
): Promise<string | null | undefined> {
  const seed = program !== null || asRecorded ? null : seedWithId(folder, finding.seedId);
  if (seed === null) return program;
  const present = await presentBuild(folder, finding, seed, context);
  if (present.kind === "trouble") {
    replayTrouble(`${finding.id}: ${present.message}`, context);
    return undefined;
  }
  return present.kind === "later" ? present.program : null;
}

async function failsAgain(
  folder: ProjectFolder,
  finding: ResultFinding,
  choices: ReplayChoices,
  context: CommandContext,
): Promise<boolean | null> {
  const made = testOfFinding(folder, finding);
  if (made.kind === "gone") return replayTrouble(made.message, context);
  const isFixed = choices.program !== null || choices.asRecorded === true;
  const present = isFixed ? RECORDED : await presentBuild(folder, finding, made.seed, context);
  if (present.kind === "trouble") return replayTrouble(`${finding.id}: ${present.message}`, context);
  const program = present.kind === "later" ? present.program : choices.program;
  const { behind = [] } = finding;
  for (const { id } of behind)
    context.out(`${finding.id}: goes on behind finding ${id}, a bad read that comes first\n`);
  const goOnAt = behind.map(({ place }) => place);
  const uninitialised = finding.kind === "uninitialised";
  const today = sourcesBelow([folder.root]);
  // What was recorded is shown as it was then.
  const sources = program === null ? { sources: sourcesOfBuild(finding, folder, today) } : {};
  const test = { ...made, goOnAt, uninitialised };
  const replayed = await replayInVm(folder, test, { ...choices, program, ...sources }, context);
  if (replayed === null) return null;
  const { run, image, readSource } = replayed;
  if (run.finding === null) context.out(renderEnd(run.result.end, null) ?? "");
  const identity = {
    ...{ program: made.seed.program, root: folder.root, readSource },
    functions: new ProgramFunctions(image),
  };
  const again = [...(run.finding === null ? [] : [run.finding]), ...(run.uninitialised ?? [])];
  const isSame = again.some((one) => idsOf(finding).includes(identify(one, identity).id) || isAtPlaceOf(one, finding));
  const shown = pathsBelow(folder.root);
  const place = `${finding.kind} at ${whereOf(finding, shown)}`;
  const isLater = present.kind === "later";
  if (isLater) noteState(folder, finding, programContent(present.program)?.content ?? "", again.length > 0, run);
  const differs = program === null ? changedInWords(finding, today, shown) : null;
  const old = [
    ...(present.kind === "recorded" && present.why !== null ? [present.why] : []),
    ...(differs === null ? [] : [differs]),
  ];
  const verdict = isSame
    ? `fails again, ${isLater ? "also in the program of today's sources" : "as recorded"}`
    : isLater && again.length === 0
      ? `no longer fails in the program of today's sources (${place})`
      : `does not fail as recorded (${place})`;
  context.out(`${visible(`${finding.id}: ${verdict}${old.length === 0 ? "" : `; ${old.join("; ")}`}`)}\n`);
  return isSame;
}

const RECORDED: PresentBuild = { kind: "recorded", why: null };

/** What is learnt of the present build is what `tangent findings` says from then on. */
function noteState(
  folder: ProjectFolder,
  { id }: ResultFinding,
  content: string,
  fails: boolean,
  { result: { end } }: CheckedRun,
): void {
  const kept = new KeptFindings(folder);
  const entry = kept.find(id);
  if (entry === null) return;
  if (fails && entry.state === "gone") kept.mark(entry, "back", content);
  else if (!fails && hasEnded(end)) kept.mark(entry, "gone", content);
}

/** What is a general helper depends on how the program was translated, and so does an id. A kind and a line do not. */
function isAtPlaceOf(again: Finding, { kind, location }: ResultFinding): boolean {
  const frame = userFrameOf(again);
  if (frame === null || location === null || again.kind !== kind) return false;
  return frame.functionName === location.function && frame.file === location.file && frame.line === location.line;
}
