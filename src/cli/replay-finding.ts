// `tangent replay ID`: a finding of the last campaign runs again, in the VM or natively, with everything its test had.

import { GeneralHelpers } from "../findings/general-helpers.js";
import { identify } from "../findings/identity.js";
import { runOptionsOf } from "../inputs/test-input.js";
import { SYMBOLIC_COMPILE_OPTIONS } from "../jit/options.js";
import { confirmNatively } from "../jobs/confirm.js";
import { findProgram } from "../jobs/find-program.js";
import { RunThread } from "../jobs/run-thread.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { counted, pathsBelow, whereOf } from "../report/finding-view.js";
import { readResultFile } from "../report/result-file.js";
import { renderEnd, renderFinding } from "../report/text.js";
import { visible } from "../support/visible-text.js";
import { TEST_HEAP_BYTES, TEST_INSTRUCTIONS } from "../techniques/test-limits.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import type { CommandContext } from "./command.js";
import { withRoots } from "./roots.js";

const TROUBLE_STATUS = 3;
export const DEFAULT_TIMEOUT_MS = 60_000;

export interface ReplayFindingChoices {
  readonly native: boolean;
  readonly verbose: boolean;
  /** Null: as long as is usual. */
  readonly timeoutMs: number | null;
  readonly roots?: readonly string[];
  /** Another build of the program, say one where the bug is fixed. */
  readonly program: string | null;
}

/** The findings that these words name; null if one of them names none, and is a path perhaps. */
export function findingsNamed(folder: ProjectFolder, words: readonly string[]): readonly ResultFinding[] | null {
  if (!words.every((word) => /^[0-9a-f]{3,64}$/.test(word))) return null;
  const read = readResultFile(folder.known("report", "results.json"));
  if (read.kind === "unreadable") return null;
  const named = words.map((word) => only(read.result, word));
  return named.every((finding) => finding !== null) ? named : null;
}

function only({ findings }: CampaignResult, id: string): ResultFinding | null {
  const matching = findings.filter((finding) => finding.id.startsWith(id));
  return matching.length === 1 ? matching[0] : null;
}

/** 0 if each failed again as it did, 1 if one did not, 3 if one could not be run. */
export async function replayFindings(
  folder: ProjectFolder,
  findings: readonly ResultFinding[],
  choices: ReplayFindingChoices,
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
    const outcome = await replayInVm(folder, finding, choices, context);
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

async function replayInVm(
  folder: ProjectFolder,
  finding: ResultFinding,
  { program, timeoutMs, verbose, roots }: ReplayFindingChoices,
  context: CommandContext,
): Promise<boolean | null> {
  const trouble = (message: string): null => {
    context.error(`tangent replay: ${visible(message)}\n`);
    return null;
  };
  const made = testOfFinding(folder, finding);
  if (made.kind === "gone") return trouble(made.message);
  const path = program ?? sameProgram(new ProjectState(folder.root, context.env), made.seed);
  if (path === null) return trouble(`${made.seed.program} is no longer what was recorded; record the tests again`);
  // As the campaign had it, whose translation is in the cache; what makes a finding's id is then the same too.
  const compile = SYMBOLIC_COMPILE_OPTIONS;
  const found = await findProgram(path, { env: context.env, clang: null, flags: [], compile });
  if (found.kind === "failed") return trouble(found.message);
  const ended = await new RunThread().run({
    source: found.source,
    options: {
      ...runOptionsOf(made.test, made.witness),
      ...withRoots(roots),
      limits: {
        ...DEFAULT_LIMITS,
        milliseconds: timeoutMs ?? DEFAULT_TIMEOUT_MS,
        heapBytes: TEST_HEAP_BYTES,
        instructions: TEST_INSTRUCTIONS,
      },
      stdout: verbose ? "inherit" : "capture",
      stderr: verbose ? "inherit" : "capture",
    },
    check: { repeat: "for-stacks", leaks: false },
  });
  if (ended.kind === "died") return trouble(`the virtual machine's thread died: ${ended.message}`);
  const { run } = ended;
  const colour = process.stdout.isTTY === true && !context.env.NO_COLOR;
  const text = { colour, relativeTo: process.cwd(), readSource: sourcesBelow([folder.root]) };
  if (run.finding !== null) context.out(renderFinding(run.finding, text));
  else context.out(renderEnd(run.result.end, null) ?? "");
  const helpers = new GeneralHelpers(found.image());
  const identity = {
    program: made.seed.program,
    root: folder.root,
    isHelper: (frame: SourceFrame) => helpers.isHelper(frame),
    readSource: text.readSource,
  };
  const isSame = run.finding !== null && identify(run.finding, identity).id === finding.id;
  const place = whereOf(finding, pathsBelow(folder.root));
  const verdict = isSame ? "fails again, as recorded" : `does not fail as recorded (${finding.kind} at ${place})`;
  context.out(`${visible(`${finding.id}: ${verdict}`)}\n`);
  return isSame;
}
