// Puts a shadow beside every value of a function that may be symbolic (after SymCC): an ordinary SSA value of
// type i32, 0 for concrete, else the index of an expression. Shadows are made by `shadow` instructions, which test the
// shadows of their operands and call the host only if one is set (emit-shadow.ts). It runs after all other passes, so
// that none of them has to know; placement, phis and control flow treat shadows like any value.
//
//   %c = add i32 %a, %b     becomes     %c = add i32 %a, %b
//                                       %c.s = shadow operate(add, 32) %a, %b, %a.s, %b.s
//
// Every load and store gets a `shadow` instruction as well, which is at once its check: the same state byte says whether
// the bytes may be touched and whether they are concrete. Shadows of arguments and results go through fixed places in
// memory, always written by the caller (callee), so that signatures, and with them calls through mismatched pointers, stay.
// A value of several parts (a 128-bit integer, a structure in registers, a vector) has one shadow per part.

import { readsWords } from "../ir/analysis/word-readers.js";
import type { DataLayout } from "../ir/data-layout.js";
import type { IrFunction } from "../ir/module.js";
import { I8, I32, intType, PTR, type Type, VOID } from "../ir/types.js";
import {
  type Argument,
  type Block,
  type Body,
  type ConstUndef,
  constInt,
  type ExtraOf,
  type Instruction,
  instruction,
  intValue,
  isTerminator,
  type Op,
  type ShadowExtra,
  type Value,
} from "../ir/values.js";
import type { ModuleBuilder } from "./module-builder.js";
import { sensitivityOf } from "./sensitivity.js";
import { addressTerms, splitAddresses } from "./shadow-addresses.js";
import { MayBeSymbolic } from "./shadow-analysis.js";
import { shadowTerminator } from "./shadow-branches.js";
import { CallShadows } from "./shadow-calls.js";
import { shadowOfCast } from "./shadow-casts.js";
import { shadowOfFloat } from "./shadow-floats.js";
import { NO_SHADOW, type Shadows } from "./shadow-values.js";
import { memberOf, memoryPartsOf, partsOf } from "./shape.js";
import {
  operationCode,
  PIN_REASON_CODES,
  type PinReasonName,
  type Site,
  type SymbolicOperation,
} from "./symbolic-boundary.js";

const DIVISIONS: ReadonlySet<string> = new Set(["udiv", "sdiv", "urem", "srem"]);

/** Numbers in the coverage table. */
export interface CoverageNumbers {
  /** Of the function's blocks. */
  readonly blocks: ReadonlyMap<Block, number>;
  /** Two more, for the sides of a conditional value in this block; null if it has no sides of its own, or the table is full. */
  choice(block: Block, select: Instruction): number | null;
}

/** `coverage`: null if the function is not counted. */
export function addShadows(module: ModuleBuilder, fn: IrFunction, body: Body, coverage: CoverageNumbers | null): void {
  splitAddresses(body, module.layout);
  new ShadowPass(module, fn, body, coverage).run();
}

export class ShadowPass {
  readonly layout: DataLayout;
  private readonly may: MayBeSymbolic;
  private readonly calls: CallShadows;
  private readonly shadows = new Map<Value, readonly Value[]>();
  private readonly functionIndex: number;
  private readonly wordReader: boolean;
  private out: Instruction[] = [];
  private current: Instruction | null = null;
  private currentBlock: Block | null = null;

  constructor(
    readonly module: ModuleBuilder,
    readonly fn: IrFunction,
    readonly body: Body,
    readonly coverage: CoverageNumbers | null,
  ) {
    this.layout = module.layout;
    this.functionIndex = module.signatures.indexOf(fn) ?? 0;
    this.wordReader = readsWords(fn);
    this.calls = new CallShadows(this);
    this.may = new MayBeSymbolic(body, this.calls, module.definedness);
  }

  run(): void {
    const phis: { readonly phi: Instruction; readonly shadows: Instruction[] }[] = [];
    for (const block of this.body.blocks) {
      for (const phi of block.instructions) {
        if (phi.op !== "phi") break;
        if (!this.may.has(phi)) continue;
        const shadows = partsOf(phi.type).map(() => instruction("phi", I32, [], null, phi.blocks, phi.loc));
        this.shadows.set(phi, shadows);
        phis.push({ phi, shadows });
      }
    }
    for (const block of this.body.blocks) this.block(block);
    for (const { phi, shadows } of phis) {
      shadows.forEach((shadow, k) => {
        shadow.operands = phi.operands.map((operand) => this.shadowsOf(operand)?.[k] ?? NO_SHADOW);
      });
    }
    removeUnused(this.body);
  }

  private block(block: Block): void {
    this.currentBlock = block;
    const old = block.instructions;
    this.out = [];
    let n = 0;
    for (; n < old.length && old[n].op === "phi"; n++) this.out.push(old[n]);
    for (let k = 0; k < n; k++) this.out.push(...((this.shadows.get(old[k]) as Instruction[] | undefined) ?? []));
    if (block.index === 0) this.arguments();
    for (; n < old.length; n++) {
      const i = old[n];
      this.current = i;
      if (isTerminator(i)) {
        shadowTerminator(this, i);
        this.out.push(i);
        continue;
      }
      const shadows = this.instruction(i);
      if (shadows !== null) this.shadows.set(i, shadows);
    }
    block.instructions = this.out;
  }

  // ------------------------------------------------------------ for the families

  shadowsOf(value: Value): Shadows {
    if (value.kind === "undef" && this.module.definedness) return this.neverSet(value);
    return this.shadows.get(value) ?? null;
  }
  /** The shadow of one part, NO_SHADOW if it is concrete. */
  shadowOf(value: Value, part = 0): Value {
    return this.shadowsOf(value)?.[part] ?? NO_SHADOW;
  }
  private neverSet({ type, variable = null }: ConstUndef): Shadows {
    const { unsetValues, signatures } = this.module;
    const functionName = signatures.functions[this.functionIndex]?.name ?? this.fn.name;
    return partsOf(type).map(({ bits }) => constInt(32, unsetValues.shadowOf(variable, bits, functionName)));
  }
  /**
   * Where definedness is followed: shadows of what depends on all bits of these, part by part. (A sum of floats is such a thing;
   * the host then says that all bits of the result are as undefined as the worst operand.)
   */
  dependsOnAll(type: Type, values: readonly Value[]): Shadows {
    let all: Value = NO_SHADOW;
    for (const value of values) {
      for (const shadow of this.shadowsOf(value) ?? []) {
        if (shadow === NO_SHADOW) continue;
        all = this.shadow({ what: "operate", code: operationCode("fadd", 64), parts: [0, 0] }, [
          ...[NO_SHADOW, NO_SHADOW],
          ...[all, shadow],
        ]);
      }
    }
    return all === NO_SHADOW ? null : partsOf(type).map(({ bits }) => this.resizeShadow(all, 64, bits, "trunc"));
  }
  /** Appends an instruction that the function had already. */
  keep(i: Instruction): void {
    this.out.push(i);
  }
  /** Appends a shadow instruction with a result. */
  shadow(extra: ShadowExtra, operands: Value[]): Instruction {
    return this.emit(extra, operands, I32);
  }
  /** Appends a shadow instruction without a result. */
  act(extra: ShadowExtra, operands: Value[]): void {
    this.emit(extra, operands, VOID);
  }
  private emit(extra: ShadowExtra, operands: Value[], type: typeof I32 | typeof VOID): Instruction {
    const made = instruction("shadow", type, operands, extra, undefined, this.current?.loc ?? null);
    this.out.push(made);
    return made;
  }
  site(kind: Site["kind"], more: Partial<Pick<Site, "successors" | "cases" | "width">> = {}): number {
    return this.module.sites.add({
      kind,
      functionIndex: this.functionIndex,
      loc: this.current?.loc ?? null,
      successors: more.successors ?? [],
      cases: more.cases ?? [],
      width: more.width ?? 0,
    });
  }
  /** An operation on one part of each of two values (or of one); NO_SHADOW if neither can be symbolic. */
  operate(operation: SymbolicOperation, width: number, values: Value[], parts: number[], toWidth = 0): Value {
    const shadows = values.map((value, n) => this.shadowOf(value, parts[n]));
    if (shadows.every((shadow) => shadow === NO_SHADOW)) return NO_SHADOW;
    return this.shadow({ what: "operate", code: operationCode(operation, width, toWidth), parts }, [
      ...values,
      ...shadows,
    ]);
  }
  /** Makes all parts of the value concrete on this path. */
  pin(value: Value, reason: PinReasonName): void {
    const shadows = this.shadowsOf(value);
    if (shadows === null) return;
    partsOf(value.type).forEach(({ bits }, part) => {
      if (shadows[part] === NO_SHADOW) return;
      const site = this.site("pin");
      this.act({ what: "pin", site, reason: PIN_REASON_CODES[reason], width: bits, part }, [value, shadows[part]]);
    });
  }
  pinOperands(i: Instruction, reason: PinReasonName): void {
    for (const operand of i.operands) this.pin(operand, reason);
  }

  // ------------------------------------------------------------ the instructions

  private arguments(): void {
    let slot = 0;
    const used = new Set<Value>();
    for (const block of this.body.blocks) for (const i of block.instructions) for (const o of i.operands) used.add(o);
    this.body.args.forEach((arg: Argument, n) => {
      const parts = partsOf(arg.type);
      // A structure passed by value is a copy whose address the caller made up.
      if (used.has(arg) && (this.fn.params[n]?.byval ?? null) === null) {
        this.shadows.set(
          arg,
          parts.map((_, k) => this.shadow({ what: "argument", slot: slot + k }, [])),
        );
      }
      slot += parts.length;
    });
  }

  private instruction(i: Instruction): Shadows {
    switch (i.op) {
      case "load":
        return this.load(i);
      case "store":
        return this.store(i);
      case "atomicrmw":
      case "cmpxchg":
        return this.atomic(i);
      case "call":
        return this.calls.call(i);
      case "check":
        this.check(i);
        this.keep(i);
        return null;
      case "fence":
      case "unsupported":
        this.keep(i);
        return null;
      case "shadow":
        // A side of a joined branch (join-branches.ts): the only one that is there before this pass.
        this.act(i.extra, [i.operands[0], this.shadowOf(i.operands[0])]);
        return null;
      case "alloca":
        this.pin(i.operands[0], "allocation-size");
        this.keep(i);
        return null;
      default: {
        if (!this.may.has(i)) {
          // A remainder of floats, and what has no symbolic operand at all.
          if (i.operands.some((operand) => this.may.has(operand))) this.pinOperands(i, "floating-point");
          this.keep(i);
          return null;
        }
        if (DIVISIONS.has(i.op)) return this.division(i);
        this.keep(i);
        return this.pure(i);
      }
    }
  }

  /** `i` has been appended. */
  private pure(i: Instruction): Shadows {
    const [a, b, c] = i.operands;
    switch (i.op) {
      case "add":
      case "sub":
      case "mul":
      case "shl":
      case "lshr":
      case "ashr":
      case "and":
      case "or":
      case "xor":
        return this.lanes(i, i.op, [a, b]);
      case "icmp":
        return this.lanes(i, i.extra.predicate, [a, b]);
      case "trunc":
      case "zext":
      case "sext":
      case "ptrtoint":
      case "inttoptr":
      case "bitcast":
        return shadowOfCast(this, i);
      case "addrspacecast":
      case "freeze":
        return this.shadowsOf(a);
      case "getelementptr":
        return this.address(i);
      case "select":
        return this.select(i, a, b, c);
      case "extractvalue": {
        const { first, type } = memberOf(a.type, i.extra.indices);
        return this.shadowsOf(a)?.slice(first, first + partsOf(type).length) ?? null;
      }
      case "insertvalue": {
        const { first, type } = memberOf(i.type, i.extra.indices);
        return this.replace(i, a, b, first, partsOf(type).length);
      }
      case "extractelement": {
        const index = intValue(b);
        if (index === null || a.type.kind !== "vector") return this.giveUp(i, "vector");
        const count = partsOf(i.type).length;
        return this.shadowsOf(a)?.slice(Number(index) * count, (Number(index) + 1) * count) ?? null;
      }
      case "insertelement": {
        const index = intValue(c);
        if (index === null) return this.giveUp(i, "vector");
        const count = partsOf(b.type).length;
        return this.replace(i, a, b, Number(index) * count, count);
      }
      case "shufflevector":
        return this.shuffle(i, a, b, i.extra.mask);
      default: {
        const shadows = shadowOfFloat(this, i);
        return shadows === undefined ? this.giveUp(i, "runtime") : shadows;
      }
    }
  }

  /** Pins every operand after the fact: the result is then what it is on this run. */
  giveUp(i: Instruction, reason: PinReasonName): Shadows {
    if (this.module.definedness) return this.dependsOnAll(i.type, i.operands);
    this.pinOperands(i, reason);
    return null;
  }

  /** An operation on scalars up to 128 bits, or lane by lane on vectors of scalars up to 64. */
  lanes(i: Instruction, operation: SymbolicOperation, values: Value[]): Shadows {
    const element = values[0].type.kind === "vector" ? values[0].type.element : values[0].type;
    const parts = partsOf(element);
    if (parts.length === 1) {
      return partsOf(values[0].type).map(({ bits }, k) =>
        this.operate(
          operation,
          bits,
          values,
          values.map(() => k),
        ),
      );
    }
    const bits = element.kind === "int" ? element.bits : 0;
    if (values[0].type.kind === "vector" || bits <= 64 || bits > 128 || values.length !== 2) {
      return this.giveUp(i, "runtime");
    }
    const shadows = values.flatMap((value) => [this.shadowOf(value, 0), this.shadowOf(value, 1)]);
    if (shadows.every((shadow) => shadow === NO_SHADOW)) return null;
    const whole = this.shadow({ what: "wide", code: operationCode(operation, bits) }, [...values, ...shadows]);
    if (i.op === "icmp") return [whole];
    return [
      this.shadow({ what: "slice", low: 0, width: 64 }, [whole]),
      this.shadow({ what: "slice", low: 64, width: bits - 64 }, [whole]),
    ];
  }

  private division(i: Instruction): Shadows {
    const [a, b] = i.operands;
    const parts = partsOf(i.type);
    if (parts.length === 1) {
      const site = this.site("division", { width: parts[0].bits });
      const code = operationCode(i.op as SymbolicOperation, parts[0].bits);
      const shadows = [this.shadowOf(a), this.shadowOf(b)];
      // Before the division: what it asks about must be on the path even if the division itself faults.
      const result = this.shadow({ what: "divide", site, code, parts: [0, 0] }, [a, b, ...shadows]);
      this.keep(i);
      return [result];
    }
    this.pin(b, "runtime");
    if (i.type.kind === "vector") this.pin(a, "vector");
    this.keep(i);
    return i.type.kind === "vector" ? null : this.lanes(i, i.op as SymbolicOperation, [a, b]);
  }

  private select(i: Instruction, condition: Value, then: Value, otherwise: Value): Shadows {
    if (condition.type.kind === "vector") return this.giveUp(i, "vector");
    const chosen = this.shadowOf(condition);
    if (chosen !== NO_SHADOW) this.coverChoice(i, condition);
    return partsOf(i.type).map(({ bits }, part) => {
      const a = this.shadowOf(then, part);
      const b = this.shadowOf(otherwise, part);
      if (chosen !== NO_SHADOW) {
        return this.shadow({ what: "choose", width: bits, part }, [condition, then, otherwise, chosen, a, b]);
      }
      if (a === NO_SHADOW && b === NO_SHADOW) return NO_SHADOW;
      const made = instruction("select", I32, [condition, a, b], null, undefined, i.loc);
      this.out.push(made);
      return made;
    });
  }

  /** clang makes `c ? a : b` a select where it can: no branch, but whoever counts branches of the source wants to see both sides. */
  private coverChoice(select: Instruction, condition: Value): void {
    const number = this.coverage?.choice(this.currentBlock as Block, select) ?? null;
    if (number !== null) this.act({ what: "cover-choice", number }, [condition]);
  }

  private replace(i: Instruction, whole: Value, member: Value, first: number, count: number): Shadows {
    const old = this.shadowsOf(whole);
    const fresh = this.shadowsOf(member);
    if (old === null && fresh === null) return null;
    return partsOf(i.type).map((_, k) =>
      k >= first && k < first + count ? (fresh?.[k - first] ?? NO_SHADOW) : (old?.[k] ?? NO_SHADOW),
    );
  }

  private shuffle(i: Instruction, a: Value, b: Value, mask: readonly number[]): Shadows {
    if (a.type.kind !== "vector") return this.giveUp(i, "vector");
    const count = partsOf(a.type.element).length;
    const lanes = a.type.count;
    return mask.flatMap((lane) =>
      Array.from({ length: count }, (_, k) => {
        if (lane < 0) return NO_SHADOW;
        return lane < lanes ? this.shadowOf(a, lane * count + k) : this.shadowOf(b, (lane - lanes) * count + k);
      }),
    );
  }

  private address(i: Instruction): Shadows {
    if (i.op !== "getelementptr") return null;
    if (i.type.kind !== "ptr") return this.giveUp(i, "vector");
    const { constant, terms } = addressTerms(i, this.layout);
    const base = i.operands[0];
    if (terms.length === 0) {
      if (constant === 0n) return this.shadowsOf(base);
      return [this.operate("add", 64, [base, constInt(64, constant)], [0, 0])];
    }
    return [this.operate("add", 64, [base, terms[0].index], [0, 0])];
  }

  // ------------------------------------------------------------ memory

  /**
   * Of the whole of a structure whose copy was taken apart (ir/passes/split-copies.ts): at a symbolic address it must be told
   * before it fails.
   */
  private check(i: Instruction): void {
    if (i.op !== "check" || this.shadowOf(i.operands[0]) === NO_SHADOW) return;
    const { size, write } = i.extra;
    const operands = [i.operands[0], constInt(64, size), this.shadowOf(i.operands[0]), NO_SHADOW];
    this.act({ what: "range", site: this.site("access"), write }, operands);
  }

  private load(i: Instruction): Shadows {
    if (i.op !== "load") return null;
    const pointer = i.operands[0];
    const parts = memoryPartsOf(i.type, this.layout);
    const site = this.site("access");
    const shadows = parts.map((part) => {
      const loaded = this.shadow(
        {
          what: "load",
          site,
          sensitive: sensitivityOf(pointer),
          size: part.bytes,
          offset: part.offset,
          align: part.offset === 0 ? i.extra.align : 1,
          checked: !this.wordReader,
        },
        [pointer, this.shadowBehind(pointer, part.offset)],
      );
      return this.resizeShadow(loaded, part.bytes * 8, part.bits, "trunc");
    });
    this.keep(i);
    return shadows;
  }

  private store(i: Instruction): Shadows {
    if (i.op !== "store") return null;
    const [value, pointer] = i.operands;
    const site = this.site("access");
    memoryPartsOf(value.type, this.layout).forEach((part, k) => {
      const shadow = this.resizeShadow(this.shadowOf(value, k), part.bits, part.bytes * 8, "zext");
      const { bytes: size, offset } = part;
      const align = offset === 0 ? i.extra.align : 1;
      const operands = [pointer, this.shadowBehind(pointer, offset), shadow];
      if (operands[1] !== NO_SHADOW) operands.push(value);
      this.act({ what: "store", site, sensitive: sensitivityOf(pointer), size, offset, align, part: k }, operands);
    });
    this.keep(i);
    return null;
  }

  /** The shadow of the address so many bytes behind a pointer. */
  private shadowBehind(pointer: Value, offset: number): Value {
    if (offset === 0) return this.shadowOf(pointer);
    return this.operate("add", 64, [pointer, constInt(64, offset)], [0, 0]);
  }

  /** A bit-field or boolean has fewer bits than its bytes in memory. */
  resizeShadow(shadow: Value, from: number, to: number, cast: "trunc" | "zext" | "sext"): Value {
    if (from === to || shadow === NO_SHADOW) return shadow;
    // The concrete value is not needed: an operation on one operand is asked for only if it has a shadow.
    return this.shadow({ what: "operate", code: operationCode(cast, from, to), parts: [0] }, [NO_SHADOW, shadow]);
  }

  private keepNew<O extends Op>(op: O, type: Type, operands: Value[], extra: ExtraOf[O]): Instruction {
    const made = instruction(op, type, operands, extra, undefined, this.current?.loc ?? null);
    this.out.push(made);
    return made;
  }
  private atomic(i: Instruction): Shadows {
    if (i.op !== "atomicrmw" && i.op !== "cmpxchg") return null;
    const pointer = i.operands[0];
    this.pin(pointer, "store-address");
    const site = this.site("access");
    for (const part of memoryPartsOf(i.extra.accessType, this.layout)) {
      const access = {
        site,
        sensitive: sensitivityOf(pointer),
        size: part.bytes,
        offset: part.offset,
        align: i.extra.align,
      };
      const loaded = this.shadow({ what: "load", checked: true, ...access }, [pointer, NO_SHADOW]);
      const type = intType(part.bytes * 8);
      const at = this.keepNew("getelementptr", PTR, [pointer, constInt(64, part.offset)], {
        sourceType: I8,
        inbounds: false,
      });
      const value = this.keepNew("load", type, [at], { accessType: type, align: 1, volatile: false, unchecked: true });
      const pinned = { what: "pin", site, reason: PIN_REASON_CODES.runtime, width: part.bytes * 8, part: 0 } as const;
      this.act(pinned, [value, loaded]);
      this.act({ what: "store", part: 0, ...access }, [pointer, NO_SHADOW, NO_SHADOW]);
    }
    this.pinOperands(i, "runtime");
    this.keep(i);
    return null;
  }

  coverageOf(block: Block): number {
    return this.coverage?.blocks.get(block) ?? -1;
  }
}

/** Shadows that nothing asks for: of results nobody uses, of values that are pinned anyway. */
const REMOVABLE: ReadonlySet<ShadowExtra["what"]> = new Set([
  ...(["operate", "compute", "choose", "wide", "slice", "argument", "result"] as const),
]);

function removeUnused(body: Body): void {
  const uses = new Map<Value, number>();
  for (const block of body.blocks) {
    for (const i of block.instructions) for (const o of i.operands) uses.set(o, (uses.get(o) ?? 0) + 1);
  }
  const isRemovable = (i: Instruction): boolean => i.op === "shadow" && REMOVABLE.has(i.extra.what);
  const unused: Instruction[] = [];
  const dead = new Set<Instruction>();
  for (const block of body.blocks) {
    for (const i of block.instructions) if (isRemovable(i) && !uses.has(i)) unused.push(i);
  }
  for (let i = unused.pop(); i !== undefined; i = unused.pop()) {
    dead.add(i);
    for (const operand of i.operands) {
      const left = (uses.get(operand) ?? 1) - 1;
      uses.set(operand, left);
      if (left === 0 && operand.kind === "instruction" && isRemovable(operand)) unused.push(operand);
    }
  }
  if (dead.size === 0) return;
  for (const block of body.blocks) block.instructions = block.instructions.filter((i) => !dead.has(i));
}
