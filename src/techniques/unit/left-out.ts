// Pointers that are null for one reason only: a unit has so many objects, and there were more. A null pointer that the function uses is a
// failure if a caller may pass one; if it is null because memory for it was not made, it is nothing at all, and must not be told.
//
// Which pointer an access used is not known where all pointers are constants. So in the executor that looks at failures more closely those
// that were left out are input, of which null is assumed: the condition of a failure that comes of one of them speaks of its bytes.

import type { InputSpace } from "../../concolic/input-space.js";
import {
  fieldSize,
  pointerIn,
  type UnitField,
  type UnitPointer,
  type UnitValue,
} from "../../engine/unit-description.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import type { InputValue } from "../../inputs/input-value.js";
import type { Model } from "../../solver/solver.js";
import type { DescribedUnit, UnitAssumption } from "./unit-inputs.js";

const POINTER_BYTES = 8;

export class LeftOut {
  private readonly places: ReadonlyMap<string, ReadonlySet<number>>;

  constructor(private readonly unit: DescribedUnit) {
    const places = new Map<string, Set<number>>();
    for (const { cause, owner, offset } of unit.fixed) {
      if (cause !== "limit" || offset === undefined) continue;
      const offsets = places.get(owner) ?? new Set();
      places.set(owner, offsets.add(offset));
    }
    this.places = places;
  }

  get isNothing(): boolean {
    return this.places.size === 0;
  }

  /** The unit with these pointers as input that is assumed to be zero. */
  assumedUnit(): DescribedUnit {
    const { unit, places } = this;
    if (this.isNothing) return unit;
    const { parameters, stubs } = unit.description;
    const assumed = [...places].flatMap(([object, offsets]) =>
      [...offsets].map((offset): UnitAssumption => {
        return { object, offset, bytes: POINTER_BYTES, signed: false, atMost: 0, words: "" };
      }),
    );
    return {
      ...unit,
      description: {
        ...unit.description,
        parameters: parameters.map((value, n) => this.free(value, `param:${n}`)),
        stubs: stubs.map((stub) => {
          const name = typeof stub.function === "string" ? stub.function : stub.function.name;
          return stub.result === undefined ? stub : { ...stub, result: this.free(stub.result, `stub:${name}`) };
        }),
      },
      assumptions: [...unit.assumptions, ...assumed],
    };
  }

  /** The input of a run, with zeros where these pointers lie: there it said nothing. */
  zeroed(values: readonly InputValue[]): readonly InputValue[] {
    return values.map((value) => {
      const offsets = this.places.get(value.name);
      if (offsets === undefined) return value;
      const bytes = value.bytes.slice();
      for (const offset of offsets) bytes.fill(0, offset, offset + POINTER_BYTES);
      return { ...value, bytes };
    });
  }

  /** The same for a model. */
  clear(space: InputSpace, model: Model): void {
    for (const { name, first } of this.isNothing ? [] : space.objects) {
      for (const offset of this.places.get(name) ?? []) model.fill(0, first + offset, first + offset + POINTER_BYTES);
    }
  }

  /** Whether the failure that a path ends in depends on one of these pointers. */
  isUsedAt({ arena, space }: UnitExecutor, path: readonly PathStep[]): boolean {
    const last = path.at(-1);
    if (last?.kind !== "failure") return false;
    return [...arena.support(last.condition)].some((variable) => {
      const object = space.objectOf(variable);
      const offsets = object === null ? undefined : this.places.get(object.name);
      if (object === null || offsets === undefined) return false;
      const at = variable - object.first;
      return offsets.has(at - (at % POINTER_BYTES));
    });
  }

  private free<T extends UnitValue>(value: T, name: string): T {
    const pointer = pointerIn(value);
    if (pointer?.kind !== "object" || pointer.fields === undefined) return value;
    const object = `*${name}`;
    const offsets = this.places.get(object);
    const fields = pointer.fields.flatMap((field): UnitField[] => {
      if (offsets?.has(field.offset) === true && fieldSize(field) === POINTER_BYTES) return [];
      const inner = field.value;
      if (inner.kind !== "object") return [field];
      return [{ ...field, value: this.free<UnitPointer>(inner, `(${object}+${field.offset})`) }];
    });
    return { ...value, fields };
  }
}
