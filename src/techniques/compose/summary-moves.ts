// A unit's result moved from one build of a program to another: functions get the numbers they have there, and places
// in the source the lines.

import type { ConditionInWords } from "../unit/explore-unit.js";
import type { CallCondition, TargetRef, UnitResultOfItem, UnmetCondition, UnmetState } from "./compose-work.js";

export interface Moves {
  functionOf(index: number): number;
  lineOf(file: string | null, line: number): number;
  /** Of a target that was moved, with the id it had. */
  idOf(target: TargetRef): string;
}

export function movedResult(result: UnitResultOfItem, moves: Moves): UnitResultOfItem {
  const { kind, problem, failures, unmet, accounts } = result;
  return {
    kind,
    problem,
    failures: failures.map((failure) => movedCondition(failure, moves)),
    unmet: unmet.map(({ condition, state }): UnmetCondition => ({ condition, state: movedState(state, moves) })),
    accounts,
  };
}

export function movedCondition(condition: CallCondition, moves: Moves): CallCondition {
  const { target, chain, parts, exact } = condition;
  const moved = { ...target, line: moves.lineOf(target.file, target.line) };
  return {
    ...condition,
    function: moves.functionOf(condition.function),
    target: { ...moved, id: moves.idOf(moved) },
    parts: movedWords(parts, moves),
    exact: exact === null ? null : { ...exact, parts: movedWords(exact.parts, moves) },
    chain: chain.map((link) => ({
      ...link,
      function: moves.functionOf(link.function),
      line: moves.lineOf(link.file, link.line),
      condition: movedWords(link.condition, moves),
    })),
  };
}

function movedState(state: UnmetState, moves: Moves): UnmetState {
  if (state.kind !== "contradicted") return state;
  return { ...state, needed: movedWords(state.needed, moves), against: movedWords(state.against, moves) };
}

function movedWords(parts: readonly ConditionInWords[], moves: Moves): readonly ConditionInWords[] {
  return parts.map((part) => ({ ...part, line: moves.lineOf(part.file, part.line) }));
}
