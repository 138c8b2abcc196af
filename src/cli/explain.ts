// `tangent explain`: a finding's input is run beside the test it came from, and the branches where they part are told.

import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { explainInThread } from "../jobs/explain-thread.js";
import { findProgram } from "../jobs/find-program.js";
import { findProject } from "../project/project-folder.js";
import { sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { renderExplanation } from "../report/explanation.js";
import { changedInWords, sourcesOfBuild } from "../report/finding-build.js";
import { movedLiteral, recordedInPlace, testOfFinding } from "../report/finding-test.js";
import {
  asSentence,
  changedInputs,
  changeInWords,
  movesInWords,
  pathsBelow,
  unchangedInput,
  whereOf,
} from "../report/finding-view.js";
import { findingById } from "../report/result-file.js";
import { visible, visibleLines } from "../support/visible-text.js";
import { TEST_INSTRUCTIONS } from "../techniques/test-limits.js";
import { defineCommand } from "./command.js";
import { knownFindings } from "./known-findings.js";

const TROUBLE_STATUS = 3;
const TIME_MS = 60_000;

export const command = defineCommand({
  name: "explain",
  summary: "Say at which branches a finding's input leaves the path of its test",
  options: { json: { kind: "flag", help: "print the partings as JSON" } },
  operands: { id: { kind: "one", value: "ID", help: "a finding's id, or the beginning of it" } },
  async run(options, { id }, context) {
    const trouble = (message: string): number => {
      context.error(`tangent explain: ${visible(message)}\n`);
      return TROUBLE_STATUS;
    };
    const folder = findProject(process.cwd());
    const known = knownFindings(folder);
    if (known.findings.length === 0 && known.result === null) return trouble(known.problem);
    const found = findingById(known, id);
    if (found.kind === "none") return trouble(found.message);
    const { finding } = found;
    const made = testOfFinding(folder, finding);
    if (made.kind === "gone") return trouble(made.message);
    const program = sameProgram(new ProjectState(folder.root, context.env), made.seed);
    if (program === null) {
      return trouble(`${made.seed.program} is no longer what was recorded; record the tests again`);
    }
    const image = await findProgram(program, {
      env: context.env,
      clang: null,
      flags: [],
      compile: AMPLIFY_COMPILE_OPTIONS,
    });
    if (image.kind === "failed") return trouble(image.message);
    const moved = movedLiteral(image.image(), made.test);
    if (moved !== null) return trouble(moved);
    const recorded = recordedInPlace(folder, finding, made.test);
    const shown = pathsBelow(known.result?.project ?? folder.root);
    const changed = changeInWords(changedInputs(finding, shown));
    const moves = movesInWords(finding);
    const own = `The input is ${unchangedInput(finding, null)}.`;
    const what = changed === null ? own : `Compared with the test, ${changed} changed.`;
    const then = changed === null ? "" : `; then ${changed} changed`;
    // Two inputs with other words or contents of other sizes cannot be run side by side.
    const isAlone = recorded === null && changed === null;
    const beside = recorded === null && !isAlone ? ' Below, "the test" is that input.' : "";
    const how = moves === null ? what : `Made of the test: ${moves}${then}.${beside}`;
    const end = `It ends at ${whereOf(finding, shown)}. ${asSentence(finding.message)}`;
    const today = sourcesBelow([folder.root]);
    const difference = changedInWords(finding, today, shown);
    if (difference !== null) context.error(`tangent explain: ${visible(difference)}\n`);
    if (isAlone && !options.json) {
      const why =
        moves === null ? "nothing of it was changed" : "the test has other words, or contents of another size";
      const alone = `There is no run to compare it with: ${why}. \`tangent show ${finding.id}\` has the stack.`;
      context.out(visibleLines([`${finding.title} at ${whereOf(finding, shown)}`, how, "", alone, end]));
      return 0;
    }
    const answer = await explainInThread({
      source: image.source,
      test: recorded ?? made.test,
      witness: made.witness,
      instructions: TEST_INSTRUCTIONS,
      timeMs: TIME_MS,
      goOnAt: (finding.behind ?? []).map(({ place }) => place),
    });
    if (answer.kind === "failed") return trouble(answer.message);
    if (options.json) {
      context.out(`${JSON.stringify(answer.explanation, null, 2)}\n`);
      return 0;
    }
    context.out(visibleLines([`${finding.title} at ${whereOf(finding, shown)}`, how, ""]));
    context.out(renderExplanation(answer.explanation, end, shown, sourcesOfBuild(finding, folder, today)));
    return 0;
  },
});
