// The boundary between generated WebAssembly and TypeScript, as one table both sides read: the JIT declares these
// imports, the VM implements them. A call in IR to a symbol named in `symbol` becomes a call of the import. An i64 never
// crosses (it would become a BigInt): addresses go as low and high halves.

export interface HostFunction {
  /** The C symbol that runtime code calls, if it may. */
  readonly symbol: string | null;
  readonly params: number;
  readonly result: boolean;
}

/** All parameters and results are i32. */
export const HOST_FUNCTIONS = {
  /** (code of FAULTS, address low, address high, size): a detector fired. Never returns. */
  fault: { symbol: "__tangent_host_fault", params: 4, result: false },
  /** (address low, address high, size): a read is not allowed. Returns if the run goes on behind it all the same. */
  refusedRead: { symbol: "__tangent_host_refused_read", params: 3, result: false },
  /** Number, arguments and result are in CONTROL.syscall. May not return (exit). */
  syscall: { symbol: "__tangent_host_syscall", params: 0, result: false },
  /** The fuel is used up: returns a new portion, or does not return. */
  refuel: { symbol: null, params: 0, result: true },
  /** (index into ProgramImage.unsupported): never returns. */
  unsupported: { symbol: null, params: 1, result: false },
  /** (table index, index into ProgramImage.mismatchSites): arguments and result in CONTROL.mismatchedCall. */
  callMismatched: { symbol: null, params: 2, result: false },
  /** (bytes, a multiple of 64 KiB): address of that much fresh zeroed memory after all earlier ones, or 0. */
  grow: { symbol: "__tangent_host_grow", params: 1, result: true },
  /** (allocation serial, 0 allocated / 1 freed; or 0, 2 longjmp): the event a finding wants the stack of; see CONTROL.watch*. */
  watch: { symbol: "__tangent_host_watch", params: 2, result: false },
  /**
   * (address, size, address of a name): the bytes become input: symbolic in an exploration, the bytes of the recorded
   * input in a replay, unchanged in an ordinary run.
   */
  makeSymbolic: { symbol: "__tangent_host_make_symbolic", params: 3, result: false },
  /** (shadow of the condition, 0/1 whether it holds): the run goes on only with inputs for which it holds. */
  /** The second word: 1 if it holds, and ASSUME_TOLD. */
  assume: { symbol: "__tangent_host_assume", params: 2, result: false },
  /** (shadow of the condition): of two inputs for a path, one for which it holds is preferred. */
  prefer: { symbol: "__tangent_host_prefer", params: 1, result: false },
  /** (shadow, low, high, width): the program wants a concrete value; the shadow becomes pinned to it. */
  getValue: { symbol: "__tangent_host_get_value", params: 4, result: false },
  /** (): the run ends here and is not a test. Never returns. */
  endSilently: { symbol: "__tangent_host_end_silently", params: 0, result: false },
  /** (addresses of message, suffix and file name, line): the program found an error itself. Never returns. */
  reportError: { symbol: "__tangent_host_report_error", params: 4, result: false },
  /** (address of a message, shadow, low, high): klee_print_expr. */
  describe: { symbol: "__tangent_host_describe", params: 4, result: false },
} as const satisfies Record<string, HostFunction>;
export type HostName = keyof typeof HOST_FUNCTIONS;

/** Imported behind all others, and only by programs that are translated with `observed`: (number of the place, low half of the pointer). */
export const OBSERVER = "observed";
export const OBSERVER_FUNCTION: HostFunction = { symbol: null, params: 2, result: false };

/** The module name of the imports, the names of its exports. */
export const IMPORT_MODULE = "host";
/** The linear memory is imported too, from the same module. */
export const MEMORY_IMPORT = "memory";
export const EXPORTS = {
  /** () -> (): runs `__tangent_start`, which runs constructors and main and exits. */
  start: "start",
  table: "table",
  /** Mutable i32 globals. */
  fuel: "fuel",
  stackPointer: "sp",
  lowestStack: "lowest",
} as const;

/** Of what `assume` is given (machine.h: TANGENT_ASSUME_TOLD): an assumption that cannot hold is an error. */
export const ASSUME_TOLD = 2;

/** What generated code and the runtime report as `fault`. runtime/include/tangent/machine.h has the same codes. */
export const FAULTS = {
  /** A load or store of `size` bytes at the address was not allowed. */
  read: 1,
  write: 2,
  /** free() or realloc() of something that is not the start of a live heap block. */
  "invalid-free": 3,
  "double-free": 4,
  /** memcpy whose ranges overlap; the address is the destination. */
  overlap: 5,
  /** The size is the frame's in KiB if that alone is too much, else 0. */
  "stack-overflow": 6,
  /** Control reached `unreachable`: undefined behaviour. */
  unreachable: 7,
  /** llvm.ubsantrap; the size is its code. */
  ubsan: 8,
  "division-by-zero": 9,
  "division-overflow": 10,
  /** assert() failed; the message has been written to standard error; address: of the expression's text. */
  assertion: 11,
  /** A call through a pointer that is not a function's address. */
  "wild-call": 12,
  /** llvm.trap. */
  trap: 13,
  /** longjmp to a frame that has returned. */
  "invalid-longjmp": 14,
  /** memcpy & co with a size above 2^31: a negative length; the address is the destination. */
  "negative-size": 15,
  /** `goto *p` to something that is no label of the function. */
  "wild-jump": 16,
  /** The comparator of a sort contradicts itself; the size says how (machine.h). */
  comparator: 17,
  /** --fields: an access leaves an array field of so many bytes; the address is 1 for a write, 0 for a read. */
  field: 18,
} as const;
export type FaultName = keyof typeof FAULTS;

/** Functions the JIT itself implements when runtime C calls them by these names. */
export const JIT_FUNCTIONS = [
  /** void (u32 destination, u32 source, u32 size): memory.copy, unchecked; eight bytes cost as much as an instruction. */
  "__tangent_memory_copy",
  /** void (u32 destination, u32 byte, u32 size): memory.fill, unchecked; costs the same. */
  "__tangent_memory_fill",
  /** void (void): asks for more fuel if it is used up. Only where the runtime's own data is in order: signals may come. */
  "__tangent_settle",
  /** u32 (void): the guest's stack pointer. */
  "__tangent_stack_pointer",
  /** int (void): whether the translation follows which bits have been set. Settled before anything is optimised. */
  "__tangent_definedness",
  /** u32 (void) each: where the thread-local variables are, their bytes, and where the bytes are that they begin with. */
  "__tangent_thread_locals",
  "__tangent_thread_locals_size",
  "__tangent_thread_locals_image",
  /** u32 (u64 value): the shadow beside the value, 0 if it is concrete or the program is translated without shadows. */
  "__tangent_shadow",
  /** u64 (u64 value, u32 shadow): the value with this shadow beside it. */
  "__tangent_with_shadow",
] as const;
