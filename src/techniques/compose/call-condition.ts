// A failure of a unit as a condition on whoever calls the function: what must hold of its input, as expressions that leave their arena,
// with the words for it, and the chain of functions below that it was lifted through.

import type { InputSpace } from "../../concolic/input-space.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { exportExpressions, type PortableLeaf } from "../../expr/portable.js";
import { type Finding, userFrameOf } from "../../findings/finding.js";
import type { KindName } from "../../findings/kinds.js";
import type { OtherText } from "../../inputs/mutations/other-texts.js";
import { ConditionWords } from "../unit/condition-words.js";
import { conditionsInWords, type UnitFailure } from "../unit/explore-unit.js";
import type { Precondition } from "../unit/precondition.js";
import type { DescribedUnit } from "../unit/unit-inputs.js";
import { EXTENT } from "./bind-condition.js";
import type { CallCondition, ChainLink, ExactCondition, ObjectExtent, Realism, TargetRef } from "./compose-work.js";

/** The line that failed, in the program's own code. */
export function targetOf(finding: Finding): TargetRef {
  const frame = userFrameOf(finding) ?? finding.stack[0];
  const place = { file: frame?.file ?? null, line: frame?.line ?? 0, functionName: frame?.functionName ?? "?" };
  const target = { kind: finding.kind, ...place };
  return { id: targetId(target), ...target };
}

/** One target a line, and a way of failing: what kind of memory lies next to an object is another matter in every caller. */
export function targetId({ kind, file, line, functionName }: Omit<TargetRef, "id">): string {
  return `${isOutOfBounds(kind) ? "out-of-bounds" : kind} ${file}:${line} ${functionName}`;
}

function isOutOfBounds(kind: string): boolean {
  return OUT_OF_BOUNDS.has(kind);
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
  readonly realism: Realism;
}

/** Conditions of a path that are kept beside those that matter. */
const MOST_EXACT = 200;
/** Conditions of a failure: a loop may make thousands. */
const MOST_STATED = 500;

/** `study`: of the failure, with expressions of `executor`. Null if it needs more than can be asked for. */
export function conditionOf(of: FailureParts): CallCondition | null {
  const { unit, executor, failure, study, given, realism } = of;
  const { image, plan, arena, space } = executor;
  const { index } = plan.target;
  const target = targetOf(failure.finding);
  const left = leftObject(executor, failure.finding);
  const words = ConditionWords.ofRun(unit, executor);
  words.learn(study.path.filter(({ kind }) => kind === "assumption"));
  const stated = (all: readonly PathStep[]): ExactCondition & { readonly isRelative: boolean } => {
    const steps = [...new Map(all.map((step) => [step.condition, step])).values()];
    const roots = steps.map(({ condition }) => condition);
    // Whether an access leaves its object depends on how large that is, which is another matter at every call.
    const at = left === null ? -1 : steps.findIndex(({ kind }) => kind === "failure");
    const relative = left === null || at < 0 ? null : relativeToExtent(executor, roots[at], left);
    if (relative !== null) roots[at] = relative;
    const formula = exportExpressions(arena, roots, withExtent(space, left));
    const parts = steps.flatMap((step) => conditionsInWords(image, [step], words));
    return { formula, parts, isRelative: relative !== null };
  };
  const path = study.path.filter(({ kind }) => kind !== "assumption");
  const isShown = study.tried > 0 && study.failed === study.tried;
  const chosen = isShown || path.length > MOST_STATED ? study.matters : path;
  // Nobody could meet it, or read it.
  if (chosen.length > MOST_STATED) return null;
  const { formula, parts, isRelative } = stated(chosen);
  const isLonger = isShown && path.length > study.matters.length && path.length <= MOST_EXACT;
  const whole = isLonger ? stated(path) : null;
  const exact = whole === null ? null : { formula: whole.formula, parts: whole.parts };
  const within = isRelative ? null : left;
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
    exact,
    realism,
    texts: otherTexts(unit, failure),
    within,
    parts,
    chain: [link, ...below],
    tried: failure.tried,
    failed: failure.failed,
  };
}

/** What it failed with in the place of the call's texts. */
function otherTexts({ texts = [] }: DescribedUnit, { values }: UnitFailure): readonly OtherText[] {
  return texts.flatMap(({ object, bytes: was }): OtherText[] => {
    const own = values.find(({ name, occurrence }) => name === object && occurrence === 0)?.bytes;
    const end = own?.indexOf(0) ?? -1;
    const is = own?.subarray(0, end < 0 ? own.length : end);
    return is === undefined || Buffer.compare(is, was) === 0 ? [] : [{ was: [...was], is: [...is] }];
  });
}

/** The named object that the failing access left, behind its end; null if it is none, or nobody knows. */
function leftObject({ values }: UnitExecutor, finding: Finding): ObjectExtent | null {
  const { object } = finding;
  if (object === null || object.offset < object.size || !isOutOfBounds(finding.kind)) return null;
  const end = object.address + object.size;
  const own = values.placed.find(({ address, size }) => address < end && end <= address + Math.max(size, object.size));
  return own === undefined || !own.name.startsWith("*") ? null : { object: own.name, bytes: end - own.address };
}

/** Pseudo-variables behind those of the space stand for the bytes of the extent. */
function withExtent(space: InputSpace, left: ObjectExtent | null): (variable: number) => PortableLeaf {
  const leafOf = leavesOf(space);
  if (left === null) return leafOf;
  return (variable) =>
    variable < space.size
      ? leafOf(variable)
      : { object: `${EXTENT}${left.object}`, occurrence: 0, offset: variable - space.size };
}

/** `low <= value` as `low - bytes + extent <= value`; null if it has another form. */
function relativeToExtent({ arena, space }: UnitExecutor, condition: ExprRef, { bytes }: ObjectExtent): ExprRef | null {
  if (arena.op(condition) !== OPS.sle.code || !arena.isConstant(arena.a(condition))) return null;
  const width = arena.width(arena.a(condition));
  if (width < 16 || width > 64) return null;
  let extent: ExprRef = arena.variable(space.size);
  for (let k = 1; k < width / 8; k++) extent = arena.concat(arena.variable(space.size + k), extent);
  const low = arena.binary("sub", arena.a(condition), arena.constantBig(width, BigInt(bytes)));
  return arena.binary("sle", arena.binary("add", low, extent), arena.b(condition));
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
