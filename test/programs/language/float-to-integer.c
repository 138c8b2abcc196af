// Floating point to integers of every width, in range and out of it: what does not fit is undefined in C, and gives here
// what the instructions of x86-64 give.
// stdout: d -1.9: -1 255 -1 65535 -1 ffffffff ffffffffffffffff ffffffffffffffff 1
// stdout: f -1.9: -1 255 -1 65535 -1 ffffffff ffffffffffffffff ffffffffffffffff 1
// stdout: l -1.9: -1 255 -1 65535 -1 ffffffff ffffffffffffffff ffffffffffffffff 1
// stdout: d 127.5: 127 127 127 127 127 7f 7f 7f 1
// stdout: f 127.5: 127 127 127 127 127 7f 7f 7f 1
// stdout: l 127.5: 127 127 127 127 127 7f 7f 7f 1
// stdout: d 300.7: 44 44 300 300 300 12c 12c 12c 1
// stdout: f 300.7: 44 44 300 300 300 12c 12c 12c 1
// stdout: l 300.7: 44 44 300 300 300 12c 12c 12c 1
// stdout: d -32769: -1 255 32767 32767 -32769 ffff7fff ffffffffffff7fff ffffffffffff7fff 1
// stdout: f -32769: -1 255 32767 32767 -32769 ffff7fff ffffffffffff7fff ffffffffffff7fff 1
// stdout: l -32769: 0 0 -32768 32767 -32769 ffff7fff ffffffffffff7fff ffffffffffff7fff 1
// stdout: d 65536: 0 0 0 0 65536 10000 10000 10000 1
// stdout: f 65536: 0 0 0 0 65536 10000 10000 10000 1
// stdout: l 65536: 0 0 -32768 0 65536 10000 10000 10000 1
// stdout: d 70000: 112 112 4464 4464 70000 11170 11170 11170 1
// stdout: f 70000: 112 112 4464 4464 70000 11170 11170 11170 1
// stdout: l 70000: 0 0 -32768 4464 70000 11170 11170 11170 1
// stdout: d 2.14748e+09: -1 255 -1 65535 2147483647 7fffffff 7fffffff 7fffffff 1
// stdout: f 2.14748e+09: 0 0 0 0 -2147483648 80000000 80000000 80000000 1
// stdout: l 2.14748e+09: 0 0 -32768 65535 2147483647 7fffffff 7fffffff 7fffffff 1
// stdout: d 2.14748e+09: 0 0 0 0 -2147483648 80000000 80000000 80000000 1
// stdout: f 2.14748e+09: 0 0 0 0 -2147483648 80000000 80000000 80000000 1
// stdout: l 2.14748e+09: 0 0 -32768 0 -2147483648 80000000 80000000 80000000 1
// stdout: d -2.14748e+09: 0 0 0 0 -2147483648 80000000 ffffffff80000000 ffffffff80000000 1
// stdout: f -2.14748e+09: 0 0 0 0 -2147483648 80000000 ffffffff80000000 ffffffff80000000 1
// stdout: l -2.14748e+09: 0 0 -32768 0 -2147483648 80000000 ffffffff80000000 ffffffff80000000 1
// stdout: d -2.14748e+09: 0 0 0 0 -2147483648 7fffffff ffffffff7fffffff ffffffff7fffffff 1
// stdout: f -2.14748e+09: 0 0 0 0 -2147483648 80000000 ffffffff80000000 ffffffff80000000 1
// stdout: l -2.14748e+09: 0 0 -32768 0 -2147483648 7fffffff ffffffff7fffffff ffffffff7fffffff 1
// stdout: d 4.29497e+09: 0 0 0 0 -2147483648 4 100000004 100000004 1
// stdout: f 4.29497e+09: 0 0 0 0 -2147483648 0 100000000 100000000 1
// stdout: l 4.29497e+09: 0 0 -32768 0 -2147483648 4 100000004 100000004 1
// stdout: d -5e+09: 0 0 0 0 -2147483648 d5fa0e00 fffffffed5fa0e00 fffffffed5fa0e00 1
// stdout: f -5e+09: 0 0 0 0 -2147483648 d5fa0e00 fffffffed5fa0e00 fffffffed5fa0e00 1
// stdout: l -5e+09: 0 0 -32768 0 -2147483648 d5fa0e00 fffffffed5fa0e00 fffffffed5fa0e00 1
// stdout: d 9.22337e+18: 0 0 0 0 -2147483648 fffffc00 7ffffffffffffc00 7ffffffffffffc00 1
// stdout: f 9.22337e+18: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l 9.22337e+18: 0 0 -32768 0 -2147483648 fffffc00 7ffffffffffffc00 7ffffffffffffc00 1
// stdout: d 9.22337e+18: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f 9.22337e+18: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l 9.22337e+18: 0 0 -32768 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: d -9.22337e+18: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f -9.22337e+18: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l -9.22337e+18: 0 0 -32768 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: d 1e+19: 0 0 0 0 -2147483648 0 8000000000000000 8ac7230489e80000 1
// stdout: f 1e+19: 0 0 0 0 -2147483648 0 8000000000000000 8ac7230000000000 1
// stdout: l 1e+19: 0 0 -32768 0 -2147483648 0 8000000000000000 8ac7230489e80000 1
// stdout: d 1.84467e+19: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f 1.84467e+19: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l 1.84467e+19: 0 0 -32768 0 -2147483648 0 8000000000000000 0 1
// stdout: d -1e+19: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f -1e+19: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l -1e+19: 0 0 -32768 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: d 1e+30: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f 1e+30: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l 1e+30: 0 0 -32768 0 -2147483648 0 8000000000000000 0 1
// stdout: d -1e+30: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f -1e+30: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l -1e+30: 0 0 -32768 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: d inf: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f inf: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l inf: 0 0 -32768 0 -2147483648 0 8000000000000000 0 1
// stdout: d -inf: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f -inf: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l -inf: 0 0 -32768 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: d nan: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: f nan: 0 0 0 0 -2147483648 0 8000000000000000 8000000000000000 1
// stdout: l nan: 0 0 -32768 0 -2147483648 0 8000000000000000 0 1
// stdout: c9f2c9cd0 4675000000000000
#include <math.h>
#include <stdio.h>

static const double values[] = {
    -1.9, 127.5, 300.7, -32769, 65536, 70000, 2147483647.5, 2147483648.0, -2147483648.9, -2147483649.0, 4294967300.0,
    -5e9, 9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0, 1e19, 18446744073709551616.0, -1e19,
    1e30, -1e30, INFINITY, -INFINITY, NAN,
};

#define CONVERT(from, number, name)                                                                          \
    do {                                                                                                     \
        volatile from x = (from)(number);                                                                    \
        printf("%s %g: %d %d %d %d %d %x %lx %lx %d\n", name, number, (signed char)x, (unsigned char)x, (short)x, \
               (unsigned short)x, (int)x, (unsigned)x, (long)x, (unsigned long)x, (_Bool)x);                  \
    } while (0)

int main(void)
{
    for (unsigned n = 0; n < sizeof values / sizeof values[0]; n++) {
        CONVERT(double, values[n], "d");
        CONVERT(float, values[n], "f");
        CONVERT(long double, values[n], "l");
    }
    volatile double large = 1e30;
    volatile __int128 wide = (__int128)large;
    printf("%lx %lx\n", (long)(wide >> 64), (long)wide);
    return 0;
}
