// The report formats and their options, in one table: `tangent amplify`, `tangent test` and `tangent report` offer the same, and
// each is written from the result alone. A report that cannot be written is told and costs nothing else: findings that took an
// hour to find are not thrown away for a full disk.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { outputFile, writeOutput } from "../project/output-path.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { type ReadSource, sourcesBelow } from "../project/sources.js";
import { renderCampaignLcov } from "../report/campaign-lcov.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { renderPage } from "../report/html/page.js";
import { renderJunit } from "../report/junit.js";
import { renderMarkdown } from "../report/markdown.js";
import { renderSarif } from "../report/sarif.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { visibleJson } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

export const REPORT_OPTIONS = {
  json: { kind: "value", value: "FILE", help: "write the results to FILE too (- for standard output)" },
  html: { kind: "value", value: "FILE", help: "write the report as one HTML file" },
  sarif: { kind: "value", value: "FILE", help: "write the findings as SARIF 2.1.0 (- for standard output)" },
  junit: { kind: "value", value: "FILE", help: "write the tests and findings as JUnit XML" },
  markdown: { kind: "value", value: "FILE", help: "write a summary for a pull request" },
  lcov: { kind: "value", value: "FILE", help: "write the coverage as lcov's .info" },
} as const;

export type ReportFormat = keyof typeof REPORT_OPTIONS;
export type ReportChoices = { readonly [Format in ReportFormat]: string | undefined };

const RENDERERS: { readonly [Format in ReportFormat]: (result: CampaignResult, sources: ReadSource) => string } = {
  json: (result) => visibleJson(result, 1),
  html: (result, readSource) => renderPage(result, { readSource }),
  sarif: renderSarif,
  junit: renderJunit,
  markdown: (result, readSource) => renderMarkdown(result, { readSource }),
  lcov: renderCampaignLcov,
};

export const REPORT_FORMATS = Object.keys(REPORT_OPTIONS) as readonly ReportFormat[];

/** What is wrong with the choices, or null. */
export function wrongTargets(choices: Partial<ReportChoices>): string | null {
  const printed = REPORT_FORMATS.filter((format) => choices[format] === "-").map((format) => `--${format} -`);
  return printed.length > 1 ? `${printed.join(" and ")}: only one report can go to standard output` : null;
}

/** Whether a report goes to standard output: then nothing else may, or nobody could read it. */
export function isPrinted(choices: Partial<ReportChoices>): boolean {
  return REPORT_FORMATS.some((format) => choices[format] === "-");
}

/** Writes those that were asked for; true if all of them could be. */
export function writeReports(
  folder: ProjectFolder,
  result: CampaignResult,
  choices: Partial<ReportChoices>,
  context: CommandContext,
  sources: ReadSource = sourcesBelow([folder.root]),
): boolean {
  let isComplete = true;
  for (const format of REPORT_FORMATS) {
    const target = choices[format];
    if (target === undefined) continue;
    if (target === "-") context.out(RENDERERS[format](result, sources));
    else if (!writeReport(folder, result, format, target, context, sources)) isComplete = false;
  }
  return isComplete;
}

/** Sources are those of the project at hand: what the results call their project may be anywhere. */
export function writeReport(
  folder: ProjectFolder,
  result: CampaignResult,
  format: ReportFormat,
  target: string,
  context: CommandContext,
  sources: ReadSource = sourcesBelow([folder.root]),
): boolean {
  let path = target;
  try {
    path = outputFile(target, folder.root);
    mkdirSync(dirname(path), { recursive: true });
    const mode = path.startsWith(`${folder.path}/`) ? PRIVATE_FILE : 0o666;
    writeOutput(path, folder.root, RENDERERS[format](result, sources), mode);
    return true;
  } catch (error) {
    const { message } = error as Error;
    context.error(`tangent: the ${format} report could not be written to ${path}: ${message}\n`);
    return false;
  }
}
