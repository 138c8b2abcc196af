// From code to constraints: each function that is found to be reachable is looked at once, each call linked to what it may call. What
// makes or moves memory is described by name (allocators.ts), everything else by its body.

import { calledFunction } from "../analysis/call-graph.js";
import { signedIndex } from "../analysis/gep.js";
import type { IrFunction } from "../module.js";
import type { StructType, Type } from "../types.js";
import { type Body, type Instruction, type InstructionOf, intValue, type Value } from "../values.js";
import type { AbstractMemory } from "./abstract-memory.js";
import { addressOperands, passedOn } from "./address-arithmetic.js";
import { modelOf, type Returner, type Wrapper } from "./allocators.js";
import { fits } from "./call-shape.js";
import type { ConstraintGraph, NodeId } from "./constraint-graph.js";
import { type LocationId, type MemoryObjects, type ObjectId, UNKNOWN_OFFSET } from "./memory-objects.js";
import type { TextLengths } from "./text-lengths.js";
import type { ValueNodes } from "./value-nodes.js";

export type Call = InstructionOf<"call">;

const VA_LIST_BYTES = 24;
/** The one way from libc to the system (runtime/trusted/syscall.c). */
const SYSTEM_CALL = "__tangent_syscall";
/** System calls that are given a function: rt_sigaction, clone, and what our threads tell (src/vm/syscalls/threads.ts). */
const SYSTEM_CALLS_WITH_FUNCTIONS: ReadonlySet<bigint> = new Set([13n, 56n, 7000n]);
/** They get an obstack's chunks from the allocator that it was begun with. */
const OBSTACK_ALLOCATION = /^_obstack_(begin|begin_1|begin_worker|newchunk)$/;
/** No program has more of them; what else seems to be one is not told apart. */
const MOST_OBSTACKS = 256;
/** chunk, object_base, next_free, chunk_limit in struct obstack. */
const OBSTACK_POINTERS: readonly number[] = [8, 16, 24, 32];

export class ProgramConstraints {
  /** Indirect calls of reachable functions. */
  readonly callees = new Map<Call, Set<IrFunction>>();
  /** Functions that were found at calls they do not fit. */
  private readonly misfits = new Map<Call, Set<IrFunction>>();
  private readonly holderOf = new Map<Call, IrFunction>();
  /** Functions that the system calls. */
  readonly called = new Set<IrFunction>();
  readonly reached = new Set<IrFunction>();
  private readonly waiting: IrFunction[] = [];
  private readonly results = new Map<IrFunction, NodeId>();
  private readonly variadics = new Map<IrFunction, ObjectId>();
  /** The blocks that a function makes, and those that calls of a wrapper make. */
  private readonly freshOf = new Map<IrFunction, ObjectId[]>();
  private readonly outerOf = new Map<IrFunction, ObjectId[]>();
  private readonly chunks = new Map<LocationId, ObjectId>();
  private commonChunk: ObjectId | null = null;
  /** What a block is addressed as by the code that made it. */
  private readonly localTypes = new Map<Instruction, StructType>();
  private readonly objects: MemoryObjects;
  /** Everything that was given to a system call. */
  private readonly handedOut: NodeId;

  constructor(
    private readonly graph: ConstraintGraph,
    private readonly memory: AbstractMemory,
    private readonly values: ValueNodes,
    private readonly bodies: ReadonlyMap<IrFunction, Body>,
    private readonly wrappers: ReadonlyMap<IrFunction, Wrapper>,
    private readonly returners: ReadonlyMap<IrFunction, Returner>,
    private readonly lengths: TextLengths,
  ) {
    this.objects = memory.objects;
    this.handedOut = graph.node();
    this.watchSystem();
  }

  /** Everything that can be reached from functions on. */
  solve(roots: readonly IrFunction[]): void {
    for (const root of roots) this.reach(root);
    do {
      this.settle();
      this.graph.solve();
      this.settle();
      this.graph.solve();
    } while (this.waiting.length > 0 || this.admitMisfits());
  }

  /** Calls for which nothing that fits was found take what was found. True if there were any. */
  private admitMisfits(): boolean {
    let isAny = false;
    for (const [call, misfits] of this.misfits) {
      const found = this.callees.get(call);
      const holder = this.holderOf.get(call);
      if (found === undefined || holder === undefined || found.size > 0) continue;
      this.misfits.delete(call);
      for (const fn of misfits) {
        isAny = true;
        found.add(fn);
        this.link(holder, call, fn);
      }
    }
    return isAny;
  }

  private isCode(fn: IrFunction): boolean {
    return this.bodies.has(fn) && fn.module.origin !== "trusted" && modelOf(fn.name) === null;
  }

  private reach(fn: IrFunction): void {
    if (this.reached.has(fn) || !this.isCode(fn)) return;
    this.reached.add(fn);
    this.waiting.push(fn);
  }

  private settle(): void {
    for (let fn = this.waiting.pop(); fn !== undefined; fn = this.waiting.pop()) {
      const body = this.bodies.get(fn);
      if (body === undefined) continue;
      this.values.current = fn;
      this.findLocalTypes(body);
      if (OBSTACK_ALLOCATION.test(fn.name) && body.args.length > 0) this.watchObstack(body.args[0]);
      for (const block of body.blocks) for (const i of block.instructions) this.instruction(fn, i);
    }
  }

  // ------------------------------------------------------------ instructions

  private instruction(fn: IrFunction, i: Instruction): void {
    const { values, memory } = this;
    switch (i.op) {
      case "alloca": {
        const node = values.nodeOf(i);
        const object = memory.object({ kind: "stack", function: fn, loc: i.loc, instruction: i }, typeOfLocal(i));
        if (node !== null) this.graph.add(node, this.objects.at(object, 0));
        return;
      }
      case "load":
        return this.loadInto(i, i.operands[0], i.extra.accessType);
      case "store":
        return this.store(i.operands[0], i.operands[1], i.extra.accessType);
      case "atomicrmw":
      case "cmpxchg":
        this.loadInto(i, i.operands[0], i.extra.accessType);
        return this.store(i.operands[i.operands.length - 1], i.operands[0], i.extra.accessType);
      case "getelementptr":
        return values.addressOf(i);
      case "inttoptr": {
        const node = values.nodeOf(i);
        if (node !== null && values.nodeOf(i.operands[0]) === null) values.fromNumber(node, i.operands[0]);
        return;
      }
      case "add":
      case "and":
      case "or":
      case "sub":
        return this.arithmetic(i);
      case "phi":
      case "insertvalue":
      case "extractvalue":
      case "insertelement":
      case "extractelement":
      case "shufflevector":
      case "trunc":
      case "zext":
      case "sext": {
        const node = values.nodeOf(i);
        if (node !== null) for (const operand of i.operands) values.flow(operand, node);
        return;
      }
      case "select": {
        const node = values.nodeOf(i);
        if (node === null) return;
        values.flow(i.operands[1], node);
        return values.flow(i.operands[2], node);
      }
      case "ret":
        if (i.operands.length > 0) values.flow(i.operands[0], this.resultOf(fn));
        return;
      case "call":
        return this.call(fn, i as Call);
      default:
    }
  }

  /** Products and shifts are numbers. */
  private arithmetic(i: Instruction): void {
    const node = this.values.nodeOf(i);
    if (node !== null) for (const operand of addressOperands(i)) this.values.blur(operand, node);
  }

  private loadInto(to: Instruction, from: Value, type: Type): void {
    const node = this.values.nodeOf(to);
    if (node === null) return;
    const pointer = this.values.nodeOf(from);
    if (pointer === null) this.values.fromNumber(node, from);
    else this.graph.unite(node, this.memory.load(pointer, type));
  }

  private store(value: Value, to: Value, type: Type): void {
    const node = this.values.nodeOf(value);
    const pointer = this.values.nodeOf(to);
    if (node !== null && pointer !== null) this.graph.include(node, this.memory.store(pointer, type));
  }

  private findLocalTypes(body: Body): void {
    for (const { instructions } of body.blocks) {
      for (const i of instructions) {
        if (i.op !== "getelementptr") continue;
        const { written, fields, sourceType } = i.extra;
        if (written === "step") continue;
        const base = written?.operands[0] ?? i.operands[0];
        const type = written?.sourceType ?? fields?.[0].type ?? sourceType;
        if (base.kind !== "instruction" || base.op !== "call" || type.kind !== "struct") continue;
        if (!this.localTypes.has(base)) this.localTypes.set(base, type);
      }
    }
  }

  // ------------------------------------------------------------ calls

  private call(fn: IrFunction, i: Call): void {
    const callee = i.operands[0];
    if (callee.kind === "asm") return this.assembly(i);
    const direct = calledFunction(callee);
    if (direct !== null) return this.link(fn, i, direct);
    const node = this.values.nodeOf(callee);
    const found = new Set<IrFunction>();
    this.callees.set(i, found);
    if (node === null) return;
    this.holderOf.set(i, fn);
    this.graph.constrain(node, (location) => {
      const origin = this.objects.originOf(this.objects.objectOf(location as LocationId));
      if (origin.kind !== "function" || found.has(origin.function)) return;
      if (!fits(i, origin.function)) {
        const misfits = this.misfits.get(i);
        if (misfits === undefined) this.misfits.set(i, new Set([origin.function]));
        else misfits.add(origin.function);
        return;
      }
      found.add(origin.function);
      this.link(fn, i, origin.function);
    });
  }

  /** An empty one hides a pointer from the compiler; of any other the same is the best guess. */
  private assembly(i: Call): void {
    const result = this.values.nodeOf(i as Instruction);
    if (result !== null) for (const operand of i.operands.slice(1)) this.values.flow(operand, result);
  }

  private intrinsic(i: Call, name: string): void {
    const result = this.values.nodeOf(i as Instruction);
    if (result !== null && passedOn(name)) this.values.flow(i.operands[1], result);
    else this.arithmetic(i as Instruction);
  }

  private link(fn: IrFunction, i: Call, callee: IrFunction): void {
    const args = i.operands.slice(1);
    if (callee.name.startsWith("llvm.va_")) return this.variadic(fn, callee.name, args);
    const result = this.values.nodeOf(i as Instruction);
    if (this.linkModel(fn, i, callee, result)) return;
    if (callee.name.startsWith("llvm.")) return this.intrinsic(i, callee.name);
    if (callee.name === SYSTEM_CALL) return this.system(args);
    if (!this.isCode(callee)) return;
    this.reach(callee);
    this.pass(callee, args);
    // An obstack's memory is that of its own model.
    if (result === null || (OBSTACK_ALLOCATION.test(fn.name) && calledFunction(i.operands[0]) === null)) return;
    const wrapper = this.wrappers.get(callee);
    if (wrapper === undefined) return this.returned(callee, args, result);
    const object = this.fresh(fn, i, result);
    // What the wrapper itself has put into the block.
    const start = this.objects.at(object, 0);
    for (const inner of this.freshOf.get(callee) ?? []) {
      this.memory.copyObject(this.objects.at(inner, 0), start, null);
    }
    const outer = this.outerOf.get(callee);
    if (outer === undefined) this.outerOf.set(callee, [object]);
    else outer.push(object);
    for (const parameter of wrapper.parameters) {
      const node = args[parameter] === undefined ? null : this.values.nodeOf(args[parameter]);
      if (node === null) continue;
      this.graph.include(node, result);
      this.copyInto(object, node);
    }
  }

  private returned(callee: IrFunction, args: readonly Value[], result: NodeId): void {
    const returner = this.returners.get(callee);
    if (returner === undefined) return this.graph.include(this.resultOf(callee), result);
    for (const [index, how] of returner.parameters) {
      const node = args[index] === undefined ? null : this.values.nodeOf(args[index]);
      if (node === null) continue;
      if (how === "same") this.graph.include(node, result);
      else {
        this.graph.include(this.values.walked(node), result);
      }
    }
  }

  /** True if the function is described by name. */
  private linkModel(fn: IrFunction, i: Call, callee: IrFunction, result: NodeId | null): boolean {
    const model = modelOf(callee.name);
    if (model === null) return false;
    const args = i.operands.slice(1);
    const [first, second] = args.map((argument) => this.values.nodeOf(argument));
    switch (model.kind) {
      case "fresh":
        if (result !== null) this.fresh(fn, i, result);
        return true;
      case "resize": {
        if (result === null) return true;
        const object = this.fresh(fn, i, result);
        if (first === null) return true;
        this.graph.include(first, result);
        this.copyInto(object, first);
        return true;
      }
      case "copy":
        if (first === null) return true;
        if (second !== null && !this.copiesText(fn, args[2])) {
          this.memory.copy(first, second, args[2] === undefined ? null : signedIndex(args[2]));
        }
        if (result !== null) this.graph.include(first, result);
        return true;
      case "fresh-through-argument": {
        const own = this.graph.node();
        this.fresh(fn, i, own);
        if (first === null) return true;
        this.graph.constrain(first, (location) => this.graph.include(own, this.memory.stored(location as LocationId)));
        return true;
      }
      case "nothing":
        if (result !== null && first !== null) this.graph.include(first, result);
        return true;
    }
  }

  /** What libc copies is text if it does not know how long it is: streams, strings. (Sorting moves elements inside of one array.) */
  private copiesText(fn: IrFunction, length: Value | undefined): boolean {
    if (length === undefined) return false;
    return this.lengths.isTextLength(length) || (fn.module.origin !== "program" && intValue(length) === null);
  }

  private copyInto(object: ObjectId, from: NodeId): void {
    const start = this.objects.at(object, 0);
    this.graph.constrain(
      from,
      (location) => this.memory.copyObject(location as LocationId, start, null),
      () => this.graph.include(this.graph.blob, this.memory.stored(this.objects.at(object, UNKNOWN_OFFSET))),
    );
  }

  private resultOf(fn: IrFunction): NodeId {
    const known = this.results.get(fn);
    if (known !== undefined) return known;
    const node = this.graph.node();
    this.results.set(fn, node);
    return node;
  }

  private pass(callee: IrFunction, args: readonly Value[]): void {
    const parameters = this.bodies.get(callee)?.args ?? [];
    for (const [index, argument] of args.entries()) {
      const from = this.values.nodeOf(argument);
      if (from === null) continue;
      if (index < parameters.length) {
        const to = this.values.nodeOf(parameters[index]);
        if (to !== null) this.graph.include(from, to);
      } else if (callee.type.variadic) {
        this.graph.include(from, this.memory.stored(this.objects.at(this.variadicOf(callee), 0)));
      }
    }
  }

  private fresh(fn: IrFunction, i: Call, result: NodeId): ObjectId {
    const origin = { kind: "heap", function: fn, loc: i.loc, instruction: i as Instruction } as const;
    const type = this.localTypes.get(i as Instruction) ?? null;
    const object = this.memory.object(origin, type, allocatedBytes(i));
    const list = this.freshOf.get(fn);
    if (list === undefined) this.freshOf.set(fn, [object]);
    else list.push(object);
    // Calls of a wrapper are often seen before the wrapper itself.
    for (const outer of this.outerOf.get(fn) ?? []) {
      this.memory.copyObject(this.objects.at(object, 0), this.objects.at(outer, 0), null);
    }
    this.graph.add(result, this.objects.at(object, 0));
    return object;
  }

  // ------------------------------------------------------------ variable arguments, obstacks, the system

  private variadicOf(fn: IrFunction): ObjectId {
    const known = this.variadics.get(fn);
    if (known !== undefined) return known;
    const object = this.memory.object({ kind: "variadic", function: fn }, null);
    this.objects.collapse(object);
    this.variadics.set(fn, object);
    return object;
  }

  private variadic(fn: IrFunction, name: string, args: readonly Value[]): void {
    const list = this.values.nodeOf(args[0]);
    if (list === null) return;
    if (name.startsWith("llvm.va_start")) {
      const area = this.graph.node();
      this.graph.add(area, this.objects.at(this.variadicOf(fn), 0));
      // { gp_offset, fp_offset, overflow_arg_area, reg_save_area }
      this.graph.constrain(
        list,
        (location) => {
          for (const offset of [8, 16]) {
            this.graph.include(area, this.memory.stored(this.objects.moved(location as LocationId, offset)));
          }
        },
        () => this.graph.include(area, this.graph.blob),
      );
    } else if (name.startsWith("llvm.va_copy")) {
      const from = this.values.nodeOf(args[1]);
      if (from !== null) this.memory.copy(list, from, VA_LIST_BYTES);
    }
  }

  /** All that is allocated in one obstack is one object, which its pointers point to from the beginning. */
  private watchObstack(parameter: Value): void {
    const node = this.values.nodeOf(parameter);
    if (node === null) return;
    const each = (at: number): void => {
      const chunk = this.chunkOf(at as LocationId);
      for (const offset of OBSTACK_POINTERS) {
        const field = this.memory.stored(this.objects.moved(at as LocationId, offset));
        this.graph.add(field, this.objects.at(chunk, 0));
      }
    };
    this.graph.constrain(node, each, () => this.graph.add(this.graph.blob, this.objects.at(this.anyChunk(), 0)));
  }

  /** An obstack in another one has that one's: otherwise, where pointers are mixed up, each would make the next, without end. */
  private chunkOf(obstack: LocationId): ObjectId {
    const holder = this.objects.objectOf(obstack);
    if (this.objects.originOf(holder).kind === "obstack") return holder;
    const known = this.chunks.get(obstack);
    if (known !== undefined) return known;
    const chunk = this.chunks.size < MOST_OBSTACKS ? this.memory.object({ kind: "obstack" }, null) : this.anyChunk();
    this.chunks.set(obstack, chunk);
    return chunk;
  }

  /** Of all obstacks that are not told apart. */
  private anyChunk(): ObjectId {
    this.commonChunk ??= this.memory.object({ kind: "obstack" }, null);
    return this.commonChunk;
  }

  /** Handed to the system: functions found there, or one step behind, it may call. It returns numbers (mmap is an allocator). */
  private system(args: readonly Value[]): void {
    const number = intValue(args[0]);
    if (number !== null && !SYSTEM_CALLS_WITH_FUNCTIONS.has(number)) return;
    for (const argument of args) this.values.flow(argument, this.handedOut);
  }

  private watchSystem(): void {
    const behind = this.memory.object({ kind: "copy" }, null);
    this.objects.collapse(behind);
    const start = this.objects.at(behind, 0);
    const call = (location: number): void => {
      const origin = this.objects.originOf(this.objects.objectOf(location as LocationId));
      if (origin.kind !== "function" || this.called.has(origin.function)) return;
      this.called.add(origin.function);
      this.reach(origin.function);
      for (const parameter of this.bodies.get(origin.function)?.args ?? []) {
        const node = this.values.nodeOf(parameter);
        if (node !== null) this.graph.add(node, this.objects.at(this.values.outside, 0));
      }
    };
    this.graph.constrain(this.handedOut, (location) => {
      call(location);
      this.memory.copyObject(location as LocationId, start, null);
    });
    this.graph.constrain(this.memory.loaded(start), call);
  }
}

/** So many bytes, as alloca() takes them, say nothing of what will be in them. */
function typeOfLocal({ extra, operands }: InstructionOf<"alloca">): Type | null {
  const { allocated } = extra;
  return allocated.kind === "int" && operands.length > 0 && intValue(operands[0]) !== 1n ? null : allocated;
}

/** What an allocator is asked for, if that is one number. */
function allocatedBytes(call: Call): number | null {
  const sizes = call.operands.slice(1).filter(({ type }) => type.kind === "int");
  const name = calledFunction(call.operands[0])?.name;
  if (sizes.length === 0 || sizes.length > (name === "calloc" ? 2 : 1)) return null;
  let bytes = 1;
  for (const size of sizes) {
    const known = intValue(size);
    if (known === null) return null;
    bytes *= Number(known);
  }
  return Number.isSafeInteger(bytes) ? bytes : null;
}
