// What `tangent unit` found, as plain data: for JSON, for the terminal, and for techniques that go on from there. Fields may be added; a
// change of meaning or a removal raises the version.

import type { InputValue } from "../inputs/input-value.js";
import { version } from "../support/version.js";
import { signatureText } from "../techniques/unit/describe-unit.js";
import type { UnitFailure, UnitSummary } from "../techniques/unit/explore-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";
import { findingJson } from "./json.js";

const UNIT_RESULT_VERSION = 1;

export interface UnitResult {
  readonly program: string;
  readonly unit: DescribedUnit;
  readonly failures: readonly UnitFailure[];
  readonly summary: UnitSummary;
}

export function unitResultJson({ program, unit, failures, summary }: UnitResult): unknown {
  const { statistics, coverage, reason, complete, unconfirmed, elapsedMs } = summary;
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
    failures: failures.map((failure) => ({
      ...findingJson(failure.finding),
      arguments: failure.arguments,
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
    reason,
    complete,
    elapsedMs: Math.round(elapsedMs),
  };
}

function valueJson({ name, occurrence, bytes }: InputValue): unknown {
  return { name, occurrence, bytes: Buffer.from(bytes).toString("hex") };
}
