// Findings by cause (findings/identity.ts): a report says how many bugs there are, which is the number of groups, and shows each
// with all of its places. The first member stands for the group: the worst, closest to the tests, found first.

import type { ResultFinding } from "./campaign-result.js";
import { byImportance, counted, type ShownPath, whereOf } from "./finding-view.js";

export interface FindingGroup {
  readonly id: string;
  readonly first: ResultFinding;
  /** The first among them, most important first. */
  readonly members: readonly ResultFinding[];
}

/** Most important first. */
export function groupsOf(findings: readonly ResultFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, ResultFinding[]>();
  for (const finding of byImportance(findings)) {
    const members = groups.get(finding.group);
    if (members === undefined) groups.set(finding.group, [finding]);
    else members.push(finding);
  }
  return [...groups].map(([id, members]) => ({ id, first: members[0], members }));
}

/** "2 bugs", "2 bugs in 5 places". */
export function bugsInWords(findings: readonly ResultFinding[], noun = "bug"): string {
  const groups = new Set(findings.map(({ group }) => group)).size;
  return `${counted(groups, noun)}${findings.length > groups ? ` in ${counted(findings.length, "place")}` : ""}`;
}

/** The other findings of the same cause. */
export function othersOf(finding: ResultFinding, findings: readonly ResultFinding[]): readonly ResultFinding[] {
  return byImportance(findings.filter(({ id, group }) => group === finding.group && id !== finding.id));
}

/** One line for a list of members: where, and in which program if that is another one. */
export function memberInWords(member: ResultFinding, first: ResultFinding, shown: ShownPath): string {
  const program = member.program === first.program ? "" : ` (${shown(member.program)})`;
  return `${whereOf(member, shown)}${program}`;
}
