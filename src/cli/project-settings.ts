// What tangent.toml says about findings, for commands that show or count them. A file with a mistake says nothing here: whoever
// builds, records or amplifies refuses it before.

import { readConfig } from "../project/config.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sourcesAround, sourcesBelow } from "../project/sources.js";
import type { Suppression } from "../project/suppressions.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { pathsBelow, type ShownPath } from "../report/finding-view.js";
import { withSuppressed } from "../report/suppressed.js";
import { wordReadHints } from "../report/word-read-hint.js";

export interface FindingSettings {
  readonly suppress: readonly Suppression[];
  readonly sanitizerMacros: boolean;
}

export function findingSettings({ root }: Pick<ProjectFolder, "root">): FindingSettings {
  const read = readConfig(root);
  return read.kind === "config" ? read.config : { suppress: [], sanitizerMacros: false };
}

/** How paths are shown of a project: relative to it, or to the sources that are built in it. */
export function shownPaths({ root }: Pick<ProjectFolder, "root">): ShownPath {
  return pathsBelow(root, ...sourcesAround(root));
}

/** The result with what tangent.toml says now: which findings are suppressed, and what may be done about those that are left. */
export function withSettings<Result extends CampaignResult>(
  result: Result,
  folder: ProjectFolder,
  readSource = sourcesBelow([folder.root]),
): Result {
  const { suppress, sanitizerMacros } = findingSettings(folder);
  const findings = withSuppressed(result.findings, suppress, shownPaths(folder));
  const hints = wordReadHints(findings, sanitizerMacros, readSource, shownPaths(folder));
  const [sources] = sourcesAround(folder.root);
  return { ...result, findings, hints, ...(sources === undefined ? {} : { sources }) };
}
