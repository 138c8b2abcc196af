// Floating point: exact functions by what defines them, approximations to the last bit of the native libc (whose results
// these are), text and back, the 80-bit long double, complex numbers.
#define _GNU_SOURCE
#include "check.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double any_double(void)
{
    union { uint64_t bits; double value; } pun = {random_number() << 32 ^ random_number() << 8};
    switch (random_number() % 4) {
    case 0: return (double)(int64_t)(random_number() % 2001) / 2 - 500;
    case 1: return ldexp((double)(random_number() % 1000000), (int)(random_number() % 60) - 40);
    default: return isfinite(pun.value) ? pun.value : 0.5;
    }
}

static void exact(double x, double y)
{
    double whole, rest = modf(x, &whole);
    int exponent;
    double fraction = frexp(x, &exponent);
    CHECK(rest + whole == x && fabs(rest) < 1 && whole == trunc(x) && signbit(rest) == signbit(x));
    CHECK(ldexp(fraction, exponent) == x && (x == 0 || (fabs(fraction) >= 0.5 && fabs(fraction) < 1)));
    CHECK(floor(x) <= x && (floor(x) + 1 > x || floor(x) == x) && floor(x) == floor(floor(x)) && ceil(x) == -floor(-x));
    CHECK(fabs(round(x) - x) <= 0.5 && fabs(rint(x) - x) <= 0.5 && fmod(rint(x), 1) == 0);
    CHECK(fmin(x, y) == (x < y ? x : y) && fmax(x, y) == (x < y ? y : x) && copysign(x, -1.0) == -fabs(x));
    if (y != 0 && fabs(x / y) < 0x1p50) {
        double remainder = fmod(x, y);
        CHECK(fabs(remainder) < fabs(y) && (remainder == 0 || signbit(remainder) == signbit(x)));
        CHECK(fma(trunc((x - remainder) / y + copysign(0.25, x / y)), y, remainder) == x);
    }
    if (fabs(x) < 0x1p500 && fabs(x) > 0x1p-400) {
        double root = sqrt(fabs(x)), below = nextafter(root, 0), above = nextafter(root, INFINITY);
        CHECK(fabs(fma(root, root, -fabs(x))) <= fabs(fma(below, below, -fabs(x))));
        CHECK(fabs(fma(root, root, -fabs(x))) <= fabs(fma(above, above, -fabs(x))));
    }
    long double l = (long double)x * 1.1L, lwhole, lrest = modfl(l, &lwhole);
    CHECK(lwhole + lrest == l && floorl(l) <= l && ceill(l) == -floorl(-l) && fabsl(roundl(l) - l) <= 0.5L);
    CHECK(ldexpl(frexpl(l, &exponent), 0) * 2 == ldexpl(frexpl(l, &exponent), 1) && truncl(l) == lwhole);
}

static void text(double x)
{
    char line[400], *end;
    snprintf(line, sizeof line, "%.17g", x);
    CHECK(strtod(line, &end) == x && *end == 0);
    snprintf(line, sizeof line, "%a", x);
    CHECK(strtod(line, &end) == x && *end == 0);
    snprintf(line, sizeof line, "%.9g", (float)x);
    CHECK(strtof(line, NULL) == (float)x);
    long double l = (long double)x / 3;
    snprintf(line, sizeof line, "%.21Lg", l);
    CHECK(strtold(line, &end) == l && *end == 0);
    CHECK(sscanf(line, "%Lf", &l) == 1 && l == strtold(line, NULL));
}

// Short numbers are read in one step, long ones in many: where both can be asked they agree, in value and in length.
static void same_number(const char *line)
{
    char *end, *other;
    double x = strtod(line, &end), y = (double)strtold(line, &other);
    CHECK(memcmp(&x, &y, sizeof x) == 0 && end == other);
    float f = strtof(line, &end), g = (float)strtold(line, &other);
    CHECK(memcmp(&f, &g, sizeof f) == 0 && end == other);
}

// scanf reads a character at a time, and leaves the stream behind the number.
static void same_scanned(const char *line)
{
    char *end, rest[100] = "", wide[100] = "";
    double x = -1, y;
    float f = -1;
    int found = sscanf(line, "%lf%99s", &x, rest);
    y = strtod(line, &end);
    if (found < 1) {
        // A number that breaks off after its e is none for scanf.
        CHECK(end == line || strpbrk(line, "eEnN") != NULL || strchr(line, 'x') != NULL);
        return;
    }
    CHECK((x == y || (x != x && y != y)) && signbit(x) == signbit(y));
    char same[100] = "";
    CHECK(sscanf(end, "%99s", same) == (found == 2 ? 1 : -1) && strcmp(same, rest) == 0);
    CHECK(sscanf(line, "%f", &f) == 1 && (f == strtof(line, NULL) || f != f));
    // A width ends it early.
    snprintf(wide, sizeof wide, "%.3s", line);
    int cut = sscanf(line, "%3lf", &x);
    if (cut == 1 && *line > 32) CHECK(x == strtod(wide, NULL) || x != x);
    FILE *stream = fmemopen((void *)line, strlen(line), "r");
    CHECK(stream != NULL && fscanf(stream, "%lf", &x) == 1 && (x == y || x != x));
    CHECK(fgetc(stream) == (*end == 0 ? EOF : (unsigned char)*end));
    fclose(stream);
}

static void short_numbers(void)
{
    static const char *const lines[] = {
        "", ".", "-", "+.", "-.e1", "0", "-0", "-0.0", "+5", " \t-7.25", "5.", ".5", "-.5e1", "1e", "1e+", "1e-x", "1E5", "1e-3x",
        "1.5.5", "0x", "0x1p3", "0x.8", "00x1", "00.5", "123456789012345", "1234567890123456", "1234567", "12345678", "1e12", "1e13",
        "99999e-4", "1e-4", "1e-5", "1e22", "1e23", "1e100", "1e1000", "0e999", "0.00001", "0.1234", "16777217", "1e10", "1.5e-2,7",
        "infinity", "-inf", "nan", "nan(7)", "in", "1e007", "1--2", "8.5e+2z",
    };
    char line[64];
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        same_number(lines[i]);
        if (*lines[i] != 0) same_scanned(lines[i]);
    }
    for (int i = 0; i < 2000; i++) {
        int digits = (int)(random_number() % 5);
        snprintf(line, sizeof line, "%lu.%0*lu", (unsigned long)(random_number() % 100000), digits, (unsigned long)(random_number() % 10));
        same_number(line);
        snprintf(line, sizeof line, "-%lue%d", (unsigned long)(random_number() % 1000000), (int)(random_number() % 20) - 8);
        same_number(line);
        same_scanned(line);
    }
}

int main(void)
{
    for (int i = 0; i < 1500; i++) {
        double x = any_double(), y = any_double();
        exact(x, y);
        text(x);
    }
    short_numbers();
    CHECK(isnan(sqrt(-1.0)) && isnan(fmod(1, 0)) && fmin(NAN, 1) == 1 && 1 / copysign(0.0, -1) == -INFINITY);
    CHECK(lround(-2.5) == -3 && lrint(-2.5) == -2 && ilogb(0x1p-1074) == -1074 && logb(8) == 3);
    CHECK(strtod("nan", NULL) != 0 && strtod("-inf", NULL) == -INFINITY && strtod("0x1.8p1", NULL) == 3);
    char line[64];
    sprintf(line, "%.0f %.3e %g %Lg %5.1f|%-6.2f|%+d", 2.5, 12345.678, 1e-5, 1e4000L, 9.96, 1.005, 7);
    CHECK(strcmp(line, "2 1.235e+04 1e-05 1e+4000  10.0|1.00  |+7") == 0);
    double complex z = (1 + 2 * I) * (3 - 4 * I), q = z / (3 - 4 * I);
    CHECK(creal(z) == 11 && cimag(z) == 2 && creal(q) == 1 && cimag(q) == 2 && cabs(3 + 4 * I) == 5);
    __int128 big = (__int128)1 << 100;
    CHECK((double)big == 0x1p100 && (__int128)0x1p100 == big && big / 3 * 3 + big % 3 == big && (long double)big == 0x1p100L);
    CHECK(sin(0x1.199999999999ap+0) == 0x1.c84c54c2d6338p-1);
    CHECK(sin(0x1.0f0cf064dd592p+73) == -0x1.b453ab76bf397p-1);
    CHECK(cos(0x1.2666666666666p+1) == -0x1.5522217302fep-1);
    CHECK(tan(0x1.6666666666666p-1) == 0x1.af406c2fc78aep-1);
    CHECK(exp(0x1.b333333333333p+0) == 0x1.5e552770df8a6p+2);
    CHECK(exp(-0x1.e4ccccccccccdp+4) == 0x1.3833f323dbf98p-44);
    CHECK(exp2(0x1.3333333333333p-2) == 0x1.3b2c47bff8329p+0);
    CHECK(exp10(0x1.4cccccccccccdp+0) == 0x1.3f3df1c59536fp+4);
    CHECK(log(0x1.a666666666666p+1) == 0x1.31a4e7240c777p+0);
    CHECK(log2(0x1.ecccccccccccdp+2) == 0x1.78f11f1e0bdfdp+1);
    CHECK(log10(0x1.a9fbe76c8b439p-7) == -0x1.e2d49bc43edb1p+0);
    CHECK(asin(0x1.3333333333333p-2) == 0x1.380159e14f6ffp-2);
    CHECK(acos(0x1.ccccccccccccdp-1) == 0x1.cdd9f8f922e98p-2);
    CHECK(atan(0x1.8cccccccccccdp+1) == 0x1.423db7312cebcp+0);
    CHECK(sinh(0x1.3333333333333p+0) == 0x1.826c0f3412348p+0);
    CHECK(cosh(0x1.199999999999ap+1) == 0x1.24589c2cef9c1p+2);
    CHECK(tanh(0x1.999999999999ap-2) == 0x1.8511573c242d6p-2);
    CHECK(cbrt(0x1.cp+2) == 0x1.e9b5dba58189ep+0);
    CHECK(expm1(0x1.47ae147ae147bp-7) == 0x1.4952e9791133fp-7);
    CHECK(log1p(0x1.47ae147ae147bp-6) == 0x1.44723d272a7f1p-6);
    CHECK(erf(0x1.3333333333333p-1) == 0x1.352ca0235d4f7p-1);
    CHECK(tgamma(0x1.199999999999ap+2) == 0x1.445af244f45d1p+3);
    CHECK(pow(0x1.599999999999ap+1, 0x1.f333333333333p+1) == 0x1.80f42f7fe9057p+5);
    CHECK(hypot(0x1.a666666666666p+1, 0x1.199999999999ap+2) == 0x1.6p+2);
    CHECK(atan2(0x1.8p+0, -0x1.4p+1) == 0x1.4cf33dec5e9ep+1);
    CHECK(sinf(0x1.19999ap+0f) == 0x1.c84c56p-1f);
    CHECK(cosf(0x1.266666p+1f) == -0x1.55222p-1f);
    CHECK(expf(0x1.b33334p+0f) == 0x1.5e5528p+2f);
    CHECK(logf(0x1.a66666p+1f) == 0x1.31a4e8p+0f);
    CHECK(tanhf(0x1.99999ap-2f) == 0x1.851158p-2f);
    return failures != 0;
}
