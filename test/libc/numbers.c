// Integers from text: value, where reading stopped, and errno.
#include "check.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static void signed_number(const char *text, int base, long value, int stop, int error)
{
    char *end;
    errno = 0;
    long read = strtol(text, &end, base);
    if (read != value || end - text != stop || errno != error) {
        printf("strtol(\"%s\", %d) = %ld, %d, %d\n", text, base, read, (int)(end - text), errno);
        failures++;
    }
    CHECK(strtoll(text, NULL, base) == value && strtoimax(text, NULL, base) == value);
}

static void unsigned_number(const char *text, int base, unsigned long value, int stop, int error)
{
    char *end;
    errno = 0;
    unsigned long read = strtoul(text, &end, base);
    if (read != value || end - text != stop || errno != error) {
        printf("strtoul(\"%s\", %d) = %lu, %d, %d\n", text, base, read, (int)(end - text), errno);
        failures++;
    }
    CHECK(strtoull(text, NULL, base) == value && strtoumax(text, NULL, base) == value);
}

int main(void)
{
    signed_number("0", 10, 0, 1, 0);
    signed_number("  -42abc", 10, -42, 5, 0);
    signed_number("\t\n\v\f\r +7", 0, 7, 8, 0);
    signed_number("0x1fg", 0, 31, 4, 0);
    signed_number("0x1f", 16, 31, 4, 0);
    signed_number("0x", 16, 0, 1, 0);
    signed_number("0xg", 0, 0, 1, 0);
    signed_number("077", 0, 63, 3, 0);
    signed_number("08", 0, 0, 1, 0);
    signed_number("zz", 36, 35 * 36 + 35, 2, 0);
    signed_number("102", 2, 2, 2, 0);
    signed_number("", 10, 0, 0, 0);
    signed_number("   ", 10, 0, 0, 0);
    signed_number("-", 10, 0, 0, 0);
    signed_number("--5", 10, 0, 0, 0);
    signed_number("9223372036854775807", 10, LONG_MAX, 19, 0);
    signed_number("9223372036854775808", 10, LONG_MAX, 19, ERANGE);
    signed_number("-9223372036854775808", 10, LONG_MIN, 20, 0);
    signed_number("-9223372036854775809", 10, LONG_MIN, 20, ERANGE);
    signed_number("99999999999999999999999999x", 10, LONG_MAX, 26, ERANGE);
    signed_number("5", 1, 0, 0, EINVAL);
    signed_number("5", 37, 0, 0, EINVAL);
    unsigned_number("18446744073709551615", 10, ULONG_MAX, 20, 0);
    unsigned_number("18446744073709551616", 10, ULONG_MAX, 20, ERANGE);
    unsigned_number("-1", 10, ULONG_MAX, 2, 0);
    unsigned_number("-18446744073709551616", 10, ULONG_MAX, 21, ERANGE);
    unsigned_number("0xffffffffffffffff", 0, ULONG_MAX, 18, 0);
    CHECK(atoi("  12x") == 12 && atoi("-2147483648") == INT_MIN && atol("-0") == 0 && atoll("99") == 99);
    CHECK(abs(-3) == 3 && div(-7, 2).quot == -3 && div(-7, 2).rem == -1 && ldiv(7, -2).rem == 1);
    for (int i = 0; i < 2000; i++) {
        char text[80];
        int base = 2 + (int)(random_number() % 35), at = 79;
        unsigned long value = (random_number() << 20 ^ random_number()) >> random_number() % 64, left = value;
        text[at] = 0;
        do text[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % base]; while (left /= base);
        CHECK(strtoul(text + at, NULL, base) == value);
    }
    return failures != 0;
}
