// What is known of a program without running it, by the numbers of its image's blocks: where control may go, which functions a
// block may call, what its branches decide by, and where the values they decide by are made. Made from the linked IR on demand and
// cached beside the image. Plain data; the questions that searches ask are in graph-queries.ts.
//
// Only blocks of the program itself are counted. A call into libc that may call back (qsort, atexit, a signal handler) has what it
// may call back among its callees.

/** A number of `image.coverage`. */
export type BlockNumber = number;
/** An index into `image.functions`. */
export type FunctionNumber = number;

export interface ProgramGraph {
  readonly version: number;
  /** What indirect calls and memory were looked up with: see pointers.ts. */
  readonly precision: "points-to" | "types";
  /** By coverage number; the sides of conditional values (`choices`) have no successors and no callees. */
  readonly blocks: readonly GraphBlock[];
  /** By function: its first block, -1 if it is not counted. */
  readonly entries: readonly BlockNumber[];
  /** Named places of memory that conditions and definitions speak of. */
  readonly places: readonly GraphPlace[];
  readonly definitions: readonly Definition[];
  /** Words that the program knows: options, names in tables, texts that it compares its input with. */
  readonly words: readonly ProgramWord[];
  /** Functions in which a number became a pointer, or foreign code was called: nothing that depends on them is proven. */
  readonly untrusted: readonly FunctionNumber[];
  /** What is entered without a call of the program's: main, constructors, destructors, what the system calls. */
  readonly roots: readonly FunctionNumber[];
  /** Functions whose address is used for more than calling them: a pointer may lead to them. */
  readonly addressTaken: readonly FunctionNumber[];
}

export interface GraphBlock {
  readonly functionNumber: FunctionNumber;
  /** In the order of the terminator's. */
  readonly successors: readonly BlockNumber[];
  /** Functions of the program that a call in this block may enter. */
  readonly callees: readonly FunctionNumber[];
  /** A call in it never returns: the successors are not reached through it. */
  readonly stops: boolean;
  /** What it decides by; null if it has at most one successor, or nothing can be said. */
  readonly decision: Decides | null;
}

/** branch: successors are [if not 0, if 0]; switch: [default, ...] with the values that lead to each. */
export type Decides =
  | { readonly kind: "branch"; readonly condition: Term }
  | { readonly kind: "switch"; readonly value: Term; readonly cases: readonly (readonly string[])[] };

/**
 * A value as a small tree. Numbers are decimal texts, because they may have 128 bits. `read` tells apart what is read or called at
 * different instructions: the block times READS_PER_BLOCK, plus the instruction in it.
 */
export type Term =
  | { readonly kind: "number"; readonly value: string; readonly width: number }
  /** What lies at a place when it is read: any of its definitions. */
  | { readonly kind: "place"; readonly place: number; readonly width: number; readonly read?: number }
  /** A parameter of the function. */
  | { readonly kind: "parameter"; readonly functionNumber: FunctionNumber; readonly index: number }
  /** `functionNumber` is -1 for a function that is not counted. */
  | {
      readonly kind: "result";
      readonly function: string;
      readonly functionNumber: FunctionNumber;
      readonly operands: readonly Term[];
      readonly read?: number;
    }
  /** LLVM's name of it: add, eq, slt, zext, select, ...; load: what lies at an address; `width` is the result's, in bits. */
  | {
      readonly kind: "operation";
      readonly operation: string;
      readonly width: number;
      readonly operands: readonly Term[];
      readonly read?: number;
    }
  | { readonly kind: "text"; readonly bytes: string }
  | { readonly kind: "unknown" };

export const READS_PER_BLOCK = 4096;

export interface GraphPlace {
  /** For people: `ignore_case`, `options.output_style`. */
  readonly name: string;
  readonly kind: "global" | "field" | "local" | "heap";
  /** The places that it may be, if it is one of several; empty if it is itself. Definitions are of single places. */
  readonly parts: readonly number[];
  /** Set for what stands for a parameter, or for what a function returns. */
  readonly parameter?: { readonly functionNumber: FunctionNumber; readonly index: number };
  readonly resultOf?: FunctionNumber;
  /** Set for a variable in a register: the block at whose beginning it gets the value of the way that was taken. */
  readonly joinedAt?: BlockNumber;
}

/**
 * What gives a place a value: a store, an initial value (`block` -1), the argument of a call, what a function returns, or the way
 * on which a variable in a register gets it.
 */
export interface Definition {
  readonly place: number;
  readonly block: BlockNumber;
  readonly value: Term;
}

/**
 * long-option: a name of getopt_long's or argp's table, without dashes; short-option: one character; compared: the program compares
 * something with it; table: it stands in a constant table; variable: the program asks the environment for it.
 */
export const WORD_KINDS = ["long-option", "short-option", "compared", "table", "variable"] as const;

/** A word that means something to the program. */
export interface ProgramWord {
  /** One character a byte. */
  readonly text: string;
  readonly kind: (typeof WORD_KINDS)[number];
  /** Of an option. */
  readonly argument: "none" | "required" | "optional" | "unknown";
  /** Blocks that it leads to: the option's case, the function beside it in the table, the side of the comparison. */
  readonly leadsTo: readonly BlockNumber[];
}
