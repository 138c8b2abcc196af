// Switches with ranges, fall-through, negative and 64-bit cases, sparse values, and a default in the middle.
// stdout: lower upper digit other
// stdout: 0 1 11 111 -1 5
// stdout: 1 2 3 4 5 0
// stdout: 32 95 1 128
// stdout: 4
// stdout: true
#include <limits.h>
#include <stdio.h>

static const char *kind(int c)
{
    switch (c) {
    case 'a' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    default: return "other";
    case '0' ... '9': return "digit";
    }
}

static int fall(int n)
{
    int result = 0;
    switch (n) {
    case 3: result += 100; /* fall through */
    case 2: result += 10; /* fall through */
    case 1: result += 1; break;
    case INT_MIN ... -1: return -1;
    case 1000: result = 5;
    }
    return result;
}

static int sparse(long long v)
{
    switch (v) {
    case LLONG_MIN: return 1;
    case -5000000000ll: return 2;
    case 0: return 3;
    case 0x100000000ll: return 4;
    case LLONG_MAX: return 5;
    }
    return 0;
}

static int bytes(unsigned char c)
{
    switch (c) {
    case 0 ... 31: return 0;
    case 32 ... 126: return 1;
    case 127: return 2;
    case 128 ... 255: return 3;
    }
    return -1;
}

static int nothing(int v) { switch (v) { default: ; } switch (v) {} return v; }

int main(void)
{
    printf("%s %s %s %s\n", kind('q'), kind('Q'), kind('5'), kind('-'));
    printf("%d %d %d %d %d %d\n", fall(0), fall(1), fall(2), fall(3), fall(-9), fall(1000));
    printf("%d %d %d %d %d %d\n", sparse(LLONG_MIN), sparse(-5000000000ll), sparse(0), sparse(1ll << 32), sparse(LLONG_MAX),
           sparse(1));
    int counts[4] = { 0 };
    for (int i = 0; i < 256; i++)
        counts[bytes(i)]++;
    printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    printf("%d\n", nothing(4));
    _Bool b = fall(1) == 1;
    switch (b) { case 1: printf("true\n"); break; case 0: printf("false\n"); }
    return 0;
}
