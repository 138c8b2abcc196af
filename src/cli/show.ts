// `tangent show`: one finding of this project in full, or one input that patch testing made; without an id, the list of them.

import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { type ReadSource, sourcesBelow } from "../project/sources.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { chainLines } from "../report/compose-text.js";
import { chainOfFinding } from "../report/compose-view.js";
import { changedInWords, sourcesOfBuild } from "../report/finding-build.js";
import { bugsInWords, groupsOf, memberInWords, othersOf } from "../report/finding-groups.js";
import { renderFindingText } from "../report/finding-text.js";
import { type ShownPath, whereOf } from "../report/finding-view.js";
import { KeptFindings } from "../report/kept-findings.js";
import { knownInputs } from "../report/kept-inputs.js";
import { placesInWords, renderPatchInput, shownCommand, targetsOfInput } from "../report/patch-input-text.js";
import { findingById } from "../report/result-file.js";
import { markInWords } from "../report/suppressed.js";
import { visible } from "../support/visible-text.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { knownFindings } from "./known-findings.js";
import { shownPaths } from "./project-settings.js";
import { saveFinding } from "./save-finding.js";

export const command = defineCommand({
  name: "show",
  summary: "Show a finding, or an input of `tangent patch`: source, stack, and how the input differs from the test's",
  description:
    "ID is the id of a finding or of an input that `tangent patch` or `reach` made, or the beginning of it. A finding is shown while its campaign still runs, and until it is forgotten (`tangent findings`). Without ID, those of the last campaign are listed, the worst first.",
  options: {
    json: { kind: "flag", help: "print it as JSON" },
    save: {
      kind: "value",
      value: "DIR",
      help: "write a finding's files and a script that reproduces it into DIR; builds the project with AddressSanitizer and runs the input natively, as --confirm=asan does",
    },
  },
  operands: { id: { kind: "optional", value: "ID", help: "which one" } },
  run(options, { id }, context) {
    if (options.save !== undefined && (id === undefined || options.json)) {
      context.error(
        `tangent show: --save DIR is for one finding: name its id${options.json ? ", without --json" : ""}\n`,
      );
      return USAGE_STATUS;
    }
    const folder = findProject(process.cwd());
    const known = knownFindings(folder);
    const { result } = known;
    if (result === null && known.findings.length === 0) return trouble(context, known.problem);
    const own = new Set(result?.findings.map((finding) => finding.id));
    const findings = result === null ? known.findings : known.findings.filter((finding) => own.has(finding.id));
    const project = result?.project ?? folder.root;
    const shown = shownPaths({ root: project });
    if (id === undefined) {
      if (options.json) context.out(`${JSON.stringify(findings, null, 2)}\n`);
      else {
        const knownOf = (finding: ResultFinding): string => {
          const mark = markInWords(finding);
          return mark === "" ? "" : ` (${mark})`;
        };
        for (const { first, members } of groupsOf(findings)) {
          const severity = first.severity.padEnd(8);
          const line = `${first.id}  ${severity}  ${first.title} at ${whereOf(first, shown)}${knownOf(first)}`;
          context.out(`${visible(line)}\n`);
          for (const member of members.slice(1)) {
            const other = `${member.id}    same cause at ${memberInWords(member, first, shown)}${knownOf(member)}`;
            context.out(`${visible(other)}\n`);
          }
        }
        for (const input of result?.technique === "patch" ? result.inputs : []) {
          const places = placesInWords(result?.technique === "patch" ? targetsOfInput(result, input) : []);
          context.out(`${visible(`${input.id}  reaches ${places}: ${shownCommand(input.command, project)}`)}\n`);
        }
        const others = known.findings.length - findings.length;
        const more = others === 0 ? "" : `; ${others} more of earlier campaigns: tangent findings`;
        context.error(`tangent: ${bugsInWords(findings, "finding")}${more}\n`);
      }
      return 0;
    }
    const [made, ...others] = id === "" ? [] : knownInputs(folder, result, id);
    const found = findingById(known, id);
    if (options.save === undefined && found.kind === "none" && made !== undefined && others.length === 0) {
      const { input, targets } = made;
      context.out(
        options.json ? `${JSON.stringify(input, null, 2)}\n` : renderPatchInput(input, targets, project, shown),
      );
      return 0;
    }
    if (found.kind === "none") return trouble(context, found.message);
    if (options.save !== undefined) return saveFinding(folder, found.finding, options.save, context);
    if (options.json) context.out(`${JSON.stringify(found.finding, null, 2)}\n`);
    else {
      const today = sourcesBelow([folder.root]);
      const colour = process.stdout.isTTY === true && !context.env.NO_COLOR;
      context.out(
        renderFindingText(found.finding, {
          colour,
          shown,
          readSource: sourcesOfBuild(found.finding, folder, today),
          ...differenceOf(found.finding, today, shown),
          others: othersOf(found.finding, known.findings),
          ...stateOf(folder, found.finding.id),
          chain: result?.technique === "compose" ? chainLines(chainOfFinding(result, found.finding.id), shown) : [],
        }),
      );
    }
    return 0;
  },
});

function differenceOf(finding: ResultFinding, today: ReadSource, shown: ShownPath): { readonly source?: string } {
  const words = changedInWords(finding, today, shown);
  return words === null ? {} : { source: words };
}

function stateOf(folder: ProjectFolder, id: string): { readonly state?: string } {
  const kept = new KeptFindings(folder).list().find(({ finding }) => finding.id === id);
  return kept === undefined ? {} : { state: `${kept.state}, first seen ${kept.firstSeen.slice(0, 10)}` };
}

function trouble(context: CommandContext, message: string): number {
  context.error(`tangent show: ${visible(message)}\n`);
  return 3;
}
