// Floating-point arithmetic in single and double precision: rounding, comparison with NaN, signed zero, accumulation.
// stdout: 3e99999a 3ca3d70b 3fd3333333333334
// stdout: 7f800000 3d088889
// stdout: 3fe0000000000000 bfe0000000000001
// stdout: 000001
// stdout: 111
// stdout: -inf -0
// stdout: 143453.406250
// stdout: 10000
// stdout: 16777216 0.100000001
// stdout: 2 -2 1000000000
// stdout: 2.22045e-16 1.19209e-07 5.56268e-309
// stdout: 4470fabe
// stdout: 3ff6a09e667f3bcc
// stdout: 1
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static uint64_t bits64(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }

int main(void)
{
    volatile float a = 0.1f, b = 0.2f, big = 1e30f;
    volatile double c = 0.1, d = 0.2;
    printf("%08x %08x %016llx\n", bits(a + b), bits(a * b), (unsigned long long)bits64(c + d));
    printf("%08x %08x\n", bits(big * big), bits(a / 3));
    printf("%016llx %016llx\n", (unsigned long long)bits64(c / d), (unsigned long long)bits64(c - d * 3));
    volatile double zero = 0, nan = NAN;
    printf("%d%d%d%d%d%d\n", nan < 1, nan > 1, nan <= 1, nan >= 1, nan == nan, nan != nan);
    printf("%d%d%d\n", !(nan < 1), zero == -zero, 1 / zero > DBL_MAX);
    printf("%g %g\n", 1 / -zero, -zero);
    float sum = 0;
    for (int i = 0; i < 10000000; i += 7)
        sum += 0.1f;
    printf("%.6f\n", sum);
    double total = 0, correction = 0;
    for (int i = 0; i < 100000; i++) {
        double y = 0.1 - correction, t = total + y;
        correction = t - total - y;
        total = t;
    }
    printf("%.17g\n", total);
    printf("%.9g %.9g\n", (float)16777217, (float)0.1);
    printf("%d %d %d\n", (int)2.9, (int)-2.9, (int)1e9f);
    printf("%g %g %g\n", DBL_EPSILON, FLT_EPSILON, DBL_MIN / 4);
    unsigned h = 0;
    float x = 0.5f;
    for (int i = 0; i < 1000; i++) {
        x = 3.9f * x * (1 - x);
        h = h * 31 + bits(x);
    }
    printf("%08x\n", h);
    double newton = 2;
    for (int i = 0; i < 6; i++)
        newton = (newton + 2 / newton) / 2;
    printf("%016llx\n", (unsigned long long)bits64(newton));
    printf("%d\n", (float)(c + d) == a + b);
    return 0;
}
