// A patch in JUnit's XML: each target is a case of its file, passed if the tests or Tangent run it and skipped, with
// the reason, if nobody does: code that was not reached is no failure of anybody. Findings, and inputs that only the
// new version fails with, fail.

import { commandSegments, pathsOf, plainText, type ShownPath } from "./finding-view.js";
import { findingSuite, type Suite, suiteOf, xml } from "./junit-text.js";
import type { BehaviourChange, PatchCampaignResult, PatchTarget } from "./patch-result.js";
import { commandOfInput, reasonsOf, regressionsOf, SEVERITY_WORDS, sourceOf, targetInWords } from "./patch-view.js";

export function patchSuites(result: PatchCampaignResult): readonly Suite[] {
  const shown = pathsOf(result);
  const files = [...new Set(result.targets.map(({ file }) => file))];
  const suites = files.map((file) =>
    targetSuite(
      file,
      result.targets.filter((target) => target.file === file),
      result,
      shown,
    ),
  );
  return [...suites, ...findingSuite(result.findings, result, shown), ...behaviourSuite(result)];
}

function targetSuite(
  file: string,
  targets: readonly PatchTarget[],
  result: PatchCampaignResult,
  shown: ShownPath,
): Suite {
  let skipped = 0;
  let milliseconds = 0;
  const cases = targets.map((target) => {
    const { state, line, column, function: name } = target;
    const time = state.kind === "reached" ? Math.max(0, state.milliseconds) : 0;
    milliseconds += time;
    const place = `${line}:${column}${name === "" ? "" : ` ${name}`}`;
    const head = `  <testcase classname="${xml(file)}" name="${xml(place)}" time="${(time / 1000).toFixed(3)}"`;
    const words = targetInWords(target);
    if (state.kind === "reached") {
      const command = commandOfInput(result.inputs[state.input]);
      return [`${head}>`, `    <system-out>${xml(`${words}\n${command}`)}</system-out>`, "  </testcase>"].join("\n");
    }
    if (state.kind === "covered") return `${head}/>`;
    skipped++;
    const reasons = state.kind === "not-reached" ? reasonsOf(state.why, shown) : [];
    return [`${head}>`, `    <skipped message="${xml([words, ...reasons].join("; "))}"/>`, "  </testcase>"].join("\n");
  });
  const { startedAt } = result;
  return suiteOf({ name: file, tests: targets.length, failures: 0, skipped, milliseconds, startedAt, cases });
}

function behaviourSuite(result: PatchCampaignResult): Suite[] {
  // Findings have their own cases.
  const regressions = regressionsOf(result).filter(({ source }) => source.kind !== "finding");
  if (regressions.length === 0) return [];
  const cases = regressions.map((change) => {
    const command = plainText(commandSegments(change.command, change.command, 80));
    const message = `${SEVERITY_WORDS.crash}: ${command}`;
    return [
      `  <testcase classname="tangent behaviour" name="${xml(`${command} from ${sourceOf(change, result)}`)}" time="0.000">`,
      `    <failure type="regression" message="${xml(message)}">${xml(differencesText(change))}</failure>`,
      "  </testcase>",
    ].join("\n");
  });
  const counts = { tests: cases.length, failures: cases.length, skipped: 0, milliseconds: 0 };
  return [suiteOf({ name: "tangent behaviour", ...counts, startedAt: result.startedAt, cases })];
}

function differencesText({ differences }: BehaviourChange): string {
  return differences.map(({ what, before, after }) => `${what}\nbefore: ${before}\nafter: ${after}`).join("\n\n");
}
