// What verification competitions ask of a verifier, in a native program: the values are the input objects that klee.c reads
// from the test, under the names that runtime/symbolic/verifier.c gives them.

#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

// Weak, as all of them: a program may bring some of its own.
#define NONDET(name, type)                                     \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) {                        \
    type value = 0;                                            \
    klee_make_symbolic(&value, sizeof value, "nondet_" #name); \
    return value;                                              \
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

__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) {
  unsigned char value = 0;
  klee_make_symbolic(&value, 1, "nondet_bool");
  return value & 1;
}

void __VERIFIER_nondet_memory(void *address, size_t size) { klee_make_symbolic(address, size, "nondet_memory"); }

__attribute__((weak)) void __VERIFIER_assume(int condition) { klee_assume((uintptr_t)(condition != 0)); }

static _Noreturn void reached(const char *message) {
  fprintf(stderr, "%s\n", message);
  abort();
}

__attribute__((weak)) void reach_error(void) { reached("reach_error was called"); }
__attribute__((weak)) void __VERIFIER_error(void) { reached("__VERIFIER_error was called"); }

__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition) reached("an assertion of __VERIFIER_assert failed");
}

void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
