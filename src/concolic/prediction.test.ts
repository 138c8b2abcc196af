// The oracle of this layer: a random program is run symbolically on one input and concretely on another. If the other input
// satisfies everything that was told about the path, it takes the same path, and every expression must then give the value
// that the other run computed. Tables kept from earlier runs, pins, partial copies and stale shadows all have to be right for
// that.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { operationCode, type Site, type SymbolicOperation } from "../jit/symbolic-boundary.js";
import { Random } from "../support/random.js";
import { HostFixture } from "./host-fixture.js";
import { FIXTURE_BASE, type FixtureMemory, type Told } from "./memory-fixture.js";

const INPUT = 8;
const REGISTERS = 6;
/** [address, size, content is constant]: two that change, one in a partial granule, and a constant table. */
const OBJECTS = [
  { address: FIXTURE_BASE + 0x1_0000, size: 40, constant: false },
  { address: FIXTURE_BASE + 0x1_0ff0, size: 29, constant: false },
  { address: FIXTURE_BASE + 0x2000, size: 64, constant: true },
] as const;
const SWITCH: Site = {
  kind: "switch",
  functionIndex: 0,
  location: -1,
  successors: [],
  cases: [
    [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
    [
      [7, 0],
      [200, 0],
    ],
  ],
  width: 32,
};

type Step =
  | { readonly kind: "input"; readonly to: number; readonly byte: number }
  | {
      readonly kind: "operate";
      readonly name: (typeof BINARY)[number];
      readonly to: number;
      readonly a: number;
      readonly b: number | null;
      readonly constant: number;
    }
  | Access<"load">
  | Access<"store">
  | { readonly kind: "copy"; readonly from: number; readonly to: number; readonly offsets: readonly number[] }
  | {
      readonly kind: "fill";
      readonly object: number;
      readonly offset: number;
      readonly size: number;
      readonly a: number;
    }
  /** A copy, or a fill with a register's byte, of as many bytes as a masked register says. */
  | {
      readonly kind: "length";
      readonly what: "memcpy" | "memmove" | "memset";
      readonly from: number;
      readonly to: number;
      readonly offsets: readonly number[];
      readonly a: number;
      readonly size: number;
      readonly mask: number;
    }
  | { readonly kind: "branch"; readonly a: number; readonly b: number }
  | { readonly kind: "select"; readonly to: number; readonly a: number; readonly b: number }
  | { readonly kind: "switch"; readonly a: number };
interface Access<K> {
  readonly kind: K;
  readonly object: number;
  readonly register: number;
  readonly index: number;
  readonly mask: number;
  readonly scale: number;
  readonly offset: number;
  readonly size: number;
}
const BINARY = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"] as const;

function randomProgram(random: Random): Step[] {
  const below = (limit: number): number => random.next() % limit;
  const register = (): number => below(REGISTERS);
  const access = <K extends "load" | "store">(kind: K): Access<K> => ({
    kind,
    object: kind === "store" ? below(2) : below(3),
    register: register(),
    index: register(),
    mask: [3, 7, 15, 63][below(4)],
    scale: [1, 1, 2, 3, 4][below(5)],
    offset: below(6) - 1,
    size: [1, 2, 4][below(3)],
  });
  const steps: Step[] = [];
  for (let i = 0; i < REGISTERS; i++) steps.push({ kind: "input", to: i, byte: below(INPUT) });
  for (let i = 0; i < 24; i++) {
    switch (below(12)) {
      case 0:
        steps.push({ kind: "input", to: register(), byte: below(INPUT) });
        break;
      case 1:
      case 2: {
        const b = below(2) === 0 ? null : register();
        const constant = below(2) === 0 ? below(40) : random.next() | 0;
        steps.push({ kind: "operate", name: BINARY[below(BINARY.length)], to: register(), a: register(), b, constant });
        break;
      }
      case 3:
      case 4:
        steps.push(access("load"));
        break;
      case 5:
      case 10:
        steps.push(access("store"));
        break;
      case 11: {
        const what = (["memcpy", "memmove", "memset"] as const)[below(3)];
        const offsets = [below(20), below(20)];
        const mask = [3, 7, 15, 31][below(4)];
        const [from, to, a, size] = [below(3), below(2), register(), register()];
        steps.push({ kind: "length", what, from, to, offsets, a, size, mask });
        break;
      }
      case 6:
        steps.push({ kind: "copy", from: below(3), to: below(2), offsets: [below(20), below(20), 1 + below(9)] });
        break;
      case 7:
        steps.push({ kind: "fill", object: below(2), offset: below(20), size: 1 + below(9), a: register() });
        break;
      case 8:
        steps.push(
          below(3) === 0 ? { kind: "switch", a: register() } : { kind: "branch", a: register(), b: register() },
        );
        break;
      default:
        steps.push({ kind: "select", to: register(), a: register(), b: register() });
    }
  }
  return steps;
}

/** One run; the shadows are all 0 when the input is not symbolic. Every value that is computed is written down. */
class Interpreter {
  readonly values: number[] = [];
  readonly shadows: ExprRef[] = [];
  private readonly registers = new Int32Array(REGISTERS);
  private readonly registerShadows: ExprRef[] = new Array(REGISTERS).fill(CONCRETE);
  private readonly memory: FixtureMemory;

  constructor(
    private readonly f: HostFixture,
    private readonly input: Uint8Array,
    private readonly symbolic: boolean,
  ) {
    this.memory = f.memory;
    for (const { address, size, constant } of OBJECTS) {
      f.memory.allow(address, size, constant ? 0x10 : 0);
      for (let i = 0; i < size; i++) f.memory.u8[address + i] = (i * 37 + 11) & 0xff;
    }
  }

  /** False if a step faults; the run ends there. */
  run(steps: readonly Step[]): boolean {
    return steps.every((step) => this.step(step));
  }

  private step(step: Step): boolean {
    const { f, registers, registerShadows } = this;
    switch (step.kind) {
      case "input": {
        const shadow = this.symbolic
          ? this.operate("zext", 8, f.arena.variable(step.byte), CONCRETE, 0, 0, 32)
          : CONCRETE;
        return this.set(step.to, this.input[step.byte], shadow);
      }
      case "operate": {
        const b = step.b === null ? step.constant : registers[step.b];
        const sb = step.b === null ? CONCRETE : registerShadows[step.b];
        const value = compute(step.name, registers[step.a], b);
        return this.set(step.to, value, this.operate(step.name, 32, registerShadows[step.a], sb, registers[step.a], b));
      }
      case "load":
      case "store":
        return this.access(step);
      case "copy": {
        const [fromOffset, toOffset, size] = step.offsets;
        const source = OBJECTS[step.from].address + fromOffset;
        const destination = OBJECTS[step.to].address + toOffset;
        f.memory.u8.copyWithin(destination, source, source + size);
        if (this.symbolic) f.call("copyBytes", destination, source, size);
        return true;
      }
      case "fill": {
        const address = OBJECTS[step.object].address + step.offset;
        f.memory.u8.fill(registers[step.a], address, address + step.size);
        const byte = this.operate("trunc", 32, registerShadows[step.a], CONCRETE, 0, 0, 8);
        if (this.symbolic) f.call("fillBytes", address, step.size, byte);
        return true;
      }
      case "length":
        return this.length(step);
      case "branch": {
        const { a, b } = step;
        const less = this.compare(a, b);
        if (less !== CONCRETE) f.call("branch", 0, less, registers[a] >>> 0 < registers[b] >>> 0 ? 1 : 0);
        this.values.push(registers[a] >>> 0 < registers[b] >>> 0 ? 1 : 0);
        this.shadows.push(less);
        return true;
      }
      case "select": {
        const { a, b } = step;
        const takesA = registers[a] >>> 0 < registers[b] >>> 0;
        const less = this.compare(a, b);
        const shadow =
          less === CONCRETE
            ? registerShadows[takesA ? a : b]
            : f.call("choice", 32, less, registerShadows[a], registerShadows[b], registers[a], 0, registers[b], 0);
        return this.set(step.to, registers[takesA ? a : b], shadow);
      }
      case "switch": {
        const shadow = registerShadows[step.a];
        if (shadow !== CONCRETE) f.call("switchOn", 0, shadow, registers[step.a], 0);
        return true;
      }
    }
  }

  private access(step: Access<"load" | "store">): boolean {
    const { f, registers, registerShadows, memory } = this;
    const object = OBJECTS[step.object];
    const index = registers[step.index] & step.mask;
    const at = index * step.scale + step.offset;
    if (at < 0 || at + step.size > object.size) return false;
    const address = object.address + at;
    const masked = this.operate("and", 32, registerShadows[step.index], CONCRETE, registers[step.index], step.mask);
    const extended = this.operate("zext", 32, masked, CONCRETE, 0, 0, 64);
    const scaled = this.operate("mul", 64, extended, CONCRETE, 0, step.scale);
    const place = this.operate("add", 64, scaled, CONCRETE, 0, object.address + step.offset);
    const width = step.size * 8;
    if (step.kind === "load") {
      let value = 0;
      for (let i = step.size - 1; i >= 0; i--) value = (value << 8) | memory.u8[address + i];
      let shadow: ExprRef = CONCRETE;
      if (place !== CONCRETE) shadow = f.call("readAt", 1, place, address, 0, step.size);
      else if (this.symbolic) shadow = f.call("loadBytes", address, step.size);
      return this.set(
        step.register,
        value,
        width === 32 ? shadow : this.operate("zext", width, shadow, CONCRETE, 0, 0, 32),
      );
    }
    const value = registers[step.register];
    const whole = registerShadows[step.register];
    const cut = width === 32 ? whole : this.operate("trunc", 32, whole, CONCRETE, 0, 0, width);
    if (place !== CONCRETE) f.call("writeAt", 1, place, address, 0, step.size, cut, value, 0);
    else if (this.symbolic) f.call("storeBytes", address, step.size, cut);
    for (let i = 0; i < step.size; i++) memory.u8[address + i] = value >>> (8 * i);
    return true;
  }

  private length(step: Extract<Step, { kind: "length" }>): boolean {
    const { f, registers, registerShadows, memory } = this;
    const { what, mask } = step;
    const size = registers[step.size] & mask;
    const [source, destination] = [
      OBJECTS[step.from].address + step.offsets[0],
      OBJECTS[step.to].address + step.offsets[1],
    ];
    const isFill = what === "memset";
    if (step.offsets[1] + size > OBJECTS[step.to].size) return false;
    if (!isFill && step.offsets[0] + size > OBJECTS[step.from].size) return false;
    const apart = Math.abs(source - destination);
    if (what === "memcpy" && apart !== 0 && apart < size) return false;
    const masked = this.operate("and", 32, registerShadows[step.size], CONCRETE, registers[step.size], mask);
    const shadow = this.operate("zext", 32, masked, CONCRETE, 0, 0, 64);
    const byte = isFill ? this.operate("trunc", 32, registerShadows[step.a], CONCRETE, 0, 0, 8) : CONCRETE;
    if (shadow !== CONCRETE) {
      f.call("rangeAt", 1, CONCRETE, destination, 0, shadow, size, 0, 1);
      if (!isFill) f.call("rangeAt", 1, CONCRETE, source, 0, shadow, size, 0, 0);
      if (isFill) f.call("fillLength", 1, destination, registers[step.a], byte, shadow, size);
      else f.call("copyLength", 1, destination, source, shadow, size, what === "memmove" ? 1 : 0);
    }
    if (isFill) memory.u8.fill(registers[step.a], destination, destination + size);
    else memory.u8.copyWithin(destination, source, source + size);
    if (this.symbolic) {
      if (isFill) f.call("fillBytes", destination, size, byte);
      else f.call("copyBytes", destination, source, size);
    }
    if (shadow !== CONCRETE) f.call("lengthDone");
    return true;
  }

  /** As generated code does: nothing is asked for if no shadow is set. */
  private operate(
    name: SymbolicOperation,
    width: number,
    sa: ExprRef,
    sb: ExprRef,
    a: number,
    b: number,
    to = 0,
  ): ExprRef {
    if (sa === CONCRETE && sb === CONCRETE) return CONCRETE;
    return this.f.call("operate", operationCode(name, width, to), sa, sb, a, 0, b, 0);
  }

  private compare(a: number, b: number): ExprRef {
    const { registers, registerShadows } = this;
    return this.operate("ult", 32, registerShadows[a], registerShadows[b], registers[a], registers[b]);
  }

  private set(register: number, value: number, shadow: ExprRef): true {
    this.registers[register] = value;
    this.registerShadows[register] = shadow;
    this.values.push(value >>> 0);
    this.shadows.push(shadow);
    return true;
  }
}

function compute(name: (typeof BINARY)[number], a: number, b: number): number {
  switch (name) {
    case "add":
      return (a + b) | 0;
    case "sub":
      return (a - b) | 0;
    case "mul":
      return Math.imul(a, b);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return a << b;
    case "lshr":
      return a >>> b;
    case "ashr":
      return a >> b;
  }
}

/** The conditions that hold on the path, and those that do not. */
function allHold(f: HostFixture, told: readonly Told[], input: Uint8Array): boolean {
  return told.every((each) => {
    switch (each.what) {
      case "branch":
        return (f.value(each.condition, input) === 1n) === each.taken;
      case "choose": {
        const others = each.others.filter((other) => f.value(other, input) === 1n);
        const taken = f.value(each.taken, input) === 1n;
        assert.equal(others.length, taken ? 0 : 1, "exactly one alternative holds");
        return taken;
      }
      case "check":
        return f.value(each.bad, input) === 0n;
      case "pin":
        return f.value(each.equals, input) === 1n;
      default:
        return assert.fail(each.what);
    }
  });
}

describe("prediction", () => {
  for (let seed = 1; seed <= 6; seed++) {
    it(`inputs that satisfy what was told compute what was predicted, seed ${seed}`, () => {
      const random = new Random(seed * 977);
      let followed = 0;
      let changed = 0;
      for (let program = 0; program < 12; program++) {
        const steps = randomProgram(random);
        const f = new HostFixture([SWITCH]);
        const concrete = new HostFixture();
        for (let round = 0; round < 6; round++) {
          const input = new Uint8Array(INPUT);
          for (let i = 0; i < INPUT; i++) input[i] = random.next() % (random.next() % 3 === 0 ? 256 : 12);
          f.begin(input);
          const run = new Interpreter(f, input, true);
          const ended = run.run(steps);
          assert.ok(allHold(f, f.told, input), "what was told holds on the run itself");
          for (const [i, shadow] of run.shadows.entries()) {
            if (shadow !== CONCRETE) assert.equal(f.value(shadow, input), BigInt(run.values[i]), "on the run itself");
          }
          for (let other = 0; other < 24; other++) {
            const changedInput = input.slice();
            changedInput[random.next() % INPUT] = random.next() % (other % 2 === 0 ? 256 : 16);
            if (!allHold(f, f.told, changedInput)) continue;
            const plain = new Interpreter(concrete, changedInput, false);
            const plainEnded = plain.run(steps);
            // Nothing is told of the fault that ends a run, so the other may go on from there.
            assert.ok(plainEnded || !ended);
            assert.ok(plain.values.length >= run.values.length);
            for (const [i, shadow] of run.shadows.entries()) {
              const predicted = shadow === CONCRETE ? run.values[i] : Number(f.value(shadow, changedInput));
              assert.equal(predicted, plain.values[i], `value ${i} of program ${program}`);
              if (predicted !== run.values[i]) changed++;
            }
            followed++;
          }
        }
      }
      assert.ok(followed > 200 && changed > 200, `${followed} inputs followed, ${changed} values differed`);
    });
  }
});
