// One result of two campaigns on the same tests: amplification, then composition. Findings are once each, times count from the start of the
// first, and a line that both reached is reached once.

import type { AmplifyCampaignResult, ResultFile } from "./campaign-result.js";
import type { ComposeCampaignResult } from "./compose-result.js";
import { shownTargets } from "./shown-targets.js";

export function deepResult(first: AmplifyCampaignResult, second: ComposeCampaignResult): ComposeCampaignResult {
  const known = new Set(first.findings.map(({ id }) => id));
  const later = second.findings.filter(({ id }) => !known.has(id));
  const { durationMs: before } = first;
  const targets = shownTargets(second.targets, first.findings);
  const blocks = first.timeline.at(-1)?.blocks ?? 0;
  const sum = (name: "paths" | "queries" | "solverMs" | "divergences" | "unconfirmed"): number =>
    first.totals[name] + second.totals[name];
  return {
    ...second,
    targets,
    startedAt: first.startedAt,
    durationMs: before + second.durationMs,
    reason: second.reason === "complete" ? first.reason : second.reason,
    totals: {
      ...second.totals,
      lifted: targets.filter(({ state }) => state.kind === "lifted").length,
      paths: sum("paths"),
      queries: sum("queries"),
      solverMs: sum("solverMs"),
      divergences: sum("divergences"),
      unconfirmed: sum("unconfirmed"),
    },
    findings: [...first.findings, ...later.map((finding) => ({ ...finding, foundMs: finding.foundMs + before }))],
    files: merged([...first.files, ...second.files]),
    timeline: [
      ...first.timeline,
      // The two count their blocks apart; what was reached stays reached.
      ...second.timeline.map((point) => ({
        ms: point.ms + before,
        blocks: Math.max(blocks, point.blocks),
        findings: Math.max(first.findings.length, point.findings),
      })),
    ],
    notExplored: added(first.notExplored, second.notExplored),
    notes: [...new Set([...(first.notes ?? []), ...(second.notes ?? [])])],
    amplified: { totals: first.totals, seeds: first.seeds },
  };
}

function added(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const counts = new Map(Object.entries(a));
  for (const [reason, count] of Object.entries(b)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return Object.fromEntries(counts);
}

function merged(files: readonly ResultFile[]): ResultFile[] {
  const byPath = new Map<string, ResultFile[]>();
  for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  return [...byPath].map(([path, parts]) => {
    const union = (name: "lines" | "byTests" | "added"): number[] =>
      [...new Set(parts.flatMap((part) => part[name]))].sort((a, b) => a - b);
    const byTests = new Set(union("byTests"));
    return {
      path,
      lines: union("lines"),
      byTests: [...byTests],
      added: union("added").filter((line) => !byTests.has(line)),
    };
  });
}
