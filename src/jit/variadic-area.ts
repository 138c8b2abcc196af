// The area that variable arguments are passed in, laid out as x86-64's register save area followed by the stack. Its own file,
// because the machine and the detectors need these numbers and nothing else of the translator: a warm run must not load it.

/** The name of the frame's slot for variable arguments: no variable has it. */
export const VARIADIC_SLOT = "...";

/** Six general registers, then eight vector registers of 16 bytes. */
export const GENERAL_REGISTERS = 6;
export const VECTOR_REGISTERS = 8;
export const VECTOR_SAVE = 8 * GENERAL_REGISTERS;
/** Where the arguments that found no register begin. */
export const VARIADIC_OVERFLOW = VECTOR_SAVE + 16 * VECTOR_REGISTERS;
