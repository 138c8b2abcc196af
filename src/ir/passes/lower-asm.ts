// Inline assembly of x86-64 that only computes, as ordinary instructions: then it runs, is checked and is followed like C. Programs have it
// for what C lacks (carries, wide products, bits, atomic steps) and to ask the processor what it can (`cpuid`): ours can what every x86-64
// can, and nothing more, so that programs take their plain C ways. `syscall` is a system call as any other. What is not understood stays, and
// ends a run that reaches it.

import { I64, type IntType, intType, type Type, VOID } from "../types.js";
import { constInt, type InlineAsm, type Instruction, type Value } from "../values.js";
import { chosen, highestBit, onesIn, processorSays, swappedBytes } from "./asm-values.js";
import { type AsmInstruction, type AsmOperand, type AsmPlace, readConstraints, readTemplate } from "./assembly-text.js";
import type { Emitter } from "./emitter.js";
import type { RuntimeLookup } from "./lower-float80.js";

/** Ends the attempt: the assembly is none of those that are understood. */
class NotUnderstood extends Error {}

type Flag = "c" | "z" | "s" | "o";

/** The same in every program: read once. */
const READ = new Map<string, readonly AsmInstruction[] | null>();

/** The value that stands for the call, "drop" if it has none; null if it stays. */
export function lowerAsm(e: Emitter, i: Instruction, asm: InlineAsm, runtime: RuntimeLookup): Value | "drop" | null {
  let list = READ.get(asm.template);
  if (list === undefined) {
    list = readTemplate(asm.template);
    READ.set(asm.template, list);
  }
  const operands = readConstraints(asm.constraints);
  // What is empty hides values from an optimiser: the code generator sees to it.
  if (list === null || list.length === 0 || operands === null) return null;
  const before = e.list.length;
  try {
    return new AsmRun(e, i, operands, runtime).run(list);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    e.list.length = before;
    return null;
  }
}

/** What the system saves of the processor: x87 and SSE. */
const SAVED_STATE = 3;

/** runtime/trusted/syscall.c: the number, then what it is given. */
const SYSTEM_CALL = "__tangent_syscall";
const SYSTEM_CALL_REGISTERS = ["rax", "rdi", "rsi", "rdx", "r10", "r8", "r9"];

/** Of the x87 unit, as Linux starts programs: rounding to nearest, all 64 bits, no exceptions. */
const CONTROL_WORD = 0x37f;

const NOTHING = new Set(["nop", "pause", "mfence", "lfence", "sfence", "cld", "emms", "vzeroupper"]);
const CONDITIONS: { readonly [name: string]: { readonly flags: string; readonly negated: boolean } } = {
  ...both("z", "e", "z"),
  ...both("c", "c", "b", "nae"),
  ...both("s", "s"),
  ...both("o", "o"),
  ...both("cz", "be", "na"),
  ...both("so", "l", "nge"),
  ...both("zso", "le", "ng"),
  ...{ ae: { flags: "c", negated: true }, a: { flags: "cz", negated: true } },
  ...{ ge: { flags: "so", negated: true }, g: { flags: "zso", negated: true } },
};

function both(flags: string, ...names: readonly string[]): { [name: string]: { flags: string; negated: boolean } } {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, { flags, negated: false }],
      [`n${name}`, { flags, negated: true }],
    ]),
  );
}

const SUFFIX: { readonly [suffix: string]: number } = { b: 8, w: 16, l: 32, q: 64 };
const TWO_OPERANDS = ["mov", "add", "adc", "sub", "sbb", "and", "or", "xor", "cmp", "test", "shl", "sal", "shr", "sar"];
const KNOWN = new Set([
  ...TWO_OPERANDS,
  ...["rol", "ror", "not", "neg", "inc", "dec", "bswap", "mul", "imul", "div", "xchg", "xadd", "cmpxchg"],
  ...["bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bt", "bts", "btr", "btc"],
]);

class AsmRun {
  /** 64 bits each, by register or `operand N`. */
  private readonly values = new Map<string, Value>();
  private readonly flags = new Map<Flag, Value>();
  /** By operand. */
  private readonly types: (IntType | null)[] = [];
  private readonly pointers: (Value | null)[] = [];

  constructor(
    private readonly e: Emitter,
    private readonly i: Instruction,
    private readonly operands: readonly AsmOperand[],
    private readonly runtime: RuntimeLookup,
  ) {
    const results = this.resultTypes();
    let argument = 1;
    let result = 0;
    operands.forEach((operand, number) => {
      const isResult = operand.isOutput && !operand.isMemory;
      const given = isResult ? null : (i.operands[argument++] ?? null);
      if (!isResult && given === null) throw new NotUnderstood();
      this.pointers.push(operand.isMemory ? given : null);
      const type = isResult ? results[result++] : (given as Value).type;
      this.types.push(operand.isMemory ? null : asInteger(type));
      if (given === null || operand.isMemory) return;
      this.values.set(this.keyOf(number), this.widened(given));
    });
  }

  run(list: readonly AsmInstruction[]): Value | "drop" {
    for (const one of list) this.instruction(one);
    const results = this.resultTypes();
    if (results.length === 0) return "drop";
    const outputs = this.operands.flatMap(({ isOutput, isMemory }, number) => (isOutput && !isMemory ? [number] : []));
    const made = outputs.map((number, n) => this.result(number, results[n]));
    if (this.i.type.kind !== "struct") return made[0];
    let whole: Value = { kind: "undef", type: this.i.type };
    made.forEach((value, n) => {
      whole = this.e.emit("insertvalue", this.i.type, [whole, value], { indices: [n] });
    });
    return whole;
  }

  private resultTypes(): readonly Type[] {
    const { type } = this.i;
    if (type.kind === "void") return [];
    return type.kind === "struct" ? type.fields : [type];
  }

  private result(number: number, type: Type): Value {
    const { fixed } = this.operands[number];
    if (fixed?.startsWith("@cc")) {
      return this.e.resize(this.e.cast("zext", this.condition(fixed.slice(3)), I64), asInteger(type));
    }
    const value = this.values.get(this.keyOf(number));
    if (value === undefined) throw new NotUnderstood();
    return type.kind === "ptr" ? this.e.cast("inttoptr", value, type) : this.e.resize(value, asInteger(type));
  }

  private keyOf(number: number): string {
    const { fixed, tiedTo } = this.operands[number];
    if (tiedTo !== null) return this.keyOf(tiedTo);
    return fixed ?? `operand ${number}`;
  }

  private widened(value: Value): Value {
    if (value.type.kind === "ptr") return this.e.cast("ptrtoint", value, I64);
    asInteger(value.type);
    return this.e.resize(value, I64);
  }

  // ---- places

  private bitsOf(place: AsmPlace): number | null {
    if (place.kind === "number") return null;
    if (place.kind === "register") return place.bits;
    if (place.number >= this.operands.length) throw new NotUnderstood();
    return place.bits ?? this.types[place.number]?.bits ?? null;
  }

  private read(place: AsmPlace, bits: number): Value {
    const type = intType(bits);
    if (place.kind === "number") return constInt(bits, BigInt.asUintN(bits, place.value));
    if (place.kind === "register") return this.readKey(place.name, type);
    const pointer = this.pointers[place.number] ?? null;
    if (pointer !== null) return this.e.emit("load", type, [pointer], access(type));
    return this.readKey(this.keyOf(place.number), type);
  }

  private readKey(key: string, type: IntType): Value {
    const value = this.values.get(key);
    if (value === undefined) throw new NotUnderstood();
    return this.e.resize(value, type);
  }

  private write(place: AsmPlace, value: Value): void {
    if (place.kind === "number") throw new NotUnderstood();
    const type = value.type as IntType;
    if (place.kind === "register") {
      this.writeKey(place.name, value);
      return;
    }
    const pointer = this.pointers[place.number] ?? null;
    if (pointer === null) this.writeKey(this.keyOf(place.number), value);
    else this.e.emit("store", VOID, [value, pointer], access(type));
  }

  /** 32 bits clear what is above them; fewer leave it. */
  private writeKey(key: string, value: Value): void {
    const { e } = this;
    const { bits } = value.type as IntType;
    const old = this.values.get(key);
    let whole = e.resize(value, I64);
    if (bits < 32 && old !== undefined) {
      const mask = BigInt.asUintN(64, ~((1n << BigInt(bits)) - 1n));
      whole = e.binary("or", e.binary("and", old, constInt(64, mask)), whole);
    }
    this.values.set(key, whole);
  }

  // ---- instructions

  private instruction({ mnemonic, places }: AsmInstruction): void {
    // How long doubles are rounded cannot be changed: they are computed by software, always with all their bits.
    if (NOTHING.has(mnemonic) || mnemonic.startsWith("prefetch") || mnemonic === "fldcw") return;
    if (places.length === 0) this.alone(mnemonic);
    else if (/^fn?stcw$/.test(mnemonic)) this.write(places[0], constInt(16, CONTROL_WORD));
    else if (/^(set|cmov)/.test(mnemonic)) this.conditional(mnemonic, places);
    else if (/^mov[sz][bwl][wlq]$/.test(mnemonic)) this.extend(mnemonic, places);
    else {
      const { name, bits } = this.named(mnemonic, places);
      this.operate(name, bits, places);
    }
  }

  /** `addl` is `add` of 32 bits; `add` has the width of what it is given. */
  private named(mnemonic: string, places: readonly AsmPlace[]): { readonly name: string; readonly bits: number } {
    const suffix = SUFFIX[mnemonic.at(-1) ?? ""];
    if (suffix !== undefined && KNOWN.has(mnemonic.slice(0, -1))) return { name: mnemonic.slice(0, -1), bits: suffix };
    const bits = places.map((place) => this.bitsOf(place)).findLast((one) => one !== null) ?? null;
    if (!KNOWN.has(mnemonic) || bits === null) throw new NotUnderstood();
    return { name: mnemonic, bits };
  }

  private alone(mnemonic: string): void {
    const { e } = this;
    const halves = (bits: number): void => {
      const value = this.readKey("rax", intType(bits));
      this.writeKey("rdx", e.binary("ashr", value, constInt(bits, bits - 1)));
    };
    switch (mnemonic) {
      case "cpuid":
        this.cpuid();
        return;
      case "xgetbv":
        this.values.set("rax", constInt(64, SAVED_STATE));
        this.values.set("rdx", constInt(64, 0));
        return;
      case "rdtsc":
      case "rdtscp":
        for (const name of ["rax", "rdx", ...(mnemonic === "rdtscp" ? ["rcx"] : [])]) {
          this.values.set(name, constInt(64, 0));
        }
        return;
      case "syscall":
        this.systemCall();
        return;
      case "cltd":
      case "cdq":
        halves(32);
        return;
      case "cqto":
      case "cqo":
        halves(64);
        return;
      default:
        throw new NotUnderstood();
    }
  }

  /** Registers that nobody has set belong to calls with fewer arguments. */
  private systemCall(): void {
    const target = this.runtime(SYSTEM_CALL);
    if (target === null) throw new NotUnderstood();
    const words = SYSTEM_CALL_REGISTERS.map((name) => this.values.get(name) ?? constInt(64, 0));
    this.values.set("rax", this.e.call(target, I64, words));
  }

  private cpuid(): void {
    const said = processorSays(this.e, this.readKey("rax", intType(32)));
    for (const [name, value] of Object.entries(said)) this.values.set(name, value);
  }

  private conditional(mnemonic: string, places: readonly AsmPlace[]): void {
    const { e } = this;
    if (mnemonic.startsWith("set")) {
      this.write(places[0], e.cast("zext", this.condition(mnemonic.slice(3)), intType(8)));
      return;
    }
    const [from, to] = places;
    const name = mnemonic.slice(4);
    const suffix = CONDITIONS[name] === undefined ? SUFFIX[name.at(-1) ?? ""] : undefined;
    const bits = suffix ?? this.bitsOf(to);
    if (bits === null || bits === undefined || places.length !== 2) throw new NotUnderstood();
    const isTaken = this.condition(suffix === undefined ? name : name.slice(0, -1));
    this.write(to, chosen(this.e, isTaken, this.read(from, bits), this.read(to, bits)));
  }

  private condition(name: string): Value {
    const known = CONDITIONS[name];
    if (known === undefined) throw new NotUnderstood();
    const { e } = this;
    let value: Value | null = null;
    // "so" is that they differ; the others are that one of them is set.
    if (known.flags.includes("so")) value = e.binary("xor", this.flag("s"), this.flag("o"));
    for (const flag of known.flags.replace("so", "")) {
      const one = this.flag(flag as Flag);
      value = value === null ? one : e.binary("or", value, one);
    }
    if (value === null) throw new NotUnderstood();
    return known.negated ? e.binary("xor", value, constInt(1, 1)) : value;
  }

  private flag(flag: Flag): Value {
    const value = this.flags.get(flag);
    if (value === undefined) throw new NotUnderstood();
    return value;
  }

  /** movzbl, movswq. */
  private extend(mnemonic: string, places: readonly AsmPlace[]): void {
    const value = this.read(places[0], SUFFIX[mnemonic[4]]);
    this.write(places[1], this.e.cast(mnemonic[3] === "z" ? "zext" : "sext", value, intType(SUFFIX[mnemonic[5]])));
  }

  private operate(name: string, bits: number, places: readonly AsmPlace[]): void {
    const { e } = this;
    const last = places[places.length - 1];
    if (TWO_OPERANDS.includes(name) && places.length === 2) {
      this.twoOperands(name, bits, places);
      return;
    }
    switch (name) {
      case "not":
        this.write(last, e.binary("xor", this.read(last, bits), constInt(bits, -1)));
        return;
      case "neg": {
        const old = this.read(last, bits);
        this.write(last, this.difference(constInt(bits, 0), old, null));
        return;
      }
      case "inc":
      case "dec": {
        const carry = this.flags.get("c");
        const [old, one] = [this.read(last, bits), constInt(bits, 1)];
        this.write(last, name === "inc" ? this.sum(old, one, null) : this.difference(old, one, null));
        // The one flag that it leaves.
        if (carry === undefined) this.flags.delete("c");
        else this.flags.set("c", carry);
        return;
      }
      case "bswap":
        if (bits < 32) throw new NotUnderstood();
        this.write(last, swappedBytes(e, this.read(last, bits), bits));
        return;
      case "mul":
      case "imul":
        this.multiply(name, bits, places);
        return;
      case "div":
        this.divide(bits, places);
        return;
      case "rol":
      case "ror":
      case "xchg":
      case "xadd":
      case "cmpxchg":
        this.exchange(name, bits, places);
        return;
      default:
        this.bitInstruction(name, bits, places);
    }
  }

  private twoOperands(name: string, bits: number, [from, to]: readonly AsmPlace[]): void {
    const { e } = this;
    if (name === "mov") {
      // Put aside, because position-independent code has its own use for it; any other one may hold something that is meant.
      if (from.kind === "register" && from.name === "rbx") this.keepWhatIsThere(from);
      this.write(to, this.read(from, bits));
      return;
    }
    // A way to clear a register, whatever it holds.
    if ((name === "xor" || name === "sub") && isSame(from, to)) {
      this.write(to, constInt(bits, 0));
      this.logicFlags(constInt(bits, 0));
      return;
    }
    if (name.startsWith("s") && name !== "sub" && name !== "sbb") {
      const count = e.binary("and", this.read(from, bits), constInt(bits, bits === 64 ? 63 : 31));
      const operation = name === "shr" ? "lshr" : name === "sar" ? "ashr" : "shl";
      this.write(to, e.binary(operation, this.read(to, bits), count));
      this.flags.clear();
      return;
    }
    const [b, a] = [this.read(from, bits), this.read(to, bits)];
    switch (name) {
      case "add":
      case "adc":
        this.write(to, this.sum(a, b, name === "adc" ? this.flag("c") : null));
        return;
      case "sub":
      case "sbb":
        this.write(to, this.difference(a, b, name === "sbb" ? this.flag("c") : null));
        return;
      case "cmp":
        this.difference(a, b, null);
        return;
      case "test":
        this.logicFlags(e.binary("and", a, b));
        return;
      default: {
        const value = e.binary(name as "and" | "or" | "xor", a, b);
        this.logicFlags(value);
        this.write(to, value);
      }
    }
  }

  private logicFlags(value: Value): void {
    this.flags.set("c", constInt(1, 0));
    this.flags.set("o", constInt(1, 0));
    this.valueFlags(value);
  }

  private valueFlags(value: Value): void {
    const zero = constInt((value.type as IntType).bits, 0);
    this.flags.set("z", this.e.compare("eq", value, zero));
    this.flags.set("s", this.e.compare("slt", value, zero));
  }

  private sum(a: Value, b: Value, carry: Value | null): Value {
    const { e } = this;
    const type = a.type as IntType;
    let value: Value = e.binary("add", a, b);
    let overflows: Value = e.compare("ult", value, a);
    if (carry !== null) {
      const more = e.binary("add", value, e.cast("zext", carry, type));
      overflows = e.binary("or", overflows, e.compare("ult", more, value));
      value = more;
    }
    const signs = e.binary("and", e.binary("xor", a, value), e.binary("xor", b, value));
    this.flags.set("c", overflows);
    this.flags.set("o", e.compare("slt", signs, constInt(type.bits, 0)));
    this.valueFlags(value);
    return value;
  }

  private difference(a: Value, b: Value, borrow: Value | null): Value {
    const { e } = this;
    const type = a.type as IntType;
    let value: Value = e.binary("sub", a, b);
    let borrows: Value = e.compare("ult", a, b);
    if (borrow !== null) {
      const more = e.binary("sub", value, e.cast("zext", borrow, type));
      borrows = e.binary("or", borrows, e.compare("ugt", more, value));
      value = more;
    }
    const signs = e.binary("and", e.binary("xor", a, b), e.binary("xor", a, value));
    this.flags.set("c", borrows);
    this.flags.set("o", e.compare("slt", signs, constInt(type.bits, 0)));
    this.valueFlags(value);
    return value;
  }

  private multiply(name: string, bits: number, places: readonly AsmPlace[]): void {
    const { e } = this;
    this.flags.clear();
    if (places.length > 1) {
      if (name !== "imul") throw new NotUnderstood();
      const to = places[places.length - 1];
      const [a, b] = places.length === 2 ? [places[0], to] : places;
      this.write(to, e.binary("mul", this.read(a, bits), this.read(b, bits)));
      return;
    }
    if (bits < 32) throw new NotUnderstood();
    const wide = intType(2 * bits);
    const extended = name === "mul" ? "zext" : "sext";
    const a = e.cast(extended, this.readKey("rax", intType(bits)), wide);
    const b = e.cast(extended, this.read(places[0], bits), wide);
    const product = e.binary("mul", a, b);
    this.writeKey("rax", e.cast("trunc", product, intType(bits)));
    const high = e.cast("trunc", e.binary("lshr", product, constInt(2 * bits, bits)), intType(bits));
    this.writeKey("rdx", high);
    if (name === "mul") this.flags.set("c", e.compare("ne", high, constInt(bits, 0)));
  }

  /** A quotient that does not fit ends a process by SIGFPE, as a division by zero does: it is taken for one. */
  private divide(bits: number, [by]: readonly AsmPlace[]): void {
    const { e } = this;
    if (bits < 32) throw new NotUnderstood();
    const wide = intType(2 * bits);
    const low = e.cast("zext", this.readKey("rax", intType(bits)), wide);
    const high = e.cast("zext", this.readKey("rdx", intType(bits)), wide);
    const value = e.binary("or", e.binary("shl", high, constInt(2 * bits, bits)), low);
    const written = e.cast("zext", this.read(by, bits), wide);
    const divisor = chosen(this.e, e.compare("uge", high, written), constInt(2 * bits, 0), written);
    this.flags.clear();
    this.writeKey("rax", e.cast("trunc", e.binary("udiv", value, divisor), intType(bits)));
    this.writeKey("rdx", e.cast("trunc", e.binary("urem", value, divisor), intType(bits)));
  }

  /** A register that is only put aside and brought back (`xchg %rbx, …; cpuid; xchg %rbx, …`) holds what nobody asks for. */
  private keepWhatIsThere(place: AsmPlace): void {
    const key = place.kind === "register" ? place.name : place.kind === "operand" ? this.keyOf(place.number) : "";
    const isMemory = place.kind === "operand" && this.pointers[place.number] !== null;
    if (key !== "" && !isMemory && !this.values.has(key)) this.values.set(key, { kind: "undef", type: I64 });
  }

  private exchange(name: string, bits: number, places: readonly AsmPlace[]): void {
    const { e } = this;
    if (places.length !== 2) throw new NotUnderstood();
    const [from, to] = places;
    if (name === "xchg" && bits === 64) for (const place of places) this.keepWhatIsThere(place);
    const [b, a] = [this.read(from, bits), this.read(to, bits)];
    switch (name) {
      case "xchg":
        this.write(to, b);
        this.write(from, a);
        return;
      case "xadd":
        this.write(to, this.sum(a, b, null));
        this.write(from, a);
        return;
      case "cmpxchg": {
        const expected = this.readKey("rax", intType(bits));
        this.difference(expected, a, null);
        const isSwapped = this.flag("z");
        this.write(to, chosen(this.e, isSwapped, b, a));
        this.writeKey("rax", chosen(this.e, isSwapped, expected, a));
        return;
      }
      default: {
        const count = e.binary("and", b, constInt(bits, bits - 1));
        const rest = e.binary("and", e.binary("sub", constInt(bits, 0), count), constInt(bits, bits - 1));
        const [up, down] = name === "rol" ? [count, rest] : [rest, count];
        this.flags.clear();
        this.write(to, e.binary("or", e.binary("shl", a, up), e.binary("lshr", a, down)));
      }
    }
  }

  private bitInstruction(name: string, bits: number, places: readonly AsmPlace[]): void {
    const { e } = this;
    if (places.length !== 2) throw new NotUnderstood();
    const [from, to] = places;
    if (name.startsWith("bt")) {
      // In memory the number may be beyond the operand.
      if (to.kind === "operand" && this.pointers[to.number] !== null) throw new NotUnderstood();
      const at = e.binary("and", this.read(from, bits), constInt(bits, bits - 1));
      const value = this.read(to, bits);
      const bit = e.binary("shl", constInt(bits, 1), at);
      this.flags.clear();
      this.flags.set("c", e.compare("ne", e.binary("and", value, bit), constInt(bits, 0)));
      if (name === "bts") this.write(to, e.binary("or", value, bit));
      if (name === "btr") this.write(to, e.binary("and", value, e.binary("xor", bit, constInt(bits, -1))));
      if (name === "btc") this.write(to, e.binary("xor", value, bit));
      return;
    }
    const value = this.read(from, bits);
    const isZero = e.compare("eq", value, constInt(bits, 0));
    this.flags.clear();
    this.flags.set("z", isZero);
    const lowest = (): Value => highestBit(e, e.binary("and", value, e.binary("sub", constInt(bits, 0), value)), bits);
    switch (name) {
      case "bsf":
      case "bsr": {
        // Of zero there is no bit, and what was there stays.
        const key = to.kind === "operand" ? this.keyOf(to.number) : to.kind === "register" ? to.name : "";
        const old = this.values.has(key) ? this.read(to, bits) : constInt(bits, 0);
        this.write(to, chosen(this.e, isZero, old, name === "bsf" ? lowest() : highestBit(e, value, bits)));
        return;
      }
      case "tzcnt":
        this.write(to, chosen(this.e, isZero, constInt(bits, bits), lowest()));
        return;
      case "lzcnt": {
        const leading = e.binary("sub", constInt(bits, bits - 1), highestBit(e, value, bits));
        this.write(to, chosen(this.e, isZero, constInt(bits, bits), leading));
        return;
      }
      case "popcnt":
        this.write(to, onesIn(e, value, bits));
        return;
      default:
        throw new NotUnderstood();
    }
  }
}

function isSame(a: AsmPlace, b: AsmPlace): boolean {
  if (a.kind === "register" && b.kind === "register") return a.name === b.name && a.bits === b.bits;
  return a.kind === "operand" && b.kind === "operand" && a.number === b.number;
}

function access(accessType: IntType): { accessType: IntType; align: number; volatile: boolean; unchecked: boolean } {
  return { accessType, align: 1, volatile: false, unchecked: false };
}

function asInteger(type: Type): IntType {
  if (type.kind === "ptr") return I64;
  if (type.kind !== "int" || type.bits > 64) throw new NotUnderstood();
  return type;
}
