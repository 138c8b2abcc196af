// Whether a value read from a file is what the reports believe it to be. Results and journals of findings may have been edited,
// cut, made by another version, or by somebody who wishes us ill: names from them end up in paths, in shell scripts and in
// HTML, so what is not of the right form is no finding.

import { KINDS } from "../findings/kinds.js";
import {
  listOf,
  mapOf,
  matching,
  number,
  oneOf,
  optional,
  orNull,
  record,
  type Shape,
  text,
  truth,
  whole,
} from "../support/shape.js";
import type { CampaignResult, ResultFinding } from "./campaign-result.js";
import { isComposePart } from "./compose-shape.js";
import { isPatchPart } from "./patch-shape.js";

/** A hundred years at most. */
const duration: Shape = (value) => typeof value === "number" && value >= 0 && value < 3.2e12;
const moment: Shape = (value) => matching(/^\d{4}-\d\d-\d\dT/)(value) && !Number.isNaN(Date.parse(String(value)));

const FRAME = record({ function: text, file: orNull(text), line: whole, column: whole, origin: text });

const CONTENT = matching(/^[0-9a-f]{64}$/);

const FINDING = record({
  id: matching(/^[0-9a-f]{3,64}$/),
  identity: text,
  group: text,
  cause: text,
  fingerprint: text,
  kind: (value) => typeof value === "string" && Object.hasOwn(KINDS, value),
  title: text,
  sentence: text,
  message: text,
  severity: text,
  score: optional(number),
  cwe: number,
  access: optional(oneOf("read", "write")),
  location: orNull(FRAME),
  stack: listOf(FRAME),
  object: orNull(
    record({
      kind: text,
      name: orNull(text),
      size: number,
      offset: number,
      file: orNull(text),
      line: whole,
      allocation: listOf(FRAME),
      free: listOf(FRAME),
    }),
  ),
  distance: number,
  depth: number,
  foundMs: number,
  program: text,
  seedId: text,
  seedCommand: listOf(text),
  witnessCommand: listOf(text),
  workingDirectory: text,
  inputs: listOf(record({ name: text, seed: text, witness: text })),
  confirmed: oneOf("vm", "native", "sanitizer"),
  isMade: optional(truth),
  by: optional(oneOf("unit", "main", "edit", "approach")),
  moved: optional(record({ from: text, command: listOf(text), steps: listOf(text) })),
  since: optional(oneOf("patch", "before")),
  known: optional(truth),
  suppressed: optional(text),
  build: optional(
    record({
      program: text,
      compiled: listOf(record({ path: text, content: matching(/^[0-9a-f]{32}$/) })),
      sources: listOf(record({ file: text, content: CONTENT, kept: CONTENT })),
      version: optional(text),
    }),
  ),
  formerIds: optional(listOf(matching(/^[0-9a-f]{3,64}$/))),
  behind: optional(listOf(record({ id: matching(/^[0-9a-f]{3,64}$/), place: text }))),
});

const COMMON_TOTALS = ["paths", "queries", "solverMs", "divergences", "unconfirmed"];
const AMPLIFY_TOTALS = ["seeds", "invocations", "distance", "checks"];
const PATCH_TOTALS = ["seeds", "targets", "coveredByTests", "reached", "unreachable"];

function totals(...names: readonly string[]): Shape {
  return record(Object.fromEntries(names.map((name) => [name, number])));
}

/** What every technique has. */
const COMMON = record({
  tool: text,
  project: text,
  sources: optional(text),
  startedAt: moment,
  durationMs: duration,
  reason: oneOf("complete", "time", "aborted"),
  totals: totals(...COMMON_TOTALS),
  findings: listOf(FINDING),
  files: listOf(record({ path: text, lines: listOf(number), byTests: listOf(number), added: listOf(number) })),
  timeline: listOf(record({ ms: number, blocks: number, findings: number })),
  baseline: optional(text),
  notExplored: mapOf(number),
  notes: optional(listOf(text)),
  seen: optional(listOf(text)),
  hints: optional(listOf(text)),
});

const AMPLIFIED = record({
  totals: totals(...AMPLIFY_TOTALS),
  seeds: listOf(
    record({
      id: text,
      program: text,
      command: listOf(text),
      stdinBytes: orNull(number),
      files: listOf(text),
      end: text,
      distance: number,
      checks: number,
      paths: number,
      milliseconds: number,
      skipped: orNull(text),
      checked: optional(oneOf("all", "part", "none")),
      machineEnd: optional(text),
      why: optional(listOf(text)),
    }),
  ),
  sampled: optional(record({ tests: whole, confidence: matching(/^[a-z][^\n]*$/) })),
  nothingChecked: optional(text),
});

const AMPLIFY = record({ technique: oneOf("amplify") });
/** `tangent test --deep` has amplified the tests before. */
const COMPOSE = record({ technique: oneOf("compose"), amplified: optional(AMPLIFIED) });
const PATCH = record({ technique: oneOf("patch"), totals: totals(...PATCH_TOTALS) });

export function isResultFinding(value: unknown): value is ResultFinding {
  return FINDING(value);
}

/** Its version is known to be ours. */
export function isCampaignResult(value: unknown): value is CampaignResult {
  if (!COMMON(value)) return false;
  return (
    (AMPLIFY(value) && AMPLIFIED(value)) ||
    (PATCH(value) && isPatchPart(value)) ||
    (COMPOSE(value) && isComposePart(value))
  );
}
