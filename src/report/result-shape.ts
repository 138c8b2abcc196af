// Whether a value read from a file is what the reports believe it to be. Results and journals of findings may have been edited,
// cut, made by another version, or by somebody who wishes us ill: names from them end up in paths, in shell scripts and in
// HTML, so what is not of the right form is no finding.

import { KINDS } from "../findings/kinds.js";
import type { CampaignResult, ResultFinding } from "./campaign-result.js";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
/** A hundred years at most. */
const duration: Check = (value) => typeof value === "number" && value >= 0 && value < 3.2e12;
const moment: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
const orNull = (check: Check): Check => {
  return (value) => value === null || check(value);
};
const optional = (check: Check): Check => {
  return (value) => value === undefined || check(value);
};
const list = (check: Check): Check => {
  return (value) => Array.isArray(value) && value.every(check);
};
const oneOf = (...values: readonly unknown[]): Check => {
  return (value) => values.includes(value);
};
const record = (fields: { readonly [name: string]: Check }): Check => {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as { readonly [name: string]: unknown })[name]));
};

const FRAME = record({ function: text, file: orNull(text), line: number, column: number, origin: text });

const FINDING = record({
  id: (value) => typeof value === "string" && /^[0-9a-f]{3,64}$/.test(value),
  kind: (value) => typeof value === "string" && Object.hasOwn(KINDS, value),
  title: text,
  sentence: text,
  message: text,
  severity: text,
  cwe: number,
  location: orNull(FRAME),
  stack: list(FRAME),
  object: orNull(
    record({
      kind: text,
      name: orNull(text),
      size: number,
      offset: number,
      file: orNull(text),
      line: number,
      allocation: list(FRAME),
      free: list(FRAME),
    }),
  ),
  distance: number,
  depth: number,
  foundMs: number,
  program: text,
  seedId: text,
  seedCommand: list(text),
  witnessCommand: list(text),
  workingDirectory: text,
  inputs: list(record({ name: text, seed: text, witness: text })),
  confirmed: oneOf("vm", "native", "sanitizer"),
  known: optional(oneOf(true, false)),
});

const TOTALS = ["seeds", "invocations", "distance", "checks", "paths", "queries", "solverMs"];

const RESULT = record({
  tool: text,
  project: text,
  startedAt: moment,
  durationMs: duration,
  reason: oneOf("complete", "time", "aborted"),
  totals: record(Object.fromEntries([...TOTALS, "divergences", "unconfirmed"].map((name) => [name, number]))),
  findings: list(FINDING),
  seeds: list(
    record({
      id: text,
      program: text,
      command: list(text),
      stdinBytes: orNull(number),
      files: list(text),
      end: text,
      distance: number,
      checks: number,
      paths: number,
      milliseconds: number,
      skipped: orNull(text),
    }),
  ),
  files: list(record({ path: text, lines: list(number), byTests: list(number), added: list(number) })),
  timeline: list(record({ ms: number, blocks: number, findings: number })),
  baseline: optional(text),
  notExplored: (value) => record({})(value) && Object.values(value as object).every(number),
});

export function isResultFinding(value: unknown): value is ResultFinding {
  return FINDING(value);
}

/** Its version is known to be ours. */
export function isCampaignResult(value: unknown): value is CampaignResult {
  return RESULT(value);
}
