// The state of one function's translation: the code written so far, locals, the labels around the current place, and
// the one way to put a value on the WebAssembly stack (`push`). The instruction families (emit-*.ts) are functions over
// it that leave an instruction's parts on the stack, first part deepest.

import type { DebugLoc } from "../ir/debug-info.js";
import type { Argument, Constant, Instruction, ParamAttributes, Value } from "../ir/values.js";
import type { BaseMark } from "./access-base.js";
import { ByteWriter } from "./byte-writer.js";
import type { SetjmpSite } from "./emit-setjmp.js";
import type { Frame } from "./frame.js";
import type { Ask, FunctionDraft, Hole } from "./function-draft.js";
import type { HelperName } from "./helpers.js";
import type { WasmValueType } from "./image.js";
import type { ModuleBuilder } from "./module-builder.js";
import { DEFERRED, NOWHERE, type Placement } from "./placement.js";
import { memberOf, type Part, partsOf, ShapeError } from "./shape.js";
import { PREFIX_EXTENDED, VALUE_TYPE, W } from "./wasm.js";

/** Emits an instruction's result; the families register themselves in emit-instruction.ts. */
export type InstructionEmitter = (e: FunctionEmitter, i: Instruction) => void;

export class FunctionEmitter {
  readonly code = new ByteWriter(4096);
  readonly holes: Hole[] = [];
  /** Pairs: offset in `code`, location. */
  readonly marks: { readonly offset: number; readonly loc: DebugLoc }[] = [];
  /** What the addresses of checked accesses were computed from, in the order of the code. */
  readonly bases: BaseMark[] = [];
  /** Branch hints: offsets of br_if and if instructions that are hardly ever, or nearly always, taken. */
  readonly hints: { readonly offset: number; readonly likely: boolean }[] = [];
  /** One entry per open block, innermost last; what a jump to it means is known to emit-control.ts. */
  readonly labels: number[] = [];
  /** Fuel spent by loops and not yet charged; -1 where loops are not counted. */
  spentLocal = -1;
  setjmpSites: readonly SetjmpSite[] = [];
  /** See pointer-pairs.ts. */
  tellsPairs = false;
  /** The parameter that points to the variadic arguments (-1 if there is none), and what va_start puts into a va_list. */
  variadic = { local: -1, readsMore: false, general: 0, vector: 0 };
  /** Of the function's parameters. */
  params: readonly ParamAttributes[] = [];
  /** By instruction that allocates memory: how many bytes, or the local that holds the number (access-base.ts). */
  readonly allocated = new Map<Instruction, { readonly bytes: number; readonly bytesLocal: number }>();
  /** The stack pointer at entry, where the frame cannot compute it; -1 otherwise. */
  savedStackPointer = -1;
  private lastLoc: DebugLoc | null = null;
  private readonly freeTemps: Record<WasmValueType, number[]> = { i32: [], i64: [], f32: [], f64: [] };
  private temps: { type: WasmValueType; local: number }[] = [];

  constructor(
    readonly module: ModuleBuilder,
    readonly name: string,
    readonly trusted: boolean,
    readonly argumentLocals: Int32Array,
    readonly firstLocal: number,
    readonly placement: Placement,
    readonly frame: Frame,
    private readonly emitInstruction: InstructionEmitter,
  ) {}

  /** Values of this function have shadows beside them. */
  get hasShadows(): boolean {
    return this.module.shadows && !this.trusted;
  }

  // ------------------------------------------------------------ raw code

  op(code: number): void {
    this.code.u8(code);
  }
  /** An instruction with the prefix 0xfc. */
  extended(code: number): void {
    this.code.u8(PREFIX_EXTENDED);
    this.code.u32(code);
  }
  get(local: number): void {
    this.code.u8(W.local_get);
    this.code.u32(local);
  }
  set(local: number): void {
    this.code.u8(W.local_set);
    this.code.u32(local);
  }
  tee(local: number): void {
    this.code.u8(W.local_tee);
    this.code.u32(local);
  }
  i32(value: number): void {
    this.code.u8(W.i32_const);
    this.code.s32(value);
  }
  i64(value: bigint): void {
    this.code.u8(W.i64_const);
    this.code.s64(value);
  }
  globalGet(index: number): void {
    this.code.u8(W.global_get);
    this.code.u32(index);
  }
  globalSet(index: number): void {
    this.code.u8(W.global_set);
    this.code.u32(index);
  }
  call(functionIndex: number): void {
    this.code.u8(W.call);
    this.code.u32(functionIndex);
  }
  /** A number that only the whole program knows. */
  asked(form: Hole["form"], ask: Ask): void {
    this.holes.push({ offset: this.code.length, form, ask });
    this.code.u8(0);
  }
  i32Asked(ask: Ask): void {
    this.code.u8(W.i32_const);
    this.asked("s32", ask);
  }
  i64Asked(ask: Ask): void {
    this.code.u8(W.i64_const);
    this.asked("s64", ask);
  }
  callAsked(ask: Ask): void {
    this.code.u8(W.call);
    this.asked("u32", ask);
  }
  callRuntime(name: string): void {
    this.callAsked({ kind: "runtime", name });
  }
  callHelper(name: HelperName): void {
    this.callAsked({ kind: "helper", name });
  }
  /** The number of a site (sites.ts). */
  site(site: number): void {
    this.i32Asked({ kind: "site", site });
  }
  /** A load or store instruction; the alignment hint is always 1 byte, as nothing depends on it. */
  memory(code: number, offset: number): void {
    this.code.u8(code);
    this.code.u32(0);
    this.code.u32(offset);
  }
  /** A load or store of a byte of the coverage table, as far behind the numbered one as the address on the stack says. */
  covered(code: number, number: number): void {
    this.code.u8(code);
    this.code.u32(0);
    this.asked("u32", { kind: "coverage-address", number });
  }
  block(): void {
    this.code.u8(W.block);
    this.code.u8(0x40);
  }
  /** `if` without a result that is hardly ever entered. */
  ifUnlikely(): void {
    this.hints.push({ offset: this.code.length, likely: false });
    this.code.u8(W.if);
    this.code.u8(0x40);
  }
  brIf(depth: number): void {
    this.code.u8(W.br_if);
    this.code.u32(depth);
  }
  brIfUnlikely(depth: number): void {
    this.hints.push({ offset: this.code.length, likely: false });
    this.brIf(depth);
  }
  brIfLikely(depth: number): void {
    this.hints.push({ offset: this.code.length, likely: true });
    this.brIf(depth);
  }
  end(): void {
    this.code.u8(W.end);
  }
  zero(type: WasmValueType): void {
    switch (type) {
      case "i32":
        this.i32(0);
        return;
      case "i64":
        this.i64(0n);
        return;
      case "f32":
        this.code.u8(W.f32_const);
        this.code.fixed(0n, 4);
        return;
      case "f64":
        this.code.u8(W.f64_const);
        this.code.fixed(0n, 8);
    }
  }

  // ------------------------------------------------------------ locals

  /** A scratch local until the end of the current instruction. */
  temp(type: WasmValueType): number {
    const local = this.freeTemps[type].pop() ?? this.newLocal(type);
    this.temps.push({ type, local });
    return local;
  }
  releaseTemps(): void {
    for (const { type, local } of this.temps) this.freeTemps[type].push(local);
    this.temps.length = 0;
  }
  /** A local for the whole function. */
  newLocal(type: WasmValueType): number {
    this.placement.localTypes.push(type);
    return this.firstLocal + this.placement.localTypes.length - 1;
  }

  // ------------------------------------------------------------ values

  /** Puts part `k` of the value on the stack. */
  push(value: Value, k = 0): void {
    switch (value.kind) {
      case "instruction": {
        const local = this.placement.local[value.id];
        if (local >= 0) this.get(local + k);
        else if (local === DEFERRED) this.emitInstruction(this, value);
        else throw new ShapeError(`a use of ${value.op} that has no value`);
        return;
      }
      case "argument":
        this.get(this.argumentLocals[(value as Argument).index] + k);
        return;
      case "asm":
      case "metadata":
        throw new ShapeError(`${value.kind} as a value`);
      default:
        this.pushConstant(value, k);
    }
  }
  pushAll(value: Value): void {
    const count = partsOf(value.type).length;
    for (let k = 0; k < count; k++) this.push(value, k);
  }
  /** A local that holds part k: the value's own, or a temporary filled now. */
  local(value: Value, k = 0): number {
    if (value.kind === "argument") return this.argumentLocals[value.index] + k;
    if (value.kind === "instruction" && this.placement.local[value.id] >= 0) return this.placement.local[value.id] + k;
    const temp = this.temp(partsOf(value.type)[k].wasm);
    this.push(value, k);
    this.set(temp);
    return temp;
  }
  pushConstant(value: Constant, k: number): void {
    const part = partsOf(value.type)[k];
    switch (value.kind) {
      case "int":
        this.pushBits(part, value.value >> BigInt(64 * k));
        return;
      case "float":
        this.pushBits(part, value.bits >> BigInt(64 * k));
        return;
      case "zero":
      case "undef":
        this.zero(part.wasm);
        return;
      case "global":
        this.i64Asked({ kind: "address", ref: value });
        return;
      case "blockaddress":
        this.i64(BigInt(this.module.blockAddress(value)));
        return;
      case "bytes":
        this.pushBits(part, BigInt(value.bytes[k]));
        return;
      case "aggregate": {
        let first = 0;
        for (const element of value.elements) {
          const count = partsOf(element.type).length;
          if (k < first + count) {
            this.pushConstant(element, k - first);
            return;
          }
          first += count;
        }
        throw new ShapeError("a constant with too few elements");
      }
      case "constexpr":
        this.i64Asked({ kind: "constant", constant: value });
        if (part.wasm === "i32") this.op(W.i32_wrap_i64);
        return;
    }
  }
  /** A constant part from its bit pattern (extra high bits are cut). */
  pushBits(part: Part, bits: bigint): void {
    switch (part.wasm) {
      case "i32":
        this.i32(Number(BigInt.asIntN(32, BigInt.asUintN(part.bits, bits))));
        return;
      case "i64":
        this.i64(BigInt.asUintN(part.bits, bits));
        return;
      case "f32":
        this.code.u8(W.f32_const);
        this.code.fixed(BigInt.asUintN(32, bits), 4);
        return;
      case "f64":
        this.code.u8(W.f64_const);
        this.code.fixed(BigInt.asUintN(64, bits), 8);
    }
  }

  /** Stores the parts on the stack into the instruction's local, or drops them. */
  settle(i: Instruction): void {
    const local = this.placement.local[i.id];
    const count = partsOf(i.type).length;
    if (local === NOWHERE) for (let k = 0; k < count; k++) this.op(W.drop);
    else for (let k = count - 1; k >= 0; k--) this.set(local + k);
  }

  /** Cuts the i32 or i64 on the stack to its low bits. */
  mask(part: Part): void {
    if (part.wasm === "i32") {
      if (part.bits >= 32) return;
      this.i32(2 ** part.bits - 1);
      this.op(W.i32_and);
    } else if (part.wasm === "i64" && part.bits < 64) {
      this.i64((1n << BigInt(part.bits)) - 1n);
      this.op(W.i64_and);
    }
  }
  /** Sign-extends the zero-extended value on the stack to its whole WebAssembly width. */
  signExtend(part: Part): void {
    const wide = part.wasm === "i64";
    const width = wide ? 64 : 32;
    if (part.bits === width) return;
    if (part.bits === 8) this.op(wide ? W.i64_extend8_s : W.i32_extend8_s);
    else if (part.bits === 16) this.op(wide ? W.i64_extend16_s : W.i32_extend16_s);
    else if (part.bits === 32) this.op(W.i64_extend32_s);
    else if (wide) {
      this.i64(BigInt(width - part.bits));
      this.op(W.i64_shl);
      this.i64(BigInt(width - part.bits));
      this.op(W.i64_shr_s);
    } else {
      this.i32(width - part.bits);
      this.op(W.i32_shl);
      this.i32(width - part.bits);
      this.op(W.i32_shr_s);
    }
  }

  /** The code that follows comes from here. */
  mark(loc: DebugLoc | null): void {
    if (loc === null || loc === this.lastLoc) return;
    this.lastLoc = loc;
    this.marks.push({ offset: this.code.length, loc });
  }

  /** Marks what `emit` writes with a location of its own. */
  markedAs(loc: DebugLoc | null, emit: () => void): void {
    const around = this.lastLoc;
    this.mark(loc);
    emit();
    this.mark(around);
  }

  /** Ends the run: something we cannot translate was reached. */
  unsupported(what: string): void {
    this.i32Asked({ kind: "unsupported", what, functionName: this.name });
    this.call(this.module.host("unsupported"));
    this.op(W.unreachable);
  }

  memberParts(value: Value, indices: readonly number[]): { readonly first: number; readonly count: number } {
    const member = memberOf(value.type, indices);
    return { first: member.first, count: partsOf(member.type).length };
  }

  finish(longRunning: number): FunctionDraft {
    const out = new ByteWriter(64);
    const runs: { type: WasmValueType; count: number }[] = [];
    for (const type of this.placement.localTypes) {
      const last = runs[runs.length - 1];
      if (last !== undefined && last.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    out.u32(runs.length);
    for (const run of runs) {
      out.u32(run.count);
      out.u8(VALUE_TYPE[run.type]);
    }
    const { holes, marks, bases, hints } = this;
    return { locals: out.finish(), code: this.code.finish(), holes, marks, bases, hints, longRunning };
  }
}
