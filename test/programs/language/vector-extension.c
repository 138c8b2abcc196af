// GCC's vector extension: arithmetic, comparison, shuffles, subscripts, conversion, passing, and memory.
// stdout: 11 18 6 44
// stdout: 9 -41 8 159
// stdout: 3 2 3 2
// stdout: -1 -1 0 0
// stdout: 0 0 -1 0
// stdout: 10 -22 0 44
// stdout: 20 80 24 64
// stdout: -1 1 -2 -20
// stdout: 4 -5 10 121
// stdout: 1 -2 99 40
// stdout: 28.75
// stdout: 0.25 2
// stdout: 2.5 -16
// stdout: 44 44
// stdout: 4 64
// stdout: fffffffe00000001
// stdout: 22 36 204 88
// stdout: 40 10 1 4
// stdout: -1 0
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));
typedef short short8 __attribute__((vector_size(16)));
typedef long long2 __attribute__((vector_size(16)));

static int4 scale(int4 v, int factor) { return v * factor + (int4){ 1, 1, 1, 1 }; }
static float sum(float4 v) { return v[0] + v[1] + v[2] + v[3]; }
static void show(int4 v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(void)
{
    int4 a = { 1, -2, 3, 40 }, b = { 10, 20, 3, 4 };
    show(a + b);
    show(a * b - 1);
    show(b / (int4){ 3, 7, 1, 2 });
    show(a < b);
    show(a == b);
    show((a ^ b) & ~(int4){ 1, 1, 1, 1 });
    show(b << (int4){ 1, 2, 3, 4 });
    show(-a >> 1);
    show(scale(a, 3));
    a[2] = 99;
    show(a);
    float4 f = { 0.5f, 1.5f, -2.5f, 4 };
    printf("%g\n", sum(f * f + 1));
    f = f / 2;
    printf("%g %g\n", f[0], f[3]);
    double2 d = { 1.25, -8 };
    d *= 2;
    printf("%g %g\n", d[0], d[1]);
    byte16 bytes;
    memset(&bytes, 200, sizeof bytes);
    bytes += 100;
    printf("%d %d\n", bytes[0], bytes[15]);
    short8 s = { 1, 2, 3, 4, 5, 6, 7, 8 };
    s = s * s;
    printf("%d %d\n", s[1], s[7]);
    long2 wide = (long2)a;
    printf("%lx\n", (unsigned long)wide[0]);
    int4 sums[3] = { a, b, a + b }, total = { 0 };
    for (int i = 0; i < 3; i++)
        total += sums[i];
    show(total);
    int4 shuffled = __builtin_shufflevector(a, b, 3, 4, 0, 7);
    show(shuffled);
    long2 compare = d > (double2){ 0, 0 };
    printf("%ld %ld\n", compare[0], compare[1]);
    return 0;
}
