// A campaign's coverage in lcov's format: what the tests reached and what Tangent added, together, as any tool that draws
// coverage reads it. Files of the project are named relative to it. Counts are 0 or 1: how often a line ran in an exploration says
// nothing.

import { visible } from "../support/visible-text.js";
import type { CampaignResult } from "./campaign-result.js";
import { pathsOf } from "./finding-view.js";
import { sourcePath } from "./source-path.js";

export function renderCampaignLcov(result: CampaignResult): string {
  const shown = pathsOf(result);
  return result.files
    .map(({ path, lines, byTests, added }) => {
      const reached = new Set([...byTests, ...added]);
      const hit = lines.filter((line) => reached.has(line)).length;
      return [
        "TN:tangent",
        `SF:${visible(sourcePath(path, shown))}`,
        ...lines.map((line) => `DA:${line},${reached.has(line) ? 1 : 0}`),
        `LF:${lines.length}`,
        `LH:${hit}`,
        "end_of_record",
        "",
      ].join("\n");
    })
    .join("");
}
