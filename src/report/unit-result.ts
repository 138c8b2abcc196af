// What `tangent unit` found, as plain data: for JSON, for the terminal, and for techniques that go on from there. Fields may be added; a
// change of meaning or a removal raises the version.

import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import type { InputValue } from "../inputs/input-value.js";
import { version } from "../support/version.js";
import type { ExploredStart, StartsSummary, UnitStart } from "../techniques/compose/explore-starts.js";
import { signatureText } from "../techniques/unit/describe-unit.js";
import type { UnitFailure } from "../techniques/unit/explore-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";
import { findingJson } from "./json.js";

const UNIT_RESULT_VERSION = 1;

/** A failing line. */
export interface StartedFailure {
  readonly failure: UnitFailure;
  readonly start: UnitStart;
  /** The same line, as the types make it fail: to be written as C. Null if that was not found, or not asked for. */
  readonly typed: UnitFailure | null;
}

export interface UnitResult {
  readonly program: string;
  /** As its types make it. */
  readonly unit: DescribedUnit;
  readonly failures: readonly StartedFailure[];
  readonly summary: StartsSummary;
}

export function unitResultJson(
  { program, unit, failures, summary }: UnitResult,
  identityOf: (finding: Finding) => FindingIdentity,
): unknown {
  const { statistics, coverage, reason, complete, unconfirmed, untold, atLimit, elapsedMs } = summary;
  return {
    version: UNIT_RESULT_VERSION,
    technique: "unit",
    tool: `tangent ${version()}`,
    program,
    function: unit.function.name,
    signature: signatureText(unit),
    file: unit.file,
    line: unit.line,
    description: unit.description,
    inputs: unit.inputs.map(({ object, role, words }) => ({ object, role, words })),
    assumed: unit.assumptions.map(({ words }) => words),
    fixed: unit.fixed.map(({ words, value, why }) => ({ words, value, why })),
    notes: unit.notes,
    starts: summary.starts.map(exploredJson),
    failures: failures.map(({ failure, start }) => ({
      ...findingJson(failure.finding, identityOf(failure.finding)),
      start: startJson(start),
      arguments: failure.arguments,
      given: failure.given,
      precondition: failure.precondition,
      alwaysNull: failure.alwaysNull,
      pathConditions: failure.pathConditions,
      tried: failure.tried,
      failed: failure.failed,
      complete: failure.complete,
      foundMs: Math.round(failure.foundMs),
      input: failure.values.map(valueJson),
    })),
    coverage,
    paths: statistics.paths,
    runs: statistics.runs,
    pending: statistics.pending,
    losses: statistics.losses,
    divergences: statistics.divergences,
    unconfirmed,
    untold: [...untold].map(([line, why]) => ({ line, why })),
    atLimit,
    reason,
    complete,
    elapsedMs: Math.round(elapsedMs),
  };
}

/** Where a call is told: the test's id, its command line, and the how-manieth call it is, from 0. */
function startJson({ realism, at }: UnitStart): unknown {
  return at === null ? { kind: realism } : { kind: realism, test: at.test, command: at.command, call: at.call };
}

function exploredJson({ start, problem, description, inputs, ...counts }: ExploredStart): unknown {
  const { paths, pending, complete, elapsedMs } = counts;
  const rest = { paths, pending, complete, elapsedMs: Math.round(elapsedMs) };
  // The unit of its types is described above; a test is named, not written out.
  const context = description?.context;
  if (context === undefined || description === null) return { ...(startJson(start) as object), problem, ...rest };
  return {
    ...(startJson(start) as object),
    problem,
    description: { ...description, context: { call: context.call, objects: context.objects } },
    inputs: inputs.map(({ object, role, words }) => ({ object, role, words })),
    assumed: counts.assumed,
    notes: counts.notes,
    ...rest,
  };
}

function valueJson({ name, occurrence, bytes }: InputValue): unknown {
  return { name, occurrence, bytes: Buffer.from(bytes).toString("hex") };
}
