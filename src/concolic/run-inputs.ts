// The input of one run: the model made complete, and the objects that the run has used, in its order. A model may be
// older than some of the input space; the complete one has every byte, and grows when the run meets an object that no run
// has met before. It is the model that later runs are derived from.
//
// Names given by the program (klee_make_symbolic) are read from its memory. They are nearly always the same string at
// the same address, so a name is decoded once and only compared afterwards.

import type { Model } from "../solver/solver.js";
import type { InputSpace, SpaceObject } from "./input-space.js";
import type { ByteMemory } from "./shadow-memory.js";

/** What a run knows of a name: how many objects of it there were, and which they were in earlier runs. */
interface NameRecord {
  readonly name: string;
  run: number;
  next: number;
  readonly objects: SpaceObject[];
}

interface NameAt {
  /** With the final 0. */
  readonly bytes: Uint8Array;
  readonly record: NameRecord;
}

/** A longer name is cut. */
const MAX_NAME = 256;

export class RunInputs {
  readonly space: InputSpace;
  private readonly records = new Map<string, NameRecord>();
  private readonly namesAt = new Map<number, NameAt>();
  private bytes = new Uint8Array(256);
  private length = 0;
  private run = 0;
  private usedCount = 0;
  private readonly usedObjects: SpaceObject[] = [];

  constructor(space: InputSpace) {
    this.space = space;
  }

  /** The space is another one from now on: nothing is known of it. */
  forget(): void {
    this.records.clear();
    this.namesAt.clear();
    this.usedObjects.length = 0;
    this.usedCount = 0;
    this.length = 0;
  }

  begin(input: Model): void {
    this.run++;
    this.usedCount = 0;
    this.length = 0;
    const known = this.space.size;
    this.reserve(Math.max(known, input.length));
    this.bytes.set(input);
    if (input.length < known) this.bytes.set(this.space.defaults.subarray(input.length), input.length);
    this.length = Math.max(known, input.length);
  }

  /** The next object of this name. */
  next(name: string, size: number): SpaceObject {
    return this.nextOf(this.recordOf(name), size);
  }

  /** The next object of the name that stands at this address; null if it is not in memory. */
  nextNamedAt(memory: ByteMemory, address: number, size: number): SpaceObject | null {
    const u8 = memory.u8;
    const known = this.namesAt.get(address);
    if (known !== undefined && startsWith(u8, address, known.bytes)) return this.nextOf(known.record, size);
    const end = address >= u8.length ? -1 : u8.indexOf(0, address);
    if (end < 0) return null;
    const length = Math.min(end - address, MAX_NAME);
    const record = this.recordOf(Buffer.from(u8.subarray(address, address + length)).toString("latin1"));
    if (end - address <= MAX_NAME) this.namesAt.set(address, { bytes: u8.slice(address, end + 1), record });
    return this.nextOf(record, size);
  }

  /** The bytes of an object on this run. Not a copy. */
  bytesOf(object: SpaceObject): Uint8Array {
    return this.bytes.subarray(object.first, object.first + object.size);
  }

  /** Writes the bytes of `count` variables to memory. */
  copyTo(u8: Uint8Array, address: number, firstVariable: number, count: number): void {
    // A view costs more than copying this many bytes.
    if (count > 128) u8.set(this.bytes.subarray(firstVariable, firstVariable + count), address);
    else for (let i = 0; i < count; i++) u8[address + i] = this.bytes[firstVariable + i];
  }

  /** The complete input so far: a copy. */
  model(): Model {
    return this.bytes.slice(0, this.length);
  }

  /** The same without copying; valid until the run meets a new object or the next run begins. */
  currentModel(): Model {
    return this.bytes.subarray(0, this.length);
  }

  /** The objects of this run so far, in the order in which it met them: a copy. */
  used(): readonly SpaceObject[] {
    return this.usedObjects.slice(0, this.usedCount);
  }

  private nextOf(record: NameRecord, size: number): SpaceObject {
    if (record.run !== this.run) {
      record.run = this.run;
      record.next = 0;
    }
    const occurrence = record.next++;
    let object = record.objects[occurrence];
    if (object === undefined || object.size !== size) {
      object = this.space.declare(record.name, occurrence, size);
      record.objects[occurrence] = object;
      this.adopt();
    }
    this.usedObjects[this.usedCount++] = object;
    return object;
  }

  private recordOf(name: string): NameRecord {
    let record = this.records.get(name);
    if (record === undefined) {
      record = { name, run: 0, next: 0, objects: [] };
      this.records.set(name, record);
    }
    return record;
  }

  /** The space may have grown: the model gets the new bytes' defaults. */
  private adopt(): void {
    const known = this.space.size;
    if (known <= this.length) return;
    this.reserve(known);
    this.bytes.set(this.space.defaults.subarray(this.length), this.length);
    this.length = known;
  }

  private reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(length, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

function startsWith(u8: Uint8Array, address: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (u8[address + i] !== bytes[i]) return false;
  return true;
}
