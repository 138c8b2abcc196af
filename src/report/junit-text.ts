// What JUnit's files are made of, for every technique. What XML 1.0 cannot hold (most control characters) is replaced,
// since one such byte makes the whole file unreadable to most readers.

import type { ResultFinding } from "./campaign-result.js";
import { othersOf } from "./finding-groups.js";
import { commandSegments, placeOf, plainText, type ShownPath } from "./finding-view.js";

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
  const command = plainText(commandSegments(finding.witnessCommand, finding.witnessCommand));
  return [
    `${finding.title}: ${finding.message}`,
    ...finding.stack.slice(0, 20).map((frame, index) => `    #${index} ${frame.function} ${placeOf(frame, shown)}`),
    `input: ${command}`,
    `run it: tangent replay ${finding.id}`,
    ...(others.length === 0 ? [] : [`same cause: ${others.map(({ id }) => id).join(", ")}`]),
  ].join("\n");
}
