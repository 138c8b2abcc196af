// Pointers by points-to sets. Where a set is too large to mean anything, or names no byte, types answer (type-pointers.ts).

import type { DataLayout } from "../../ir/data-layout.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { ObjectOrigin } from "../../ir/points-to/memory-objects.js";
import { PointsTo } from "../../ir/points-to/points-to.js";
import type { Body, Value } from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";
import type { Call, PlaceKey, Pointers } from "./pointers.js";
import type { TypePointers } from "./type-pointers.js";

/** An access that may touch more says nothing about any of them. */
const MOST_PLACES = 32;

const NO_BODY: Body = { args: [], blocks: [] };

export class PointsToPointers implements Pointers {
  readonly precision = "points-to";
  readonly fromNumbers: ReadonlySet<IrFunction>;
  private readonly sets: PointsTo;
  private readonly numbers = new Map<ObjectOrigin, number>();
  private readonly known = new Map<Value, readonly PlaceKey[]>();

  constructor(
    program: LinkedProgram,
    bodies: readonly CountedBody[],
    layout: DataLayout,
    private readonly types: TypePointers,
  ) {
    const byFunction = new Map(bodies.map(({ fn, body }) => [fn, body]));
    const order = bodies.map(({ fn }) => fn);
    this.sets = new PointsTo(program, order, (fn) => byFunction.get(fn) ?? NO_BODY, layout);
    this.fromNumbers = this.sets.fromNumbers;
  }

  calleesOf(call: Call): readonly IrFunction[] {
    return this.sets.calleesOf(call);
  }

  functionsIn(value: Value): readonly IrFunction[] {
    const direct = this.types.functionsIn(value);
    if (direct.length > 0 || value.type.kind !== "ptr") return direct;
    const found = this.sets.targetsOf(value);
    return found.flatMap(({ origin }) => (origin.kind === "function" ? [origin.function] : []));
  }

  placesOf(pointer: Value, access: "load" | "store"): readonly PlaceKey[] {
    let found = this.known.get(pointer);
    if (found === undefined) {
      found = this.lookUp(pointer);
      this.known.set(pointer, found);
    }
    if (found.length === 0) return this.types.placesOf(pointer, access);
    // A load that only its type tells about finds the store by that type.
    const field = access === "store" ? this.types.fieldOf(pointer) : null;
    return field === null ? found : [...found, field];
  }

  private lookUp(pointer: Value): readonly PlaceKey[] {
    const targets = this.sets.targetsOf(pointer);
    // What comes from outside may be anything.
    if (targets.length > MOST_PLACES || targets.some(({ origin }) => origin.kind === "outside")) return [];
    const [written] = this.types.placesOf(pointer, "load");
    return targets.flatMap(({ origin, offset }) => {
      if (offset < 0) return [];
      switch (origin.kind) {
        case "variable":
          return [this.types.inVariable(origin.variable, offset)];
        case "stack":
        case "heap":
          return [this.inObject(origin, offset, written)];
        default:
          return [];
      }
    });
  }

  private inObject(origin: ObjectOrigin, offset: number, written: PlaceKey | undefined): PlaceKey {
    const number = this.numbers.get(origin) ?? this.numbers.size;
    this.numbers.set(origin, number);
    const isHeap = origin.kind === "heap";
    const what = isHeap ? "a block" : "a local variable";
    const name = written?.name ?? ((): string => (offset === 0 ? what : `${what}+${offset}`));
    return { key: `o:${number}+${offset}`, kind: isHeap ? "heap" : "local", name };
  }
}
