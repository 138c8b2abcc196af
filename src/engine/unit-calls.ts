// Calls that a technique wants to hear of: a stub answers with fresh input in the callee's place, a hook is a function of the
// technique's own that may look, answer, or both. Generated code asks for a function only if its byte in the table of hooks
// is set (jit/emit-hook.ts); arguments and results travel in the control block, 64 bits a part, shadows beside them.
//
// Invariant: an answer's value is that of its expression under the run's input, so that the run and its path agree.

import type { SymbolicHost } from "../concolic/symbolic-host.js";
import type { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import type { ProgramImage } from "../jit/image.js";
import { CONTROL, HOOKS_BASE } from "../jit/memory-layout.js";
import { FIRST_VARIADIC_SLOT } from "../jit/symbolic-boundary.js";
import type { PathObserver, SiteId } from "../path/observer.js";
import type { GuestMemory } from "../vm/guest-memory.js";
import type { Machine } from "../vm/machine.js";
import { QuietExit } from "../vm/run-end.js";
import type { PlannedFunction, PlannedStub } from "./unit-description.js";
import type { PartValue, UnitValues } from "./unit-values.js";

/** What can be seen of a call. Valid during the call. */
export interface SeenCall {
  /** By parameter of the IR: its parts. The address of variadic arguments is not among them. */
  readonly arguments: readonly (readonly PartValue[])[];
  readonly arena: ExprArena;
  /** The value as an expression, constant or not. */
  expressionOf(part: PartValue): ExprRef;
  /** The value of an expression on this run, up to 64 bits: as [low, high]. */
  evaluate(expression: ExprRef): readonly [number, number];
  /** 1 to 8 bytes of memory; null if they may not be read. */
  load(address: number, size: number): ExprRef | null;
  /** How many bytes from there on may be read, up to `most`. */
  extent(address: number, most: number): number;
}

/** What a hook sees of a call and can do there. */
export interface UnitCall extends SeenCall {
  readonly name: string;
  /** The how-manieth run of its executor this is. */
  readonly run: number;
  /** Fresh input of that width, named `hook:` and the function's name. */
  fresh(bits: number): ExprRef;
  /** False if they may not be written. */
  store(address: number, size: number, value: ExprRef): boolean;
  /** The path is explored only where the condition (width 1) holds. */
  assume(condition: ExprRef): void;
  /** A check of the technique's own: an input that makes `bad` hold is looked for, and is a finding. */
  check(bad: ExprRef, message: string): void;
  /**
   * A decision of the technique's own: the path divides here, and the other side is pending as that of a branch is. `number` tells such
   * decisions apart, whatever function they are made at; `divisionOf` knows it by its site. Gives the side of this run.
   */
  divide(condition: ExprRef, number: number): boolean;
  /** The run ends here, as if the program had exited. */
  end(code: number): never;
}

/** The parts of the result (none for void), or null: the function is called after all. */
export type UnitHook = (call: UnitCall) => readonly ExprRef[] | null;

interface Hooked {
  readonly target: PlannedFunction;
  readonly stub: PlannedStub | null;
  readonly hook: UnitHook | null;
}

export class UnitCalls {
  /** Calls answered in the callee's place on this run. */
  answered = 0;
  private readonly byIndex = new Map<number, Hooked>();
  private readonly evaluator: Evaluator;
  private observer: PathObserver | null = null;
  private entering = -1;
  private runs = 0;

  constructor(
    private readonly host: SymbolicHost,
    private readonly machine: Machine,
    private readonly values: UnitValues,
    private readonly image: ProgramImage,
  ) {
    this.evaluator = new Evaluator(host.arena);
  }

  addStub(stub: PlannedStub): void {
    this.add({ target: stub.target, stub, hook: null });
  }
  addHook(target: PlannedFunction, hook: UnitHook): void {
    this.add({ target, stub: null, hook });
  }
  remove(index: number): void {
    this.byIndex.delete(index);
    this.machine.memory.u8[HOOKS_BASE + index] = 0;
  }
  private add(hooked: Hooked): void {
    this.byIndex.set(hooked.target.index, hooked);
    // A reset of memory leaves the table of hooks alone.
    this.machine.memory.u8[HOOKS_BASE + hooked.target.index] = 1;
  }

  /** Nothing is answered before the unit starts: constructors run as they are. */
  rest(): void {
    this.observer = null;
    this.answered = 0;
    this.runs++;
  }
  /** The call of the unit itself is not to be answered; those it makes of itself are. */
  start(observer: PathObserver, unit: number): void {
    this.observer = observer;
    this.entering = unit;
  }

  hooked(functionIndex: number): boolean {
    const { observer } = this;
    const found = this.byIndex.get(functionIndex);
    if (found === undefined || observer === null) return false;
    if (this.entering === functionIndex) {
      this.entering = -1;
      return false;
    }
    const parts = argumentsOfCall(this.machine, found.target);
    const result =
      found.stub !== null ? this.answerStub(found.stub, parts, observer) : this.ask(found, parts, observer);
    if (result === null) return false;
    this.answered++;
    this.machine.cannotRepeat();
    this.giveResult(result);
    return true;
  }

  /** The value of an expression under the run's input so far. */
  evaluate(expression: ExprRef): readonly [number, number] {
    this.evaluator.load(this.host.inputs.currentModel());
    return [this.evaluator.low(expression), this.evaluator.high(expression)];
  }

  private giveResult(parts: readonly PartValue[]): void {
    const { view } = this.machine.memory;
    parts.forEach(({ low, high, expression }, n) => {
      view.setInt32(CONTROL.mismatchedCall + 8 * n, low, true);
      view.setInt32(CONTROL.mismatchedCall + 8 * n + 4, high, true);
      view.setInt32(CONTROL.resultShadows + 4 * n, expression, true);
    });
  }

  private answerStub(stub: PlannedStub, parts: readonly PartValue[][], observer: PathObserver): PartValue[] {
    const { name, shape, signature } = stub.target;
    for (const { parameter, offset = 0, size } of stub.outputs) {
      const [pointer] = parts[parameter];
      const address = (pointer.low >>> 0) + offset;
      if (address === offset && pointer.high === 0) continue;
      const object = this.host.input(`stub:${name}:${parameter}${offset === 0 ? "" : `+${offset}`}`, size);
      // Also where the pointer itself is input: the path has it at this address or at others, this run has it here.
      const { memory } = this.machine;
      const end = pointer.high !== 0 ? address : memory.firstRefused(address, size, true);
      const count = end < 0 ? size : end - address;
      if (count < size) this.host.losses.count("input-not-placed");
      if (count > 0 && memory.firstUnwritten(address, count) < 0) this.host.place(object, 0, count, address);
    }
    if (shape.result.length === 0) return [];
    return this.values.make(`stub:${name}`, stub.result, shape.result, signature.results, observer);
  }

  private ask({ target, hook }: Hooked, parts: readonly PartValue[][], observer: PathObserver): PartValue[] | null {
    if (hook === null) return null;
    const answer = hook(this.callOf(target, parts, observer));
    if (answer === null) return null;
    const { result } = target.shape;
    if (answer.length !== result.length) {
      throw new Error(`the hook of ${target.name} gave ${answer.length} parts of a result that has ${result.length}`);
    }
    return answer.map((expression, n) => this.partOf(target.name, expression, result[n]));
  }

  private partOf(name: string, expression: ExprRef, bits: number): PartValue {
    const { arena } = this.host;
    if (arena.width(expression) !== bits) {
      throw new Error(`the hook of ${name} gave ${arena.width(expression)} bits for a result of ${bits}`);
    }
    const [low, high] = this.evaluate(expression);
    return { bits, low, high, expression: arena.isConstant(expression) ? CONCRETE : expression };
  }

  private callOf(target: PlannedFunction, parts: readonly PartValue[][], observer: PathObserver): UnitCall {
    const { host, machine, values } = this;
    const { arena, shadows } = host;
    const { name } = target;
    // A site of its own for each function with a hook, after those of the program.
    const site = (this.image.sites.length + target.index) as SiteId;
    return {
      name,
      run: this.runs,
      arguments: parts,
      arena,
      expressionOf: ({ expression, bits, low, high }) =>
        expression !== CONCRETE ? expression : arena.constant(bits, low, high),
      fresh: (bits) => values.symbolic(`hook:${name}`, [bits])[0].expression,
      evaluate: (expression) => this.evaluate(expression),
      load: (address, size) => {
        const { memory } = machine;
        if (memory.firstRefused(address, size, false) >= 0) return null;
        const loaded = shadows.load(address, size);
        if (loaded !== CONCRETE) return loaded;
        return bytesAsConstant(arena, memory.u8, address, size);
      },
      extent: (address, most) => readableFrom(machine.memory, address, most),
      store: (address, size, value) => {
        const { memory } = machine;
        if (memory.firstUnwritten(address, size) >= 0) return false;
        const [low, high] = this.evaluate(value);
        machine.cannotRepeat();
        for (let k = 0; k < size; k++)
          memory.u8[address + k] = (k < 4 ? low >>> (8 * k) : high >>> (8 * k - 32)) & 0xff;
        shadows.store(address, size, arena.isConstant(value) ? CONCRETE : value);
        return true;
      },
      assume: (condition) => {
        const holds = this.evaluate(condition)[0] !== 0;
        if (!holds || !arena.isConstant(condition)) observer.assume(site, condition, holds);
      },
      check: (bad, message) => {
        const isConstant = arena.isConstant(bad);
        if (this.evaluate(bad)[0] !== 0) {
          if (!isConstant) observer.failing?.(site, "assertion", bad);
          machine.kernel.fault("reported", 0, 0, message);
        }
        if (!isConstant) observer.check(site, "assertion", bad);
      },
      divide: (condition, number) => {
        const holds = this.evaluate(condition)[0] !== 0;
        if (!arena.isConstant(condition)) observer.branch(divisionSite(this.image, number), condition, holds);
        return holds;
      },
      end: (code): never => {
        throw new QuietExit(code);
      },
    };
  }
}

/** The arguments of the call that is being made. */
export function argumentsOfCall({ memory }: Machine, { shape, signature }: PlannedFunction): PartValue[][] {
  const { view } = memory;
  let slot = 0;
  return shape.parameters.map(({ bits }) =>
    bits.map((width) => {
      const at = CONTROL.mismatchedCall + 8 * slot;
      const type = signature.params[slot];
      const high = type === "i32" || type === "f32" ? 0 : view.getInt32(at + 4, true);
      const shadow = slot < FIRST_VARIADIC_SLOT ? view.getInt32(CONTROL.argumentShadows + 4 * slot, true) : 0;
      slot++;
      return { bits: width, low: view.getInt32(at, true), high, expression: shadow as ExprRef };
    }),
  );
}

/** The site of a technique's own decision: after those of the program, and after those of hooks. */
export function divisionSite({ sites, functions }: ProgramImage, number: number): SiteId {
  return (sites.length + functions.length + number) as SiteId;
}

/** Its number, or null if the site is another one's. */
export function divisionOf({ sites, functions }: ProgramImage, site: SiteId): number | null {
  const number = site - sites.length - functions.length;
  return number >= 0 ? number : null;
}

/** How many bytes from there on may be read, up to `most`. */
export function readableFrom(memory: GuestMemory, address: number, most: number): number {
  const end = memory.firstRefused(address, most, false);
  return end < 0 ? most : end - address;
}

/** 1 to 8 bytes, little-endian. */
export function bytesAsConstant(arena: ExprArena, bytes: Uint8Array, from: number, size: number): ExprRef {
  let low = 0;
  let high = 0;
  for (let k = size - 1; k >= 0; k--) {
    high = (high << 8) | (low >>> 24);
    low = (low << 8) | bytes[from + k];
  }
  return arena.constant(size * 8, low, high);
}
