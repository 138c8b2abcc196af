// Values of LLVM IR: constants, arguments and instructions. One shape for every instruction (operands in one array,
// successor or incoming blocks in another, the rest in `extra`) so that a pass can rewrite any of them without a case
// per opcode; `extra` is typed by the opcode, so that a consumer's `switch (i.op)` narrows it.
// Invariant: a ConstInt's value is unsigned, 0 <= value < 2^bits.

import type { DebugLoc, LocalVariable } from "./debug-info.js";
import type { GlobalValue } from "./module.js";
import { type FloatType, type FunctionType, I1, I32, I64, type IntType, intType, PTR, type Type } from "./types.js";

// ---------------------------------------------------------------- constants

export interface ConstInt {
  readonly kind: "int";
  readonly type: IntType;
  readonly value: bigint;
}
/** `bits` is the IEEE pattern in the type's own format (16, 32, 64, 80 or 128 bits). */
export interface ConstFloat {
  readonly kind: "float";
  readonly type: FloatType;
  readonly bits: bigint;
}
/** `null`, `zeroinitializer`: all bits zero, of any type. */
export interface ConstZero {
  readonly kind: "zero";
  readonly type: Type;
}
/** `undef` and `poison`. */
export interface ConstUndef {
  readonly kind: "undef";
  readonly type: Type;
  /** The source variable that was never set, if it is the value of one. */
  readonly variable?: LocalVariable | null;
}
/** A structure, array or vector spelled out. */
export interface ConstAggregate {
  readonly kind: "aggregate";
  readonly type: Type;
  readonly elements: readonly Constant[];
}
/** `c"..."`: an array of i8. */
export interface ConstBytes {
  readonly kind: "bytes";
  readonly type: Type;
  readonly bytes: Uint8Array;
}
/** The address of a function, variable or alias. Follow `target.resolved` after linking. */
export interface GlobalRef {
  readonly kind: "global";
  readonly type: Type;
  readonly target: GlobalValue;
}
/** `blockaddress(@f, %label)`. */
export interface BlockAddress {
  readonly kind: "blockaddress";
  readonly type: Type;
  readonly target: GlobalValue;
  readonly label: string;
}
export type ConstExprOp = "getelementptr" | CastOp | BinaryOp | "icmp" | "select";
export interface ConstExpr {
  readonly kind: "constexpr";
  readonly op: ConstExprOp;
  readonly type: Type;
  readonly operands: readonly Constant[];
  /** For getelementptr: the source element type. */
  readonly sourceType: Type | null;
  /** For icmp. */
  readonly predicate: IntPredicate | null;
}
export type Constant =
  | ConstInt
  | ConstFloat
  | ConstZero
  | ConstUndef
  | ConstAggregate
  | ConstBytes
  | GlobalRef
  | BlockAddress
  | ConstExpr;

/** Inline assembly as a callee. */
export interface InlineAsm {
  readonly kind: "asm";
  readonly type: Type;
  readonly template: string;
  readonly constraints: string;
  readonly sideEffects: boolean;
}
/** A metadata operand of an intrinsic call (`metadata !5`); nobody looks inside. */
export interface MetadataOperand {
  readonly kind: "metadata";
  readonly type: Type;
}
export class Argument {
  readonly kind = "argument";
  constructor(
    /** Lowering changes it, together with the function's signature (`lowerType`). */
    public type: Type,
    readonly index: number,
    readonly name: string,
  ) {}
}

// ---------------------------------------------------------------- opcodes

export type BinaryOp =
  | "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem"
  | "shl" | "lshr" | "ashr" | "and" | "or" | "xor"; // biome-ignore format: a table
export type FloatBinaryOp = "fadd" | "fsub" | "fmul" | "fdiv" | "frem";
export type CastOp =
  | "trunc" | "zext" | "sext" | "fptrunc" | "fpext" | "fptoui" | "fptosi" | "uitofp" | "sitofp"
  | "ptrtoint" | "inttoptr" | "bitcast" | "addrspacecast"; // biome-ignore format: a table
export type IntPredicate = "eq" | "ne" | "ugt" | "uge" | "ult" | "ule" | "sgt" | "sge" | "slt" | "sle";
export type FloatPredicate =
  | "false" | "oeq" | "ogt" | "oge" | "olt" | "ole" | "one" | "ord"
  | "ueq" | "ugt" | "uge" | "ult" | "ule" | "une" | "uno" | "true"; // biome-ignore format: a table
export type AtomicOp =
  | "xchg" | "add" | "sub" | "and" | "nand" | "or" | "xor" | "max" | "min" | "umax" | "umin"
  | "fadd" | "fsub" | "fmax" | "fmin"; // biome-ignore format: a table

export interface AllocaExtra {
  readonly allocated: Type;
  readonly align: number;
  /** The source variable that lives here; null or absent if there is none. */
  variable?: LocalVariable | null;
}
/** load, store. `unchecked`: the access comes from trusted runtime code or was proved safe; no detector looks at it. */
export interface AccessExtra {
  /** The type that is loaded or stored. */
  readonly accessType: Type;
  readonly align: number;
  readonly volatile: boolean;
  unchecked: boolean;
}
/** A detector's question, inserted by the instrumentation pass: are `size` bytes at operand 0 addressable? */
export interface CheckExtra {
  readonly size: number;
  readonly write: boolean;
  readonly align: number;
  /** The variable that the address was computed from (analysis/root.ts) is alive: all of it may be accessed so. */
  readonly alive?: boolean;
}
/**
 * What a `shadow` instruction does; see jit/shadow-pass.ts, which makes them after all other passes. Shadows are i32
 * values: 0 for concrete, else an expression of the host. `parts` say which WebAssembly part of an operand is meant.
 */
export type ShadowExtra =
  /** operands: a, shadow of a; or a, b and their shadows. Result: a shadow. */
  | { readonly what: "operate"; readonly code: number; readonly parts: readonly number[] }
  /**
   * operands: as `operate`, or three values and their shadows, and last the instruction that has just computed the same with floats.
   * Result: a shadow. Where it is called for, a NaN among the instruction's parts `part` becomes the one that expressions have.
   */
  | { readonly what: "compute"; readonly code: number; readonly parts: readonly number[]; readonly part: number }
  | { readonly what: "divide"; readonly site: number; readonly code: number; readonly parts: readonly number[] }
  /** operands: condition, then, else and their shadows. */
  | { readonly what: "choose"; readonly width: number; readonly part: number }
  /** operand: a condition. Notes in the coverage table which of its two sides was chosen: `number` if true, the next if not. */
  | { readonly what: "cover-choice"; readonly number: number }
  /** operands: a condition, its shadow. Notes in the coverage table that a side of a joined branch would have been entered. */
  | { readonly what: "cover-if"; readonly number: number }
  /** operands: a, b of 65 to 128 bits, then the two shadows of each. Result: the shadow of the whole. */
  | { readonly what: "wide"; readonly code: number }
  /** operand: a shadow. */
  | { readonly what: "slice"; readonly low: number; readonly width: number }
  /** operands: condition, its shadow. */
  | { readonly what: "branch"; readonly site: number }
  /** operands: value, its shadow. */
  | { readonly what: "switch"; readonly site: number }
  | {
      readonly what: "pin";
      readonly site: number;
      readonly reason: number;
      readonly width: number;
      readonly part: number;
    }
  /**
   * operands: pointer, shadow of the address `offset` behind it. Checks the access of `size` bytes there; result: shadow of what is
   * there.
   */
  | ({ readonly what: "load"; readonly checked: boolean } & ShadowAccess)
  /**
   * operands: pointer, shadow of the address, the value's shadow, and, if the address may have a shadow, the value, of which `part` is
   * stored. Checks the access; the bytes get the shadow.
   */
  | ({ readonly what: "store"; readonly part: number } & ShadowAccess)
  /** Result: the shadow of a parameter's part, by position among the parts of all parameters. */
  | { readonly what: "argument"; readonly slot: number }
  /** operand: the shadow of an argument of the next call. */
  | { readonly what: "pass"; readonly slot: number }
  /** Result: the shadow of a part of the last call's result. */
  | { readonly what: "result"; readonly part: number }
  /** operand: the shadow of a part of this function's result. */
  | { readonly what: "return"; readonly part: number }
  /** operands: address, size, shadow of the byte that fills it. */
  | { readonly what: "fill" }
  /**
   * operands: destination, source or the byte, size, the byte's shadow (0 for a copy), the size's shadow. A copy or fill of a
   * symbolic size is about to be made; `length-done` comes after it.
   */
  | { readonly what: "length"; readonly site: number; readonly of: "memcpy" | "memmove" | "memset" }
  /** operand: the size's shadow. */
  | { readonly what: "length-done" }
  /** operands: address, size, and their shadows. A copy or fill is about to touch these bytes. */
  | { readonly what: "range"; readonly site: number; readonly write: boolean }
  /** A copy or fill through pointers is about to be made: it may go wrong on another path. */
  | { readonly what: "touch" };
/**
 * Whether an access may go wrong on another path: its address was computed (an index, a field behind a pointer), or it goes
 * through a pointer as it is (`*p`, the first field of a structure). Of a variable whose address is known it cannot.
 */
export type Sensitivity = "computed" | "plain" | "safe";
export interface ShadowAccess {
  readonly site: number;
  readonly sensitive: Sensitivity;
  readonly size: number;
  readonly offset: number;
  readonly align: number;
}
export interface GepExtra {
  readonly sourceType: Type;
  readonly inbounds: boolean;
  /**
   * Where addresses were expanded to steps of bytes (expand-gep.ts) and analyses are to read them: the address as it was written,
   * at its last step; "step" at those before it, which nobody else uses.
   */
  readonly written?: WrittenAddress | "step";
  /** Of a constant step that simplification has made a step of bytes: the types it was written in, outermost first. */
  readonly fields?: readonly FieldStep[];
}
/** So many bytes from the beginning of a type, or of an array of it. */
export interface FieldStep {
  readonly type: Type;
  readonly offset: number;
}
export interface WrittenAddress {
  readonly sourceType: Type;
  /** The pointer, then the indices. */
  readonly operands: readonly Value[];
}
export interface ParamAttributes {
  /** `byval(T)`: the callee owns a copy. */
  readonly byval: Type | null;
  readonly sret: boolean;
  readonly signext: boolean;
  readonly zeroext: boolean;
  readonly align: number;
}
export const NO_ATTRIBUTES: ParamAttributes = { byval: null, sret: false, signext: false, zeroext: false, align: 0 };
/** operands: the callee first, then the arguments. */
export interface CallExtra {
  readonly fnType: FunctionType;
  /** Per argument (variadic ones too); may be shorter than the arguments: then NO_ATTRIBUTES. */
  readonly paramAttributes: readonly ParamAttributes[];
  readonly noreturn: boolean;
  readonly returnsTwice: boolean;
  readonly mustTail: boolean;
  /** False for calls written with the `nobuiltin`/`noinline` attribute. */
  readonly mayInline: boolean;
}
export interface SwitchExtra {
  /** Case values, parallel to `blocks.slice(1)`; `blocks[0]` is the default. */
  readonly cases: readonly bigint[];
}
export interface AtomicExtra extends AccessExtra {
  readonly operation: AtomicOp;
}

/** What each opcode keeps beside its operands and blocks. */
interface ExtraByOp {
  fneg: null;
  icmp: { readonly predicate: IntPredicate };
  fcmp: { readonly predicate: FloatPredicate };
  /** operands: condition, then, else. */
  select: null;
  freeze: null;
  /** operand: element count. */
  alloca: AllocaExtra;
  /** operand: pointer. */
  load: AccessExtra;
  /** operands: value, pointer. */
  store: AccessExtra;
  /** operands: pointer, operand, as an atomic `xchg` etc.; executed as plain accesses. */
  atomicrmw: AtomicExtra;
  /** operands: pointer, expected, new; result { T, i1 }. */
  cmpxchg: AccessExtra;
  fence: null;
  /** operand: pointer. */
  check: CheckExtra;
  shadow: ShadowExtra;
  /** operands: pointer, indices. */
  getelementptr: GepExtra;
  /** operands: callee, arguments. */
  call: CallExtra;
  /** operands parallel to blocks; the source variable that it is, if that is known. */
  phi: { readonly variable: LocalVariable } | null;
  extractvalue: { readonly indices: readonly number[] };
  insertvalue: { readonly indices: readonly number[] };
  extractelement: null;
  insertelement: null;
  /** operands: two vectors; -1 in the mask means undefined. */
  shufflevector: { readonly mask: readonly number[] };
  /** operand: a pointer to the va_list. */
  va_arg: null;
  /** no operand or one. */
  ret: null;
  /** blocks[0]. */
  br: null;
  /** operand: condition; blocks: then, else. */
  condbr: null;
  switch: SwitchExtra;
  /** operand: address; blocks: possible targets. */
  indirectbr: null;
  /** callbr is treated as unsupported; see `unsupported`. */
  unreachable: null;
  /** A construct the parser knows no meaning for: executing it ends the run as unsupported. May be a terminator. */
  unsupported: { readonly what: string; readonly terminator: boolean };
}
type OtherOps = { readonly [O in BinaryOp | FloatBinaryOp | CastOp]: null };
export type ExtraOf = ExtraByOp & OtherOps;
export type Op = keyof ExtraOf;

export class InstructionOf<O extends Op> {
  readonly kind = "instruction";
  /** Scratch number for whoever processes the function (the JIT keeps its slot here); no meaning between passes. */
  id = -1;
  constructor(
    readonly op: O,
    public type: Type,
    public operands: Value[],
    readonly extra: ExtraOf[O],
    public blocks: Block[],
    public loc: DebugLoc | null,
  ) {}
}
/** A union over the opcodes, so that `switch (i.op)` narrows `i.extra`. */
export type Instruction = { [O in Op]: InstructionOf<O> }[Op];

export type Value = Constant | Argument | Instruction | InlineAsm | MetadataOperand;

const NO_BLOCKS: Block[] = [];
Object.freeze(NO_BLOCKS);

export function instruction<O extends Op>(
  op: O,
  type: Type,
  operands: Value[],
  extra: ExtraOf[O],
  blocks: Block[] = NO_BLOCKS,
  loc: DebugLoc | null = null,
): Instruction {
  return new InstructionOf(op, type, operands, extra, blocks, loc) as unknown as Instruction;
}

const NO_LOCS: DebugLoc[] = [];
Object.freeze(NO_LOCS);

/** A basic block. The last instruction is its only terminator; phis come first. */
export class Block {
  /** Position in the function's list of blocks; kept current by whoever reorders them. */
  index = -1;
  instructions: Instruction[] = [];
  /** Where assignments were written that variables in registers need no instruction for: whoever runs the block has run them. */
  vanished: DebugLoc[] = NO_LOCS;
  /** Debug records and lifetime of names are dropped; the label is kept for `blockaddress` and messages. */
  constructor(readonly name: string) {}
  addVanished(locs: readonly DebugLoc[]): void {
    if (locs.length === 0) return;
    if (this.vanished === NO_LOCS) this.vanished = [...locs];
    else this.vanished.push(...locs);
  }
  get terminator(): Instruction {
    return this.instructions[this.instructions.length - 1];
  }
}

/** The parsed body of a function. blocks[0] is the entry. */
export interface Body {
  readonly args: readonly Argument[];
  blocks: Block[];
}

const TERMINATORS: ReadonlySet<Op> = new Set<Op>(["ret", "br", "condbr", "switch", "indirectbr", "unreachable"]);
export function isTerminator(i: Instruction): boolean {
  return TERMINATORS.has(i.op) || (i.op === "unsupported" && i.extra.terminator);
}

export function isConstant(value: Value): value is Constant {
  switch (value.kind) {
    case "argument":
    case "instruction":
    case "asm":
    case "metadata":
      return false;
    default:
      return true;
  }
}

// ---------------------------------------------------------------- making constants

const SMALL_I32: readonly ConstInt[] = Array.from({ length: 257 }, (_, v) => ({
  kind: "int",
  type: I32,
  value: BigInt(v),
}));
const SMALL_I64: readonly ConstInt[] = Array.from({ length: 257 }, (_, v) => ({
  kind: "int",
  type: I64,
  value: BigInt(v),
}));
export const TRUE: ConstInt = { kind: "int", type: I1, value: 1n };
export const FALSE: ConstInt = { kind: "int", type: I1, value: 0n };

/** An integer constant; `value` may be negative or too wide and is wrapped to the width. */
export function constInt(bits: number, value: bigint | number): ConstInt {
  const small = Number(value);
  if (small >= 0 && small <= 256) {
    if (bits === 32) return SMALL_I32[small];
    if (bits === 64) return SMALL_I64[small];
    if (bits === 1 && small <= 1) return small === 1 ? TRUE : FALSE;
  }
  return { kind: "int", type: intType(bits), value: BigInt.asUintN(bits, BigInt(value)) };
}
export function constZero(type: Type): Constant {
  return type.kind === "int" ? constInt(type.bits, 0) : { kind: "zero", type };
}
export const NULL: ConstZero = { kind: "zero", type: PTR };
export function globalRef(target: GlobalValue): GlobalRef {
  return { kind: "global", type: PTR, target };
}
/** The constant's value if it is an integer (or a zero of integer or pointer type), else null. */
export function intValue(value: Value): bigint | null {
  if (value.kind === "int") return value.value;
  if (value.kind === "zero" && (value.type.kind === "int" || value.type.kind === "ptr")) return 0n;
  return null;
}
