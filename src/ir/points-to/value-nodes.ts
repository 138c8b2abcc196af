// The nodes of values: instructions, arguments, constants, and the addresses they compute. What only renames a value has its node.

import { signedIndex } from "../analysis/gep.js";
import type { DataLayout } from "../data-layout.js";
import type { GlobalValue, GlobalVariable, IrFunction } from "../module.js";
import type { Type } from "../types.js";
import { type Argument, type Constant, type Instruction, type InstructionOf, intValue, type Value } from "../values.js";
import { type AbstractMemory, POINTER_BYTES } from "./abstract-memory.js";
import type { ConstraintGraph, NodeId } from "./constraint-graph.js";
import type { LocationId, MemoryObjects, ObjectId } from "./memory-objects.js";

/** A part of a getelementptr: bytes, elements of a type, or a place in a structure. */
type Step =
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "elements"; readonly element: Type; readonly count: number | null }
  /** The structure that is here, and a field of it by its offset. */
  | { readonly kind: "field"; readonly type: Type; readonly offset: number };

export class ValueNodes {
  /** Functions in which a number that was no pointer became one. */
  readonly fromNumbers = new Set<IrFunction>();
  private readonly values = new Map<Instruction | Argument, NodeId>();
  private readonly ofGlobal = new Map<GlobalValue, ObjectId>();
  private readonly constants = new Map<GlobalValue, NodeId>();
  private readonly typeNumbers = new Map<Type, number>();
  private readonly objects: MemoryObjects;
  readonly outside: ObjectId;
  private readonly number: ObjectId;
  /** Whose code is being looked at. */
  current: IrFunction | null = null;

  constructor(
    private readonly graph: ConstraintGraph,
    private readonly memory: AbstractMemory,
    private readonly layout: DataLayout,
  ) {
    this.objects = memory.objects;
    this.outside = memory.object({ kind: "outside" }, null);
    this.number = memory.object({ kind: "number" }, null);
    this.objects.collapse(this.outside);
    this.objects.collapse(this.number);
    const held = memory.stored(this.objects.at(this.outside, 0));
    this.graph.add(held, this.objects.at(this.outside, 0));
    // A program that changes its arguments mostly puts literals there.
    this.graph.add(held, this.objects.at(memory.constants, 0));
  }

  // ------------------------------------------------------------ variables

  initialize(variable: GlobalVariable): void {
    const initial = variable.initializer();
    if (initial !== null) this.initializeAt(this.objectOfGlobal(variable), 0, initial);
  }

  private initializeAt(object: ObjectId, offset: number, value: Constant): void {
    if (value.kind === "aggregate") {
      value.elements.forEach((element, index) => {
        const at =
          value.type.kind === "struct"
            ? this.layout.structLayout(value.type).offsets[index]
            : index * this.layout.sizeOf(element.type);
        this.initializeAt(object, offset + at, element);
      });
    } else if (value.kind === "global" || value.kind === "constexpr") {
      const node = this.nodeOf(value);
      if (node !== null) this.graph.include(node, this.memory.stored(this.objects.at(object, offset)));
    }
  }

  private objectOfGlobal(global: GlobalValue): ObjectId {
    const target = global.resolved ?? global;
    const known = this.ofGlobal.get(target);
    if (known !== undefined) return known;
    const object =
      target.kind === "function"
        ? this.memory.object({ kind: "function", function: target }, null)
        : target.kind === "variable"
          ? isPlainConstant(target)
            ? this.memory.constants
            : this.memory.object({ kind: "variable", variable: target }, target.valueType)
          : this.memory.object({ kind: "outside" }, null);
    this.ofGlobal.set(target, object);
    return object;
  }

  // ------------------------------------------------------------ values

  /** Null: it is no pointer and holds none. */
  nodeOf(value: Value): NodeId | null {
    switch (value.kind) {
      case "instruction": {
        const known = this.values.get(value);
        if (known !== undefined) return known;
        if (!this.mayHoldPointer(value.type)) return null;
        const node = this.nodeOfSame(value) ?? this.graph.node();
        this.values.set(value, node);
        return node;
      }
      case "argument": {
        const known = this.values.get(value);
        if (known !== undefined) return known;
        if (!this.mayHoldPointer(value.type)) return null;
        const node = this.graph.node();
        this.values.set(value, node);
        return node;
      }
      case "global":
        return this.nodeOfGlobal(value.target);
      case "constexpr":
        return this.nodeOfExpression(value);
      case "aggregate": {
        const node = this.graph.node();
        for (const element of value.elements) this.flow(element, node);
        return node;
      }
      default:
        return null;
    }
  }

  /** The node of what an instruction only renames. */
  private nodeOfSame(i: Instruction): NodeId | null {
    switch (i.op) {
      case "ptrtoint":
      case "inttoptr":
      case "bitcast":
      case "freeze":
      case "addrspacecast":
        return this.nodeOf(i.operands[0]);
      default:
        return null;
    }
  }

  private nodeOfGlobal(global: GlobalValue): NodeId {
    const target = global.resolved ?? global;
    const known = this.constants.get(target);
    if (known !== undefined) return known;
    const node = this.graph.node();
    this.constants.set(target, node);
    if (target.kind === "alias") this.flow(target.aliasee(), node);
    else this.graph.add(node, this.objects.at(this.objectOfGlobal(target), 0));
    return node;
  }

  private nodeOfExpression(value: Extract<Constant, { kind: "constexpr" }>): NodeId | null {
    const [first] = value.operands;
    if (value.op === "inttoptr" && intValue(first) !== null) {
      const node = this.graph.node();
      this.fromNumber(node, first);
      return node;
    }
    if (value.op === "ptrtoint" || value.op === "inttoptr" || value.op === "bitcast") return this.nodeOf(first);
    const node = this.graph.node();
    if (value.op === "getelementptr" && value.sourceType !== null) {
      this.address(node, first, this.stepsOf(value.sourceType, value.operands.slice(1)));
    } else for (const operand of value.operands) this.flow(operand, node);
    return node;
  }

  private mayHoldPointer(type: Type): boolean {
    switch (type.kind) {
      case "ptr":
        return true;
      case "int":
        return type.bits >= 64;
      case "struct":
      case "array":
      case "vector":
        return this.layout.sizeOf(type) >= POINTER_BYTES;
      default:
        return false;
    }
  }

  flow(from: Value, to: NodeId): void {
    const node = this.nodeOf(from);
    if (node !== null) this.graph.include(node, to);
  }

  /** The result of arithmetic on numbers: somewhere in what they pointed to. */
  blur(from: Value, to: NodeId): void {
    const node = this.nodeOf(from);
    if (node === null) return;
    const blurred = this.graph.derived(
      node,
      "blurred",
      (result) => (location) => this.graph.add(result, this.objects.blurred(location as LocationId)),
    );
    this.graph.include(blurred, to);
  }

  /** Any number of bytes further on. */
  walked(node: NodeId): NodeId {
    return this.graph.derived(
      node,
      "walked",
      (result) => (location) => this.graph.add(result, this.objects.walked(location as LocationId)),
    );
  }

  /** A number became a pointer: where the system's data is, if libc does it. */
  fromNumber(to: NodeId, value: Value): void {
    if (intValue(value) === 0n || value.kind === "undef" || value.kind === "zero") return;
    const isOurs = this.current !== null && this.current.module.origin !== "program";
    if (!isOurs && this.current !== null && intValue(value) === null) this.fromNumbers.add(this.current);
    this.graph.add(to, this.objects.at(isOurs ? this.outside : this.number, 0));
  }

  // ------------------------------------------------------------ addresses

  addressOf(i: InstructionOf<"getelementptr">): void {
    const { written, fields, sourceType } = i.extra;
    // A step on the way to an address that is written out at its end.
    if (written === "step") return;
    const node = this.nodeOf(i as Instruction);
    if (node === null) return;
    if (written !== undefined) {
      this.address(node, written.operands[0], this.stepsOf(written.sourceType, written.operands.slice(1)));
    } else if (fields !== undefined) {
      const steps = fields.map(({ type, offset }): Step => this.placeStep(type, offset));
      this.address(node, i.operands[0], steps);
    } else this.address(node, i.operands[0], this.stepsOf(sourceType, i.operands.slice(1)));
  }

  private placeStep(type: Type, offset: number): Step {
    if (type.kind === "struct") return { kind: "field", type, offset };
    const size = this.layout.sizeOf(type);
    if (size >= POINTER_BYTES && offset % size === 0 && type.kind !== "array") {
      return { kind: "elements", element: type, count: offset / size };
    }
    return { kind: "bytes", bytes: offset };
  }

  /** `steps` null: somewhere. */
  private address(to: NodeId, base: Value, steps: readonly Step[] | null): void {
    const node = this.nodeOf(base);
    if (node === null) return this.fromNumber(to, base);
    if (steps === null) return this.graph.unite(to, this.walked(node));
    if (steps.length === 0) return this.graph.include(node, to);
    const each =
      (result: NodeId) =>
      (start: number): void => {
        let location = start as LocationId;
        for (const step of steps) {
          if (step.kind === "bytes") location = this.objects.movedByBytes(location, step.bytes);
          else if (step.kind === "elements") location = this.objects.stepped(location, step.element, step.count);
          else {
            const { type, offset } = step;
            if (type.kind === "struct") {
              this.objects.addressedAs(location, type);
              if (!this.objects.mayBe(location, type)) return;
            }
            const size = this.layout.sizeOf(type);
            const count = size === 0 ? 0 : Math.floor(offset / size);
            location = this.objects.moved(this.objects.stepped(location, type, count), offset - count * size);
          }
        }
        this.graph.add(result, location);
      };
    this.graph.unite(to, this.graph.derived(node, steps.map((step) => this.keyOf(step)).join(" "), each));
  }

  private keyOf(step: Step): string {
    if (step.kind === "bytes") return `bytes ${step.bytes}`;
    const type = step.kind === "field" ? step.type : step.element;
    const number = this.typeNumbers.get(type) ?? this.typeNumbers.size;
    this.typeNumbers.set(type, number);
    return step.kind === "field" ? `field ${number} ${step.offset}` : `elements ${number} ${step.count}`;
  }

  /** A getelementptr as steps; null: somewhere. */
  private stepsOf(sourceType: Type, indices: readonly Value[]): Step[] | null {
    const steps: Step[] = [];
    let offset = 0;
    let holder: Type = sourceType;
    const flush = (): void => {
      if (offset !== 0 || (holder === sourceType && holder.kind === "struct")) {
        steps.push(
          holder.kind === "struct" ? { kind: "field", type: holder, offset } : { kind: "bytes", bytes: offset },
        );
      }
      offset = 0;
    };
    let type = sourceType;
    for (let k = 0; k < indices.length; k++) {
      const constant = intValue(indices[k]);
      if (k > 0 && type.kind === "struct") {
        const field = Number(constant ?? 0n);
        if (offset === 0) holder = type;
        offset += this.layout.structLayout(type).offsets[field];
        type = type.fields[field];
        continue;
      }
      if (k > 0) {
        if (type.kind !== "array" && type.kind !== "vector") return null;
        type = type.element;
      }
      if (constant === 0n) continue;
      const size = this.layout.sizeOf(type);
      const index = signedIndex(indices[k]);
      // An array of small elements in a structure is one location.
      if (k > 0 && size < POINTER_BYTES) continue;
      flush();
      if (size < POINTER_BYTES) {
        // Bytes: a constant is a field far more often than an index (offsetof, container_of) if fields can be there.
        if (index === null || (index * size) % 4 !== 0) return null;
        steps.push({ kind: "bytes", bytes: index * size });
      } else steps.push({ kind: "elements", element: type, count: index });
      holder = type;
    }
    flush();
    return steps;
  }

  /** Those that a pointer may point to. */
  locationsOf(value: Value): readonly LocationId[] {
    const node = this.nodeOf(value);
    return (node === null ? [] : (this.graph.setOf(node)?.values() ?? [])) as LocationId[];
  }
}

/** String literals and tables of numbers hold no pointers, now or later: all of them are one object. */
function isPlainConstant(variable: GlobalVariable): boolean {
  if (!variable.constant || variable.isDeclaration) return false;
  const work: Constant[] = [];
  const initial = variable.initializer();
  if (initial !== null) work.push(initial);
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (at.kind === "global" || at.kind === "constexpr" || at.kind === "blockaddress") return false;
    if (at.kind === "aggregate") for (const element of at.elements) work.push(element);
  }
  return true;
}
