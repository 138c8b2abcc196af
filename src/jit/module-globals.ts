// The numbers of a translated module's WebAssembly globals and of its one exception tag. A file of their own, so that
// code which only emits instructions needs not import what assembles the module.

/** WebAssembly globals of the module, all mutable i32. */
export const GLOBAL_STACK_POINTER = 0;
export const GLOBAL_FUEL = 1;
/** Numbers drawn by setjmp. */
export const GLOBAL_SETJMP = 2;
/** Table index of the function a mismatched call is meant for. */
export const GLOBAL_PENDING_CALLEE = 3;
/** The lowest the stack pointer has been: what a reset has to clear. */
export const GLOBAL_LOWEST_STACK = 4;
export const GLOBAL_COUNT = 5;
/** The exception thrown by longjmp: (number of the setjmp, value), both i32. */
export const TAG_LONGJMP = 0;
