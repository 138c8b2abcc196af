// `tangent show`: one finding of the last campaign in full, or one input that patch testing made; without an id, the list of them.

import { findProject } from "../project/project-folder.js";
import { sourcesBelow } from "../project/sources.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { chainLines } from "../report/compose-text.js";
import { chainOfFinding } from "../report/compose-view.js";
import { bugsInWords, groupsOf, memberInWords, othersOf } from "../report/finding-groups.js";
import { renderFindingText } from "../report/finding-text.js";
import { pathsBelow, whereOf } from "../report/finding-view.js";
import {
  inputsById,
  placesInWords,
  renderPatchInput,
  shownCommand,
  targetsOfInput,
} from "../report/patch-input-text.js";
import { findingById, readResultFile } from "../report/result-file.js";
import { visible } from "../support/visible-text.js";
import { type CommandContext, defineCommand } from "./command.js";

export const command = defineCommand({
  name: "show",
  summary: "Show a finding, or an input of `tangent patch`: source, stack, and how the input differs from the test's",
  description:
    "ID is the id of a finding or of an input that `tangent patch` or `reach` made, or the beginning of it. Without ID, those of the last campaign are listed, the worst findings first.",
  options: { json: { kind: "flag", help: "print it as JSON" } },
  operands: { id: { kind: "optional", value: "ID", help: "which one" } },
  run(options, { id }, context) {
    const folder = findProject(process.cwd());
    const read = readResultFile(folder.known("report", "results.json"));
    if (read.kind === "unreadable") return trouble(context, read.message);
    const { findings, project } = read.result;
    const shown = pathsBelow(project);
    if (id === undefined) {
      if (options.json) context.out(`${JSON.stringify(findings, null, 2)}\n`);
      else {
        const knownOf = ({ known }: ResultFinding): string => (known === true ? " (known)" : "");
        for (const { first, members } of groupsOf(findings)) {
          const severity = first.severity.padEnd(8);
          const line = `${first.id}  ${severity}  ${first.title} at ${whereOf(first, shown)}${knownOf(first)}`;
          context.out(`${visible(line)}\n`);
          for (const member of members.slice(1)) {
            const other = `${member.id}    same cause at ${memberInWords(member, first, shown)}${knownOf(member)}`;
            context.out(`${visible(other)}\n`);
          }
        }
        const { result } = read;
        for (const input of result.technique === "patch" ? result.inputs : []) {
          const places = placesInWords(result.technique === "patch" ? targetsOfInput(result, input) : []);
          context.out(`${visible(`${input.id}  reaches ${places}: ${shownCommand(input.command, project)}`)}\n`);
        }
        context.error(`tangent: ${bugsInWords(findings, "finding")}\n`);
      }
      return 0;
    }
    const [input, ...others] = inputsById(read.result, id);
    const found = findingById(read.result, id);
    if (found.kind === "none" && id !== "" && input !== undefined && others.length === 0) {
      const targets = read.result.technique === "patch" ? targetsOfInput(read.result, input) : [];
      context.out(
        options.json ? `${JSON.stringify(input, null, 2)}\n` : renderPatchInput(input, targets, project, shown),
      );
      return 0;
    }
    if (found.kind === "none") return trouble(context, found.message);
    if (options.json) context.out(`${JSON.stringify(found.finding, null, 2)}\n`);
    else {
      const colour = process.stdout.isTTY === true && !context.env.NO_COLOR;
      context.out(
        renderFindingText(found.finding, {
          colour,
          shown,
          readSource: sourcesBelow([folder.root]),
          others: othersOf(found.finding, findings),
          chain:
            read.result.technique === "compose" ? chainLines(chainOfFinding(read.result, found.finding.id), shown) : [],
        }),
      );
    }
    return 0;
  },
});

function trouble(context: CommandContext, message: string): number {
  context.error(`tangent show: ${visible(message)}\n`);
  return 3;
}
