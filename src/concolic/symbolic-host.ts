// The host side of one symbolic run: what generated code calls when a shadow is set (jit/symbolic-boundary.ts), and the
// intrinsics of input and assumptions (jit/boundary.ts). It builds expressions and tells the observer; it decides nothing.
//
// Everything here is called for each symbolic operation of the guest, so the functions are made once, keep their state in
// typed arrays and allocate nothing. A result that is a constant is returned as 0: the machine has computed the same
// value, and a concrete shadow never calls again.
// Invariant: an expression that is not 0 has, under the run's input, the value that the machine computed.

import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import { ASSUME_TOLD, type HostName } from "../jit/boundary.js";
import { CONTROL, STATE_FULL, STATE_SHIFT, STATE_SYMBOLIC } from "../jit/memory-layout.js";
import { type Site, SYMBOLIC_OPERATIONS, type SymbolicFunctionName } from "../jit/symbolic-boundary.js";
import {
  type CheckKind,
  NO_SITE,
  type PathObserver,
  PIN_REASONS,
  type PinReason,
  type SiteId,
} from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";
import { type AccessTeller, Addresses } from "./addresses.js";
import { ternary } from "./float-operations.js";
import type { InputSpace, SpaceObject } from "./input-space.js";
import { Losses } from "./losses.js";
import { least, OPERATIONS } from "./operations.js";
import { wordAt } from "./plain-bytes.js";
import { RunInputs } from "./run-inputs.js";
import { SettledPlaces } from "./settled-places.js";
import { type ByteMemory, ShadowMemory } from "./shadow-memory.js";
import { SwitchConditions } from "./switch-conditions.js";
import { ToldOnce } from "./told-once.js";
import { WorkPace } from "./work-pace.js";

/** What the intrinsics need of whoever runs the program. */
export interface HostEvents {
  /** The run ends and is no test. */
  endSilently(): never;
  reportError(message: string, suffix: string, file: string, line: number): never;
  /** A klee_assume that no input of the path satisfies; may end the run as a finding. */
  falseAssumption?(): void;
  /** klee_print_expr: the expression is CONCRETE if the value is (low, high) and nothing else. */
  describe(message: string, expression: ExprRef, low: number, high: number): void;
  /** A function with a hook was called (jit/emit-hook.ts); true if the host has answered in its place. */
  hooked?(functionIndex: number): boolean;
  /** Whether the run goes on behind a read that is refused; it is carried out then. */
  goesOn?(address: number, size: number): boolean;
  /** Ends the run, by throwing, if its time is over; gives the time in milliseconds. */
  lookAtClock?(): number;
}

/** What of the ProgramImage is needed. */
export interface SymbolicProgram {
  readonly sites: readonly Site[];
  readonly globalsEnd: number;
}

export type HostCall = (...words: number[]) => unknown;
export type SymbolicIntrinsic = Extract<
  HostName,
  "makeSymbolic" | "assume" | "prefer" | "getValue" | "endSilently" | "reportError" | "describe"
>;

/** Two megabytes, of which a small program touches little; a run of a few hundred thousand operations finds most of them. */
const KNOWN_BITS = 16;
/** An access at a symbolic address, in operations: it looks at every object the address may be in. */
const ACCESS_WORK = 16;
/** In the place of an operation's code; bits 24 and 25 say which operands are constants. */
const CHOICE = 1 << 26;

function knownPlace(key: number, a0: number, a1: number, b0: number, b1: number): number {
  let hash = Math.imul(a0, 0x9e37_79b1) ^ Math.imul(b0, 0x85eb_ca6b) ^ Math.imul(key, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 15) ^ a1, 0x2c1b_3c6d) ^ Math.imul(b1, 0x297a_2d39);
  return (hash >>> (32 - KNOWN_BITS)) << 3;
}

/** By code of SYMBOLIC_OPERATIONS: whether the operation has two operands. */
const TWO_OPERANDS = new Uint8Array(SYMBOLIC_OPERATIONS.length).fill(1);
for (const name of [
  ...(["none", "trunc", "zext", "sext", "abs", "popcount", "leadingZeros", "trailingZeros"] as const),
  ...(["byteSwap", "bitReverse", "fneg", "fabs", "sqrt", "rint", "trunc.f", "floor", "ceil", "round"] as const),
  ...(["fraction", "f80Significand", "f80Exponent"] as const),
  ...(["fconvert", "fptosi", "fptoui", "sitofp", "uitofp"] as const),
]) {
  TWO_OPERANDS[SYMBOLIC_OPERATIONS.indexOf(name)] = 0;
}
const SIGNED_DIVISIONS = new Uint8Array(SYMBOLIC_OPERATIONS.length);
SIGNED_DIVISIONS[SYMBOLIC_OPERATIONS.indexOf("sdiv")] = 1;
SIGNED_DIVISIONS[SYMBOLIC_OPERATIONS.indexOf("srem")] = 1;

export class SymbolicHost {
  readonly arena: ExprArena;
  readonly memory: ByteMemory;
  readonly shadows: ShadowMemory;
  readonly inputs: RunInputs;
  readonly losses = new Losses();
  /** Conditions that the program prefers (klee_prefer_cex), of this run, in order. */
  readonly preferences: ExprRef[] = [];
  readonly functions: Readonly<Record<SymbolicFunctionName, HostCall>>;
  readonly intrinsics: Readonly<Record<SymbolicIntrinsic, HostCall>>;

  private readonly events: HostEvents;
  private readonly switches: SwitchConditions;
  readonly addresses: Addresses;
  private readonly told = new ToldOnce();
  private readonly settled: SettledPlaces;
  /**
   * What operations came to, direct-mapped: the code with the kinds of the operands, two words each, the result, and a
   * choice's condition. The arena remembers too, but only once the constants among the operands have been looked up.
   */
  private readonly known = new Int32Array(8 << KNOWN_BITS);
  private generation: number;
  private observer: PathObserver = REFUSING;
  /** The run is about to fail and has said so: nothing more is told. */
  private isFailing = false;
  private readonly pace: WorkPace;

  constructor(
    arena: ExprArena,
    memory: ByteMemory,
    program: SymbolicProgram,
    space: InputSpace,
    events: HostEvents = CONCRETE_EVENTS,
  ) {
    this.arena = arena;
    this.memory = memory;
    this.events = events;
    this.pace = new WorkPace(() => events.lookAtClock?.() ?? 0);
    this.generation = arena.generation;
    this.shadows = new ShadowMemory(arena, memory, this.losses);
    this.inputs = new RunInputs(space);
    this.switches = new SwitchConditions(arena, program.sites);
    this.settled = new SettledPlaces(program.sites.length);
    const teller: AccessTeller = {
      check: (site, kind, bad) => this.check(site, kind, bad),
      failing: (site, kind, bad) => this.failing(site, kind, bad),
      pin: (site, reason, equals) => this.tellPin(site, reason, equals),
      settled: (site) => this.settled.note(site),
    };
    this.addresses = new Addresses(arena, memory, this.shadows, this.losses, teller, program.globalsEnd);
    this.functions = this.makeFunctions();
    this.intrinsics = this.makeIntrinsics();
  }

  /** How many of the places where the run could have failed need no question. */
  get settledPlaces(): number {
    return this.settled.count;
  }

  settledSites(): readonly number[] {
    return this.settled.sites();
  }

  /** It has been told that this run fails: what came after was not, so there is no going on. */
  get isAboutToFail(): boolean {
    return this.isFailing;
  }

  /** Arena and input space were cleared, and the next run has nothing to do with those before. */
  forget(): void {
    this.inputs.forget();
    this.losses.reset();
    this.observer = REFUSING;
  }

  /** Before each run, when memory and its states are as the program finds them. */
  begin(input: Model, observer: PathObserver): void {
    this.observer = observer;
    this.isFailing = false;
    if (this.generation !== this.arena.generation) {
      this.generation = this.arena.generation;
      this.known.fill(0);
    }
    this.inputs.begin(input);
    this.shadows.reset();
    this.switches.begin();
    this.addresses.begin();
    this.settled.begin();
    this.told.begin();
    if (this.preferences.length > 0) this.preferences.length = 0;
  }

  /** The next input object of this name, for what the machine itself makes symbolic: arguments, standard input, files. */
  input(name: string, size: number): SpaceObject {
    return this.inputs.next(name, size);
  }

  /** Bytes [from, from + size) of an object lie at this address now: writes them there and makes them symbolic. */
  place(object: SpaceObject, from: number, size: number, address: number): void {
    this.inputs.copyTo(this.memory.u8, address, object.first + from, size);
    this.shadows.setVariables(address, size, object.first + from);
  }

  /** Makes bytes concrete that the host itself has acted on. */
  pinBytes(address: number, size: number): void {
    const { shadows } = this;
    for (let k = 0; k < size; k++) {
      const byte = shadows.load(address + k, 1);
      if (byte !== CONCRETE) this.pinByte(byte, this.memory.u8[address + k]);
    }
  }
  /** The same for a byte that is no longer, or not yet, in memory. */
  pinByte(byte: ExprRef, value: number): void {
    const { arena } = this;
    this.tellPin(NO_SITE, "system-call", arena.binary(OPS.eq.code, byte, arena.constant(8, value, 0)));
  }

  /** The same for a value that goes on without its shadow. */
  unshadowed(shadow: ExprRef, low: number, high: number): void {
    this.pin(NO_SITE, "runtime", shadow, this.arena.width(shadow), low, high);
  }

  /** Whether the string at the address is this one, as a condition; CONCRETE if that does not depend on the input. */
  stringIs(address: number, text: Uint8Array): ExprRef {
    const { arena, shadows } = this;
    const { u8 } = this.memory;
    let all: ExprRef = CONCRETE;
    for (let k = 0; k <= text.length; k++) {
      const wanted = k < text.length ? text[k] : 0;
      const byte = shadows.load(address + k, 1);
      if (byte === CONCRETE) {
        if (u8[address + k] !== wanted) return CONCRETE;
        continue;
      }
      const same = arena.binary(OPS.eq.code, byte, arena.constant(8, wanted, 0));
      all = all === CONCRETE ? same : arena.binary(OPS.and.code, all, same);
    }
    return all === arena.TRUE || all === arena.FALSE ? CONCRETE : all;
  }

  // ---- the functions of jit/symbolic-boundary.ts -----------------------------------------------------------------

  private makeFunctions(): Record<SymbolicFunctionName, HostCall> {
    const { shadows, addresses, pace } = this;
    return {
      operate: (code, sa, sb, aLow, aHigh, bLow, bHigh) => this.operate(code, sa, sb, aLow, aHigh, bLow, bHigh),
      divide: (site, code, sa, sb, aLow, aHigh, bLow, bHigh) =>
        this.divide(site, code, sa, sb, aLow, aHigh, bLow, bHigh),
      operateThree: (code, sa, sb, sc) => this.operateThree(code, sa, sb, sc),
      choice: (width, sc, st, sf, tLow, tHigh, fLow, fHigh) => this.choice(width, sc, st, sf, tLow, tHigh, fLow, fHigh),
      operateWide: (code, a0, a1, b0, b1) => this.operateWide(code, a0, a1, b0, b1),
      extract: (shadow, lowBit, width) => this.extract(shadow, lowBit, width),
      branch: (site, condition, taken) => {
        pace.spend(1);
        this.observer.branch(site as SiteId, condition as ExprRef, taken !== 0);
      },
      side: (block, condition) => this.observer.side?.(block, condition as ExprRef),
      switchOn: (site, shadow, low, high) => this.switchOn(site, shadow, low, high),
      pin: (site, reason, shadow, width, low, high) => this.pin(site, PIN_REASONS[reason], shadow, width, low, high),
      loadBytes: (address, size) => shadows.load(address >>> 0, size),
      storeBytes: (address, size, shadow) => shadows.store(address >>> 0, size, shadow as ExprRef),
      readAt: (site, shadow, low, _high, size) => {
        pace.spend(ACCESS_WORK);
        return addresses.read(site, shadow as ExprRef, low >>> 0, size);
      },
      writeAt: (site, shadow, low, _high, size, value, valueLow, valueHigh) => {
        pace.spend(ACCESS_WORK);
        addresses.write(site, shadow as ExprRef, low >>> 0, size, value as ExprRef, valueLow, valueHigh);
      },
      rangeAt: (site, shadow, low, high, sizeShadow, sizeLow, sizeHigh, write) => {
        const size = unsigned(sizeLow, sizeHigh);
        pace.spend(ACCESS_WORK);
        addresses.range(site, shadow as ExprRef, unsigned(low, high), sizeShadow as ExprRef, size, write !== 0);
      },
      copyLength: (site, destination, source, size, bytes, mayOverlap) => {
        const made = { kind: "copy", source: source >>> 0, mayOverlap: mayOverlap !== 0 } as const;
        pace.spend(ACCESS_WORK);
        addresses.length(site, destination >>> 0, size as ExprRef, bytes >>> 0, made);
      },
      fillLength: (site, destination, value, shadow, size, bytes) => {
        pace.spend(ACCESS_WORK);
        const made = { kind: "fill", byte: shadow as ExprRef, value } as const;
        addresses.length(site, destination >>> 0, size as ExprRef, bytes >>> 0, made);
      },
      lengthDone: () => addresses.lengthDone(),
      refusedAt: (site, shadow, low, high, size, write, object, bytes) => {
        const address = unsigned(low, high);
        const goesOn = write === 0 && !this.isFailing && this.events.goesOn?.(address, size) === true;
        if (goesOn) addresses.pinned(site, shadow as ExprRef, address);
        else if (bytes >>> 0 >= size) {
          const missed = { start: object >>> 0, bytes: bytes >>> 0, size, write: write !== 0 };
          addresses.missed(site, shadow as ExprRef, address, missed);
        } else addresses.refused(site, shadow as ExprRef, address, size, write !== 0);
      },
      copyBytes: (destination, source, size) => {
        pace.spend(1 + (size >>> 3));
        shadows.copy(destination >>> 0, source >>> 0, size >>> 0);
      },
      hooked: (functionIndex) => (this.events.hooked?.(functionIndex) === true ? 1 : 0),
      fillBytes: (destination, size, shadow) => shadows.fill(destination >>> 0, size >>> 0, shadow as ExprRef),
    };
  }

  private operate(
    code: number,
    sa: number,
    sb: number,
    aLow: number,
    aHigh: number,
    bLow: number,
    bHigh: number,
  ): ExprRef {
    // An operand is a shadow, or a constant of two words; which of the two is part of the key.
    const key = code | (sa === 0 ? 1 << 24 : 0) | (sb === 0 ? 1 << 25 : 0);
    const a0 = sa !== 0 ? sa : aLow;
    const a1 = sa !== 0 ? 0 : aHigh;
    const b0 = sb !== 0 ? sb : bLow;
    const b1 = sb !== 0 ? 0 : bHigh;
    const { known } = this;
    const at = knownPlace(key, a0, a1, b0, b1);
    if (
      known[at] === key &&
      known[at + 1] === a0 &&
      known[at + 2] === a1 &&
      known[at + 3] === b0 &&
      known[at + 4] === b1
    ) {
      return known[at + 5] as ExprRef;
    }
    this.pace.spend(1);
    const result = this.build(code, sa, sb, aLow, aHigh, bLow, bHigh);
    known[at] = key;
    known[at + 1] = a0;
    known[at + 2] = a1;
    known[at + 3] = b0;
    known[at + 4] = b1;
    known[at + 5] = result;
    return result;
  }

  private build(
    code: number,
    sa: number,
    sb: number,
    aLow: number,
    aHigh: number,
    bLow: number,
    bHigh: number,
  ): ExprRef {
    const { arena } = this;
    const operation = code & 0xff;
    const width = (code >>> 8) & 0xff;
    const a = sa !== 0 ? (sa as ExprRef) : arena.constant(width, aLow, aHigh);
    let b = sb as ExprRef;
    if (sb === 0 && TWO_OPERANDS[operation] !== 0) b = arena.constant(width, bLow, bHigh);
    const result = OPERATIONS[operation](arena, a, b, width, (code >>> 16) & 0xff);
    return arena.isConstant(result) ? CONCRETE : result;
  }

  private divide(
    site: number,
    code: number,
    sa: number,
    sb: number,
    aLow: number,
    aHigh: number,
    bLow: number,
    bHigh: number,
  ): ExprRef {
    const { arena } = this;
    const width = (code >>> 8) & 0xff;
    const wideValue = width > 32;
    if (sb !== 0) {
      const isZero = bLow === 0 && (!wideValue || bHigh === 0);
      const zero = arena.binary(OPS.eq.code, sb as ExprRef, arena.zero(width));
      if (isZero) {
        // Nothing more is told: the machine is about to end the run.
        this.observer.failing?.(site as SiteId, "division-by-zero", zero);
        return CONCRETE;
      }
      this.check(site, "division-by-zero", zero);
    }
    // Narrower ones are computed in int by the machine, where they cannot overflow.
    if (SIGNED_DIVISIONS[code & 0xff] !== 0 && (width === 32 || width === 64)) {
      const byMinusOne = bLow === -1 && (!wideValue || bHigh === -1);
      const ofLeast = wideValue ? aLow === 0 && aHigh === -0x8000_0000 : aLow === -0x8000_0000;
      if ((sb !== 0 || byMinusOne) && (sa !== 0 || ofLeast)) {
        const a = sa !== 0 ? (sa as ExprRef) : arena.constant(width, aLow, aHigh);
        const b = sb !== 0 ? (sb as ExprRef) : arena.constant(width, bLow, bHigh);
        const least_ = arena.binary(OPS.eq.code, a, least(arena, width));
        const minusOne = arena.binary(OPS.eq.code, b, arena.allOnes(width));
        const overflows = arena.binary(OPS.and.code, least_, minusOne);
        if (byMinusOne && ofLeast) {
          this.observer.failing?.(site as SiteId, "division-overflow", overflows);
          return CONCRETE;
        }
        this.check(site, "division-overflow", overflows);
      }
    }
    return this.operate(code, sa, sb, aLow, aHigh, bLow, bHigh);
  }

  private choice(
    width: number,
    sc: number,
    st: number,
    sf: number,
    tLow: number,
    tHigh: number,
    fLow: number,
    fHigh: number,
  ): ExprRef {
    const key = CHOICE | (width << 8) | (st === 0 ? 1 << 24 : 0) | (sf === 0 ? 1 << 25 : 0);
    const a0 = st !== 0 ? st : tLow;
    const a1 = st !== 0 ? 0 : tHigh;
    const b0 = sf !== 0 ? sf : fLow;
    const b1 = sf !== 0 ? 0 : fHigh;
    const { known } = this;
    const at = knownPlace(key ^ Math.imul(sc, 0x27d4_eb2f), a0, a1, b0, b1);
    if (
      known[at] === key &&
      known[at + 1] === a0 &&
      known[at + 2] === a1 &&
      known[at + 3] === b0 &&
      known[at + 4] === b1 &&
      known[at + 6] === sc
    ) {
      return known[at + 5] as ExprRef;
    }
    this.pace.spend(1);
    const { arena } = this;
    const then = st !== 0 ? (st as ExprRef) : arena.constant(width, tLow, tHigh);
    const otherwise = sf !== 0 ? (sf as ExprRef) : arena.constant(width, fLow, fHigh);
    const chosen = arena.ite(sc as ExprRef, then, otherwise);
    const result = arena.isConstant(chosen) ? CONCRETE : chosen;
    known[at] = key;
    known[at + 1] = a0;
    known[at + 2] = a1;
    known[at + 3] = b0;
    known[at + 4] = b1;
    known[at + 5] = result;
    known[at + 6] = sc;
    return result;
  }

  private operateWide(code: number, a0: number, a1: number, b0: number, b1: number): ExprRef {
    const { arena } = this;
    const operation = code & 0xff;
    const width = (code >>> 8) & 0xff;
    const a = this.wideOperand(width, a0, a1, CONTROL.wideOperands);
    const b = TWO_OPERANDS[operation] === 0 ? CONCRETE : this.wideOperand(width, b0, b1, CONTROL.wideOperands + 16);
    const result = OPERATIONS[operation](arena, a, b, width, (code >>> 16) & 0xff);
    return arena.isConstant(result) ? CONCRETE : result;
  }

  private operateThree(code: number, sa: number, sb: number, sc: number): ExprRef {
    const { arena } = this;
    const width = code >>> 8;
    this.pace.spend(1);
    const operand = (shadow: number, n: number): ExprRef =>
      shadow !== 0 ? (shadow as ExprRef) : this.constantAt(CONTROL.wideOperands + 8 * n, width);
    const result = ternary(arena, code & 0xff, operand(sa, 0), operand(sb, 1), operand(sc, 2));
    return arena.isConstant(result) ? CONCRETE : result;
  }

  /** Two parts, each a shadow or two words at the address. */
  private wideOperand(width: number, lowShadow: number, highShadow: number, address: number): ExprRef {
    const { arena } = this;
    const low = lowShadow !== 0 ? (lowShadow as ExprRef) : this.constantAt(address, 64);
    const high = highShadow !== 0 ? (highShadow as ExprRef) : this.constantAt(address + 8, width - 64);
    return arena.concat(high, low);
  }

  private constantAt(address: number, width: number): ExprRef {
    return this.arena.constant(width, wordAt(this.memory.u8, address), wordAt(this.memory.u8, address + 4));
  }

  private extract(shadow: number, lowBit: number, width: number): ExprRef {
    if (shadow === 0) return CONCRETE;
    const result = this.arena.extract(shadow as ExprRef, lowBit, width);
    return this.arena.isConstant(result) ? CONCRETE : result;
  }

  /** Where a side of a switch leads: index into Site.successors; -1 if it is not known (any more). */
  switchTarget(site: number, condition: ExprRef): number {
    return this.switches.targetOf(site, condition);
  }

  /** While a switch is being told: what holds where it does not go. */
  get otherCases(): readonly ExprRef[] {
    return this.switches.others;
  }

  private switchOn(site: number, shadow: number, low: number, high: number): void {
    const { switches } = this;
    this.pace.spend(ACCESS_WORK);
    switches.decide(site, shadow as ExprRef, low, high);
    this.observer.choose(site as SiteId, switches.taken, switches.others);
  }

  private pin(site: number, reason: PinReason, shadow: number, width: number, low: number, high: number): void {
    if (shadow === 0) return;
    const { arena } = this;
    this.tellPin(site, reason, arena.binary(OPS.eq.code, shadow as ExprRef, arena.constant(width, low, high)));
  }

  // ---- the intrinsics of jit/boundary.ts -------------------------------------------------------------------------

  private makeIntrinsics(): Record<SymbolicIntrinsic, HostCall> {
    return {
      makeSymbolic: (address, size, name) => this.makeSymbolic(address >>> 0, size >>> 0, name >>> 0),
      assume: (shadow, how) => this.assume(shadow, how & 1, (how & ASSUME_TOLD) !== 0),
      prefer: (shadow) => {
        if (shadow !== 0) this.preferences.push(this.truth(shadow, 1));
      },
      getValue: (shadow, low, high, width) => this.pin(NO_SITE, "get-value", shadow, width, low, high),
      endSilently: () => this.events.endSilently(),
      reportError: (message, suffix, file, line) =>
        this.events.reportError(this.text(message), this.text(suffix), this.text(file), line),
      describe: (message, shadow, low, high) => this.events.describe(this.text(message), shadow as ExprRef, low, high),
    };
  }

  private assume(shadow: number, holds: number, isTold: boolean): void {
    if (shadow === 0 && holds !== 0) return;
    try {
      this.observer.assume(NO_SITE, this.truth(shadow, holds), holds !== 0);
    } catch (error) {
      // Of a value that was input, and is not followed any more, nobody knows what else it might be. And a plain 0 is what `a && b` is where
      // a decision was that a is false: that side is only left, as whoever wrote it meant.
      const isContradiction = error instanceof RunStopped && error.reason === "contradiction";
      const isCertain = shadow !== 0 && isContradiction && this.losses.isNone;
      if (isTold && isCertain) this.events.falseAssumption?.();
      throw error;
    }
  }

  private makeSymbolic(address: number, size: number, name: number): void {
    const object = this.inputs.nextNamedAt(this.memory, name, size);
    if (object === null || !this.writable(address, size)) {
      this.losses.count("input-not-placed");
      return;
    }
    this.place(object, 0, size, address);
  }

  /** C's truth of a value: it is not 0. */
  private truth(shadow: number, holds: number): ExprRef {
    const { arena } = this;
    if (shadow === 0) return holds !== 0 ? arena.TRUE : arena.FALSE;
    const width = arena.width(shadow as ExprRef);
    if (width === 1) return shadow as ExprRef;
    return arena.not(arena.binary(OPS.eq.code, shadow as ExprRef, arena.zero(width)));
  }

  private writable(address: number, size: number): boolean {
    const u8 = this.memory.u8;
    const end = address + size;
    if (end > u8.length) return false;
    for (let at = address; at < end; ) {
      const granuleEnd = (at >>> STATE_SHIFT) * 8 + 8;
      if (writableBytes(u8[at >>> STATE_SHIFT]) < Math.min(end, granuleEnd) - (granuleEnd - 8)) return false;
      at = granuleEnd;
    }
    return true;
  }

  private text(address: number): string {
    const u8 = this.memory.u8;
    const start = address >>> 0;
    const end = start === 0 ? -1 : u8.indexOf(0, start);
    return end < 0 ? "" : Buffer.from(u8.subarray(start, Math.min(end, start + 4096))).toString("utf8");
  }

  // ---- telling ---------------------------------------------------------------------------------------------------

  private check(site: number, kind: CheckKind, bad: ExprRef): void {
    if (bad === this.arena.FALSE) {
      this.settled.note(site);
      return;
    }
    if (this.isFailing || !this.told.first(bad)) return;
    this.observer.check(site as SiteId, kind, bad);
  }

  private failing(site: number, kind: CheckKind, bad: ExprRef): void {
    if (this.isFailing) return;
    this.isFailing = true;
    this.observer.failing?.(site as SiteId, kind, bad);
  }

  private tellPin(site: number, reason: PinReason, equals: ExprRef): void {
    if (equals === this.arena.TRUE || this.isFailing || !this.told.first(equals)) return;
    this.losses.count(reason);
    this.observer.pin(site as SiteId, reason, equals);
  }
}

/** How many of a granule's first bytes may be written. */
function writableBytes(state: number): number {
  if ((state & STATE_SYMBOLIC) !== 0) return ((state >>> 4) & 7) === 0 ? 8 : (state >>> 4) & 7;
  return state <= STATE_FULL ? state : 0;
}

function unsigned(low: number, high: number): number {
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}

function outsideOfRun(): never {
  throw new Error("a symbolic host function was called before SymbolicHost.begin");
}
const REFUSING: PathObserver = {
  branch: outsideOfRun,
  choose: outsideOfRun,
  check: outsideOfRun,
  pin: outsideOfRun,
  assume: outsideOfRun,
};
const CONCRETE_EVENTS: HostEvents = {
  endSilently: () => {
    throw new Error("endSilently: no handler was given to SymbolicHost");
  },
  reportError: (message) => {
    throw new Error(`reportError: no handler was given to SymbolicHost (${message})`);
  },
  describe: () => {},
};
