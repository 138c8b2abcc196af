// Unions: views of the same bytes, tagged unions, anonymous members, copies by assignment and by value.
// stdout: 3ff0000000000000 0 3ff00000 f0
// stdout: -1
// stdout: 3.125
// stdout: -7
// stdout: 2.75
// stdout: text
// stdout: here
// stdout: 3fc00000
#include <stdint.h>
#include <stdio.h>

union number {
    double d;
    uint64_t u;
    uint32_t halves[2];
    unsigned char bytes[8];
};
struct value {
    enum { INTEGER, REAL, TEXT } tag;
    union {
        long integer;
        double real;
        struct { const char *start; int length; } text;
    };
};

static union number negate(union number n)
{
    n.u ^= 1ull << 63;
    return n;
}

static void print(struct value v)
{
    switch (v.tag) {
    case INTEGER: printf("%ld\n", v.integer); break;
    case REAL: printf("%g\n", v.real); break;
    case TEXT: printf("%.*s\n", v.text.length, v.text.start); break;
    }
}

int main(void)
{
    union number n = { .d = 1.0 };
    printf("%llx %x %x %02x\n", (unsigned long long)n.u, n.halves[0], n.halves[1], n.bytes[6]);
    n = negate(n);
    printf("%g\n", n.d);
    n.bytes[7] = 0x40;
    n.bytes[6] = 0x09;
    printf("%g\n", n.d);
    struct value values[] = { { INTEGER, .integer = -7 }, { REAL, .real = 2.75 }, { TEXT, .text = { "text here", 4 } } };
    for (int i = 0; i < 3; i++)
        print(values[i]);
    struct value copy = values[2];
    copy.text.start += 5;
    values[0] = copy;
    print(values[0]);
    union { int i; float f; } pun = { .f = 1.5f };
    printf("%x\n", (unsigned)pun.i);
    return 0;
}
