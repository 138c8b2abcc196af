// A failure of a unit as a condition on whoever calls the function: what must hold of its input, as expressions that leave their arena,
// with the words for it, and the chain of functions below that it was lifted through.

import type { InputSpace } from "../../concolic/input-space.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import type { ExprRef } from "../../expr/ops.js";
import { exportExpressions, type PortableExprs, type PortableLeaf } from "../../expr/portable.js";
import { type Finding, userFrameOf } from "../../findings/finding.js";
import type { KindName } from "../../findings/kinds.js";
import { ConditionWords } from "../unit/condition-words.js";
import { conditionsInWords, type UnitFailure } from "../unit/explore-unit.js";
import type { Precondition } from "../unit/precondition.js";
import type { DescribedUnit } from "../unit/unit-inputs.js";
import type { CallCondition, ChainLink, TargetRef } from "./compose-work.js";

/** The line that failed, in the program's own code. */
export function targetOf(finding: Finding): TargetRef {
  const frame = userFrameOf(finding) ?? finding.stack[0];
  const place = { file: frame?.file ?? null, line: frame?.line ?? 0, functionName: frame?.functionName ?? "?" };
  const target = { kind: finding.kind, ...place };
  return { id: targetId(target), ...target };
}

/** One target a line, and a way of failing: what kind of memory lies next to an object is another matter in every caller. */
export function targetId({ kind, file, line, functionName }: Omit<TargetRef, "id">): string {
  return `${OUT_OF_BOUNDS.has(kind) ? "out-of-bounds" : kind} ${file}:${line} ${functionName}`;
}

const OUT_OF_BOUNDS: ReadonlySet<string> = new Set<KindName>([
  "heap-buffer-overflow",
  "stack-buffer-overflow",
  "global-buffer-overflow",
  "argument-overflow",
  "wild-access",
  "read-only-write",
]);

/** Named leaves for the variables of a space. */
export function leavesOf(space: InputSpace): (variable: number) => PortableLeaf {
  return (variable) => {
    const object = space.objectOf(variable);
    if (object === null) throw new Error(`variable ${variable} is no input`);
    return { object: object.name, occurrence: object.occurrence, offset: variable - object.first };
  };
}

/** Expressions over named leaves in a space that has objects of these names; null where it has not. */
export function leafIn(
  { arena, space }: Pick<UnitExecutor, "arena" | "space">,
  { object, occurrence, offset }: PortableLeaf,
): ExprRef | null {
  const found = space.objects.find(
    ({ name, occurrence: which, size }) => name === object && which === occurrence && offset < size,
  );
  return found === undefined ? null : arena.variable(found.first + offset);
}

export interface FailureParts {
  readonly unit: DescribedUnit;
  readonly executor: UnitExecutor;
  readonly failure: UnitFailure;
  readonly study: Precondition;
  /** Conditions of callees that guided the exploration. */
  readonly given: readonly CallCondition[];
}

/** What matters, if others that meet it failed too; else the whole path, which is exact. */
function conditionsOf({ matters, path, tried, failed }: Precondition): readonly PathStep[] {
  return tried > 0 && failed === tried ? matters : path.filter(({ kind }) => kind !== "assumption");
}

/** `study`: of the failure, with expressions of `executor`. */
export function conditionOf({ unit, executor, failure, study, given }: FailureParts): CallCondition {
  const { image, plan, arena, space } = executor;
  const { index } = plan.target;
  const target = targetOf(failure.finding);
  const steps = [...new Map(conditionsOf(study).map((step) => [step.condition, step])).values()];
  const formula: PortableExprs = exportExpressions(
    arena,
    steps.map(({ condition }) => condition),
    leavesOf(space),
  );
  const words = new ConditionWords(unit, arena, space, executor.values.placed);
  const parts = steps.flatMap((step) => conditionsInWords(image, [step], words));
  const below = given.find((condition) => condition.target.id === target.id)?.chain ?? frames(failure, index, executor);
  const { name, file } = image.functions[index];
  const link: ChainLink = {
    function: index,
    name,
    file,
    line: image.functions[index].line,
    condition: failure.precondition,
    arguments: failure.arguments,
  };
  return {
    function: index,
    target,
    formula,
    parts,
    chain: [link, ...below],
    tried: failure.tried,
    failed: failure.failed,
  };
}

/** The functions of the failure's stack below the unit itself: they were run, not lifted through, so nothing is said of what they need. */
function frames({ finding }: UnitFailure, unit: number, { image }: UnitExecutor): ChainLink[] {
  const links: ChainLink[] = [];
  for (const { functionName, file, line, origin } of finding.stack) {
    const index = image.functions.findIndex((info) => info.name === functionName && info.origin === "program");
    if (index === unit) break;
    if (origin !== "program" || index < 0) continue;
    links.unshift({ function: index, name: functionName, file, line, condition: [], arguments: [] });
  }
  return links;
}
