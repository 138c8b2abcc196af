// What JUnit's files are made of, for every technique. What XML 1.0 cannot hold (most control characters) is replaced,
// since one such byte makes the whole file unreadable to most readers.

import type { CommonResult, ResultFinding } from "./campaign-result.js";
import { literalChanges, shortChange } from "./changed-source.js";
import { othersOf } from "./finding-groups.js";
import {
  byImportance,
  commandSegments,
  commandsOf,
  placeOf,
  plainText,
  type ShownPath,
  shownWords,
} from "./finding-view.js";
import { sourcePath } from "./source-path.js";
import { isCounted, markInWords } from "./suppressed.js";

const SPECIAL = /[&<>"'\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;
const ENTITIES: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "\n",
  "\t": "\t",
};

const OTHERS_LIMIT = 20;

export function xml(text: string): string {
  return text.replace(SPECIAL, (char) => ENTITIES[char] ?? "\ufffd");
}

export interface Suite {
  readonly text: string;
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
}

export interface SuiteParts extends Omit<Suite, "text"> {
  readonly name: string;
  readonly milliseconds: number;
  readonly startedAt: string;
  /** Lines. */
  readonly cases: readonly string[];
}

export function suiteOf({ name, tests, failures, skipped, milliseconds, startedAt, cases }: SuiteParts): Suite {
  const text = [
    `<testsuite name="${xml(name)}" tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}" time="${(milliseconds / 1000).toFixed(3)}" timestamp="${xml(startedAt.slice(0, 19))}">`,
    ...cases,
    "</testsuite>",
  ].join("\n");
  return { text, tests, failures, skipped };
}

export function findingText(finding: ResultFinding, findings: readonly ResultFinding[], shown: ShownPath): string {
  const others = othersOf(finding, findings).slice(0, OTHERS_LIMIT);
  const words = shownWords(commandsOf(finding).witness, shown);
  const command = plainText(commandSegments(words, words));
  return [
    `${finding.title}: ${finding.message}`,
    ...finding.stack.slice(0, 20).map((frame, index) => `    #${index} ${frame.function} ${placeOf(frame, shown)}`),
    `input: ${command}`,
    ...literalChanges(finding).map((change) => {
      const { before, after, file, line } = change;
      return `literal at ${sourcePath(file, shown)}:${line}: ${shortChange(before, after, change)}`;
    }),
    `run it: tangent replay ${finding.id}`,
    ...(others.length === 0 ? [] : [`same cause: ${others.map(({ id }) => id).join(", ")}`]),
  ].join("\n");
}

/** Whoever shows results over time knows a case by its name, and lines move. */
function nameOf({ kind, location, id }: ResultFinding): string {
  return `${kind}${location === null ? "" : ` in ${location.function}`} [${id}]`;
}

/** Findings as cases of their own: `chosen` of those of a result. None, if there are none. */
export function findingSuite(
  chosen: readonly ResultFinding[],
  { findings, startedAt }: Pick<CommonResult, "findings" | "startedAt">,
  shown: ShownPath,
): Suite[] {
  if (chosen.length === 0) return [];
  const all = byImportance(chosen);
  const fresh = all.filter(isCounted).length;
  const cases = all.map((finding) => {
    const head = `  <testcase classname="tangent findings" name="${xml(nameOf(finding))}" time="0.000">`;
    const text = xml(findingText(finding, findings, shown));
    const body = !isCounted(finding)
      ? `    <system-out>${xml(markInWords(finding))}: ${text}</system-out>`
      : `    <failure type="${xml(finding.kind)}" message="${xml(`${finding.title}: ${finding.message}`)}">${text}</failure>`;
    return [head, body, "  </testcase>"].join("\n");
  });
  const counts = { tests: all.length, failures: fresh, skipped: 0, milliseconds: 0 };
  return [suiteOf({ name: "tangent findings", ...counts, startedAt, cases })];
}
