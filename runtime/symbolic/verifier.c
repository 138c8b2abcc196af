/* What verification competitions ask of a verifier: values that may be anything, assumptions, and a function that must not be
   reached. Programs define reach_error or __VERIFIER_assert themselves more often than not; theirs then win.
   Each value is an input object of its own, named by its type, in the order of the calls. */
#include "input.h"

#define NONDET(name, type)                                       \
    type __VERIFIER_nondet_##name(void) {                        \
        type value = 0;                                          \
        tangent_make_symbolic(&value, sizeof value, "nondet_" #name); \
        return value;                                            \
    }

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(unsigned_char, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(S8, int8_t)
NONDET(S16, int16_t)
NONDET(S32, int32_t)
NONDET(S64, int64_t)
NONDET(U8, uint8_t)
NONDET(U16, uint16_t)
NONDET(U32, uint32_t)
NONDET(U64, uint64_t)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(charp, char *)
NONDET(pchar, char *)
NONDET(const_char_pointer, const char *)

/* A byte other than 0 and 1 is not a _Bool. */
_Bool __VERIFIER_nondet_bool(void) {
    unsigned char value = 0;
    tangent_make_symbolic(&value, 1, "nondet_bool");
    tangent_assume(value <= 1);
    return (_Bool)(value & 1);
}

void __VERIFIER_nondet_memory(void *address, size_t size) {
    uint64_t start = tangent_pinned((uintptr_t)address, 64), bytes = tangent_pinned(size, 64);
    if (bytes == 0) return;
    if (bytes >> 31) __tangent_host_fault(TANGENT_FAULT_NEGATIVE_SIZE, (unsigned)start, (unsigned)(start >> 32), (int)bytes);
    __tangent_check_write(start, (unsigned)bytes);
    tangent_make_symbolic((void *)start, (unsigned)bytes, "nondet_memory");
}

void __VERIFIER_assume(int condition) {
    tangent_assume(condition != 0);
}

static _Noreturn void reached(const char *message) {
    __tangent_host_report_error(tangent_address(message), tangent_address("assert"), tangent_address(""), 0);
}

__attribute__((__weak__)) void reach_error(void) {
    reached("reach_error was called");
}

__attribute__((__weak__)) void __VERIFIER_error(void) {
    reached("__VERIFIER_error was called");
}

__attribute__((__weak__)) void __VERIFIER_assert(int condition) {
    if (!condition) reached("an assertion of __VERIFIER_assert failed");
}

void __VERIFIER_atomic_begin(void) {
}

void __VERIFIER_atomic_end(void) {
}
