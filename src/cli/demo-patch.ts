// The second half of `tangent demo`: a patch to the demo's program. It brings an option and a kind of entry that no test uses, and one bug.
// The program's tests still pass; what the patch's lines need is found, and so is what it breaks.

import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changesFromDiff } from "../project/patch/diff-changes.js";
import type { ResultFinding } from "../report/campaign-result.js";
import type { PatchCampaignResult } from "../report/patch-result.js";
import { patchCoverage } from "../report/patch-text.js";
import type { CommandContext } from "./command.js";
import { openPatchProject } from "./patch-project.js";
import { runComparison } from "./patch-run.js";

const PATCH = "average.diff";
/** What the patch breaks: an archive without a file has no average. */
const BUG = { kind: "division-by-zero", function: "print_average" };

/** `demo`: the folder with the program and its patch; `project`: where to work, not there yet; `baseline`: the results of before. Gives an exit status. */
export async function demoPatch(
  demo: string,
  project: string,
  baseline: string,
  time: number,
  context: CommandContext,
): Promise<number> {
  cpSync(join(demo, "larder"), project, { recursive: true });
  process.chdir(project);
  context.error(`\nNow somebody sends a patch: it is in ${join(demo, PATCH)}.\n`);
  context.error(`\n$ tangent patch --diff ${PATCH} --baseline results-of-before.json\n`);
  const opened = openPatchProject(undefined, false, context);
  if ("kind" in opened) {
    context.error(`tangent demo: ${opened.problem}\n`);
    return opened.status;
  }
  const comparison = changesFromDiff(project, PATCH, readFileSync(join(demo, PATCH)));
  const { status, result } = await runComparison(
    opened,
    comparison,
    {
      ...{ time, targetTime: undefined, workers: undefined, without: [], quiet: false },
      ...{ test: undefined, testTime: undefined, reuseTests: false, noTests: false },
      ...{ export: "tests/made", exportStyle: undefined, baseline },
      until: (findings) => findings.some(isBug),
    },
    context,
  );
  return result === null ? status : verdict(result, project, context);
}

function isBug({ kind, location }: ResultFinding): boolean {
  return kind === BUG.kind && location?.function === BUG.function;
}

function verdict(result: PatchCampaignResult, project: string, context: CommandContext): number {
  const { lines, byTests, withTangent } = patchCoverage(result);
  const isFound = result.findings.some(isBug);
  const isReached = lines > 0 && withTangent === lines;
  context.out(`\nThe patch, whose tests pass as before:\n`);
  context.out(
    `  ${byTests} of its ${lines} lines are run by the tests, ${withTangent} with inputs that Tangent made\n`,
  );
  context.out(
    `  ${isFound ? "found " : "MISSED"}  its bug: ${BUG.kind} in ${BUG.function}, where an archive has no file\n`,
  );
  context.out(`  inputs kept as tests: ${join(project, "tests/made")}\n`);
  context.out(`\nReport of the patch: ${join(project, ".tangent/report/index.html")}\n`);
  return isFound && isReached ? 0 : 1;
}
