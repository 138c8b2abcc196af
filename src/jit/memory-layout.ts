// Where things live in the guest's one linear memory, and what the address-state byte means. The C runtime reads the
// same numbers from runtime/include/tangent/machine.h; a test keeps the two equal.
//
// The state of address p is the byte at p >> 3, so the states of [GUEST_BASE, 4 GiB) lie in [GUEST_BASE / 8, GUEST_BASE)
// and need no base register. Everything below GUEST_BASE is never addressable for the program: its own state bytes lie
// in [0, GUEST_BASE / 8) and stay zero. Zero means unaddressable, so that fresh memory is poisoned for free.
//
// One byte answers two questions at once (two shadows were planned; one is cheaper): "may these 8 bytes be
// touched" and "are they all concrete". A load passes if STATE_READABLE is set, a store if the byte equals STATE_FULL;
// everything else (partial granules, read-only stores, symbolic bytes, errors) takes the slow path.

/** First address the program may use; a multiple of 8 pages of states below it. */
export const GUEST_BASE = 0x2000_0000;
/** One state byte stands for 1 << STATE_SHIFT bytes, a granule. */
export const STATE_SHIFT = 3;
export const GRANULE = 8;

/** The granule may not be touched. 1 to 7 instead: only that many of its first bytes may. */
export const STATE_NONE = 0;
/** All 8 bytes may be read and written and are concrete. */
export const STATE_FULL = 8;
/** This bit alone decides whether a load takes the fast path. */
export const STATE_READABLE = 8;
/** Added for read-only memory: 0x18 is a full read-only granule, 0x11 to 0x17 a partial one. */
export const STATE_READ_ONLY = 0x10;

/**
 * A granule that holds symbolic bytes: no fast path accepts it (the low four bits are zero), whatever the access.
 * Bits 4 to 6 say how many of its bytes are addressable, 0 meaning all eight. Such a granule is never read-only.
 */
export const STATE_SYMBOLIC = 0x80;
export const STATE_SYMBOLIC_COUNT_SHIFT = 4;
/**
 * In a program translated with definedness a granule is symbolic where some of its bits have not been set. If the low three bits
 * are n > 0, its first n - 1 bytes have been set and the others never were; if they are 0, the host knows.
 */
export const STATE_UNSET = 1;
export const STATE_UNSET_MASK = 7;

/** The control block: what generated code and the host pass each other outside of calls. Never addressable. */
export const CONTROL = {
  /** number, six arguments, result: 8 x i64 (see `syscall` in boundary.ts). */
  syscall: GUEST_BASE,
  /** Allocation serial numbers whose events the host wants to see, 2 x i32 (0: none). */
  watchAllocation: GUEST_BASE + 0x100,
  watchFree: GUEST_BASE + 0x104,
  /** Address of the heap's descriptor (runtime/trusted/heap.h), i32; 0 while nothing was allocated. */
  heap: GUEST_BASE + 0x108,
  /** Not 0: the host wants to see every longjmp, since an exception that nobody catches carries no stack. */
  watchLongjmp: GUEST_BASE + 0x10c,
  /** What the address of the last access that was refused was computed from, i64 (access-base.ts). */
  accessBase: GUEST_BASE + 0x110,
  /** What malloc fills new memory with, i32: 0x100 + the byte, or 0 if it leaves it as it is (vm/heap-fill.ts). */
  heapFill: GUEST_BASE + 0x118,
  /** Bits of the detectors that the program's environment asks for, i32 (vm/further-detectors.ts). */
  detectors: GUEST_BASE + 0x11c,
  /** Arguments and results of a call whose signature does not match its callee's: 256 x i64. */
  mismatchedCall: GUEST_BASE + 0x1000,
  /** Shadows of the arguments of the call being made, 256 x i32: written before the call, read at the callee's entry. */
  argumentShadows: GUEST_BASE + 0x2000,
  /** Shadows of the parts of the last result, 128 x i32. */
  resultShadows: GUEST_BASE + 0x2400,
  /**
   * Two bytes, ZESTI's sensitive operations since the host last cleared them. Not 0: a computed address has been dereferenced;
   * a pointer has been as it is.
   */
  sensitive: GUEST_BASE + 0x2680,
  plainlySensitive: GUEST_BASE + 0x2681,
  /** Concrete words of an operation on more than 64 bits: 8 x i32. */
  wideOperands: GUEST_BASE + 0x2600,
} as const;

/** Where a variadic function finds its arguments when it is given none: not addressable. */
export const NO_ARGUMENTS = GUEST_BASE + 0x3000;
export const ARGUMENTS_AREA_BYTES = 256;
/**
 * The same, addressable and zero, for those who may read what they were not given: musl's fcntl, ioctl or prctl, which
 * natively get whatever a register holds; and functions started by themselves. The areas behind the first are for calls
 * through the host.
 */
export const SPARE_ARGUMENTS = NO_ARGUMENTS + ARGUMENTS_AREA_BYTES;
export const SPARE_AREAS = 15;

/** One byte per function: not 0 if the host wants to hear of its calls (programs translated with hooks). */
export const HOOKS_BASE = GUEST_BASE + 0x4000;
export const HOOKS_LIMIT = GUEST_BASE + 0x10_0000;

/** One byte per basic block: how often it was entered, 255 for more. */
export const COVERAGE_BASE = GUEST_BASE + 0x10_0000;
export const COVERAGE_LIMIT = GUEST_BASE + 0x100_0000;

/** The stack grows down from STACK_TOP; 8 MiB, as Linux gives a process. */
export const STACK_LIMIT = 0x2100_0000;
export const STACK_TOP = 0x2180_0000;

/** argv, envp, auxv and their strings live here, addressable, each string with redzones around it. */
export const ARGUMENTS_BASE = 0x2180_1000;
export const ARGUMENTS_LIMIT = 0x21f0_0000;

export const GLOBALS_BASE = 0x2200_0000;
/** The heap begins at the first multiple of this above the globals and ends at HEAP_LIMIT at the latest. */
export const HEAP_ALIGN = 0x10_0000;
export const HEAP_LIMIT = 0xf000_0000;

/** A function's address is FUNCTION_BASE + FUNCTION_STRIDE * its index in the table; never addressable as data. */
export const FUNCTION_BASE = 0x0010_0000;
export const FUNCTION_STRIDE = 16;
/** The addresses of labels (`&&label`), one number each. */
export const BLOCK_ADDRESS_BASE = 0x1000_0000;

/** What getpid and gettid say: fixed, so that runs repeat. */
export const PROCESS_ID = 4242;

/** At the low end of every stack frame: (FRAME_MAGIC, frame descriptor's index), 2 x i32. See jit/image.ts. */
export const FRAME_MAGIC = 0x7461_6e67;
/** Accesses below this are called null dereferences. */
export const NULL_LIMIT = 0x1_0000;
