// Points-to analysis over a whole linked program with its libc: which functions an indirect call may call, which objects a pointer may
// reach. Inclusion-based, flow- and context-insensitive but for allocators (allocators.ts), field-sensitive by byte offset
// (memory-objects.ts). Callbacks of qsort, atexit or signal need no model, because libc is code; what the system calls (signal
// handlers) is found where it is handed to a system call. Only what can be reached from the program's start is looked at.
//
// It believes what types say about arrays, that a pointer is copied whole, that a call fits its callee if any does (call-shape.ts), and
// that a function that is called an allocator is one: a program that copies a pointer byte by byte in a loop of its own, or makes one
// out of a number that was none, is outside of what it promises. The second is noted (`fromNumbers`).

import { calledName } from "../../support/library-names.js";
import { calledFunction } from "../analysis/call-graph.js";
import type { DataLayout } from "../data-layout.js";
import type { LinkedProgram } from "../link.js";
import type { IrFunction } from "../module.js";
import type { Body, Value } from "../values.js";
import { AbstractMemory } from "./abstract-memory.js";
import { findReturners, findWrappers } from "./allocators.js";
import { ConstraintGraph } from "./constraint-graph.js";
import type { ObjectOrigin } from "./memory-objects.js";
import { type Call, ProgramConstraints } from "./program-constraints.js";
import { TextLengths } from "./text-lengths.js";
import { ValueNodes } from "./value-nodes.js";

export interface PointsToStatistics {
  readonly nodes: number;
  readonly objects: number;
  readonly locations: number;
  readonly waves: number;
  readonly condensations: number;
  readonly indirectCalls: number;
  readonly milliseconds: number;
}

/** Where a pointer may point: the same object has the same `origin`, by identity. */
export interface MemoryLocation {
  readonly origin: ObjectOrigin;
  /** In bytes, elements of an array counting as the first; -1 if it is not known. */
  readonly offset: number;
}

/** Functions of libc that call what they are given, and nothing that was given to another. */
const CALLS_ITS_ARGUMENT = new Set([
  ...["qsort", "qsort_r", "bsearch", "lfind", "lsearch", "tsearch", "tfind", "tdelete", "tdestroy", "twalk"],
  ...["ftw", "nftw", "scandir", "glob", "pthread_once", "call_once"],
]);
/** In these a signal's handler runs. */
const RAISES = new Set([
  "raise",
  "kill",
  "killpg",
  "abort",
  "pause",
  "sigsuspend",
  "sigprocmask",
  "alarm",
  "setitimer",
]);

export class PointsTo {
  readonly statistics: PointsToStatistics;
  /** Functions in which a number that was no pointer became one. */
  readonly fromNumbers: ReadonlySet<IrFunction>;
  private readonly graph = new ConstraintGraph();
  private readonly memory: AbstractMemory;
  private readonly values: ValueNodes;
  private readonly code: ProgramConstraints;
  private readonly bodies: ReadonlyMap<IrFunction, Body>;
  private readonly callBacks = new Map<IrFunction, readonly IrFunction[]>();

  /** `bodyOf` gives the same body each time; promoted to registers as far as possible. `order`: callees first. */
  constructor(
    program: LinkedProgram,
    order: readonly IrFunction[],
    bodyOf: (fn: IrFunction) => Body,
    layout: DataLayout,
  ) {
    const started = performance.now();
    this.bodies = new Map(order.map((fn) => [fn, bodyOf(fn)]));
    this.memory = new AbstractMemory(this.graph, layout);
    this.values = new ValueNodes(this.graph, this.memory, layout);
    this.fromNumbers = this.values.fromNumbers;
    this.code = new ProgramConstraints(
      this.graph,
      this.memory,
      this.values,
      this.bodies,
      findWrappers(order, bodyOf),
      findReturners(order, bodyOf),
      new TextLengths(this.bodies),
    );
    for (const variable of program.variables) this.values.initialize(variable);
    this.code.solve(rootsOf(program));
    this.statistics = {
      nodes: this.graph.nodeCount,
      objects: this.memory.objects.count,
      locations: this.memory.objects.locationCount,
      waves: this.graph.waves,
      condensations: this.graph.condensations,
      indirectCalls: this.code.callees.size,
      milliseconds: performance.now() - started,
    };
  }

  /** The functions that a call may call. */
  calleesOf(call: Call): readonly IrFunction[] {
    const direct = calledFunction(call.operands[0]);
    return direct === null ? [...(this.code.callees.get(call) ?? [])] : [direct];
  }

  /** The indirect calls of functions that can be reached, and their callees. */
  indirectCalls(): ReadonlyMap<Call, ReadonlySet<IrFunction>> {
    return this.code.callees;
  }

  isReachable(fn: IrFunction): boolean {
    return this.code.reached.has(fn);
  }

  /** Functions that the system may call: handlers of signals. */
  systemCalls(): ReadonlySet<IrFunction> {
    return this.code.called;
  }

  /** Where a pointer may point to. */
  locationsOf(value: Value): readonly MemoryLocation[] {
    const { objects } = this.memory;
    return this.values.locationsOf(value).map((location) => ({
      origin: objects.originOf(objects.objectOf(location)),
      offset: objects.canonical(location),
    }));
  }

  /** The same, by its older name. */
  targetsOf(value: Value): readonly MemoryLocation[] {
    return this.locationsOf(value);
  }

  /** Functions of the program that a function of libc may call through pointers, itself or through others of libc. */
  mayCallBack(fn: IrFunction): readonly IrFunction[] {
    const known = this.callBacks.get(fn);
    if (known !== undefined) return known;
    const found = new Set<IrFunction>();
    const seen = new Set([fn]);
    const work = fn.module.origin === "program" ? [] : [fn];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (RAISES.has(at.name)) for (const handler of this.code.called) found.add(handler);
      for (const { instructions } of this.bodies.get(at)?.blocks ?? []) {
        for (const i of instructions) {
          if (i.op !== "call") continue;
          for (const callee of this.calleesOf(i as Call)) {
            if (callee.module.origin === "program") found.add(callee);
            else if (!seen.has(callee)) {
              seen.add(callee);
              work.push(callee);
            }
          }
        }
      }
    }
    const list = [...found].filter(({ module }) => module.origin === "program");
    this.callBacks.set(fn, list);
    return list;
  }

  /** The same for one call: of what qsort may call, only what it is given here. */
  callBacksAt(call: Call): readonly IrFunction[] {
    const found = new Set<IrFunction>();
    for (const callee of this.calleesOf(call)) {
      if (callee.module.origin === "program") continue;
      const all = this.mayCallBack(callee);
      if (all.length === 0) continue;
      const given = CALLS_ITS_ARGUMENT.has(calledName(callee.name)) ? this.functionsGiven(call) : null;
      for (const fn of all) if (given === null || given.has(fn)) found.add(fn);
    }
    return [...found];
  }

  private functionsGiven(call: Call): ReadonlySet<IrFunction> {
    const found = new Set<IrFunction>();
    for (const argument of call.operands.slice(1)) {
      for (const { origin } of this.locationsOf(argument)) if (origin.kind === "function") found.add(origin.function);
    }
    return found;
  }
}

/** Where runs begin. */
function rootsOf(program: LinkedProgram): readonly IrFunction[] {
  const named = ["__tangent_start", "main"].map((name) => program.lookup(name));
  const structors = [...program.constructors, ...program.destructors].map(({ target }) => target);
  return [...structors, ...named].filter((value): value is IrFunction => value?.kind === "function");
}
