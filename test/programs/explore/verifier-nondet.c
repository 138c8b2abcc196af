// Values of all types, each wide enough for its extremes.
// run: explore
// twin: -DFIXED
// witness: object nondet_char i8 -128; object nondet_uchar i8 255; object nondet_short i16 -32768; object nondet_ushort i16 65535; object nondet_int i32 -2147483648; object nondet_uint i32 4294967295; object nondet_long i64 -9223372036854775808; object nondet_ulonglong i64 18446744073709551615
#include <assert.h>
#include <limits.h>

char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    int extremes = 0;
    extremes += __VERIFIER_nondet_char() == CHAR_MIN;
    extremes += __VERIFIER_nondet_uchar() == UCHAR_MAX;
    extremes += __VERIFIER_nondet_short() == SHRT_MIN;
    extremes += __VERIFIER_nondet_ushort() == USHRT_MAX;
    extremes += __VERIFIER_nondet_int() == INT_MIN;
    extremes += __VERIFIER_nondet_uint() == UINT_MAX;
    extremes += __VERIFIER_nondet_long() == LONG_MIN;
    extremes += __VERIFIER_nondet_ulonglong() == ULLONG_MAX;
#ifdef FIXED
    assert(extremes <= 8);
#else
    assert(extremes != 8); // expect: assertion-failure
#endif
    return 0;
}
