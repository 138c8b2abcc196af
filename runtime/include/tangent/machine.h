/* The machine the runtime runs on: the same numbers as src/jit/memory-layout.ts and src/jit/boundary.ts (a test keeps
   them equal), the host functions, and the functions the JIT implements itself. */
#ifndef TANGENT_MACHINE_H
#define TANGENT_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#define TANGENT_GUEST_BASE 0x20000000u
#define TANGENT_STATE_SHIFT 3
#define TANGENT_GRANULE 8
#define TANGENT_STATE_NONE 0
#define TANGENT_STATE_FULL 8
#define TANGENT_STATE_READABLE 8
#define TANGENT_STATE_READ_ONLY 0x10
#define TANGENT_STATE_SYMBOLIC 0x80
#define TANGENT_STATE_SYMBOLIC_COUNT_SHIFT 4
/* In a program translated with definedness: the granule's first so many bytes less one have been set, no other one has. */
#define TANGENT_STATE_UNSET 1
#define TANGENT_STATE_UNSET_MASK 7

#define TANGENT_CONTROL_SYSCALL 0x20000000u
#define TANGENT_CONTROL_WATCH_ALLOCATION 0x20000100u
#define TANGENT_CONTROL_WATCH_FREE 0x20000104u
#define TANGENT_CONTROL_HEAP 0x20000108u
#define TANGENT_CONTROL_HEAP_FILL 0x20000118u
#define TANGENT_CONTROL_DETECTORS 0x2000011cu

/* The first process and its first thread. */
#define TANGENT_PROCESS_ID 4242

/* System calls that Linux has not got: what threads tell the host (src/vm/syscalls/threads.ts). */
#define TANGENT_CALL_THREADS 7000
#define TANGENT_CALL_THREAD_WAITS 7001
#define TANGENT_WAITS_FOR_ANOTHER 0
#define TANGENT_WAITS_FOR_A_TIME 1
#define TANGENT_WAITS_NO_MORE 2
#define TANGENT_SIGNALS_ANOTHER 3

#define TANGENT_STACK_LIMIT 0x21000000u
#define TANGENT_STACK_TOP 0x21800000u
#define TANGENT_ARGUMENTS_BASE 0x21801000u

#define TANGENT_FAULT_READ 1
#define TANGENT_FAULT_WRITE 2
#define TANGENT_FAULT_INVALID_FREE 3
#define TANGENT_FAULT_DOUBLE_FREE 4
#define TANGENT_FAULT_OVERLAP 5
#define TANGENT_FAULT_STACK_OVERFLOW 6
#define TANGENT_FAULT_UNREACHABLE 7
#define TANGENT_FAULT_UBSAN 8
#define TANGENT_FAULT_DIVISION_BY_ZERO 9
#define TANGENT_FAULT_DIVISION_OVERFLOW 10
#define TANGENT_FAULT_ASSERTION 11
#define TANGENT_FAULT_WILD_CALL 12
#define TANGENT_FAULT_TRAP 13
#define TANGENT_FAULT_INVALID_LONGJMP 14
#define TANGENT_FAULT_NEGATIVE_SIZE 15
#define TANGENT_FAULT_WILD_JUMP 16
#define TANGENT_FAULT_COMPARATOR 17
#define TANGENT_FAULT_FIELD 18

/* What was seen of a comparator: the size of its fault. */
#define TANGENT_COMPARED_BOTH_WAYS 1
#define TANGENT_COMPARED_IN_A_ROW 2
#define TANGENT_COMPARED_WITH_A_KEY 3

/* Detectors that a program's environment asks for (src/vm/further-detectors.ts). */
#define TANGENT_DETECTS_COMPARATORS 1
#define TANGENT_DETECTS_STRICT_STRINGS 2

/* Implemented by the host (src/jit/boundary.ts says what each does). */
_Noreturn void __tangent_host_fault(int fault, unsigned address_low, unsigned address_high, int size);
void __tangent_host_refused_read(unsigned address_low, unsigned address_high, unsigned size);
void __tangent_host_syscall(void);
unsigned __tangent_host_grow(unsigned bytes);
void __tangent_host_watch(unsigned serial, int freed);
void __tangent_host_make_symbolic(unsigned address, unsigned size, unsigned name);
/* holds: 1 or 0, and with it whether an assumption that no input of the path satisfies is an error of the program. */
#define TANGENT_ASSUME_TOLD 2
void __tangent_host_assume(unsigned shadow, int holds);
void __tangent_host_prefer(unsigned shadow);
void __tangent_host_get_value(unsigned shadow, unsigned low, unsigned high, unsigned width);
_Noreturn void __tangent_host_end_silently(void);
_Noreturn void __tangent_host_report_error(unsigned message, unsigned suffix, unsigned file, unsigned line);
void __tangent_host_describe(unsigned message, unsigned shadow, unsigned low, unsigned high);

/* The symbolic half (src/jit/symbolic-boundary.ts); in a program translated without shadows they do nothing. */
unsigned __tangent_host_load_bytes(unsigned address, unsigned size);
void __tangent_host_store_bytes(unsigned address, unsigned size, unsigned shadow);
void __tangent_host_refused_at(unsigned site, unsigned pointer_shadow, unsigned low, unsigned high, unsigned size,
                               unsigned write, unsigned object, unsigned bytes);
unsigned __tangent_host_read_at(unsigned site, unsigned pointer_shadow, unsigned low, unsigned high, unsigned size);
void __tangent_host_write_at(unsigned site, unsigned pointer_shadow, unsigned low, unsigned high, unsigned size,
                             unsigned shadow, unsigned value_low, unsigned value_high);
void __tangent_host_copy_bytes(unsigned destination, unsigned source, unsigned size);
void __tangent_host_fill_bytes(unsigned destination, unsigned size, unsigned shadow);

/* Implemented by the JIT. */
void __tangent_memory_copy(unsigned destination, unsigned source, unsigned size);
void __tangent_memory_fill(unsigned destination, int byte, unsigned size);
/* Bulk operations cost fuel; where nothing of the runtime is half done, it asks for more if all is spent. */
void __tangent_settle(void);
unsigned __tangent_stack_pointer(void);
/* Whether this translation follows which bits have been set; a constant, so that nobody else pays for it. */
int __tangent_definedness(void);
unsigned __tangent_thread_locals(void);
unsigned __tangent_thread_locals_size(void);
unsigned __tangent_thread_locals_image(void);
unsigned __tangent_shadow(uint64_t value);
uint64_t __tangent_with_shadow(uint64_t value, unsigned shadow);

/* Called by generated code; defined in runtime/trusted/. */

/* The slow path of every access check: returns if [address, address + size) may be read (or written), else faults;
   a read also if the host lets the run go on behind it. */
void __tangent_check_read(uint64_t address, unsigned size);
void __tangent_check_write(uint64_t address, unsigned size);
/* The same where the address was computed from the object of `bytes` bytes at `object`, and must stay in it. */
void __tangent_check_read_of(uint64_t address, unsigned size, uint64_t object, uint64_t bytes);
void __tangent_check_write_of(uint64_t address, unsigned size, uint64_t object, uint64_t bytes);
/* The slow path of accesses in a program with shadows: the check, then the shadow of what is read (or the new one). */
unsigned __tangent_symbolic_read(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site);
void __tangent_symbolic_write(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned shadow, unsigned site,
                              uint64_t value);
unsigned __tangent_symbolic_read_of(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site,
                                    uint64_t object, uint64_t bytes);
void __tangent_symbolic_write_of(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned shadow, unsigned site,
                                 uint64_t value, uint64_t object, uint64_t bytes);
/* The same without more than a check of the first byte, for functions that read whole words on purpose. */
unsigned __tangent_symbolic_peek(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site);
/* llvm.memcpy, memmove, memset: check both ranges, then copy. */
void __tangent_memcpy(uint64_t destination, uint64_t source, uint64_t size);
void __tangent_memmove(uint64_t destination, uint64_t source, uint64_t size);
void __tangent_memset(uint64_t destination, int byte, uint64_t size);
/* Make [address, address + size) (address a multiple of 8) addressable, or not. */
void __tangent_state_allow(unsigned address, unsigned size);
void __tangent_state_forbid(unsigned address, unsigned size);
/* The same bytes have all been set (they were allowed before). */
void __tangent_state_define(unsigned address, unsigned size);

/* A thread begins, with thread-local variables of its own; `kept` has room for those of the thread before. It ends. */
void __tangent_thread_locals_begin(void *kept);
void __tangent_thread_locals_end(void *kept);

/* 128-bit division; 80-bit floating-point values travel in the low 80 bits. */
typedef unsigned __int128 tangent_u128;
typedef __int128 tangent_i128;
tangent_u128 __tangent_udiv128(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_urem128(tangent_u128 a, tangent_u128 b);
tangent_i128 __tangent_sdiv128(tangent_i128 a, tangent_i128 b);
tangent_i128 __tangent_srem128(tangent_i128 a, tangent_i128 b);
/* int128 <-> double; the JIT composes float and narrower ones from these. */
double __tangent_u128_to_double(tangent_u128 a);
double __tangent_i128_to_double(tangent_i128 a);
tangent_u128 __tangent_double_to_u128(double a);
tangent_i128 __tangent_double_to_i128(double a);

tangent_u128 __tangent_f80_add(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_sub(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_mul(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_div(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_rem(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_sqrt(tangent_u128 a);
/* -1 less, 0 equal, 1 greater, 2 unordered. */
int __tangent_f80_compare(tangent_u128 a, tangent_u128 b);
tangent_u128 __tangent_f80_from_double(double a);
double __tangent_f80_to_double(tangent_u128 a);
float __tangent_f80_to_float(tangent_u128 a);
tangent_u128 __tangent_f80_from_i64(int64_t a);
tangent_u128 __tangent_f80_from_u64(uint64_t a);
int64_t __tangent_f80_to_i64(tangent_u128 a);
uint64_t __tangent_f80_to_u64(tangent_u128 a);

/* The start of the program: set up libc, run constructors, call main, exit with its result. The JIT exports it. */
void __tangent_start(void);
/* The part of it before main. */
void __tangent_initialise(void);
/* Made by the JIT: calls the entries of llvm.global_ctors in order of priority. */
void __tangent_run_constructors(void);
void __tangent_run_destructors(void);

#endif
