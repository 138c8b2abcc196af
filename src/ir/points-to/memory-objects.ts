// What pointers can point to: abstract objects (a variable, a frame's slot, all blocks that one call of malloc makes, a function, ...)
// and locations in them, each an object and a byte offset. Elements of an array are one location: the offset counts from the array's first
// element. What is an array follows from the object's type; a heap block has none, so it takes the type of the first structure or
// element it is addressed as, and is an array of these.
//
// A pointer of *unknown* offset is a location of its own: what is stored through it may be anywhere in the object, what is loaded
// through it may come from anywhere (abstract-memory.ts). What types say is believed of variables; of blocks only how long their
// elements are, because the analysis may have seen the wrong use first.

import type { DataLayout } from "../data-layout.js";
import type { DebugLoc } from "../debug-info.js";
import type { GlobalVariable, IrFunction } from "../module.js";
import type { StructType, Type } from "../types.js";
import type { Instruction } from "../values.js";

export type ObjectId = number & { readonly brand: "ObjectId" };
export type LocationId = number & { readonly brand: "LocationId" };

/** Somewhere in the object. */
export const UNKNOWN_OFFSET = -1;

export type ObjectOrigin =
  | { readonly kind: "variable"; readonly variable: GlobalVariable }
  | { readonly kind: "function"; readonly function: IrFunction }
  /** A local variable, or the blocks made by one call. */
  | {
      readonly kind: "stack" | "heap";
      readonly function: IrFunction;
      readonly loc: DebugLoc | null;
      /** The alloca or the call. */
      readonly instruction: Instruction;
    }
  /** What is allocated in one obstack. */
  | { readonly kind: "obstack" }
  /** The variable arguments of a function. */
  | { readonly kind: "variadic"; readonly function: IrFunction }
  /** All constants that hold no pointers. */
  | { readonly kind: "constants" }
  /** What the system gives: arguments, environment. It holds pointers to itself; what is stored there, text, is not followed. */
  | { readonly kind: "outside" }
  /** What is on its way from one place to another. */
  | { readonly kind: "copy" }
  /** A number that the program made a pointer of: nothing is ever found there. */
  | { readonly kind: "number" };

/** Two structures that have different scalars at one place of so many bytes from their beginnings are not taken for each other. */
const BYTES_COMPARED = 64;
const SHORT_NUMBERS: ReadonlySet<string> = new Set(["int 1", "int 2", "int 4", "float"]);

interface Leaf {
  readonly offset: number;
  readonly isText: boolean;
  readonly textBytes: number;
}

/** What a type has from some offset on. */
class Leaves {
  readonly scalars = new Map<number, string>();
  /** Unions and arrays of bytes: from, to. */
  readonly anything: (readonly [number, number])[] = [];
  /** The structures that begin there. */
  readonly types = new Set<Type>();

  isAnything(at: number): boolean {
    return this.anything.some(([from, to]) => from <= at && at < to);
  }
}

/** More different offsets in one object are a walk over it. */
const MOST_OFFSETS = 256;
/** In a block that nothing calls a structure, some are enough to tell. */
const MOST_UNTYPED_OFFSETS = 24;

/** Where an offset leads in a type: every array on the way counts as its first element. `isText`: into one of small elements. */
interface Leaf {
  readonly offset: number;
  readonly isText: boolean;
}

interface MemoryObject {
  readonly origin: ObjectOrigin;
  type: Type | null;
  size: number;
  /** Bytes that were allocated, where one number says it; null otherwise. */
  readonly allocated: number | null;
  /** The type was known when it was made, and what was allocated is so many of it. */
  readonly isCertain: boolean;
  isCollapsed: boolean;
  /** Of its type, by offset. */
  leaves: Map<number, Leaf> | null;
  /** By offset, as it was asked for. */
  readonly locations: Map<number, LocationId>;
}

export class MemoryObjects {
  private readonly objects: MemoryObject[] = [];
  private readonly objectOfLocation: number[] = [];
  private readonly offsetOfLocation: number[] = [];
  private readonly leaves = new Map<Type, Map<number, Leaves>>();
  private readonly leafOf = new Map<Type, Map<number, Leaf>>();

  /** `merged`: two locations of an object have become one, in the sense of `canonical`. */
  constructor(
    private readonly layout: DataLayout,
    private readonly merged: (object: ObjectId) => void,
  ) {}

  get count(): number {
    return this.objects.length;
  }
  get locationCount(): number {
    return this.objectOfLocation.length;
  }

  add(origin: ObjectOrigin, type: Type | null, allocated: number | null = null): ObjectId {
    const size = type === null ? 0 : this.layout.sizeOf(type);
    const isCertain = type !== null && allocated !== null && size > 0 && allocated % size === 0;
    const leaves = this.leavesOf(type);
    this.objects.push({ origin, type, size, allocated, isCertain, isCollapsed: false, leaves, locations: new Map() });
    return (this.objects.length - 1) as ObjectId;
  }

  originOf(object: ObjectId): ObjectOrigin {
    return this.objects[object].origin;
  }
  objectOf(location: LocationId): ObjectId {
    return this.objectOfLocation[location] as ObjectId;
  }
  offsetOf(location: LocationId): number {
    return this.offsetOfLocation[location];
  }
  isCollapsed(object: ObjectId): boolean {
    return this.objects[object].isCollapsed;
  }
  /** Those that anybody has asked for. */
  locationsOf(object: ObjectId): Iterable<LocationId> {
    return this.objects[object].locations.values();
  }

  /** The location `offset` bytes into an object. */
  at(object: ObjectId, offset: number): LocationId {
    const one = this.objects[object];
    const wanted = offset === UNKNOWN_OFFSET && !one.isCollapsed ? UNKNOWN_OFFSET : this.canonicalOffset(one, offset);
    const known = one.locations.get(wanted);
    if (known !== undefined) return known;
    const most = one.type === null ? MOST_UNTYPED_OFFSETS : MOST_OFFSETS;
    if (wanted !== UNKNOWN_OFFSET && one.locations.size >= most) return this.at(object, UNKNOWN_OFFSET);
    const location = this.objectOfLocation.length as LocationId;
    this.objectOfLocation.push(object);
    this.offsetOfLocation.push(wanted);
    one.locations.set(wanted, location);
    return location;
  }

  /** A field: `offset` further on. */
  moved(location: LocationId, offset: number): LocationId {
    if (offset === 0) return location;
    const before = this.offsetOf(location);
    const object = this.objectOf(location);
    if (before === UNKNOWN_OFFSET || this.objects[object].origin.kind === "function") return location;
    const { size } = this.objects[object];
    // Before the first element of an array is its last.
    const after = before + offset < 0 && size > 0 ? size - (-(before + offset) % size || size) : before + offset;
    return this.at(object, after < 0 ? UNKNOWN_OFFSET : after);
  }

  /** Arithmetic on bytes, as container_of does it. In text it stays there, unless the text is shorter. */
  movedByBytes(location: LocationId, bytes: number): LocationId {
    if (!this.isText(location)) return this.moved(location, bytes);
    const { type, size } = this.objects[this.objectOf(location)];
    const room = type === null ? 0 : this.findLeaf(type, this.offsetOf(location) % size).textBytes;
    return bytes < room ? location : this.moved(location, bytes);
  }

  /** Any number of bytes further on or back. In an array of characters that stays in the array. */
  walked(location: LocationId): LocationId {
    if (this.isText(location) || this.isCarved(location)) return location;
    return this.at(this.objectOf(location), UNKNOWN_OFFSET);
  }

  /** The result of arithmetic on it as a number. */
  blurred(location: LocationId): LocationId {
    return this.isCarved(location) ? location : this.at(this.objectOf(location), UNKNOWN_OFFSET);
  }

  /** In an obstack: what is computed by bytes is where the next record begins, and all of them are one. */
  private isCarved(location: LocationId): boolean {
    return this.objects[this.objectOf(location)].origin.kind === "obstack";
  }

  /** So many elements of a type further on or back; null: any number. */
  stepped(location: LocationId, element: Type, count: number | null): LocationId {
    const offset = this.offsetOf(location);
    const object = this.objectOf(location);
    if (offset === UNKNOWN_OFFSET || count === 0 || this.isCarved(location)) return location;
    const one = this.objects[object];
    const stride = this.layout.sizeOf(element);
    if (stride >= 8) {
      if (one.type === null) this.addressedAs(location, element);
      if (count !== null && (hasTail(one) || one.type === null)) return this.moved(location, count * stride);
      if (one.type !== null && this.canonicalOffset(one, offset + stride) === this.canonicalOffset(one, offset)) {
        return location;
      }
    }
    return this.walked(location);
  }

  /** In an array of characters or small numbers: a copy from here, or to here, stays in it and has no pointers. */
  isText(location: LocationId): boolean {
    const one = this.objects[this.objectOf(location)];
    const offset = this.offsetOf(location);
    if (one.isCollapsed || one.type === null || one.size === 0 || offset === UNKNOWN_OFFSET) return false;
    if (one.origin.kind === "heap") return false;
    return this.leafAt(one, offset % one.size).isText;
  }

  /**
   * Whether a pointer to here can be used as one to such a structure: there is one here, or nothing that contradicts it. What
   * does is here only because the analysis mixes up what the program keeps apart.
   */
  mayBe(location: LocationId, type: StructType): boolean {
    const one = this.objects[this.objectOf(location)];
    const offset = this.offsetOf(location);
    if (one.origin.kind === "function") return false;
    if (one.isCollapsed || one.type === null || one.size === 0 || offset === UNKNOWN_OFFSET) return true;
    if (one.origin.kind === "heap" && !one.isCertain) return true;
    const inside = offset % one.size;
    const found = this.leavesAt(one.type, inside);
    if (found.types.has(type)) return true;
    const wanted = this.leavesAt(type, 0);
    const end = Math.min(one.size - inside, this.layout.sizeOf(type));
    // A structure without a name is what a compiler makes of an initial value; it has the same scalars but other arrays.
    const isStrict = type.name !== null && (one.type.kind !== "struct" || one.type.name !== null);
    for (const [at, kind] of wanted.scalars) {
      if (at >= end) break;
      const there = found.scalars.get(at);
      if (there === undefined ? isStrict && !found.isAnything(at) : there !== kind && !found.isAnything(at))
        return false;
    }
    return true;
  }

  /** Whether a pointer can lie here: not if a number does that is shorter. */
  mayHoldPointer(location: LocationId): boolean {
    const one = this.objects[this.objectOf(location)];
    const offset = this.offsetOf(location);
    if (one.isCollapsed || one.type === null || one.size === 0 || offset === UNKNOWN_OFFSET) return true;
    if (one.origin.kind === "heap" && !one.isCertain) return true;
    const leaves = this.leavesAt(one.type, offset % one.size);
    return !SHORT_NUMBERS.has(leaves.scalars.get(0) ?? "") || leaves.isAnything(0);
  }

  /** The scalars from an offset on, by their distance from it. */
  private leavesAt(type: Type, offset: number): Leaves {
    const ofType = this.leaves.get(type) ?? new Map<number, Leaves>();
    this.leaves.set(type, ofType);
    const known = ofType.get(offset);
    if (known !== undefined) return known;
    const found = new Leaves();
    this.collectLeaves(type, 0, offset, found);
    ofType.set(offset, found);
    return found;
  }

  private collectLeaves(type: Type, at: number, from: number, found: Leaves): void {
    const size = this.layout.sizeOf(type);
    if (at >= from + BYTES_COMPARED || at + size <= from) return;
    if (type.kind === "struct") {
      if (at === from) found.types.add(type);
      if (type.name?.startsWith("union.") === true) {
        if (at >= from) found.scalars.set(at - from, type.name);
        found.anything.push([at - from, at + size - from]);
        return;
      }
      const { offsets } = this.layout.structLayout(type);
      for (const [index, field] of type.fields.entries()) this.collectLeaves(field, at + offsets[index], from, found);
    } else if (type.kind === "array") {
      const stride = this.layout.sizeOf(type.element);
      if (stride <= 1) {
        found.anything.push([at - from, at + size - from]);
        return;
      }
      const first = Math.max(0, Math.floor((from - at) / stride));
      const end = Math.min(type.count, first + BYTES_COMPARED);
      for (let i = first; i < end; i++) this.collectLeaves(type.element, at + i * stride, from, found);
    } else if (at >= from) found.scalars.set(at - from, type.kind === "int" ? `int ${size}` : type.kind);
  }

  /** A heap block takes the first type that its beginning is addressed as. */
  addressedAs(location: LocationId, type: Type): void {
    const object = this.objectOf(location);
    const one = this.objects[object];
    if (one.type !== null || one.origin.kind !== "heap" || this.offsetOf(location) !== 0) return;
    const size = this.layout.sizeOf(type);
    // Arrays of bytes say nothing: addresses are computed with them.
    if (size < 8 || type.kind === "array") return;
    one.type = type;
    one.leaves = this.leavesOf(type);
    one.size = size;
    if (one.locations.size > 1) this.merged(object);
  }

  collapse(object: ObjectId): void {
    const one = this.objects[object];
    if (one.isCollapsed || one.origin.kind === "function") return;
    one.isCollapsed = true;
    this.merged(object);
  }

  /** The offset that stands for a location among those that are one with it. */
  canonical(location: LocationId): number {
    const one = this.objects[this.objectOf(location)];
    const offset = this.offsetOf(location);
    if (one.isCollapsed) return 0;
    return offset === UNKNOWN_OFFSET ? UNKNOWN_OFFSET : this.canonicalOffset(one, offset);
  }

  private canonicalOffset(one: MemoryObject, offset: number): number {
    if (one.isCollapsed) return 0;
    if (one.type === null || one.size === 0) return offset;
    if (offset >= one.size && hasTail(one)) return one.size;
    return this.leafAt(one, offset % one.size).offset;
  }

  private leavesOf(type: Type | null): Map<number, Leaf> | null {
    if (type === null) return null;
    const known = this.leafOf.get(type) ?? new Map<number, Leaf>();
    this.leafOf.set(type, known);
    return known;
  }

  /** For an object with a type. */
  private leafAt({ type, leaves }: MemoryObject, offset: number): Leaf {
    const known = leaves?.get(offset);
    if (known !== undefined) return known;
    const found = this.findLeaf(type as Type, offset);
    leaves?.set(offset, found);
    return found;
  }

  /**
   * Where an offset leads in a type: every array on the way counts as its first element. `isText`: into one of small elements,
   * of so many bytes.
   */
  private findLeaf(outer: Type, outerOffset: number): Leaf {
    let type = outer;
    let rest = outerOffset;
    let base = 0;
    let textBytes = 0;
    let isText = false;
    for (;;) {
      if (type.kind === "array") {
        const stride = this.layout.sizeOf(type.element);
        if (stride === 0) return { offset: base, isText: true, textBytes };
        if (stride < 8 && !isText) {
          isText = true;
          textBytes = type.count * stride;
        }
        rest %= stride;
        type = type.element;
      } else if (type.kind === "struct") {
        const { offsets } = this.layout.structLayout(type);
        let field = offsets.length - 1;
        while (field > 0 && offsets[field] > rest) field--;
        if (field < 0) return { offset: base, isText, textBytes };
        base += offsets[field];
        rest -= offsets[field];
        type = type.fields[field];
      } else return { offset: base + rest, isText, textBytes };
    }
  }
}

/** A structure with something behind it, such as a buffer: not an array of these structures. */
function hasTail({ allocated, size }: MemoryObject): boolean {
  return allocated !== null && size > 0 && allocated % size !== 0;
}
