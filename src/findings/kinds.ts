// All kinds of findings, in one table: names, words, what harm it may do, CWE number and the signal the program would likely die of
// natively. Types, reports and documentation derive from it. Reads do less harm than writes and have CWE numbers of their own:
// severity.ts makes both of the finding at hand.

import { SIGNAL } from "../vm/signals.js";

/** What somebody who makes the input may get of it at the worst (severity.ts has the numbers). */
export type Harm = "takeover" | "disclosure" | "crash" | "slight";

export interface KindInfo {
  readonly title: string;
  /** What went wrong, as a sentence that explains it to whoever has not met it before. */
  readonly sentence: string;
  /** Of a write, if it is an access. */
  readonly harm: Harm;
  readonly cwe: number;
  /** Signal native execution would likely die of; 0 if it would likely go on. */
  readonly signal: number;
}

export const KINDS = {
  "heap-buffer-overflow": {
    title: "Heap buffer overflow",
    sentence: "The program touched memory next to a block from malloc that it does not own.",
    harm: "takeover",
    cwe: 122,
    signal: 0,
  },
  "stack-buffer-overflow": {
    title: "Stack buffer overflow",
    sentence: "The program touched memory next to a local variable.",
    harm: "takeover",
    cwe: 121,
    signal: 0,
  },
  "global-buffer-overflow": {
    title: "Global buffer overflow",
    sentence: "The program touched memory next to a variable with static storage.",
    harm: "takeover",
    cwe: 787,
    signal: 0,
  },
  "argument-overflow": {
    title: "Argument overflow",
    sentence: "The program touched memory next to one of its arguments or environment variables.",
    harm: "takeover",
    cwe: 787,
    signal: 0,
  },
  "heap-use-after-free": {
    title: "Use after free",
    sentence: "The program touched a block that it had already given back with free or realloc.",
    harm: "takeover",
    cwe: 416,
    signal: 0,
  },
  "stack-use-after-return": {
    title: "Use after return",
    sentence: "The program touched a local variable of a function that had already returned.",
    harm: "takeover",
    cwe: 562,
    signal: 0,
  },
  "stack-use-after-scope": {
    title: "Use after scope",
    sentence: "The program touched a local variable whose block had already been left.",
    harm: "takeover",
    cwe: 562,
    signal: 0,
  },
  "double-free": {
    title: "Double free",
    sentence: "The program freed a block twice.",
    harm: "takeover",
    cwe: 415,
    signal: SIGNAL.SIGABRT,
  },
  "invalid-free": {
    title: "Invalid free",
    sentence: "The program freed something that is not the start of a block from malloc.",
    harm: "takeover",
    cwe: 590,
    signal: SIGNAL.SIGABRT,
  },
  "null-dereference": {
    title: "Null dereference",
    sentence: "The program used a null pointer, or one next to it.",
    harm: "crash",
    cwe: 476,
    signal: SIGNAL.SIGSEGV,
  },
  "wild-access": {
    title: "Wild access",
    sentence: "The program touched an address where nothing of its own has ever been.",
    harm: "takeover",
    cwe: 119,
    signal: SIGNAL.SIGSEGV,
  },
  "read-only-write": {
    title: "Write to read-only memory",
    sentence: "The program wrote to a constant, such as a string literal.",
    harm: "crash",
    cwe: 787,
    signal: SIGNAL.SIGSEGV,
  },
  "division-by-zero": {
    title: "Division by zero",
    sentence: "The program divided an integer by zero.",
    harm: "crash",
    cwe: 369,
    signal: SIGNAL.SIGFPE,
  },
  "division-overflow": {
    title: "Division overflow",
    sentence: "The program divided the smallest integer by -1; the result does not fit.",
    harm: "crash",
    cwe: 190,
    signal: SIGNAL.SIGFPE,
  },
  "reported-error": {
    title: "Error reported by the program",
    sentence: "The program called klee_report_error or a function that stands for an error.",
    harm: "crash",
    cwe: 617,
    signal: SIGNAL.SIGABRT,
  },
  abort: {
    title: "Abort",
    sentence: "The program called abort.",
    harm: "crash",
    cwe: 617,
    signal: SIGNAL.SIGABRT,
  },
  "assertion-failure": {
    title: "Assertion failure",
    sentence: "A condition that the program asserts was false.",
    harm: "crash",
    cwe: 617,
    signal: SIGNAL.SIGABRT,
  },
  "undefined-behaviour": {
    title: "Undefined behaviour",
    sentence: "The program did something the C standard leaves undefined.",
    harm: "slight",
    cwe: 758,
    signal: SIGNAL.SIGILL,
  },
  "unreachable-reached": {
    title: "Unreachable code reached",
    sentence: "The program reached a point it had declared unreachable, or the end of a function without its value.",
    harm: "crash",
    cwe: 758,
    signal: SIGNAL.SIGILL,
  },
  trap: {
    title: "Trap",
    sentence: "The program called __builtin_trap, or the compiler put a trap where it saw no way to go on.",
    harm: "crash",
    cwe: 617,
    signal: SIGNAL.SIGILL,
  },
  "stack-overflow": {
    title: "Stack overflow",
    sentence: "The program's stack is used up: by recursion without end, most likely, or by a very large variable.",
    harm: "crash",
    cwe: 674,
    signal: SIGNAL.SIGSEGV,
  },
  "no-progress": {
    title: "No progress",
    sentence: "The program used up its budget of instructions, most likely in a loop without end.",
    harm: "crash",
    cwe: 835,
    signal: 0,
  },
  "memcpy-overlap": {
    title: "Overlapping copy",
    sentence: "Source and destination of a copy overlap, which memcpy does not allow; memmove does.",
    harm: "slight",
    cwe: 475,
    signal: 0,
  },
  "negative-size": {
    title: "Negative size",
    sentence: "A function that copies or fills memory was given a size that is negative or far too large.",
    harm: "crash",
    cwe: 195,
    signal: SIGNAL.SIGSEGV,
  },
  "wild-call": {
    title: "Wild call",
    sentence: "The program called through a pointer that does not point to a function.",
    harm: "takeover",
    cwe: 824,
    signal: SIGNAL.SIGSEGV,
  },
  "wild-jump": {
    title: "Wild jump",
    sentence: "The program jumped (goto *p) to an address that is no label of the function.",
    harm: "takeover",
    cwe: 822,
    signal: SIGNAL.SIGSEGV,
  },
  "invalid-longjmp": {
    title: "Invalid longjmp",
    sentence: "The program jumped back into a function that had already returned.",
    harm: "takeover",
    cwe: 758,
    signal: SIGNAL.SIGSEGV,
  },
  "missing-argument": {
    title: "Missing argument",
    sentence: "A function with variable arguments read one that its caller did not pass, or passed as another type.",
    harm: "crash",
    cwe: 685,
    signal: 0,
  },
  uninitialised: {
    title: "Use of uninitialised memory",
    sentence: "What the program does depends on memory that it never set.",
    harm: "disclosure",
    cwe: 457,
    signal: 0,
  },
  "unrelated-pointers": {
    title: "Unrelated pointers",
    sentence: "Pointers into different objects were subtracted, or asked which comes first; C gives that no meaning.",
    harm: "slight",
    cwe: 469,
    signal: 0,
  },
  "inconsistent-comparator": {
    title: "Inconsistent comparator",
    sentence: "The function that a sort or search was given contradicts itself; what qsort does then is undefined.",
    harm: "slight",
    cwe: 697,
    signal: 0,
  },
  "closed-descriptor": {
    title: "Closed descriptor",
    sentence: "The program used, or closed again, a descriptor that it had closed; it may be another file's by then.",
    harm: "slight",
    cwe: 1341,
    signal: 0,
  },
  "field-overflow": {
    title: "Field overflow",
    sentence: "The program left an array inside of a structure, and touched the fields behind it or before it.",
    harm: "takeover",
    cwe: 787,
    signal: 0,
  },
  "memory-leak": {
    title: "Memory leak",
    sentence: "A block from malloc was not freed and nothing points to it any more.",
    harm: "slight",
    cwe: 401,
    signal: 0,
  },
} as const satisfies Record<string, KindInfo>;

export type KindName = keyof typeof KINDS;

/** UBSan's checks by the code that llvm.ubsantrap carries: the order of clang's own list of handlers (tested, 21). */
export const UNDEFINED_CHECKS: readonly { readonly name: string; readonly sentence: string }[] = [
  { name: "add-overflow", sentence: "the sum of two signed integers does not fit" },
  { name: "unreachable", sentence: "__builtin_unreachable was reached" },
  { name: "cfi-check-fail", sentence: "a control-flow integrity check failed" },
  { name: "divrem-overflow", sentence: "a division by zero, or of the smallest integer by -1" },
  { name: "dynamic-type-cache-miss", sentence: "an object has another dynamic type" },
  { name: "float-cast-overflow", sentence: "a floating-point value does not fit the integer it is converted to" },
  { name: "function-type-mismatch", sentence: "a function is called through a pointer of another type" },
  { name: "implicit-conversion", sentence: "an implicit conversion changed the value" },
  { name: "invalid-builtin-use", sentence: "zero is given to a builtin that counts zeros" },
  { name: "invalid-objc-cast", sentence: "an Objective-C object has another type" },
  { name: "load-invalid-value", sentence: "a value was loaded that its type (bool or enum) does not have" },
  { name: "missing-return", sentence: "a function ended without returning a value" },
  { name: "mul-overflow", sentence: "the product of two signed integers does not fit" },
  { name: "negate-overflow", sentence: "the smallest signed integer was negated" },
  { name: "nullability-arg", sentence: "null was passed for a parameter declared _Nonnull" },
  { name: "nullability-return", sentence: "null was returned from a function declared _Nonnull" },
  { name: "nonnull-arg", sentence: "null was passed for a parameter declared nonnull" },
  { name: "nonnull-return", sentence: "null was returned from a function declared returns_nonnull" },
  { name: "out-of-bounds", sentence: "an array index is out of bounds" },
  { name: "pointer-overflow", sentence: "pointer arithmetic overflowed, or was done on null" },
  { name: "shift-out-of-bounds", sentence: "a shift by a negative or too large amount, or of a negative value" },
  { name: "sub-overflow", sentence: "the difference of two signed integers does not fit" },
  { name: "type-mismatch", sentence: "a pointer is null, not aligned, or points to too small an object" },
  { name: "alignment-assumption", sentence: "a pointer is not aligned as the program said it is" },
  { name: "vla-bound-not-positive", sentence: "a variable-length array has a size that is not positive" },
  { name: "bounds-safety", sentence: "a bounds-safety check failed" },
];
