// What pointers can point to: abstract objects (a variable, a frame's slot, all blocks that one call of malloc makes, a function, ...)
// and locations in them, each an object and a byte offset. Elements of an array are one location: the offset counts from the array's first
// element. What is an array follows from the object's type; a heap block has none, so it takes the type of the first structure or
// element it is addressed as, and is an array of these.
//
// Two escapes keep this sound where types do not tell: a pointer of *unknown* offset is a location of its own, and the first time a pointer
// is read or written through it, the object *collapses*: all its locations become one.

import type { DataLayout } from "../data-layout.js";
import type { DebugLoc } from "../debug-info.js";
import type { GlobalVariable, IrFunction } from "../module.js";
import type { StructType, Type } from "../types.js";

export type ObjectId = number & { readonly brand: "ObjectId" };
export type LocationId = number & { readonly brand: "LocationId" };

/** Somewhere in the object. */
export const UNKNOWN_OFFSET = -1;

export type ObjectOrigin =
  | { readonly kind: "variable"; readonly variable: GlobalVariable }
  | { readonly kind: "function"; readonly function: IrFunction }
  /** A local variable, or the blocks made by one call. */
  | { readonly kind: "stack" | "heap"; readonly function: IrFunction; readonly loc: DebugLoc | null }
  /** The variable arguments of a function. */
  | { readonly kind: "variadic"; readonly function: IrFunction }
  /** All constants that hold no pointers. */
  | { readonly kind: "constants" }
  /** What the system gives: arguments, environment, and whatever else comes from numbers. */
  | { readonly kind: "outside" };

/** Scalars that two structures must have in common at their beginnings to be taken for each other. */
const LEAVES_COMPARED = 3;

/** More different offsets in one object are a walk over it. */
const MOST_OFFSETS = 256;
/** In a block that nothing calls a structure, some are enough to tell. */
const MOST_UNTYPED_OFFSETS = 24;

interface MemoryObject {
  readonly origin: ObjectOrigin;
  type: Type | null;
  size: number;
  /** Bytes that were allocated, where one number says it; null otherwise. */
  readonly allocated: number | null;
  isCollapsed: boolean;
  /** By offset, as it was asked for. */
  readonly locations: Map<number, LocationId>;
}

export class MemoryObjects {
  private readonly objects: MemoryObject[] = [];
  private readonly objectOfLocation: number[] = [];
  private readonly offsetOfLocation: number[] = [];
  private readonly leaves = new Map<Type, readonly string[]>();
  private readonly leavesInside = new Map<Type, Map<string, readonly string[] | null>>();

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
    this.objects.push({ origin, type, size, allocated, isCollapsed: false, locations: new Map() });
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
    if (before === UNKNOWN_OFFSET) return location;
    return this.at(object, before + offset < 0 ? UNKNOWN_OFFSET : before + offset);
  }

  /** Arithmetic on bytes, as container_of does it. */
  movedByBytes(location: LocationId, bytes: number): LocationId {
    return this.isText(location) ? location : this.moved(location, bytes);
  }

  /** Any number of bytes further on or back. In an array of characters that stays in the array. */
  walked(location: LocationId): LocationId {
    return this.isText(location) ? location : this.at(this.objectOf(location), UNKNOWN_OFFSET);
  }

  /** So many elements of a type further on or back; null: any number. */
  stepped(location: LocationId, element: Type, count: number | null): LocationId {
    const offset = this.offsetOf(location);
    const object = this.objectOf(location);
    if (offset === UNKNOWN_OFFSET) return location;
    const one = this.objects[object];
    const stride = this.layout.sizeOf(element);
    if (stride >= 8) {
      if (one.type === null) this.addressedAs(location, element);
      if (count !== null && hasTail(one)) return this.moved(location, count * stride);
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
    return this.leafAt(one.type, offset % one.size).isText;
  }

  /**
   * Whether a pointer to here can be used as one to such a structure: there is one here, or something that begins like it. What
   * does not is here only because the analysis mixes up what the program keeps apart.
   */
  mayBe(location: LocationId, type: StructType): boolean {
    const one = this.objects[this.objectOf(location)];
    const offset = this.offsetOf(location);
    if (one.isCollapsed || one.type === null || one.size === 0 || offset === UNKNOWN_OFFSET) return true;
    if (one.origin.kind === "function") return false;
    const found = this.leavesAt(one.type, offset % one.size);
    // Bytes can be anything.
    if (found === null) return true;
    const wanted = this.leavesOf(type);
    const count = Math.min(found.length, wanted.length, LEAVES_COMPARED);
    for (let i = 0; i < count; i++) if (found[i] !== wanted[i]) return false;
    return true;
  }

  /** The first scalars of a type, each as its offset and what it is. */
  private leavesOf(type: Type): readonly string[] {
    const known = this.leaves.get(type);
    if (known !== undefined) return known;
    const list: string[] = [];
    this.collectLeaves(type, 0, 0, list);
    this.leaves.set(type, list);
    return list;
  }

  /** Those from an offset on; null in an array of bytes. */
  private leavesAt(type: Type, offset: number): readonly string[] | null {
    const key = `${offset}`;
    const ofType = this.leavesInside.get(type) ?? new Map<string, readonly string[] | null>();
    this.leavesInside.set(type, ofType);
    const known = ofType.get(key);
    if (known !== undefined) return known;
    const list: string[] = [];
    const isBytes = this.collectLeaves(type, 0, offset, list);
    const result = isBytes ? null : list;
    ofType.set(key, result);
    return result;
  }

  /** True if the wanted offset is in an array of bytes. Offsets are told from `from` on. */
  private collectLeaves(type: Type, at: number, from: number, list: string[]): boolean {
    if (list.length >= LEAVES_COMPARED) return false;
    if (type.kind === "struct") {
      const { offsets } = this.layout.structLayout(type);
      for (const [index, field] of type.fields.entries()) {
        if (at + offsets[index] + this.layout.sizeOf(field) <= from) continue;
        if (this.collectLeaves(field, at + offsets[index], from, list)) return true;
      }
      return false;
    }
    if (type.kind === "array") {
      const stride = this.layout.sizeOf(type.element);
      if (stride === 0 || type.count === 0) return false;
      if (stride === 1 && at <= from && from < at + type.count) return true;
      const first = Math.max(0, Math.floor((from - at) / stride));
      for (let i = first; i < type.count && list.length < LEAVES_COMPARED; i++) {
        if (this.collectLeaves(type.element, at + i * stride, from, list)) return true;
      }
      return false;
    }
    if (at >= from) list.push(`${at - from} ${type.kind === "int" ? this.layout.sizeOf(type) : type.kind}`);
    return false;
  }

  /** A heap block takes the first type that its beginning is addressed as. */
  addressedAs(location: LocationId, type: Type): void {
    const object = this.objectOf(location);
    const one = this.objects[object];
    if (one.type !== null || one.origin.kind !== "heap" || this.offsetOf(location) !== 0) return;
    const size = this.layout.sizeOf(type);
    if (size < 8) return;
    one.type = type;
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
    return this.leafAt(one.type, offset % one.size).offset;
  }

  /** Where an offset leads in a type: every array on the way counts as its first element. `isText`: into one of small elements. */
  private leafAt(outer: Type, outerOffset: number): { readonly offset: number; readonly isText: boolean } {
    let type = outer;
    let rest = outerOffset;
    let base = 0;
    let isText = false;
    for (;;) {
      if (type.kind === "array") {
        const stride = this.layout.sizeOf(type.element);
        if (stride === 0) return { offset: base, isText: true };
        isText ||= stride < 8;
        rest %= stride;
        type = type.element;
      } else if (type.kind === "struct") {
        const { offsets } = this.layout.structLayout(type);
        let field = offsets.length - 1;
        while (field > 0 && offsets[field] > rest) field--;
        if (field < 0) return { offset: base, isText };
        base += offsets[field];
        rest -= offsets[field];
        type = type.fields[field];
      } else return { offset: base + rest, isText };
    }
  }
}

/** A structure with something behind it, such as a buffer: not an array of these structures. */
function hasTail({ allocated, size }: MemoryObject): boolean {
  return allocated !== null && size > 0 && allocated % size !== 0;
}
