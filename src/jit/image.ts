// What the JIT produces: the WebAssembly module and the tables that explain it (for stack traces, findings, coverage).
// Plain data, so that it can be cached on disk as it is.

import type { Site } from "./symbolic-boundary.js";

export interface FunctionInfo {
  readonly name: string;
  readonly origin: "program" | "libc" | "runtime" | "trusted";
  readonly file: string | null;
  readonly line: number;
}
/** A position in the source with the call it was inlined at (index into `locations`, -1 if none). */
export interface LocationInfo {
  readonly functionName: string;
  readonly origin: FunctionInfo["origin"];
  /** Empty, and the line 0, for a function compiled without debug information. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly inlinedAt: number;
}
/** A variable with static storage: [address, address + size). */
export interface GlobalInfo {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly constant: boolean;
  readonly file: string | null;
  readonly line: number;
}
/** A function's stack frame. Its first 16 bytes are a redzone that begins with (FRAME_MAGIC, index in `frames`). */
export interface FrameInfo {
  readonly functionName: string;
  readonly size: number;
  readonly slots: readonly FrameSlot[];
}
export interface FrameSlot {
  /** The variable's name, or null. */
  readonly name: string | null;
  /** From the frame's low end. */
  readonly offset: number;
  readonly size: number;
  readonly line: number;
}
export interface CoverageBlock {
  readonly functionIndex: number;
  /** Source lines of the block's instructions as indices into `locations`; consecutive duplicates removed. */
  readonly locations: readonly number[];
  /** Instructions of the IR, our own checks not counted. */
  readonly instructions: number;
  /** Coverage numbers of the blocks that may follow in the same function. */
  readonly successors: readonly number[];
  /** Functions that it calls by name, as indices into `functions`. */
  readonly calls: readonly number[];
  /** Coverage numbers of the sides of conditional values (`select`) computed in the block: entries without instructions. */
  readonly choices: readonly number[];
}
/** What a value is that was never set: of a local variable, or (null) of something without a name. */
export interface UnsetValue {
  readonly bits: number;
  readonly name: string | null;
  readonly line: number;
  readonly file: string | null;
  readonly functionName: string;
}
export type WasmValueType = "i32" | "i64" | "f32" | "f64";
export interface Signature {
  readonly params: readonly WasmValueType[];
  readonly results: readonly WasmValueType[];
  /** The last parameter is the address of the variadic arguments, laid out as frame.ts says. */
  readonly variadic?: true;
}
/** A parameter of a function as LLVM IR has it: clang may make two of a structure passed in registers. */
export interface ParameterShape {
  /** Significant bits of each part; the parts of all parameters, in order, are those of the function's signature. */
  readonly bits: readonly number[];
  readonly pointer: boolean;
  /** A structure passed by value: the bytes of the copy that the pointer leads to; 0 for everything else. */
  readonly copiedBytes: number;
}
export interface FunctionShape {
  readonly parameters: readonly ParameterShape[];
  readonly result: readonly number[];
  /** The signature then ends with the address of the further arguments. */
  readonly variadic: boolean;
}
/** A literal of the program's tests that can be input: constants that the tests hand to the code under test. */
export interface LiteralInfo {
  /** As in support/literal-names.ts. */
  readonly name: string;
  readonly address: number;
  /** Without the zero that ends a string, and without what is beyond the limit for one literal. */
  readonly bytes: readonly number[];
  /** Of a string: by how many bytes it may be longer. Behind it there is as much that nobody may touch unless it is. */
  readonly room?: number;
  /** Where it is used: it can only matter on a run that comes by one of these places. */
  readonly uses: readonly { readonly file: string; readonly line: number }[];
}
/** What of a program is test, not code under test (program/test-units.ts). */
/** A place in the library where a pointer that the tests handed to it is used or handed on; or one in the tests where they hand it over. */
export interface HandedPointer {
  /** file:line:column */
  readonly place: string;
  /** Parameters of the function there that are used. */
  readonly uses: readonly number[];
  /** Of a call there: which argument is which parameter. */
  readonly passes: readonly (readonly [number, number])[];
  /** The same of pointers that stand in what a parameter leads to. */
  readonly usesWithin?: readonly number[];
  readonly passesWithin?: readonly (readonly [number, number])[];
  /** Of a call in the tests: arguments that are variables of theirs which a call has filled of whose result they know nothing. */
  readonly unasked?: readonly number[];
}

export interface TestCode {
  /** Whether the program's name and place say that it is a test: surely, perhaps, or not at all. */
  readonly named: "surely" | "perhaps" | "no";
  /** Source files that are the tests' own; all others are under test. */
  readonly files: readonly string[];
  readonly literals: readonly LiteralInfo[];
  /** Where the tests pass numbers that are the size of something beside them: they stay as they are. */
  readonly sizes?: readonly { readonly file: string; readonly line: number }[];
  readonly handed?: readonly HandedPointer[];
  /** Where the code under test uses a format that it was given, together with values (file:line:column). */
  readonly formats?: readonly string[];
}
/** A function of the program as its source has it (program/source-functions.ts). */
export interface SourceFunction {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** Several others hand memory to it, and it calls nothing of the program. */
  readonly shared: boolean;
}
/** What the compiler has read under a name. */
export interface SourceFile {
  readonly path: string;
  /** MD5, in hexadecimal digits. */
  readonly content: string;
}
export interface ProgramImage {
  readonly wasm: Uint8Array;
  /** Functions imported from the host: they come first in the module's numbering. */
  readonly importCount: number;
  /** By WebAssembly function index minus the number of imports. */
  readonly functions: readonly FunctionInfo[];
  /** Sorted byte offsets in the module; the instruction at or after codeOffsets[i] is at locations[codeLocations[i]]. */
  readonly codeOffsets: Uint32Array;
  readonly codeLocations: Uint32Array;
  readonly locations: readonly LocationInfo[];
  /**
   * What addresses were computed from (access-base.ts), four numbers for each access: where its code begins and ends, and the base
   * of what it reads and writes.
   */
  readonly accessBases?: readonly number[] | undefined;
  readonly globals: readonly GlobalInfo[];
  readonly frames: readonly FrameInfo[];
  /** By byte at COVERAGE_BASE; empty if translated without coverage. */
  readonly coverage: readonly CoverageBlock[];
  /** What `unsupported(i)` means. */
  readonly unsupported: readonly { readonly what: string; readonly functionName: string }[];
  /** Decisions and checks on symbolic values; empty if translated without shadows. */
  readonly sites: readonly Site[];
  /** Shadow n of a program translated with definedness is entry n - 1; absent or empty in all others. */
  readonly unsetValues?: readonly UnsetValue[];
  /** The caller's view of a mismatched call, and each table entry's signature. */
  readonly mismatchSites: readonly Signature[];
  readonly tableSignatures: readonly Signature[];
  /** By table index: index into `functions`. */
  readonly tableFunctions: readonly number[];
  /** By index into `functions`, without those that the translation made; empty if translated without hooks. */
  readonly shapes: readonly FunctionShape[];
  /** Indices into `globals` of the variables of the program itself; empty if translated without hooks. */
  readonly programGlobals: readonly number[];
  /** Null or absent if there is no code under test beside the tests' own, or nobody has looked. */
  readonly tests?: TestCode | null;
  /** Functions of the program that many others call (program/often-called.ts). */
  readonly oftenCalled?: readonly string[];
  /** Of the program itself, as far as they were compiled with debug information. */
  readonly sources?: { readonly functions: readonly SourceFunction[]; readonly files: readonly SourceFile[] };
  /** First address after the globals. */
  readonly globalsEnd: number;
  readonly statistics: {
    readonly irInstructions: number;
    readonly functionsTranslated: number;
    /** Those that V8 is not to optimise (load-module.ts). */
    readonly functionsTooLarge: number;
    readonly checks: number;
    readonly checksRemoved: number;
  };
}
