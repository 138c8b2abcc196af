// What memory holds, as nodes of the constraint graph: one for each location of an object, made when somebody asks. Loads, stores and
// copies are constraints between nodes; an object whose locations become one (memory-objects.ts) has its nodes united.

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
  /** Offset in `to` of what is at 0 in the source; null: not known. */
  readonly shift: number | null;
  /** Where in the source it begins, and how much it copies; null: any number of bytes. */
  readonly begin: number;
  readonly bytes: number | null;
}

export class AbstractMemory {
  readonly objects: MemoryObjects;
  /** What a location holds, by object and canonical offset. */
  private readonly contents: Map<number, NodeId>[] = [];
  private readonly copies: (Map<string, ObjectCopy> | null)[] = [];
  /** All constants that hold no pointers: one object, into which nothing is ever stored. */
  readonly constants: ObjectId;

  constructor(
    private readonly graph: ConstraintGraph,
    private readonly layout: DataLayout,
  ) {
    this.objects = new MemoryObjects(layout, (object) => this.merge(object));
    this.constants = this.object({ kind: "constants" }, null);
    this.objects.collapse(this.constants);
  }

  object(origin: ObjectOrigin, type: Type | null, allocated: number | null = null): ObjectId {
    const object = this.objects.add(origin, type, allocated);
    this.contents.push(new Map());
    this.copies.push(null);
    return object;
  }

  content(location: LocationId): NodeId {
    return this.contentAt(this.objects.objectOf(location), this.objects.canonical(location));
  }
  contentAt(object: ObjectId, offset: number): NodeId {
    const known = this.contents[object].get(offset);
    if (known !== undefined) return known;
    const node = this.graph.node();
    this.contents[object].set(offset, node);
    for (const copy of this.copies[object]?.values() ?? []) this.copySlot(node, offset, copy);
    return node;
  }

  /** Locations of an object have become one: what they hold is one node. */
  private merge(object: ObjectId): void {
    const old = [...this.contents[object]];
    this.contents[object].clear();
    for (const [offset, node] of old) {
      const canonical = this.objects.canonical(this.objects.at(object, offset));
      const now = this.contents[object].get(canonical);
      if (now === undefined) this.contents[object].set(canonical, node);
      else this.graph.unite(now, node);
    }
  }

  private holdsNothing(object: ObjectId): boolean {
    return object === this.constants || this.objects.originOf(object).kind === "function";
  }

  /** The slots of an access; through an unknown offset the object becomes one slot. */
  private slots(location: LocationId, type: Type): NodeId[] {
    const object = this.objects.objectOf(location);
    if (this.holdsNothing(object)) return [];
    if (this.objects.offsetOf(location) === UNKNOWN_OFFSET) {
      // Searches that read whole words of text are no pointers' way.
      if (type.kind === "int") return [];
      this.objects.collapse(object);
    }
    const count = Math.min(MOST_SLOTS, Math.max(1, Math.floor(this.layout.sizeOf(type) / POINTER_BYTES)));
    const nodes: NodeId[] = [];
    for (let slot = 0; slot < count; slot++) {
      nodes.push(this.content(this.objects.moved(location, slot * POINTER_BYTES)));
    }
    return nodes;
  }

  load(pointer: NodeId, type: Type, to: NodeId): void {
    this.graph.constrain(pointer, (location) => {
      for (const slot of this.slots(location as LocationId, type)) this.graph.include(slot, to);
    });
  }
  store(pointer: NodeId, type: Type, from: NodeId): void {
    this.graph.constrain(pointer, (location) => {
      for (const slot of this.slots(location as LocationId, type)) this.graph.include(from, slot);
    });
  }

  /**
   * memcpy of so many bytes (null: any number): everything that `from` points to goes to everything that `to` points to,
   * through an object of its own, so that the work is the sum of both sides and not their product.
   */
  copy(to: NodeId, from: NodeId, bytes: number | null): void {
    const between = this.object({ kind: "outside" }, null);
    const start = this.objects.at(between, 0);
    this.graph.constrain(from, (location) => this.copyObject(location as LocationId, start, bytes));
    this.graph.constrain(to, (location) => this.copyObject(start, location as LocationId, bytes));
  }

  copyObject(from: LocationId, to: LocationId, bytes: number | null): void {
    const source = this.objects.objectOf(from);
    const target = this.objects.objectOf(to);
    if (this.holdsNothing(source) || this.holdsNothing(target)) return;
    if (this.objects.isText(from) || this.objects.isText(to)) return;
    const [begin, toOffset] = [this.objects.offsetOf(from), this.objects.offsetOf(to)];
    const isKnown = begin !== UNKNOWN_OFFSET && toOffset !== UNKNOWN_OFFSET;
    const copy: ObjectCopy = { to: target, shift: isKnown ? toOffset - begin : null, begin, bytes };
    const key = `${target} ${copy.shift} ${begin} ${bytes}`;
    this.copies[source] ??= new Map();
    if (this.copies[source].has(key)) return;
    this.copies[source].set(key, copy);
    for (const [offset, node] of [...this.contents[source]]) this.copySlot(node, offset, copy);
  }

  private copySlot(node: NodeId, offset: number, { to, shift, begin, bytes }: ObjectCopy): void {
    if (shift === null || offset === UNKNOWN_OFFSET) return this.copyAnywhere(node, to);
    // A copy that ends before the slot, or begins behind it and is too short to come round to the next element.
    if (bytes !== null && (offset >= begin + bytes || (offset < begin && bytes <= POINTER_BYTES))) return;
    if (offset + shift < 0) this.copyAnywhere(node, to);
    else this.graph.include(node, this.content(this.objects.at(to, offset + shift)));
  }

  /** Text that is copied to who knows where does no harm: only a pointer makes the object one location. */
  private copyAnywhere(node: NodeId, to: ObjectId): void {
    let isDone = false;
    this.graph.constrain(node, () => {
      if (isDone) return;
      isDone = true;
      this.objects.collapse(to);
      this.graph.include(node, this.contentAt(to, 0));
    });
  }
}
