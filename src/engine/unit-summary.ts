// What a run of a unit did, as expressions over its input: the conditions of its path in order, its result, and what it
// wrote. Together with those of the other paths this is a function summary (FOCAL, "Summaries"): the disjunction over the
// explored paths of path condition, result and writes. It is exact for the paths it has and says nothing of the others.
//
// Writes are found by looking at memory when the run has ended, not by watching stores: a byte counts if it is an
// expression other than the variable it was, or a constant where a variable was, or a constant that differs from the
// initial one. Blocks that the unit allocated itself are not looked at; a pointer to one is a constant of this run.
//
// Invariant: expressions are those of the executor's arena. A collection of the arena moves them: summaries that are to
// outlive one are kept in KeptSummaries, which is a listener of the engine.

import type { ShadowMemory } from "../concolic/shadow-memory.js";
import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { grownInts } from "../path/growth.js";
import { grownIds, idColumn } from "../path/id-column.js";
import type { CheckKind, PathObserver, PinReason, SiteId } from "../path/observer.js";
import type { GuestMemory } from "../vm/guest-memory.js";
import type { EngineListener } from "./options.js";
import { bytesAsConstant } from "./unit-calls.js";
import type { PartValue, PlacedObject } from "./unit-values.js";

export const STEP_KINDS = ["branch", "choice", "check", "pin", "assumption", "failure"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface PathStep {
  /** Index into ProgramImage.sites, or a number outside of it: before the start, or a hook's. */
  readonly site: SiteId;
  readonly kind: StepKind;
  /** What holds on the path, width 1. */
  readonly condition: ExprRef;
}

export interface UnitWrite {
  /** The name of an input object, or `global:` and the name of a variable that is none. */
  readonly object: string;
  readonly offset: number;
  /** 1 to 8. */
  readonly size: number;
  /** Of 8 * size bits; a constant if it is one. */
  readonly value: ExprRef;
}

export interface RunSummary {
  readonly path: readonly PathStep[];
  /** The parts of the result; null if the unit did not return. */
  readonly result: readonly PartValue[] | null;
  readonly writes: readonly UnitWrite[];
  /** Objects of the unit's input that may not be touched any more. */
  readonly freed: readonly string[];
  /** Calls that stubs and hooks answered. */
  readonly answered: number;
}

/** Notes what an observer is told. */
export class PathNotes implements PathObserver {
  private observer: PathObserver | null = null;
  private sites = idColumn<SiteId>(256);
  private conditions = new Int32Array(256);
  private kinds = new Int32Array(256);
  private count = 0;

  constructor(private readonly arena: ExprArena) {}

  begin(observer: PathObserver): void {
    this.observer = observer;
    this.count = 0;
  }

  steps(): PathStep[] {
    const seen = new Set<number>();
    const steps: PathStep[] = [];
    for (let n = 0; n < this.count; n++) {
      const condition = this.conditions[n];
      if (seen.has(condition)) continue;
      seen.add(condition);
      steps.push({ site: this.sites[n], kind: STEP_KINDS[this.kinds[n]], condition: condition as ExprRef });
    }
    return steps;
  }

  // What ends the run is noted before it is told.

  branch(site: SiteId, condition: ExprRef, taken: boolean): void {
    this.note(site, 0, taken ? condition : this.arena.not(condition));
    this.observer?.branch(site, condition, taken);
  }
  choose(site: SiteId, taken: ExprRef, others: readonly ExprRef[]): void {
    this.note(site, 1, taken);
    this.observer?.choose(site, taken, others);
  }
  check(site: SiteId, kind: CheckKind, bad: ExprRef): void {
    this.note(site, 2, this.arena.not(bad));
    this.observer?.check(site, kind, bad);
  }
  pin(site: SiteId, reason: PinReason, equals: ExprRef): void {
    this.note(site, 3, equals);
    this.observer?.pin(site, reason, equals);
  }
  assume(site: SiteId, condition: ExprRef, holds: boolean): void {
    this.note(site, 4, holds ? condition : this.arena.not(condition));
    this.observer?.assume(site, condition, holds);
  }

  /** Here the run is about to fail, and so is every other with this condition. */
  failing(site: SiteId, kind: CheckKind, bad: ExprRef): void {
    this.note(site, 5, bad);
    this.observer?.failing?.(site, kind, bad);
  }

  private note(site: SiteId, kind: number, condition: ExprRef): void {
    if (this.count >= this.conditions.length) {
      this.sites = grownIds(this.sites, 0);
      this.conditions = grownInts(this.conditions, 0);
      this.kinds = grownInts(this.kinds, 0);
    }
    this.sites[this.count] = site;
    this.conditions[this.count] = condition;
    this.kinds[this.count++] = kind;
  }
}

export interface Writes {
  readonly writes: readonly UnitWrite[];
  readonly freed: readonly string[];
}

/** What of these objects is not what it was. */
export function writesTo(
  objects: readonly PlacedObject[],
  arena: ExprArena,
  memory: GuestMemory,
  shadows: ShadowMemory,
): Writes {
  const writes: UnitWrite[] = [];
  const freed: string[] = [];
  for (const object of objects) {
    const { name, address, size, first, initial } = object;
    if (memory.firstRefused(address, size, false) >= 0) {
      freed.push(name);
      continue;
    }
    const cells = shadows.cellsOf(address, size);
    if (cells === null && first < 0 && shadows.hasContent(address, initial, null)) continue;
    const isField = fieldBytes(object);
    const isWritten = (k: number): boolean => {
      const cell = cells?.[k] ?? 0;
      if (first >= 0 && !isField(k)) {
        const own = arena.variable(first + k);
        return cell !== own << 3 && (cell === 0 || shadows.load(address + k, 1) !== own);
      }
      return cell !== 0 || memory.u8[address + k] !== initial[k];
    };
    for (let k = 0; k < size; ) {
      if (!isWritten(k)) {
        k++;
        continue;
      }
      const from = k++;
      while (k < size && k - from < 8 && continues(cells, from, k) && isWritten(k)) k++;
      const value = shadows.load(address + from, k - from);
      writes.push({
        object: name,
        offset: from,
        size: k - from,
        value: value !== CONCRETE ? value : bytesAsConstant(arena, memory.u8, address + from, k - from),
      });
    }
  }
  return { writes, freed };
}

/** Whether byte `to` goes on with what began at `from`: the next byte of the same expression, or concrete too. */
function continues(cells: Int32Array | null, from: number, to: number): boolean {
  if (cells === null || cells[from] === 0) return (cells?.[to] ?? 0) === 0;
  return (cells[from] & 7) + to - from < 8 && cells[to] === cells[from] + to - from;
}

function fieldBytes({ fields }: PlacedObject): (offset: number) => boolean {
  if (fields.length === 0) return () => false;
  return (at) => fields.some(({ offset, size }) => at >= offset && at < offset + size);
}

/** Summaries of many runs, kept through collections of the arena. */
export class KeptSummaries implements EngineListener {
  private held: RunSummary[] = [];

  get all(): readonly RunSummary[] {
    return this.held;
  }

  add(summary: RunSummary): void {
    this.held.push(summary);
  }

  readonly keeps = (): ExprRef[] =>
    this.held.flatMap(({ path, result, writes }) => [
      ...path.map(({ condition }) => condition),
      ...(result ?? []).map(({ expression }) => expression),
      ...writes.map(({ value }) => value),
    ]);

  readonly moved = (to: Int32Array): void => {
    const move = (expression: ExprRef): ExprRef => to[expression] as ExprRef;
    this.held = this.held.map(({ path, result, writes, ...rest }) => ({
      path: path.map((step) => ({ ...step, condition: move(step.condition) })),
      result: result?.map((part) => ({ ...part, expression: move(part.expression) })) ?? null,
      writes: writes.map((write) => ({ ...write, value: move(write.value) })),
      ...rest,
    }));
  };
}
