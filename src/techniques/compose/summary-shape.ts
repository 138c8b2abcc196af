// Whether what a file of the cache says is a unit's result. Functions are numbers into the file's own list of names,
// the unit itself first.

import { areConditions } from "../../expr/portable-shape.js";
import { listOf, number, oneOf, orNull, record, type Shape, text, truth, upTo, whole } from "../../support/shape.js";
import { type ExactCondition, REALISMS, type UnitResultOfItem } from "./compose-work.js";

export interface StoredSummary {
  /** What the exploration was given. */
  readonly timeMs: number;
  /** As they were in the build that was explored. */
  readonly functions: readonly { readonly name: string; readonly file: string | null; readonly line: number }[];
  readonly result: UnitResultOfItem;
}

const WORDS = listOf(
  record({
    text,
    kind: oneOf("branch", "choice", "check", "pin", "failure"),
    file: orNull(text),
    line: whole,
  }),
);

const EXACT: Shape = (value) =>
  record({ formula: areConditions, parts: WORDS })(value) && isAligned(value as ExactCondition);

const COUNTS = [
  "paths", "runs", "solverMs", "milliseconds", "blocks", "coveredBlocks", "coveredFirst", "contexts",
  "interpolants", "interpolantsUsed", "interpolationMs",
]; // biome-ignore format: a list
const ACCOUNTS = record({
  ...Object.fromEntries(COUNTS.map((name) => [name, number])),
  isComplete: truth,
  isCached: truth,
});

/** Null if it is none, or one for another number of conditions. */
export function storedSummary(bytes: Uint8Array, conditions: number): StoredSummary | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return null;
  }
  const head = record({
    timeMs: number,
    functions: listOf(record({ name: text, file: orNull(text), line: whole })),
  });
  if (!head(read)) return null;
  const { functions } = read as StoredSummary;
  const shape = unitResultShape(upTo(functions.length - 1), conditions);
  const isOwn = ({ function: own, chain }: UnitResultOfItem["failures"][number]): boolean =>
    own === 0 && chain[0].function === 0;
  if (!record({ result: shape })(read)) return null;
  const stored = read as StoredSummary;
  return stored.result.failures.every(isOwn) ? stored : null;
}

/** `known`: a number of a function. */
export function unitResultShape(known: Shape, conditions: number): Shape {
  const link = record({
    function: known,
    name: text,
    file: orNull(text),
    line: whole,
    condition: WORDS,
    arguments: listOf(record({ words: text, value: text })),
  });
  const failure: Shape = (value) =>
    record({
      function: known,
      target: record({ id: text, kind: text, file: orNull(text), line: whole, functionName: text }),
      formula: areConditions,
      exact: orNull(EXACT),
      realism: oneOf(...REALISMS),
      texts: listOf(record({ was: listOf(upTo(255)), is: listOf(upTo(255)) })),
      within: orNull(record({ object: text, bytes: whole })),
      parts: WORDS,
      chain: listOf(link),
      tried: whole,
      failed: whole,
    })(value) && isWhole(value as UnitResultOfItem["failures"][number]);
  return record({
    kind: oneOf("unit"),
    problem: orNull(text),
    failures: listOf(failure),
    unmet: unmetShape(conditions),
    accounts: ACCOUNTS,
  });
}

export function wholeResultShape(conditions: number): Shape {
  return record({
    kind: oneOf("whole"),
    validated: listOf(record({ condition: upTo(conditions - 1), finding: text })),
    unmet: unmetShape(conditions),
    accounts: ACCOUNTS,
  });
}

function unmetShape(conditions: number): Shape {
  const calls = whole;
  const state: Shape = (value) => {
    switch ((value as { readonly kind?: unknown } | null | undefined)?.kind) {
      case "not-called":
        return true;
      case "other-shape":
      case "not-failing":
      case "unknown":
        return record({ calls })(value);
      case "contradicted":
        return record({ calls, needed: WORDS, against: WORDS })(value);
      default:
        return false;
    }
  };
  return listOf(record({ condition: upTo(conditions - 1), state }));
}

/** A part in words for each conjunct, and a chain that begins at the unit. */
function isWhole(failure: UnitResultOfItem["failures"][number]): boolean {
  return isAligned(failure) && failure.chain.length > 0;
}

function isAligned({ formula, parts }: ExactCondition): boolean {
  return formula.roots.length === parts.length;
}
