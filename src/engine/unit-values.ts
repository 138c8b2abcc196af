// The values that a unit starts with, made anew at the start of each run: scalars from input bytes, blocks on the guest's own
// heap (malloc is called as the program would, so that a block may be freed, has redzones, and is named in reports), and
// pointers between them. What was placed where is remembered for the summary of the run.
//
// Invariant: the order in which objects are made depends on the description and the run's input only, so that the same
// input finds the same addresses and the same variables.

import type { SpaceObject } from "../concolic/input-space.js";
import type { SymbolicHost } from "../concolic/symbolic-host.js";
import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import type { WasmValueType } from "../jit/image.js";
import { CONTROL } from "../jit/memory-layout.js";
import { NO_SITE, type PathObserver } from "../path/observer.js";
import type { Machine } from "../vm/machine.js";
import { RunStop } from "../vm/run-end.js";
import {
  type FoundObject,
  fieldSize,
  type PlannedGlobal,
  type UnitField,
  type UnitName,
  type UnitPointer,
  type UnitValue,
} from "./unit-description.js";

/** One part of a value: its bits on this run, zero-extended to two words, and what they are for all runs of the path. */
export interface PartValue {
  readonly bits: number;
  readonly low: number;
  readonly high: number;
  /** CONCRETE if the value is the same on all of them. */
  readonly expression: ExprRef;
}

/** A named range of memory, and the variable of its first byte (-1 if it is not input). */
export interface PlacedObject {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly first: number;
  /** What it held at the start. */
  initial: Uint8Array;
  /** Bytes that are no input. */
  readonly fields: readonly { readonly offset: number; readonly size: number }[];
}

/** Decisions before the program starts have no site. */
export const UNIT_SITE = NO_SITE;

const NOTHING = new Uint8Array(0);

interface Waiting {
  readonly name: string;
  readonly pointer: UnitPointer;
  /** Where the address goes. */
  readonly at: number;
}

export class UnitValues {
  readonly placed: PlacedObject[] = [];
  private readonly arena: ExprArena;
  private readonly byName = new Map<string, number>();
  private readonly words = new DataView(new ArrayBuffer(8));

  constructor(
    private readonly host: SymbolicHost,
    private readonly machine: Machine,
    private readonly allocator: number,
    private readonly addressOf: (name: UnitName) => number,
  ) {
    this.arena = host.arena;
  }

  begin(): void {
    this.placed.length = 0;
    this.byName.clear();
  }

  /** Makes a variable input. `initial` is what the program began with. */
  placeGlobal(global: PlannedGlobal, initial: Uint8Array, observer: PathObserver): void {
    const { name, address, size, fields } = global;
    const object = this.host.input(name, size);
    this.host.place(object, 0, size, address);
    const from = this.placed.length;
    this.remember(name, address, size, object.first, fields);
    const work: Waiting[] = [];
    for (const field of fields) this.placeField(name, address, field, initial, work);
    this.finish(work, from, observer);
  }

  /** Makes bytes input that lie there already. */
  placeFound({ name, address, size, symbolic }: FoundObject): void {
    const object = this.host.input(name, size);
    for (const range of symbolic) this.host.place(object, range.offset, range.size, address + range.offset);
    const initial = this.machine.memory.u8.slice(address, address + size);
    this.placed.push({ name, address, size, first: object.first, initial, fields: gapsBetween(symbolic, size) });
  }

  /** The parts of a parameter or result. `name` is that of the input. */
  make(
    name: string,
    value: UnitValue,
    bits: readonly number[],
    types: readonly WasmValueType[],
    observer: PathObserver,
  ): PartValue[] {
    switch (value.kind) {
      case "symbolic":
        return this.symbolic(name, bits);
      case "found":
        throw new Error(`${name} is to be as it is found, and nobody has looked`);
      case "concrete":
        return [this.concrete(value.value, bits[0], types[0])];
      default: {
        const address = this.pointTo(name, value, observer);
        return [{ bits: 64, low: address | 0, high: 0, expression: CONCRETE }];
      }
    }
  }

  /** A fresh input of these parts. */
  symbolic(name: string, bits: readonly number[]): PartValue[] {
    const bytesOf = (part: number): number => (part + 7) >>> 3;
    const object = this.host.input(
      name,
      Math.max(
        1,
        bits.reduce((sum, part) => sum + bytesOf(part), 0),
      ),
    );
    const bytes = this.host.inputs.bytesOf(object);
    let from = 0;
    return bits.map((part) => {
      const count = bytesOf(part);
      const made = this.scalar(object, from, part, bytes);
      from += count;
      return made;
    });
  }

  /** The named object that an address lies in. */
  placeOf(address: number): { readonly object: string; readonly offset: number } | null {
    for (const { name, address: start, size } of this.placed) {
      if (address >= start && address < start + size) return { object: name, offset: address - start };
    }
    return null;
  }

  private scalar(object: SpaceObject, from: number, bits: number, bytes: Uint8Array): PartValue {
    const { arena } = this;
    const count = (bits + 7) >>> 3;
    let expression: ExprRef = arena.variable(object.first + from);
    for (let k = 1; k < count; k++) expression = arena.concat(arena.variable(object.first + from + k), expression);
    if (bits < count * 8) expression = arena.extract(expression, 0, bits);
    const word = (at: number): number => {
      let value = 0;
      for (let k = Math.min(4, count - at) - 1; k >= 0; k--) value = (value << 8) | bytes[from + at + k];
      return value;
    };
    const low = bits < 32 ? word(0) & ((1 << bits) - 1) : word(0);
    const high = bits <= 32 ? 0 : bits < 64 ? word(4) & ((1 << (bits - 32)) - 1) : word(4);
    return { bits, low, high, expression };
  }

  private concrete(value: number, bits: number, type: WasmValueType): PartValue {
    const { words } = this;
    if (type === "f32") words.setFloat32(0, value, true);
    else if (type === "f64") words.setFloat64(0, value, true);
    else words.setBigInt64(0, BigInt.asIntN(64, BigInt.asUintN(bits, BigInt(Math.trunc(value)))), true);
    const low = words.getInt32(0, true);
    const high = bits <= 32 ? 0 : words.getInt32(4, true);
    return { bits, low, high, expression: CONCRETE };
  }

  /** The address that a pointer is to have. Objects that its object points to come after it. */
  private pointTo(name: string, pointer: UnitPointer, observer: PathObserver): number {
    const work: Waiting[] = [];
    const from = this.placed.length;
    const address = this.target({ name, pointer, at: 0 }, work, observer);
    this.finish(work, from, observer);
    return address;
  }

  /** `from`: the objects from there on are complete then. */
  private finish(work: Waiting[], from: number, observer: PathObserver): void {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const address = this.target(next, work, observer);
      this.machine.memory.view.setUint32(next.at, address, true);
      this.machine.memory.view.setUint32(next.at + 4, 0, true);
    }
    const { u8 } = this.machine.memory;
    for (let n = from; n < this.placed.length; n++) {
      const object = this.placed[n];
      object.initial = u8.slice(object.address, object.address + object.size);
    }
  }

  private remember(name: string, address: number, size: number, first: number, fields: readonly UnitField[]): void {
    this.byName.set(name, address);
    const ranges = fields.map((field) => ({ offset: field.offset, size: fieldSize(field) }));
    this.placed.push({ name, address, size, first, initial: NOTHING, fields: ranges });
  }

  /** `initial`: what the object would hold; zeros behind its end. */
  private placeField(owner: string, base: number, field: UnitField, initial: Uint8Array, work: Waiting[]): void {
    const { offset, value } = field;
    const size = fieldSize(field);
    const at = base + offset;
    const { u8 } = this.machine.memory;
    this.host.shadows.clear(at, size);
    u8.fill(0, at, at + size);
    u8.set(value.kind === "bytes" ? value.bytes : initial.subarray(offset, offset + size), at);
    if (value.kind !== "initial" && value.kind !== "bytes") {
      work.push({ name: `(${owner}+${offset})`, pointer: value, at });
    }
  }

  private target({ name, pointer }: Waiting, work: Waiting[], observer: PathObserver): number {
    if (pointer.kind === "null") return 0;
    if (pointer.kind === "function") return this.addressOf(pointer.function);
    if (pointer.kind === "inside") {
      const base = this.byName.get(pointer.object);
      return base === undefined ? 0 : base + pointer.offset;
    }
    if (pointer.orNull === true && this.isNull(name, observer)) return 0;
    const { size, bytes, fields = [] } = pointer;
    const own = `*${name}`;
    const address = this.allocate(own, size);
    const { u8 } = this.machine.memory;
    let first = -1;
    if (bytes === undefined) {
      const object = this.host.input(own, size);
      first = object.first;
      this.host.place(object, 0, size, address);
    } else {
      u8.fill(0, address, address + size);
      u8.set(bytes, address);
    }
    for (const field of fields) this.placeField(own, address, field, NOTHING, work);
    this.remember(own, address, size, first, fields);
    return address;
  }

  /** A decision of the path: one byte, and the pointer is null unless it is 0. */
  private isNull(name: string, observer: PathObserver): boolean {
    const object = this.host.input(`null:${name}`, 1);
    const isNull = this.host.inputs.bytesOf(object)[0] !== 0;
    const { arena } = this;
    const points = arena.binary(OPS.eq.code, arena.variable(object.first), arena.zero(8));
    observer.branch(UNIT_SITE, points, !isNull);
    return isNull;
  }

  private allocate(name: string, size: number): number {
    // What is waiting there belongs to the call that is being answered: malloc would take it for the shadow of its size.
    const { view } = this.machine.memory;
    const waiting = view.getUint32(CONTROL.argumentShadows, true);
    view.setUint32(CONTROL.argumentShadows, CONCRETE, true);
    const address = Number(this.machine.callFunction(this.allocator, [BigInt(size)]));
    view.setUint32(CONTROL.argumentShadows, waiting, true);
    if (address === 0) {
      const what = `the limit of the heap leaves no room for ${name} of ${size} bytes`;
      throw new RunStop({ kind: "unsupported", what, functionName: "malloc" });
    }
    return address;
  }
}

/** What of [0, size) is in none of the ranges. */
function gapsBetween(ranges: FoundObject["symbolic"], size: number): PlacedObject["fields"] {
  const gaps: { offset: number; size: number }[] = [];
  let from = 0;
  for (const range of [...ranges].sort((a, b) => a.offset - b.offset)) {
    if (range.offset > from) gaps.push({ offset: from, size: range.offset - from });
    from = Math.max(from, range.offset + range.size);
  }
  if (from < size) gaps.push({ offset: from, size: size - from });
  return gaps;
}
