// What all functions of a program share while they are translated: the numbers of functions, types, addresses and host
// imports, and the small functions the translation itself needs (byte swapping, mismatched calls, constructors).
//
// Function index space: host imports | the program's functions in table order | functions made here.

import type { DataLayout } from "../ir/data-layout.js";
import type { LinkedProgram, StructorEntry } from "../ir/link.js";
import type { GlobalDefinition, GlobalValue, GlobalVariable, IrFunction } from "../ir/module.js";
import type { BlockAddress, Constant, GlobalRef, Instruction } from "../ir/values.js";
import { HOST_FUNCTIONS, type HostFunction, type HostName, OBSERVER, OBSERVER_FUNCTION } from "./boundary.js";
import { ByteWriter } from "./byte-writer.js";
import { constantValue } from "./constant-value.js";
import type { Ask } from "./function-draft.js";
import { type GlobalLayout, layoutGlobals, type Rooms } from "./globals.js";
import { HELPERS, type HelperName } from "./helpers.js";
import type { Signature } from "./image.js";
import { BLOCK_ADDRESS_BASE, COVERAGE_BASE, FRAME_MAGIC, FUNCTION_BASE, FUNCTION_STRIDE } from "./memory-layout.js";
import { emitMismatchCarrier, emitMismatchResolver } from "./mismatch.js";
import { ShapeError } from "./shape.js";
import { type SignatureEntry, SignatureTable } from "./signature-table.js";
import { SiteTable } from "./sites.js";
import { SYMBOLIC_FUNCTIONS, type SymbolicFunctionName } from "./symbolic-boundary.js";
import { UnsetTable } from "./unset-values.js";
import { W } from "./wasm.js";

/** Labels of one function lie this far apart at the most. */
const BLOCK_ADDRESS_STRIDE = 0x4000;

export interface MadeFunction {
  readonly name: string;
  readonly typeIndex: number;
  readonly body: Uint8Array;
}

const HOST_NAMES = Object.keys(HOST_FUNCTIONS) as HostName[];
const ALL_NAMES = [...HOST_NAMES, ...(Object.keys(SYMBOLIC_FUNCTIONS) as SymbolicFunctionName[])];
const HOST_INDEX = Object.fromEntries(ALL_NAMES.map((name, n) => [name, n])) as Readonly<
  Record<HostName | SymbolicFunctionName, number>
>;

export class ModuleBuilder {
  readonly signatures: SignatureTable;
  readonly globals: GlobalLayout;
  readonly made: MadeFunction[] = [];
  /** Table entries after the program's functions: function indices of mismatch carriers, with their signature. */
  readonly carriers: { readonly functionIndex: number; readonly signature: Signature }[] = [];
  readonly unsupportedList: { readonly what: string; readonly functionName: string }[] = [];
  readonly statistics = { checks: 0 };
  /** Questions for labels, whose numbers depend on who asked before. */
  labelsAsked = 0;
  private readonly unsupportedIndex = new Map<string, number>();
  private readonly helperIndex = new Map<HelperName, number>();
  private readonly structorIndex = new Map<boolean, number>();
  private readonly blockBases = new Map<string, number>();
  private readonly labels = new Map<string, Map<string, number>>();
  private readonly runtimeIndex = new Map<string, number>();

  readonly sites = new SiteTable();
  readonly unsetValues = new UnsetTable();
  /** Numbers of the instructions that are observed (observed.ts). */
  readonly places = new Map<Instruction, number>();
  /** The imported functions in order. */
  readonly imports: readonly (readonly [string, HostFunction])[];

  constructor(
    readonly program: LinkedProgram,
    readonly layout: DataLayout,
    /** Values have shadows (shadow-pass.ts), and the symbolic functions of the boundary are imported. */
    readonly shadows: boolean,
    /** Computed addresses that are dereferenced are noted. */
    readonly sensitive: boolean = false,
    isObserved = false,
    /** Shadows say which bits were never set; so do the states of new memory. */
    readonly definedness = false,
    rooms?: Rooms,
  ) {
    const names = shadows ? ALL_NAMES : HOST_NAMES;
    this.imports = [
      ...names.map((name) => [name, { ...HOST_FUNCTIONS, ...SYMBOLIC_FUNCTIONS }[name]] as const),
      ...(isObserved ? [[OBSERVER, OBSERVER_FUNCTION] as const] : []),
    ];
    this.signatures = new SignatureTable(program.functions);
    this.globals = layoutGlobals(program.variables, layout, rooms);
  }

  // ------------------------------------------------------------ functions

  host(name: HostName | SymbolicFunctionName): number {
    return HOST_INDEX[name];
  }
  /** Only where places are observed. */
  get observer(): number {
    return this.importCount - 1;
  }
  get importCount(): number {
    return this.imports.length;
  }
  functionIndex(fn: IrFunction): number {
    const index = this.signatures.indexOf(fn);
    if (index === undefined) throw new ShapeError(`a call of ${fn.name}, which was thought unreachable`);
    return this.importCount + index;
  }
  /** A function of the runtime or libc that generated code calls. */
  runtime(name: string): number {
    let index = this.runtimeIndex.get(name);
    if (index === undefined) {
      const found = this.program.lookup(name);
      const fn = found === null ? null : this.resolveFunction(found);
      if (fn === null) throw new ShapeError(`a use of ${name}, which the runtime does not define`);
      index = this.functionIndex(fn);
      this.runtimeIndex.set(name, index);
    }
    return index;
  }
  /** The function a symbol stands for in the program, through aliases; null if it is none. */
  resolveFunction(value: GlobalValue): IrFunction | null {
    let at: GlobalDefinition | null = value.resolved;
    for (let steps = 0; at !== null && steps < 100; steps++) {
      if (at.kind === "function") return this.signatures.indexOf(at) === undefined ? null : at;
      if (at.kind !== "alias") return null;
      const aliasee: Constant = at.aliasee();
      if (aliasee.kind !== "global") return null;
      at = aliasee.target.resolved;
    }
    return null;
  }
  typeIndex(signature: Signature): number {
    return this.signatures.entryOf(signature).typeIndex;
  }

  private make(name: string, signature: Signature, body: Uint8Array): number {
    this.made.push({ name, typeIndex: this.typeIndex(signature), body });
    return this.importCount + this.signatures.functions.length + this.made.length - 1;
  }
  helper(name: HelperName): number {
    let index = this.helperIndex.get(name);
    if (index === undefined) {
      const helper = HELPERS[name];
      index = this.make(`helper ${name}`, helper.signature, helper.body());
      this.helperIndex.set(name, index);
    }
    return index;
  }
  /** (pointer: i64) -> table index of a function of this signature that carries the call to the host. */
  mismatchResolver(entry: SignatureEntry): number {
    if (entry.resolver < 0) {
      const site = this.carriers.length;
      const carrier = this.make(`mismatched call`, entry.signature, emitMismatchCarrier(this, entry.signature, site));
      const tableIndex = this.signatures.functions.length + site;
      this.carriers.push({ functionIndex: carrier, signature: entry.signature });
      const resolver = emitMismatchResolver(this, tableIndex, this.signatures.functions.length);
      entry.resolver = this.make(`indirect call`, { params: ["i64"], results: ["i32"] }, resolver);
    }
    return entry.resolver;
  }
  /** A function that calls the program's constructors (or destructors) in order. */
  structors(constructors: boolean): number {
    let index = this.structorIndex.get(constructors);
    if (index === undefined) {
      const entries = constructors ? this.program.constructors : this.program.destructors;
      const name = constructors ? "constructors" : "destructors";
      index = this.make(name, { params: [], results: [] }, this.structorBody(entries));
      this.structorIndex.set(constructors, index);
    }
    return index;
  }
  private structorBody(entries: readonly StructorEntry[]): Uint8Array {
    const out = new ByteWriter(64);
    out.u32(0);
    for (const { target } of entries) {
      const { params, results } = this.signatures.entries[this.entryIndex(target)].signature;
      // musl passes constructors (argc, argv, envp); those that take parameters get zeroes.
      for (const param of params) {
        if (param === "i32" || param === "i64") out.u8(param === "i32" ? W.i32_const : W.i64_const);
        else throw new ShapeError("a constructor with floating-point parameters");
        out.u8(0);
      }
      out.u8(W.call);
      out.u32(this.functionIndex(target));
      for (const _ of results) out.u8(W.drop);
    }
    out.u8(W.end);
    return out.finish();
  }
  private entryIndex(fn: IrFunction): number {
    const index = this.signatures.indexOf(fn) as number;
    return this.signatures.entries.findIndex(
      (entry) =>
        entry.tableCount > 0 && index >= entry.firstTableIndex && index < entry.firstTableIndex + entry.tableCount,
    );
  }

  /** What a function's draft asks. */
  answer(ask: Ask): number | bigint {
    switch (ask.kind) {
      case "function":
        return this.functionIndex(ask.fn);
      case "runtime":
        return this.runtime(ask.name);
      case "helper":
        return this.helper(ask.name);
      case "type":
        return this.typeIndex(ask.signature);
      case "first":
        return this.signatures.entryOf(ask.signature).firstTableIndex;
      case "first-address":
        return FUNCTION_BASE + FUNCTION_STRIDE * this.signatures.entryOf(ask.signature).firstTableIndex;
      case "count":
        return this.signatures.entryOf(ask.signature).tableCount;
      case "resolver":
        return this.mismatchResolver(this.signatures.entryOf(ask.signature));
      case "structors":
        return this.structors(ask.constructors);
      case "address":
        return this.addressOf(ask.ref);
      case "constant":
        return this.constantAddress(ask.constant);
      case "thread-locals":
        return this.globals.threadLocals[ask.part];
      case "site":
        return ask.site;
      case "frame":
        return BigInt(FRAME_MAGIC) | (BigInt(ask.frame) << 32n);
      case "coverage":
        return ask.number;
      case "coverage-address":
        return COVERAGE_BASE + ask.number;
      case "unsupported":
        return this.unsupported(ask.what, ask.functionName);
    }
  }

  // ------------------------------------------------------------ addresses

  addressOf(ref: GlobalRef): number {
    let at: GlobalDefinition | null = ref.target.resolved;
    for (let steps = 0; at !== null && steps < 100; steps++) {
      if (at.kind !== "alias") return this.addressOfDefinition(at);
      const aliasee: Constant = at.aliasee();
      if (aliasee.kind !== "global") return this.constantAddress(aliasee);
      at = aliasee.target.resolved;
    }
    if (ref.target.linkage === "extern_weak") return 0;
    throw new ShapeError(`the address of ${ref.target.name}, which is defined nowhere`);
  }
  addressOfDefinition(definition: IrFunction | GlobalVariable): number {
    if (definition.kind === "function") return this.functionAddress(definition);
    const address = this.globals.addresses.get(definition);
    if (address === undefined) throw new ShapeError(`the address of ${definition.name}, which was thought unreachable`);
    return address;
  }
  /** What the name stands for, if it is the whole of one function or variable. */
  definitionOf(ref: GlobalRef): IrFunction | GlobalVariable | null {
    let at: GlobalDefinition | null = ref.target.resolved;
    for (let steps = 0; at !== null && at.kind === "alias" && steps < 100; steps++) {
      const aliasee: Constant = at.aliasee();
      at = aliasee.kind === "global" ? aliasee.target.resolved : null;
    }
    return at === null || at.kind === "alias" ? null : at;
  }
  private functionAddress(fn: IrFunction): number {
    const index = this.signatures.indexOf(fn);
    if (index === undefined) throw new ShapeError(`the address of ${fn.name}, which was thought unreachable`);
    return FUNCTION_BASE + FUNCTION_STRIDE * index;
  }
  constantAddress(constant: Constant): number {
    return Number(constantValue(constant, this));
  }

  /** Labels: a base per function plus a number per label, in the order in which they are first asked for. */
  blockAddressBase(functionName: string): number {
    this.labelsAsked++;
    let base = this.blockBases.get(functionName);
    if (base === undefined) {
      base = BLOCK_ADDRESS_BASE + BLOCK_ADDRESS_STRIDE * this.blockBases.size;
      this.blockBases.set(functionName, base);
    }
    return base;
  }
  labelAddress(functionName: string, label: string): number {
    const base = this.blockAddressBase(functionName);
    let numbers = this.labels.get(functionName);
    if (numbers === undefined) {
      numbers = new Map();
      this.labels.set(functionName, numbers);
    }
    const number = numbers.get(label) ?? numbers.size;
    if (number >= BLOCK_ADDRESS_STRIDE) throw new ShapeError("a function of so many labels");
    numbers.set(label, number);
    return base + number;
  }
  blockAddress(constant: BlockAddress): number {
    const fn = this.resolveFunction(constant.target);
    return this.labelAddress(fn === null ? constant.target.name : this.uniqueName(fn), constant.label);
  }
  /** Two static functions may have one name. */
  uniqueName(fn: IrFunction): string {
    return `${fn.name}#${this.signatures.indexOf(fn)}`;
  }

  // ------------------------------------------------------------ diagnostics

  unsupported(what: string, functionName: string): number {
    const key = `${what}\n${functionName}`;
    let index = this.unsupportedIndex.get(key);
    if (index === undefined) {
      index = this.unsupportedList.length;
      this.unsupportedList.push({ what, functionName });
      this.unsupportedIndex.set(key, index);
    }
    return index;
  }
}
