// The findings that a command may be given the id of: those of the last campaign's results, then all others that the project has
// kept (report/kept-findings.ts), those of a campaign that goes on among them.

import type { ProjectFolder } from "../project/project-folder.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { KeptFindings } from "../report/kept-findings.js";
import { idsOf } from "../report/named-findings.js";
import { readResultFile } from "../report/result-file.js";
import { withSuppressed } from "../report/suppressed.js";
import { findingSettings, shownPaths } from "./project-settings.js";

export interface KnownFindings {
  /** Of the last campaign that ended; null if there is none, or none that can be read. */
  readonly result: CampaignResult | null;
  /** What is wrong with the results, if they are needed. */
  readonly problem: string;
  /** Of the results first; each with whether it is suppressed. */
  readonly findings: readonly ResultFinding[];
}

export function knownFindings(folder: ProjectFolder): KnownFindings {
  const read = readResultFile(folder.known("report", "results.json"));
  const result = read.kind === "result" ? read.result : null;
  const own = result?.findings ?? [];
  const ids = new Set(own.flatMap(idsOf));
  const others = new KeptFindings(folder).list().flatMap(({ finding }) => (ids.has(finding.id) ? [] : [finding]));
  const findings = withSuppressed([...own, ...others], findingSettings(folder).suppress, shownPaths(folder));
  return { result, findings, problem: read.kind === "result" ? "" : read.message };
}
