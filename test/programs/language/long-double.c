// 80-bit long double: precision beyond double, conversions, comparison, printing, parsing, and the math library.
// stdout: 64 16384 16
// stdout: 0.33333333333333333334
// stdout: 0.33333333333333331483
// stdout: 3ffdaaaaaaaaaaaaaaab
// stdout: 80000000000000000000
// stdout: 00018000000000000000
// stdout: 73e6d1ba8323fe558c61
// stdout: 2.628859557882635011e+374
// stdout: 4.02387e+2567 1.18973e+4932
// stdout: 9223372036854775807 18446744073709551614
// stdout: 9223372036854775806.0
// stdout: 1 0 0
// stdout: 1.4142135623731 2.5 -3
// stdout: 2.71828182846 2.30258509299
// stdout: 0.571493695641137 333 12.000
// stdout: 3.141592653589793239
// stdout: 1 1 inf -inf
// stdout: 0.333333343 0.33333333333333331
// stdout: 1.500 0.750
// stdout: 1.64393456668155980
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long double factorial(int n) { return n < 2 ? 1.0L : n * factorial(n - 1); }

static void hex(long double x)
{
    unsigned char bytes[16] = { 0 };
    memcpy(bytes, &x, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", bytes[i]);
    putchar('\n');
}

int main(void)
{
    volatile long double third = 1.0L / 3;
    printf("%d %d %zu\n", LDBL_MANT_DIG, LDBL_MAX_EXP, sizeof(long double));
    printf("%.20Lf\n", third);
    printf("%.20Lf\n", (long double)(double)third);
    hex(third);
    hex(-0.0L);
    hex(LDBL_MIN);
    hex(1e4000L);
    printf("%.18Le\n", factorial(200) / 3);
    printf("%Lg %Lg\n", factorial(1000), LDBL_MAX);
    volatile long double big = 9223372036854775807.0L;
    printf("%lld %llu\n", (long long)big, (unsigned long long)(big * 2));
    printf("%.1Lf\n", big - 1);
    printf("%d %d %d\n", third > 0.333L, third == (double)third, third != third);
    printf("%.15Lg %.15Lg %.15Lg\n", sqrtl(2), fabsl(-2.5L), floorl(-2.5L));
    printf("%.12Lg %.12Lg\n", expl(1), logl(10));
    int exponent;
    long double mantissa = frexpl(1e100L, &exponent);
    printf("%.15Lf %d %.3Lf\n", mantissa, exponent, ldexpl(0.75L, 4));
    printf("%.19Lg\n", strtold("3.14159265358979323846", NULL));
    long double nan = strtold("nan", NULL), infinity = 1 / (third - third);
    printf("%d %d %Lf %Lf\n", isnan(nan) != 0, isinf(infinity) != 0, infinity, -infinity);
    float f = (float)third;
    printf("%.9g %.17g\n", f, (double)third);
    printf("%.3Lf %.3Lf\n", fmodl(10.5L, 3), modfl(2.75L, &(long double){ 0 }));
    long double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0L / i / i;
    printf("%.17Lf\n", sum);
    return 0;
}
