// What memory holds, as nodes of the constraint graph: one for each location of an object, made when somebody asks. Loads, stores and
// copies are constraints between nodes. Pointers of unknown offset have two more nodes for each object: `anywhere` is what was stored
// through them, and every location includes it; `everything` is what is loaded through them, and includes every location. So a
// search through an object costs one edge a location, and the locations are still kept apart.

import type { DataLayout } from "../data-layout.js";
import type { Type } from "../types.js";
import type { ConstraintGraph, NodeId } from "./constraint-graph.js";
import { type LocationId, MemoryObjects, type ObjectId, type ObjectOrigin, UNKNOWN_OFFSET } from "./memory-objects.js";

export const POINTER_BYTES = 8;
/** A larger value that is loaded or stored whole is taken apart no further. */
const MOST_SLOTS = 64;

/** A copy of memory between two objects, kept because locations may come later. */
interface ObjectCopy {
  readonly to: ObjectId;
  /** Offset in `to` of what is at 0 in the source. */
  readonly shift: number;
  /** Where in the source it begins, and how much it copies; null: any number of bytes. */
  readonly begin: number;
  readonly bytes: number | null;
}

interface Contents {
  /** What a location holds, by canonical offset. */
  readonly slots: Map<number, NodeId>;
  anywhere: NodeId | null;
  everything: NodeId | null;
  /** By the object that is copied to. */
  copies: Map<ObjectId, ObjectCopy[]> | null;
  /** All it holds is in the blob. */
  isInBlob: boolean;
}

export class AbstractMemory {
  readonly objects: MemoryObjects;
  private readonly contents: Contents[] = [];
  /** All constants that hold no pointers: one object, into which nothing is ever stored. */
  readonly constants: ObjectId;

  constructor(
    private readonly graph: ConstraintGraph,
    private readonly layout: DataLayout,
  ) {
    this.objects = new MemoryObjects(layout, (object) => this.merge(object));
    this.constants = this.object({ kind: "constants" }, null);
    this.objects.collapse(this.constants);
    graph.constrain(graph.blob, (location) => this.absorb(this.objects.objectOf(location as LocationId)));
  }

  /** The blob points into an object: what that holds is the blob's. */
  private absorb(object: ObjectId): void {
    const contents = this.contents[object];
    if (contents.isInBlob || this.takesNothing(object)) return;
    contents.isInBlob = true;
    for (const node of [...contents.slots.values(), contents.anywhere, contents.everything]) {
      if (node !== null) this.graph.absorb(node);
    }
    for (const to of contents.copies?.keys() ?? []) this.graph.include(this.graph.blob, this.anywhere(to));
  }

  object(origin: ObjectOrigin, type: Type | null, allocated: number | null = null): ObjectId {
    const object = this.objects.add(origin, type, allocated);
    this.contents.push({ slots: new Map(), anywhere: null, everything: null, copies: null, isInBlob: false });
    return object;
  }

  /** What is loaded from a location. */
  loaded(location: LocationId): NodeId {
    if (this.objects.offsetOf(location) !== UNKNOWN_OFFSET) return this.slot(location);
    return this.everything(this.objects.objectOf(location));
  }
  /** What is stored to a location. */
  stored(location: LocationId): NodeId {
    if (this.objects.offsetOf(location) !== UNKNOWN_OFFSET) return this.slot(location);
    return this.anywhere(this.objects.objectOf(location));
  }

  private slot(location: LocationId): NodeId {
    return this.slotAt(this.objects.objectOf(location), this.objects.canonical(location));
  }
  private slotAt(object: ObjectId, offset: number): NodeId {
    const contents = this.contents[object];
    if (contents.isInBlob) return this.graph.blob;
    const known = contents.slots.get(offset);
    if (known !== undefined) return known;
    const node = this.graph.node();
    contents.slots.set(offset, node);
    if (contents.anywhere !== null) this.graph.include(contents.anywhere, node);
    if (contents.everything !== null) this.graph.include(node, contents.everything);
    if (contents.copies !== null) {
      for (const copies of [...contents.copies.values()]) {
        for (const copy of [...copies]) this.copySlot(node, offset, copy);
      }
    }
    return node;
  }

  private anywhere(object: ObjectId): NodeId {
    const contents = this.contents[object];
    if (contents.isInBlob) return this.graph.blob;
    if (contents.anywhere !== null) return contents.anywhere;
    const node = this.graph.node();
    contents.anywhere = node;
    for (const slot of contents.slots.values()) this.graph.include(node, slot);
    if (contents.everything !== null) this.graph.include(node, contents.everything);
    if (contents.copies !== null) {
      for (const to of [...contents.copies.keys()]) this.graph.include(node, this.anywhere(to));
    }
    return node;
  }

  private everything(object: ObjectId): NodeId {
    const contents = this.contents[object];
    if (contents.isInBlob) return this.graph.blob;
    if (contents.everything !== null) return contents.everything;
    const node = this.graph.node();
    contents.everything = node;
    for (const slot of contents.slots.values()) this.graph.include(slot, node);
    if (contents.anywhere !== null) this.graph.include(contents.anywhere, node);
    return node;
  }

  /** Locations of an object have become one: what they hold is one node. */
  private merge(object: ObjectId): void {
    const { slots } = this.contents[object];
    const old = [...slots];
    slots.clear();
    for (const [offset, node] of old) {
      const canonical = this.objects.canonical(this.objects.at(object, offset));
      const now = slots.get(canonical);
      if (now === undefined) slots.set(canonical, node);
      else this.graph.unite(now, node);
    }
  }

  private holdsNothing(object: ObjectId): boolean {
    const { kind } = this.objects.originOf(object);
    return object === this.constants || kind === "function" || kind === "number";
  }
  private takesNothing(object: ObjectId): boolean {
    return this.holdsNothing(object) || this.objects.originOf(object).kind === "outside";
  }

  /** The nodes of an access: one for each pointer that the value has room for. */
  private eachSlot(location: LocationId, type: Type, isStore: boolean, visit: (node: NodeId) => void): void {
    const object = this.objects.objectOf(location);
    if (isStore ? this.takesNothing(object) : this.holdsNothing(object)) return;
    if (this.objects.offsetOf(location) === UNKNOWN_OFFSET) {
      // Searches that read whole words of text are no pointers' way.
      if (type.kind !== "int") visit(isStore ? this.anywhere(object) : this.everything(object));
      return;
    }
    const count = this.slotsOf(type);
    for (let slot = 0; slot < count; slot++) {
      const at = this.objects.moved(location, slot * POINTER_BYTES);
      if (this.objects.mayHoldPointer(at)) visit(isStore ? this.stored(at) : this.loaded(at));
    }
  }

  /** The node of what is loaded through a pointer. */
  load(pointer: NodeId, type: Type): NodeId {
    return this.graph.derived(pointer, `load ${this.accessOf(type)}`, (to) => {
      const visit = (slot: NodeId): void => this.graph.include(slot, to);
      return (location) => this.eachSlot(location as LocationId, type, false, visit);
    });
  }
  /** The node of what is stored through a pointer: it includes everything that is. */
  store(pointer: NodeId, type: Type): NodeId {
    const { graph } = this;
    return graph.derived(
      pointer,
      `store ${this.accessOf(type)}`,
      (from) => {
        const visit = (slot: NodeId): void => graph.include(from, slot);
        return (location) => this.eachSlot(location as LocationId, type, true, visit);
      },
      (from) => graph.include(from, graph.blob),
    );
  }

  /** What eachSlot looks at: accesses that are the same here have the same effect. */
  private accessOf(type: Type): string {
    return `${type.kind === "int" ? "number" : "pointer"} ${this.slotsOf(type)}`;
  }
  private slotsOf(type: Type): number {
    return Math.min(MOST_SLOTS, Math.max(1, Math.floor(this.layout.sizeOf(type) / POINTER_BYTES)));
  }

  /**
   * memcpy of so many bytes (null: any number): everything that `from` points to goes to everything that `to` points to,
   * through an object of its own, so that the work is the sum of both sides and not their product.
   */
  copy(to: NodeId, from: NodeId, bytes: number | null): void {
    if (bytes !== null && bytes < POINTER_BYTES) return;
    const between = this.object({ kind: "copy" }, null);
    const start = this.objects.at(between, 0);
    const { graph } = this;
    graph.constrain(
      from,
      (location) => this.copyObject(location as LocationId, start, bytes),
      () => graph.include(graph.blob, this.anywhere(between)),
    );
    graph.constrain(
      to,
      (location) => this.copyObject(start, location as LocationId, bytes),
      () => graph.include(this.everything(between), graph.blob),
    );
  }

  copyObject(from: LocationId, to: LocationId, bytes: number | null): void {
    const source = this.objects.objectOf(from);
    const target = this.objects.objectOf(to);
    if (this.holdsNothing(source) || this.takesNothing(target)) return;
    if (this.objects.isText(from) || this.objects.isText(to)) return;
    const [begin, toOffset] = [this.objects.offsetOf(from), this.objects.offsetOf(to)];
    if (begin === UNKNOWN_OFFSET || toOffset === UNKNOWN_OFFSET) {
      this.graph.include(this.everything(source), this.anywhere(target));
      return;
    }
    const copy: ObjectCopy = { to: target, shift: toOffset - begin, begin, bytes };
    const contents = this.contents[source];
    if (contents.isInBlob) {
      this.graph.include(this.graph.blob, this.anywhere(target));
      return;
    }
    contents.copies ??= new Map();
    const others = contents.copies.get(target);
    if (others === undefined) contents.copies.set(target, [copy]);
    else if (others.some((other) => isSameCopy(other, copy))) return;
    else others.push(copy);
    for (const [offset, node] of [...contents.slots]) this.copySlot(node, offset, copy);
    if (contents.anywhere !== null) this.graph.include(contents.anywhere, this.anywhere(target));
  }

  private copySlot(node: NodeId, offset: number, { to, shift, begin, bytes }: ObjectCopy): void {
    // A copy that ends before the slot, or begins behind it and is too short to come round to the next element.
    if (bytes !== null && (offset >= begin + bytes || (offset < begin && bytes <= POINTER_BYTES))) return;
    if (offset + shift < 0) this.graph.include(node, this.anywhere(to));
    else this.graph.include(node, this.stored(this.objects.at(to, offset + shift)));
  }
}

function isSameCopy(a: ObjectCopy, b: ObjectCopy): boolean {
  return a.shift === b.shift && a.begin === b.begin && a.bytes === b.bytes;
}
