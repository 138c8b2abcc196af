// Results of the other commands: a campaign writes results.json and the page, and would take away those of the last campaign of another
// kind (`tangent compose` after `tangent test`). They get names of their own first, by technique, so that `tangent report` reaches them.

import { existsSync, renameSync } from "node:fs";
import { relative } from "node:path";
import type { ProjectFolder } from "../project/project-folder.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { readResultFile } from "../report/result-file.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

/** Before results of this technique are written. What cannot be read is nobody's results, and is overwritten. */
export function keepOtherResults(
  folder: ProjectFolder,
  technique: CampaignResult["technique"],
  context: CommandContext,
): void {
  try {
    const path = folder.known("report", "results.json");
    const read = existsSync(path) ? readResultFile(path) : null;
    if (read?.kind !== "result" || read.result.technique === technique) return;
    const other = read.result.technique;
    const kept = folder.file("report", `results-${other}.json`);
    renameSync(path, kept);
    const page = folder.known("report", "index.html");
    if (existsSync(page)) renameSync(page, folder.file("report", `${other}.html`));
    if (read.result.findings.length === 0) return;
    const shown = visible(relative(process.cwd(), kept) || kept);
    context.error(`tangent: the results of the last ${other} campaign are kept: tangent report ${shown}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.error(`tangent: note: the results of the campaign before could not be kept: ${visible(why)}\n`);
  }
}
