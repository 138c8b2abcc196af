// Which findings count: those that are neither in the baseline nor suppressed by tangent.toml (project/suppressions.ts). All are shown.

import { type Suppression, suppressedBy } from "../project/suppressions.js";
import type { ResultFinding } from "./campaign-result.js";
import type { ShownPath } from "./finding-view.js";
import { idsOf } from "./named-findings.js";
import { sourcePath } from "./source-path.js";

/** The findings, each with the reason why it is suppressed, if it is now. */
export function withSuppressed(
  findings: readonly ResultFinding[],
  list: readonly Suppression[],
  shown: ShownPath,
): ResultFinding[] {
  return findings.map(({ suppressed: _before, ...finding }) => {
    const { kind, location } = finding;
    const file = location === null || location.file === null ? null : sourcePath(location.file, shown);
    const reason = suppressedBy({ ids: idsOf(finding), kind, function: location?.function ?? null, file }, list);
    return reason === null ? finding : { ...finding, suppressed: reason };
  });
}

/** Whether it is a reason to fail. */
export function isCounted({ known, suppressed }: ResultFinding): boolean {
  return known !== true && suppressed === undefined;
}

/** Those that are shown among the bugs. */
export function unsuppressed(findings: readonly ResultFinding[]): readonly ResultFinding[] {
  return findings.filter(({ suppressed }) => suppressed === undefined);
}

/** "known" or "suppressed: reason", for a line; empty if it counts. */
export function markInWords({ known, suppressed }: ResultFinding): string {
  if (suppressed !== undefined) return `suppressed: ${suppressed}`;
  return known === true ? "known" : "";
}
