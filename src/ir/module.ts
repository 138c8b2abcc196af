// A module is one translation unit's IR. Bodies and initialisers are parsed on first use: a program links hundreds of
// libc and library functions it never reaches, and finding a definition's extent in the text is far cheaper than
// parsing it. Linking does not copy or rename anything: every reference points to its own module's GlobalValue, and
// linking sets that value's `resolved` to the definition chosen for the whole program.

import type { DataLayout } from "./data-layout.js";
import type { DebugInfo } from "./debug-info.js";
import type { FunctionType, Type } from "./types.js";
import type { Body, Constant, ParamAttributes } from "./values.js";

export type Linkage =
  | "external"
  | "internal" // and private
  | "weak" // weak, weak_odr
  | "linkonce" // linkonce, linkonce_odr
  | "common"
  | "extern_weak"
  | "available_externally"
  | "appending";

/** Where a module comes from. Trusted modules are our runtime's own unchecked code. */
export type Origin = "program" | "libc" | "runtime" | "trusted";

/** A shared library that a module belongs to. */
export interface SharedLibrary {
  readonly name: string;
  /** The names that it gives to others; all else it defines is its own. */
  readonly exports: ReadonlySet<string>;
}

interface GlobalBase {
  readonly name: string;
  readonly module: Module;
  readonly linkage: Linkage;
  readonly hidden: boolean;
  /** The definition that stands for this symbol in the linked program: set by the linker. Null: undefined symbol. */
  resolved: GlobalDefinition | null;
}
export interface GlobalVariable extends GlobalBase {
  readonly kind: "variable";
  readonly isDeclaration: boolean;
  readonly valueType: Type;
  readonly constant: boolean;
  readonly threadLocal: boolean;
  /** 0 if unspecified: use the preferred alignment. */
  readonly align: number;
  readonly section: string | null;
  /** Metadata id of its debug expression, -1 if none (private constants have none). */
  readonly debugId: number;
  /** Parsed on first call. Null for declarations. */
  initializer(): Constant | null;
}
export interface FunctionAttributes {
  readonly noreturn: boolean;
  readonly returnsTwice: boolean;
  readonly alwaysInline: boolean;
  readonly noInline: boolean;
  readonly naked: boolean;
  /** Declared `const` or `pure` in C. */
  readonly valueOnly: boolean;
}
export interface IrFunction extends GlobalBase {
  readonly kind: "function";
  readonly isDeclaration: boolean;
  readonly type: FunctionType;
  readonly params: readonly ParamAttributes[];
  readonly attributes: FunctionAttributes;
  /** Metadata id of its DISubprogram, -1 if none. */
  readonly debugId: number;
  /**
   * Parses the body anew at each call (passes change it in place; the text is the source of truth). Throws IrError for
   * malformed text. Null for declarations.
   */
  parseBody(): Body | null;
  /**
   * The globals whose names stand in the body's text, without parsing it (may name too many, never too few). Without
   * this method the linker parses the body to find them.
   */
  references?(): readonly GlobalValue[];
  /** With how often each is mentioned; absent for what was not read from text. */
  countedReferences?(): ReadonlyMap<GlobalValue, number>;
  /** Does the body's text mention x86_fp80? Then generated code needs the runtime's soft floats. */
  mentionsFloat80?(): boolean;
  /** It stands for a function that is defined nowhere: why a call of it ends the run. */
  readonly absent?: string;
}
/** An alias or an ifunc's resolver (ifuncs are not supported: `ifunc` is true). */
export interface Alias extends GlobalBase {
  readonly kind: "alias";
  readonly isDeclaration: false;
  readonly valueType: Type;
  readonly ifunc: boolean;
  aliasee(): Constant;
}
export type GlobalValue = GlobalVariable | IrFunction | Alias;
/** What a symbol may resolve to. An alias resolves to what it names, unless it names the middle of something. */
export type GlobalDefinition = GlobalVariable | IrFunction | Alias;

export interface Module {
  /** Names the module in messages: the source file or the IR file. */
  readonly name: string;
  readonly origin: Origin;
  /** Null or absent: linked statically. */
  readonly library?: SharedLibrary | null;
  readonly globals: ReadonlyMap<string, GlobalValue>;
  readonly debug: DebugInfo;
  /** The same for all modules of one text, name and origin, and for no others. */
  readonly content: string;
  /** Sizes and alignments, which may differ between compilers (i128 before LLVM 18). */
  readonly layout: DataLayout;
  /** `module asm` lines; not executed, but reported. */
  readonly moduleAsm: readonly string[];
}

/** Malformed IR: which module, which line, what was expected. */
export class IrError extends Error {
  constructor(
    readonly moduleName: string,
    readonly line: number,
    problem: string,
  ) {
    super(`${moduleName}:${line}: ${problem}`);
  }
}
