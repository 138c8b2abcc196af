// Points-to analysis over a whole linked program with its libc: which functions an indirect call may call, which objects a pointer may
// reach. Inclusion-based, flow- and context-insensitive but for allocators (allocators.ts), field-sensitive by byte offset
// (memory-objects.ts). Callbacks of qsort, atexit or signal need no model, because libc is code; what the system calls (signal
// handlers) is found where it is handed to a system call.
//
// It believes what types say about arrays, and that a pointer is copied whole: a program that copies one byte by byte in a loop of its own,
// or makes one out of a number that was none, is outside of what it promises. The second is noted (`fromNumbers`).
//
// For patch testing, which comes next; nobody uses it yet. Known to be too coarse, and then slow, for programs that keep everything in
// blocks they carve up themselves (obstacks): m4 takes tens of seconds, and a third of its indirect calls reach a hundred functions.

import { calledFunction } from "../analysis/call-graph.js";
import { signedIndex } from "../analysis/gep.js";
import type { DataLayout } from "../data-layout.js";
import type { LinkedProgram } from "../link.js";
import type { GlobalValue, GlobalVariable, IrFunction } from "../module.js";
import type { Type } from "../types.js";
import {
  type Argument,
  type Body,
  type Constant,
  type Instruction,
  type InstructionOf,
  intValue,
  type Value,
} from "../values.js";
import { AbstractMemory, POINTER_BYTES } from "./abstract-memory.js";
import { findWrappers, modelOf, type Wrapper } from "./allocators.js";
import { ConstraintGraph, type NodeId } from "./constraint-graph.js";
import {
  type LocationId,
  type MemoryObjects,
  type ObjectId,
  type ObjectOrigin,
  UNKNOWN_OFFSET,
} from "./memory-objects.js";

type Call = InstructionOf<"call">;

const VA_LIST_BYTES = 24;

/** The one way from libc to the system (runtime/trusted/syscall.c). */
const SYSTEM_CALL = "__tangent_syscall";

/** Whether a function is described by its body. Trusted code counts and computes, or is modelled. */
function isCode(fn: IrFunction): boolean {
  return !fn.isDeclaration && fn.module.origin !== "trusted" && modelOf(fn.name) === null;
}

export interface PointsToStatistics {
  readonly nodes: number;
  readonly objects: number;
  readonly locations: number;
  readonly waves: number;
  readonly indirectCalls: number;
  readonly milliseconds: number;
}

/** A part of a getelementptr: a field by its byte offset, or elements of an array. */
type Step = number | { readonly element: Type; readonly count: number | null } | { readonly bytes: number };

export class PointsTo {
  readonly statistics: PointsToStatistics;
  /** Functions in which a number that was no pointer became one. */
  readonly fromNumbers = new Set<IrFunction>();
  private readonly graph = new ConstraintGraph();
  private readonly memory: AbstractMemory;
  private readonly objects: MemoryObjects;
  private readonly values = new Map<Instruction | Argument, NodeId>();
  private readonly results = new Map<IrFunction, NodeId>();
  private readonly variadics = new Map<IrFunction, ObjectId>();
  private readonly ofGlobal = new Map<GlobalValue, ObjectId>();
  private readonly constants = new Map<GlobalValue, NodeId>();
  private readonly callees = new Map<Call, Set<IrFunction>>();
  private readonly called = new Set<IrFunction>();
  private readonly wrappers: ReadonlyMap<IrFunction, Wrapper>;
  private readonly freshOf = new Map<IrFunction, ObjectId[]>();
  private readonly outside: ObjectId;
  /** Everything that was given to a system call. */
  private readonly handedOut = this.graph.node();
  private current!: IrFunction;

  /** `bodyOf` gives the same body each time; promoted to registers as far as possible. `order`: callees first. */
  constructor(
    program: LinkedProgram,
    order: readonly IrFunction[],
    private readonly bodyOf: (fn: IrFunction) => Body,
    private readonly layout: DataLayout,
  ) {
    const started = performance.now();
    this.memory = new AbstractMemory(this.graph, layout);
    this.objects = this.memory.objects;
    this.wrappers = findWrappers(order, bodyOf);
    this.outside = this.memory.object({ kind: "outside" }, null);
    this.objects.collapse(this.outside);
    this.graph.add(this.memory.contentAt(this.outside, 0), this.objects.at(this.outside, 0));
    this.watchSystem();
    for (const variable of program.variables) this.objectOfGlobal(variable);
    for (const variable of program.variables) {
      const initial = variable.initializer();
      if (initial !== null) this.initialize(this.objectOfGlobal(variable), 0, initial);
    }
    for (const fn of order) {
      this.current = fn;
      if (isCode(fn)) this.function(fn);
    }
    this.graph.solve();
    this.statistics = {
      nodes: this.graph.nodeCount,
      objects: this.objects.count,
      locations: this.objects.locationCount,
      waves: this.graph.waves,
      indirectCalls: this.callees.size,
      milliseconds: performance.now() - started,
    };
  }

  /** The functions that a call may call. */
  calleesOf(call: Call): readonly IrFunction[] {
    const direct = calledFunction(call.operands[0]);
    return direct === null ? [...(this.callees.get(call) ?? [])] : [direct];
  }

  /** The indirect calls and their callees. */
  indirectCalls(): ReadonlyMap<Call, ReadonlySet<IrFunction>> {
    return this.callees;
  }

  /** The objects that a pointer may point into, with the offset if it is known. */
  targetsOf(value: Value): readonly { readonly origin: ObjectOrigin; readonly offset: number }[] {
    const node = this.nodeOf(value);
    return (node === null ? [] : (this.graph.setOf(node)?.values() ?? [])).map((location) => ({
      origin: this.objects.originOf(this.objects.objectOf(location as LocationId)),
      offset: this.objects.offsetOf(location as LocationId),
    }));
  }

  // ------------------------------------------------------------ memory

  private objectOfGlobal(global: GlobalValue): ObjectId {
    const target = global.resolved ?? global;
    const known = this.ofGlobal.get(target);
    if (known !== undefined) return known;
    const object =
      target.kind === "function"
        ? this.memory.object({ kind: "function", function: target }, null)
        : target.kind === "variable"
          ? this.isPlainConstant(target)
            ? this.memory.constants
            : this.memory.object({ kind: "variable", variable: target }, target.valueType)
          : this.memory.object({ kind: "outside" }, null);
    this.ofGlobal.set(target, object);
    return object;
  }

  /** String literals and tables of numbers hold no pointers, now or later: all of them are one object. */
  private isPlainConstant(variable: GlobalVariable): boolean {
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

  private initialize(object: ObjectId, offset: number, value: Constant): void {
    switch (value.kind) {
      case "aggregate":
        value.elements.forEach((element, index) => {
          const at =
            value.type.kind === "struct"
              ? this.layout.structLayout(value.type).offsets[index]
              : index * this.layout.sizeOf(element.type);
          this.initialize(object, offset + at, element);
        });
        return;
      case "global":
      case "constexpr": {
        const node = this.nodeOf(value);
        if (node !== null) this.graph.include(node, this.memory.content(this.objects.at(object, offset)));
        return;
      }
      default:
    }
  }

  // ------------------------------------------------------------ values

  /** Null: it is no pointer and holds none. */
  private nodeOf(value: Value): NodeId | null {
    switch (value.kind) {
      case "instruction":
      case "argument": {
        if (!this.mayHoldPointer(value.type)) return null;
        const known = this.values.get(value);
        if (known !== undefined) return known;
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
    const node = this.graph.node();
    if (value.op === "getelementptr" && value.sourceType !== null) {
      this.address(node, value.operands[0], value.sourceType, value.operands.slice(1));
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

  private flow(from: Value, to: NodeId): void {
    const node = this.nodeOf(from);
    if (node !== null) this.graph.include(node, to);
  }

  /** The result of arithmetic on numbers: somewhere in what either pointed to. */
  private blur(from: Value, to: NodeId): void {
    const node = this.nodeOf(from);
    if (node === null) return;
    this.graph.constrain(node, (location) => {
      const object = this.objects.objectOf(location as LocationId);
      this.graph.add(to, this.objects.at(object, UNKNOWN_OFFSET));
    });
  }

  private address(to: NodeId, base: Value, sourceType: Type, indices: readonly Value[]): void {
    const node = this.nodeOf(base);
    if (node === null) return this.fromNumber(to, base);
    const steps = this.stepsOf(sourceType, indices);
    if (steps === null) {
      return this.graph.constrain(node, (location) => {
        this.graph.add(to, this.objects.walked(location as LocationId));
      });
    }
    if (steps.length === 0) return this.graph.include(node, to);
    this.graph.constrain(node, (start) => {
      let location = start as LocationId;
      if (sourceType.kind === "struct") {
        this.objects.addressedAs(location, sourceType);
        if (!this.objects.mayBe(location, sourceType)) return;
      }
      for (const step of steps) {
        if (typeof step === "number") location = this.objects.moved(location, step);
        else if ("bytes" in step) location = this.objects.movedByBytes(location, step.bytes);
        else location = this.objects.stepped(location, step.element, step.count);
      }
      this.graph.add(to, location);
    });
  }

  /** A getelementptr as fields (byte offsets) and steps over elements of a type; null: somewhere. */
  private stepsOf(sourceType: Type, indices: readonly Value[]): Step[] | null {
    const steps: Step[] = [];
    let offset = 0;
    const flush = (): void => {
      if (offset !== 0) steps.push(offset);
      offset = 0;
    };
    let type = sourceType;
    for (let k = 0; k < indices.length; k++) {
      const constant = intValue(indices[k]);
      if (k > 0 && type.kind === "struct") {
        const field = Number(constant ?? 0n);
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
      if (size < POINTER_BYTES) {
        // Bytes: a constant is a field far more often than an index (offsetof, container_of) if fields can be there.
        const index = signedIndex(indices[k]);
        if (index === null || (index * size) % POINTER_BYTES !== 0) return null;
        flush();
        steps.push({ bytes: index * size });
      } else {
        flush();
        steps.push({ element: type, count: signedIndex(indices[k]) });
      }
    }
    flush();
    return steps;
  }

  private fromNumber(to: NodeId, value: Value): void {
    if (intValue(value) === 0n || value.kind === "undef" || value.kind === "zero") return;
    this.fromNumbers.add(this.current);
    this.graph.add(to, this.objects.at(this.outside, 0));
  }

  // ------------------------------------------------------------ code

  private function(fn: IrFunction): void {
    const body = this.bodyOf(fn);
    for (const block of body.blocks) for (const i of block.instructions) this.instruction(fn, i);
  }

  private instruction(fn: IrFunction, i: Instruction): void {
    switch (i.op) {
      case "alloca": {
        const node = this.nodeOf(i);
        const object = this.memory.object({ kind: "stack", function: fn, loc: i.loc }, i.extra.allocated);
        if (node !== null) this.graph.add(node, this.objects.at(object, 0));
        return;
      }
      case "load":
        return this.loadInto(i, i.operands[0], i.extra.accessType);
      case "store": {
        const value = this.nodeOf(i.operands[0]);
        const pointer = this.nodeOf(i.operands[1]);
        if (value !== null && pointer !== null) this.memory.store(pointer, i.extra.accessType, value);
        return;
      }
      case "atomicrmw":
      case "cmpxchg": {
        this.loadInto(i, i.operands[0], i.extra.accessType);
        const pointer = this.nodeOf(i.operands[0]);
        const value = this.nodeOf(i.operands[i.operands.length - 1]);
        if (value !== null && pointer !== null) this.memory.store(pointer, i.extra.accessType, value);
        return;
      }
      case "getelementptr": {
        const { written } = i.extra;
        const node = written === "step" ? null : this.nodeOf(i);
        if (node === null) return;
        const { sourceType } = written === undefined || written === "step" ? i.extra : written;
        const operands = written === undefined || written === "step" ? i.operands : written.operands;
        return this.address(node, operands[0], sourceType, operands.slice(1));
      }
      case "inttoptr": {
        const node = this.nodeOf(i);
        if (node === null) return;
        if (this.nodeOf(i.operands[0]) === null) this.fromNumber(node, i.operands[0]);
        return this.flow(i.operands[0], node);
      }
      case "add": case "sub": case "mul": case "and": case "or": case "xor": case "shl": case "lshr": case "ashr": {
        const node = this.nodeOf(i);
        if (node !== null) for (const operand of i.operands) this.blur(operand, node);
        return;
      }
      case "phi":
      case "freeze":
      case "bitcast":
      case "ptrtoint":
      case "addrspacecast":
      case "insertvalue":
      case "extractvalue":
      case "insertelement":
      case "extractelement":
      case "shufflevector":
      case "trunc":
      case "zext":
      case "sext": {
        const node = this.nodeOf(i);
        if (node !== null) for (const operand of i.operands) this.flow(operand, node);
        return;
      }
      case "select": {
        const node = this.nodeOf(i);
        if (node === null) return;
        this.flow(i.operands[1], node);
        return this.flow(i.operands[2], node);
      }
      case "ret":
        if (i.operands.length > 0) this.flow(i.operands[0], this.resultOf(fn));
        return;
      case "call":
        return this.call(fn, i as Call);
      default:
    }
  } // biome-ignore format: a table

  private loadInto(to: Instruction, from: Value, type: Type): void {
    const node = this.nodeOf(to);
    const pointer = this.nodeOf(from);
    if (node === null) return;
    if (pointer === null) this.fromNumber(node, from);
    else this.memory.load(pointer, type, node);
  }

  private resultOf(fn: IrFunction): NodeId {
    const known = this.results.get(fn);
    if (known !== undefined) return known;
    const node = this.graph.node();
    this.results.set(fn, node);
    return node;
  }

  private variadicOf(fn: IrFunction): ObjectId {
    const known = this.variadics.get(fn);
    if (known !== undefined) return known;
    const object = this.memory.object({ kind: "variadic", function: fn }, null);
    this.objects.collapse(object);
    this.variadics.set(fn, object);
    return object;
  }

  private call(fn: IrFunction, i: Call): void {
    const callee = i.operands[0];
    if (callee.kind === "asm") return;
    const direct = calledFunction(callee);
    if (direct !== null) return this.direct(fn, i, direct);
    const node = this.nodeOf(callee);
    const found = new Set<IrFunction>();
    this.callees.set(i, found);
    if (node === null) return;
    this.graph.constrain(node, (location) => {
      const origin = this.objects.originOf(this.objects.objectOf(location as LocationId));
      if (origin.kind !== "function" || found.has(origin.function)) return;
      found.add(origin.function);
      this.direct(fn, i, origin.function);
    });
  }

  private direct(fn: IrFunction, i: Call, callee: IrFunction): void {
    const args = i.operands.slice(1);
    if (callee.name.startsWith("llvm.va_")) return this.variadic(fn, callee.name, args);
    const model = modelOf(callee.name);
    const result = this.nodeOf(i);
    if (model !== null) {
      const [first, second] = args.map((argument) => this.nodeOf(argument));
      switch (model.kind) {
        case "fresh":
          if (result !== null) this.fresh(fn, i, result);
          return;
        case "resize": {
          if (result === null) return;
          const object = this.fresh(fn, i, result);
          if (first === null) return;
          this.graph.include(first, result);
          const own = this.graph.node();
          this.graph.add(own, this.objects.at(object, 0));
          return this.memory.copy(own, first, null);
        }
        case "copy":
          if (first === null) return;
          if (second !== null) this.memory.copy(first, second, args[2] === undefined ? null : signedIndex(args[2]));
          if (result !== null) this.graph.include(first, result);
          return;
        case "fresh-through-argument": {
          const own = this.graph.node();
          this.fresh(fn, i, own);
          if (first !== null)
            this.graph.constrain(first, (location) =>
              this.graph.include(own, this.memory.content(location as LocationId)),
            );
          return;
        }
        case "nothing":
          if (result !== null && first !== null) this.graph.include(first, result);
          return;
      }
    }
    if (callee.name === SYSTEM_CALL) return this.system(args);
    if (!isCode(callee)) return;
    this.pass(callee, args);
    const wrapper = this.wrappers.get(callee);
    if (result === null) return;
    if (wrapper === undefined) return this.graph.include(this.resultOf(callee), result);
    const object = this.fresh(fn, i, result);
    // What the wrapper itself has put into the block.
    for (const inner of this.freshOf.get(callee) ?? []) {
      this.memory.copyObject(this.objects.at(inner, 0), this.objects.at(object, 0), null);
    }
    for (const parameter of wrapper.parameters) {
      const node = args[parameter] === undefined ? null : this.nodeOf(args[parameter]);
      if (node === null) continue;
      this.graph.include(node, result);
      const own = this.graph.node();
      this.graph.add(own, this.objects.at(object, 0));
      this.memory.copy(own, node, null);
    }
  }

  private pass(callee: IrFunction, args: readonly Value[]): void {
    const parameters = this.bodyOf(callee).args;
    for (const [index, argument] of args.entries()) {
      const from = this.nodeOf(argument);
      if (from === null) continue;
      if (index < parameters.length) {
        const to = this.nodeOf(parameters[index]);
        if (to !== null) this.graph.include(from, to);
      } else if (callee.type.variadic) this.graph.include(from, this.memory.contentAt(this.variadicOf(callee), 0));
    }
  }

  private fresh(fn: IrFunction, i: Instruction, result: NodeId): ObjectId {
    const object = this.memory.object({ kind: "heap", function: fn, loc: i.loc }, null, allocatedBytes(i));
    const list = this.freshOf.get(fn) ?? [];
    list.push(object);
    this.freshOf.set(fn, list);
    this.graph.add(result, this.objects.at(object, 0));
    return object;
  }

  private variadic(fn: IrFunction, name: string, args: readonly Value[]): void {
    const list = this.nodeOf(args[0]);
    if (list === null) return;
    if (name.startsWith("llvm.va_start")) {
      const area = this.graph.node();
      this.graph.add(area, this.objects.at(this.variadicOf(fn), 0));
      // { gp_offset, fp_offset, overflow_arg_area, reg_save_area }
      this.graph.constrain(list, (location) => {
        for (const offset of [8, 16]) {
          this.graph.include(area, this.memory.content(this.objects.moved(location as LocationId, offset)));
        }
      });
    } else if (name.startsWith("llvm.va_copy")) {
      const from = this.nodeOf(args[1]);
      if (from !== null) this.memory.copy(list, from, VA_LIST_BYTES);
    }
  }

  /** Handed to the system: functions found there, or one step behind, it may call. It returns numbers (mmap is an allocator). */
  private system(args: readonly Value[]): void {
    for (const argument of args) this.flow(argument, this.handedOut);
  }

  private watchSystem(): void {
    const behind = this.memory.object({ kind: "outside" }, null);
    this.objects.collapse(behind);
    const call = (location: number): void => {
      const origin = this.objects.originOf(this.objects.objectOf(location as LocationId));
      if (origin.kind !== "function" || this.called.has(origin.function) || origin.function.isDeclaration) return;
      this.called.add(origin.function);
      for (const parameter of this.bodyOf(origin.function).args) {
        const node = this.nodeOf(parameter);
        if (node !== null) this.graph.add(node, this.objects.at(this.outside, 0));
      }
    };
    this.graph.constrain(this.handedOut, (location) => {
      call(location);
      this.memory.copyObject(location as LocationId, this.objects.at(behind, 0), null);
    });
    this.graph.constrain(this.memory.contentAt(behind, 0), call);
  }
}

/** What malloc is asked for, if that is one number. */
function allocatedBytes(call: Instruction): number | null {
  if (call.op !== "call" || calledFunction(call.operands[0])?.name !== "malloc") return null;
  const size = intValue(call.operands[1]);
  return size === null ? null : Number(size);
}
