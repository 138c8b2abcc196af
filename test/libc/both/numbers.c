/* Numbers in text, and text in numbers. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integer(const char *text, int base) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    printf("[%s] %d: %ld %d %d", text, base, value, (int)(end - text), errno);
    errno = 0;
    unsigned long other = strtoul(text, &end, base);
    printf(" | %lu %d %d\n", other, (int)(end - text), errno);
}

static void real(const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("[%s] %.17g %d %d\n", text, value, (int)(end - text), errno == ERANGE);
}

int main(void) {
    static const char *const integers[] = {"0",   "  12x",  "-5",   "+7",  "0x1f", "0x",  "077", "08", "",
                                           "  ",  "x",      "9223372036854775807", "9223372036854775808", "-9223372036854775809",
                                           "-1",  "zz",     "18446744073709551615", "18446744073709551616", "1e3"};
    static const char *const reals[] = {"1.5", "-0", "1e400", "1e-400", "0x1p4", "inf", "-INFINITY", "nan", "nan(12)", "1e", ".5",
                                        "5.", ".", "  3.25abc", "123456789012345678901234567890", "0.1"};
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        integer(integers[k], 10);
        integer(integers[k], 0);
        integer(integers[k], 36);
    }
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) real(reals[k]);
    int a = -1, b = -1, n = -1;
    char word[20] = "", set[20] = "";
    printf("%d\n", sscanf("12 0x1f rest", "%d %i %19s%n", &a, &b, word, &n));
    printf("%d %d %s %d\n", a, b, word, n);
    printf("%d %s\n", sscanf("abc123", "%19[a-z]", set), set);
    printf("%d\n", sscanf("", "%d", &a));
    printf("%d\n", sscanf("x", "%d", &a));
    float f;
    double d;
    printf("%d", sscanf("1.5 2.5e3", "%f %lf", &f, &d));
    printf(" %g %g\n", f, d);
    printf("%d %ld %lld\n", atoi("  42abc"), atol("-7"), atoll("99"));
    printf("%g %g %g %g\n", floor(-1.5), ceil(1.2), fmod(7, 3), pow(2, 0.5));
    div_t q = div(-7, 2);
    printf("%d %d %d\n", q.quot, q.rem, abs(-3));
    return 0;
}
