// The input of a program as variables: which input byte has which index, for all runs of an exploration. An input object
// is a named range of bytes (arg2, stdin, file:data.bin, or the name given to klee_make_symbolic); its identity is its
// name, the how-manieth of that name in a run it is, and its size. The same identity in another run gives the same
// variables, so that a path condition of one run can be solved for another, whatever order the objects appear in.
//
// Objects come into being as runs meet them, so an older model knows fewer bytes than the space has: those it lacks are
// the object's defaults (from a seed, or zeros), which therefore never change once the object exists.
// Alternative: a fixed layout before the first run; a program may make objects in a loop that depends on its input.

import { type InputValue, objectName } from "../inputs/input-value.js";
import type { Model } from "../solver/solver.js";

export interface SpaceObject {
  readonly name: string;
  /** 0 for the first of that name in a run. */
  readonly occurrence: number;
  readonly size: number;
  /** Index of the variable that is its first byte; the others follow. */
  readonly first: number;
  /** Position in `objects`. */
  readonly index: number;
}

/** An input object as a run has met it. */
interface RunObject {
  readonly name: string;
  readonly size: number;
  readonly firstVariable: number;
}

const FIRST_BYTES = 256;

export class InputSpace {
  private readonly all: SpaceObject[] = [];
  /** By name, then by occurrence: the objects of the sizes seen. */
  private readonly byName = new Map<string, SpaceObject[][]>();
  private readonly seeds = new Map<string, Uint8Array[]>();
  private defaultBytes = new Uint8Array(FIRST_BYTES);
  private count = 0;

  /** Number of variables. */
  get size(): number {
    return this.count;
  }

  /** In order of their first variables. */
  get objects(): readonly SpaceObject[] {
    return this.all;
  }

  /** What bytes are that a model lacks; by variable. Valid until the next `declare`. */
  get defaults(): Uint8Array {
    return this.defaultBytes.subarray(0, this.count);
  }

  /** The object of this identity, made if there is none. */
  declare(name: string, occurrence: number, size: number): SpaceObject {
    let ofName = this.byName.get(name);
    if (ofName === undefined) {
      ofName = [];
      this.byName.set(name, ofName);
    }
    while (ofName.length <= occurrence) ofName.push([]);
    const sizes = ofName[occurrence];
    for (const object of sizes) if (object.size === size) return object;
    const object: SpaceObject = { name, occurrence, size, first: this.count, index: this.all.length };
    sizes.push(object);
    this.all.push(object);
    this.grow(this.count + size);
    const seed = this.seeds.get(name)?.[occurrence];
    // A view of a small array makes V8 move it out of its heap, which costs more than all of the rest.
    if (seed !== undefined) this.defaultBytes.set(seed.length <= size ? seed : seed.subarray(0, size), this.count);
    this.count += size;
    return object;
  }

  /** As a new one. */
  clear(): void {
    this.all.length = 0;
    this.byName.clear();
    this.seeds.clear();
    this.defaultBytes = new Uint8Array(FIRST_BYTES);
    this.count = 0;
  }

  /** The object that a variable is a byte of, or null if there is no such variable. */
  objectOf(variable: number): SpaceObject | null {
    if (variable < 0 || variable >= this.count) return null;
    let low = 0;
    let high = this.all.length - 1;
    // Last object that begins at or before the variable; empty objects share their place with the next and come first.
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.all[middle].first <= variable) low = middle;
      else high = middle - 1;
    }
    return this.all[low];
  }

  /** As reports show it: `arg2[0]`, `stdin[17]`; `x_1[3]` for the second object named x. */
  nameOf(variable: number): string {
    const object = this.objectOf(variable);
    return object === null ? `input[${variable}]` : `${objectName(object)}[${variable - object.first}]`;
  }

  /** An object's bytes under a model. */
  bytesOf(object: SpaceObject, model: Model): Uint8Array {
    const bytes = this.defaultBytes.slice(object.first, object.first + object.size);
    bytes.set(model.subarray(object.first, object.first + object.size));
    return bytes;
  }

  /** The content of some objects (those of a run, in its order) under a model. */
  valuesOf(model: Model, objects: readonly SpaceObject[] = this.all): InputValue[] {
    return objects.map((object) => ({
      name: object.name,
      occurrence: object.occurrence,
      bytes: this.bytesOf(object, model),
    }));
  }

  /** The same of objects that are known by where they begin. Those without bytes share their place with the next. */
  valuesOfRun(model: Model, objects: readonly RunObject[]): InputValue[] {
    return objects.map(({ name, size, firstVariable }) => {
      const object = size === 0 ? null : this.objectOf(firstVariable);
      return object === null
        ? { name, occurrence: 0, bytes: new Uint8Array(0) }
        : { name: object.name, occurrence: object.occurrence, bytes: this.bytesOf(object, model) };
    });
  }

  /** The model that gives these objects, of exactly these sizes, their content, and all others their defaults. */
  modelOf(values: readonly InputValue[]): Model {
    const objects = values.map(({ name, occurrence, bytes }) => this.declare(name, occurrence, bytes.length));
    const model = this.defaults.slice();
    for (const [i, object] of objects.entries()) model.set(values[i].bytes, object.first);
    return model;
  }

  /**
   * Takes a seed, whose objects may have other sizes than the program's: objects met for the first time from now on take
   * their defaults from it, cut or followed by zeros. Returns the model that gives it to the objects already known.
   */
  seed(values: readonly InputValue[]): Model {
    this.seeds.clear();
    const model = this.defaults.slice();
    for (const { name, occurrence, bytes } of values) {
      const ofName = this.seeds.get(name) ?? [];
      ofName[occurrence] = bytes;
      this.seeds.set(name, ofName);
      for (const object of this.byName.get(name)?.[occurrence] ?? []) {
        model.fill(0, object.first, object.first + object.size);
        model.set(bytes.length <= object.size ? bytes : bytes.subarray(0, object.size), object.first);
      }
    }
    return model;
  }

  private grow(count: number): void {
    if (count <= this.defaultBytes.length) return;
    const grown = new Uint8Array(Math.max(count, this.defaultBytes.length * 2));
    grown.set(this.defaultBytes);
    this.defaultBytes = grown;
  }
}
