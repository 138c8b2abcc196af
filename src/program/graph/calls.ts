// Which functions of the program a block may enter. Calls of libc have no blocks here, so what libc may call back stands at the block
// that calls libc: qsort's comparator at the call of qsort, atexit's functions where exit is called or main returns, a signal's
// handler where it is installed.
//
// Where types answer instead of points-to sets, what libc calls through pointers is not looked up: it is what was handed to it.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import { collectConstant } from "../../ir/analysis/references.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { GlobalValue, IrFunction } from "../../ir/module.js";
import { type Block, isConstant, type Value } from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";
import type { Call, Pointers } from "./pointers.js";
import type { BlockNumber, FunctionNumber } from "./program-graph.js";

/** A call in the program, with those of its callees that are counted. */
export interface CallSite {
  readonly block: BlockNumber;
  readonly call: Call;
  readonly callees: readonly FunctionNumber[];
}

export interface CallEdges {
  /** By block, ascending. */
  readonly callees: readonly (readonly FunctionNumber[])[];
  readonly sites: readonly CallSite[];
  readonly roots: readonly FunctionNumber[];
  /** Functions that call what is not there: assembly, undefined symbols. */
  readonly foreign: readonly FunctionNumber[];
  /** By block: 1 if a call in it never returns. */
  readonly stops: Uint8Array;
}

/** They keep a function for the end of the program, and do not call it themselves. */
const AT_EXIT = new Set(["atexit", "on_exit", "at_quick_exit", "__cxa_atexit"]);
/** Functions that one function of libc calls back without having been handed them. */
const MOST_CALLED_BACK = 4;
/** Functions that one argument may be. */
const MOST_HANDED_OVER = 16;
/** Musl's walk through what was kept. */
const RUNS_AT_EXIT = "__funcs_on_exit";
/** They take handlers inside of a structure. */
const TAKES_HANDLERS = new Set(["sigaction", "__sigaction", "__libc_sigaction"]);

/** Functions of the program whose addresses stand somewhere else than in a call of them. */
export function addressTaken(
  program: Pick<LinkedProgram, "variables">,
  bodies: readonly CountedBody[],
): Set<IrFunction> {
  const mentioned = new Set<GlobalValue>();
  const note = (value: Value): void => {
    if (isConstant(value)) collectConstant(value, mentioned);
  };
  for (const { body } of bodies) {
    for (const { instructions } of body.blocks) {
      for (const { op, operands } of instructions) {
        for (let n = op === "call" ? 1 : 0; n < operands.length; n++) note(operands[n]);
      }
    }
  }
  for (const variable of program.variables) {
    const initial = variable.initializer();
    if (initial !== null) collectConstant(initial, mentioned);
  }
  const found = new Set<IrFunction>();
  for (const value of mentioned) {
    const target = value.resolved ?? value;
    if (target.kind === "function") found.add(target);
  }
  return found;
}

export class CallFinder {
  private readonly numbers = new Map<IrFunction, CountedBody>();
  /** For functions without blocks here: what they may call, directly or through pointers. */
  private readonly outside = new Map<IrFunction, Set<IrFunction>>();
  private readonly backFrom = new Map<IrFunction, ReadonlySet<FunctionNumber>>();
  /** Functions handed to a function of libc, at any call of it. */
  private readonly handedTo = new Map<IrFunction, Set<FunctionNumber>>();
  /** Functions among the arguments of a call of libc. */
  private readonly handedOut = new Set<FunctionNumber>();
  private readonly atExit = new Set<FunctionNumber>();
  private readonly exit: IrFunction | null;

  constructor(
    private readonly program: LinkedProgram,
    private readonly bodies: readonly CountedBody[],
    private readonly pointers: Pointers,
    private readonly taken: ReadonlySet<IrFunction>,
    private readonly blockCount: number,
  ) {
    for (const counted of bodies) this.numbers.set(counted.fn, counted);
    const exit = program.lookup("exit");
    this.exit = exit?.kind === "function" ? exit : null;
  }

  find(): CallEdges {
    this.lookOutside();
    const sets: Set<FunctionNumber>[] = Array.from({ length: this.blockCount }, () => new Set());
    const calls: { readonly block: number; readonly call: Call; readonly from: CountedBody }[] = [];
    const foreign = new Set<FunctionNumber>();
    const returning = this.returning();
    const stops = new Uint8Array(this.blockCount);
    for (const counted of this.bodies) {
      if (counted.firstBlock < 0) continue;
      counted.body.blocks.forEach((block, at) => {
        for (const call of callsOf(block)) {
          calls.push({ block: counted.firstBlock + at, call, from: counted });
          if (this.isLast(call, returning)) {
            stops[counted.firstBlock + at] = 1;
            break;
          }
        }
      });
    }
    for (const { call } of calls) this.noteHandedOut(call);
    const sites: CallSite[] = [];
    for (const { block, call, from } of calls) {
      const callees = new Set<FunctionNumber>();
      for (const callee of this.pointers.calleesOf(call)) {
        const own = this.counted(callee);
        if (own !== null) callees.add(own);
        else for (const back of this.callbacks(callee, call, from)) sets[block].add(back);
        if (isForeign(callee)) foreign.add(from.functionIndex);
      }
      if (call.operands[0].kind === "asm") foreign.add(from.functionIndex);
      if (callees.size > 0) sites.push({ block, call, callees: [...callees] });
      for (const callee of callees) sets[block].add(callee);
    }
    this.atTheEnd(sets);
    return {
      callees: sets.map((set) => [...set].sort((a, b) => a - b)),
      sites,
      roots: this.roots(),
      foreign: [...foreign],
      stops,
    };
  }

  private counted(fn: IrFunction): FunctionNumber | null {
    const found = this.numbers.get(fn);
    return found !== undefined && found.firstBlock >= 0 ? found.functionIndex : null;
  }

  // ------------------------------------------------------------ what libc may call back

  private lookOutside(): void {
    for (const { fn, body, firstBlock } of this.bodies) {
      if (firstBlock >= 0) continue;
      const callees = new Set<IrFunction>();
      for (const block of body.blocks) {
        for (const call of callsOf(block)) {
          const direct = calledFunction(call.operands[0]);
          if (direct !== null) callees.add(direct);
          else if (this.pointers.precision === "points-to" && !runsAtExit(fn)) {
            for (const callee of this.pointers.calleesOf(call)) callees.add(callee);
          }
        }
      }
      this.outside.set(fn, callees);
    }
    for (const { target } of this.program.destructors) {
      const own = this.counted(target);
      if (own !== null) this.atExit.add(own);
    }
  }

  /** Functions of the program that a function outside of it may come to call. */
  private reachedFrom(fn: IrFunction): ReadonlySet<FunctionNumber> {
    const known = this.backFrom.get(fn);
    if (known !== undefined) return known;
    const found = new Set<FunctionNumber>();
    const seen = new Set<IrFunction>([fn]);
    for (const at of seen) {
      const own = this.counted(at);
      if (own !== null) found.add(own);
      else for (const callee of this.outside.get(at) ?? []) seen.add(callee);
    }
    // A set that large is all that the analysis could not tell apart: only what was seen to be handed to libc is kept of it.
    if (found.size > MOST_CALLED_BACK) for (const back of found) if (!this.handedOut.has(back)) found.delete(back);
    // Either may have been inlined into its caller.
    const ends = [...seen].some((at) => at === this.exit || at.name === RUNS_AT_EXIT);
    if (ends) for (const last of this.atExit) found.add(last);
    this.backFrom.set(fn, found);
    return found;
  }

  private noteHandedOut(call: Call): void {
    for (const callee of this.pointers.calleesOf(call)) {
      if (this.counted(callee) !== null) continue;
      const own = this.handedIn(call);
      for (const fn of own) this.handedOut.add(fn);
      const set = this.handedTo.get(callee) ?? new Set();
      for (const fn of own) set.add(fn);
      this.handedTo.set(callee, set);
      if (!AT_EXIT.has(callee.name)) continue;
      const last = own.length > 0 ? own : [...this.taken].filter(isPlain).flatMap((fn) => this.counted(fn) ?? []);
      for (const fn of last) this.atExit.add(fn);
    }
  }

  private handedIn(call: Call): FunctionNumber[] {
    return call.operands.slice(1).flatMap((argument) => {
      if (argument.type.kind !== "ptr") return [];
      const found = this.pointers.functionsIn(argument);
      return found.length > MOST_HANDED_OVER ? [] : found.flatMap((fn) => this.counted(fn) ?? []);
    });
  }

  /** A function that other calls hand over is not called back from this one, if this one hands over its own. */
  private callbacks(callee: IrFunction, call: Call, from: CountedBody): Iterable<FunctionNumber> {
    const reached = this.reachedFrom(callee);
    if (AT_EXIT.has(callee.name)) return [];
    if (TAKES_HANDLERS.has(callee.name)) return [...reached, ...this.handlersIn(from)];
    const own = this.handedIn(call);
    if (own.length === 0) return reached;
    const others = this.handedTo.get(callee);
    return new Set([...own, ...[...reached].filter((fn) => others?.has(fn) !== true)]);
  }

  /** Those that the installing function mentions, or all that have the form of a handler. */
  private handlersIn({ body }: CountedBody): FunctionNumber[] {
    const mentioned = new Set<GlobalValue>();
    for (const { instructions } of body.blocks) {
      for (const { op, operands } of instructions) {
        for (const operand of op === "call" ? operands.slice(1) : operands)
          if (isConstant(operand)) collectConstant(operand, mentioned);
      }
    }
    // A set is walked as it grows: what an initial value mentions comes in too (a structure that is copied to the stack).
    for (const value of mentioned) {
      const target = value.resolved ?? value;
      const initial = target.kind === "variable" ? target.initializer() : null;
      if (initial !== null) collectConstant(initial, mentioned);
    }
    const named = [...mentioned].flatMap((value) => {
      const target = value.resolved ?? value;
      return target.kind === "function" && isHandler(target) ? [target] : [];
    });
    const found = named.length > 0 ? named : [...this.taken].filter(isHandler);
    return found.flatMap((fn) => this.counted(fn) ?? []);
  }

  /** When main returns, exit is called. */
  private atTheEnd(sets: readonly Set<FunctionNumber>[]): void {
    const main = this.program.lookup("main");
    const counted = main?.kind === "function" ? this.numbers.get(main) : undefined;
    if (counted === undefined || counted.firstBlock < 0 || this.exit === null) return;
    const last = this.reachedFrom(this.exit);
    counted.body.blocks.forEach(({ terminator }, at) => {
      if (terminator.op === "ret") for (const fn of last) sets[counted.firstBlock + at].add(fn);
    });
  }

  private roots(): FunctionNumber[] {
    const roots = new Set<FunctionNumber>();
    const add = (fn: IrFunction): void => {
      const own = this.counted(fn);
      if (own !== null) roots.add(own);
    };
    for (const name of ["main", "__tangent_start"]) {
      const found = this.program.lookup(name);
      if (found?.kind !== "function") continue;
      add(found);
      if (this.counted(found) === null) for (const fn of this.reachedFrom(found)) roots.add(fn);
    }
    for (const { target } of [...this.program.constructors, ...this.program.destructors]) add(target);
    return [...roots].sort((a, b) => a - b);
  }

  // ------------------------------------------------------------ calls that do not return

  /** The least set of functions that may return: one does if a way to a `ret` has only calls of such functions. */
  private returning(): ReadonlySet<IrFunction> {
    const blocked = new Map<IrFunction, { readonly fn: IrFunction; readonly block: Block }[]>();
    const returns = new Set<IrFunction>();
    const reached = new Map<IrFunction, Set<Block>>();
    const work: { readonly fn: IrFunction; readonly block: Block }[] = [];
    const enter = (fn: IrFunction, block: Block): void => {
      const seen = reached.get(fn) ?? new Set();
      reached.set(fn, seen);
      if (seen.has(block)) return;
      seen.add(block);
      work.push({ fn, block });
    };
    for (const { fn, body } of this.bodies) if (body.blocks.length > 0) enter(fn, body.blocks[0]);
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const { fn, block } = at;
      const waitsFor = this.neverReturning(block, returns);
      if (waitsFor !== null) {
        const list = blocked.get(waitsFor) ?? [];
        list.push(at);
        blocked.set(waitsFor, list);
        continue;
      }
      for (const next of block.terminator.blocks) enter(fn, next);
      if (block.terminator.op !== "ret" || returns.has(fn)) continue;
      returns.add(fn);
      work.push(...(blocked.get(fn) ?? []));
    }
    return returns;
  }

  /** The function that the block waits for. Code that is not looked at returns. */
  private neverReturning(block: Block, returns: ReadonlySet<IrFunction>): IrFunction | null {
    const last = callsOf(block).find((call) => this.isLast(call, returns));
    return last === undefined ? null : calledFunction(last.operands[0]);
  }

  private isLast(call: Call, returns: ReadonlySet<IrFunction>): boolean {
    const direct = calledFunction(call.operands[0]);
    if (direct === null || returns.has(direct)) return false;
    return direct.module.origin !== "trusted" && this.numbers.has(direct);
  }
}

function callsOf(block: Block): Call[] {
  return block.instructions.filter((i): i is Call & typeof i => i.op === "call");
}

/** Called, and neither there nor known to the translation. */
function isForeign(callee: IrFunction): boolean {
  if (callee.absent !== undefined) return true;
  return callee.isDeclaration && callee.resolved === null && !/^(llvm\.|__tangent_)/.test(callee.name);
}

/** Musl's list of what atexit was given: what is in it is known from the calls of atexit. */
function runsAtExit({ module }: IrFunction): boolean {
  return module.origin === "libc" && module.globals.get(RUNS_AT_EXIT)?.isDeclaration === false;
}

function isPlain({ type }: IrFunction): boolean {
  return type.params.length === 0;
}

function isHandler({ type }: IrFunction): boolean {
  if (type.result.kind !== "void" || type.variadic) return false;
  const [number, ...rest] = type.params;
  return number?.kind === "int" && (rest.length === 0 || rest.length === 2) && rest.every(({ kind }) => kind === "ptr");
}
