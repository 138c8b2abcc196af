// Calls of functions in runs where nothing is symbolic: whoever wants to know of one sees its arguments and the memory there, as constants.
// Such runs cost what their instructions cost, so thousands of inputs can be asked about a call deep inside.

import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ProgramImage } from "../jit/image.js";
import { HOOKS_BASE } from "../jit/memory-layout.js";
import type { Machine } from "../vm/machine.js";
import { argumentsOfCall, bytesAsConstant, readableFrom, type SeenCall } from "./unit-calls.js";
import { findFunction, type PlannedFunction } from "./unit-description.js";

/** Constants that are kept before all are forgotten. */
const MOST_NODES = 1 << 18;

export class WatchedCalls {
  private readonly functions = new Map<number, PlannedFunction>();
  private arena = new ExprArena();
  private evaluator = new Evaluator(this.arena);

  /** `heard` is told of each call of these functions. */
  constructor(
    image: ProgramImage,
    indices: Iterable<number>,
    private readonly heard: (functionIndex: number, call: SeenCall) => void,
  ) {
    for (const index of indices) {
      const found = findFunction(image, index);
      if (!("kind" in found)) this.functions.set(index, found);
    }
  }

  /** The machine's runs are heard of from now on. */
  attach(machine: Machine): void {
    // A reset of memory leaves the table of hooks alone.
    for (const index of this.functions.keys()) machine.memory.u8[HOOKS_BASE + index] = 1;
    machine.onCalled = (index) => {
      const called = this.functions.get(index);
      if (called !== undefined) this.heard(index, this.callOf(machine, called));
    };
  }

  private callOf(machine: Machine, called: PlannedFunction): SeenCall {
    if (this.arena.size > MOST_NODES) {
      this.arena = new ExprArena();
      this.evaluator = new Evaluator(this.arena);
    }
    const { arena, evaluator } = this;
    const { memory } = machine;
    return {
      arguments: argumentsOfCall(machine, called),
      arena,
      expressionOf: ({ bits, low, high }) => arena.constant(bits, low, high),
      evaluate: (expression) => [evaluator.low(expression), evaluator.high(expression)],
      load: (address, size) =>
        memory.firstRefused(address, size, false) >= 0 ? null : bytesAsConstant(arena, memory.u8, address, size),
      extent: (address, most) => readableFrom(memory, address, most),
    };
  }
}
