// strtol and its family: bases, signs, prefixes, overflow, what is left unparsed.
// stdout: 0 0 [] 0 0
// stdout: 123 0 [abc] 123 0
// stdout: -123 0 [] 18446744073709551493 0
// stdout: 31 0 [z] 31 0
// stdout: 31 0 [z] 31 0
// stdout: 493 0 [] 493 0
// stdout: 0 0 [89] 0 0
// stdout: 1295 0 [] 1295 0
// stdout: 5 0 [2] 5 0
// stdout: 9223372036854775807 0 [] 9223372036854775807 0
// stdout: 9223372036854775807 1 [] 9223372036854775808 0
// stdout: -9223372036854775808 0 [] 9223372036854775808 0
// stdout: -9223372036854775808 1 [] 9223372036854775807 0
// stdout: 9223372036854775807 1 [] 18446744073709551615 0
// stdout: 9223372036854775807 1 [] 18446744073709551615 1
// stdout: 9223372036854775807 1 [] 18446744073709551615 1
// stdout: 0 0 [] 0 0
// stdout: 0 0 [-] 0 0
// stdout: 0 0 [x] 0 0
// stdout: 0 0 [xg] 0 0
// stdout: 42 -7 123456789012
// stdout: -5 5
// stdout: 9223372036854775807 18446744073709551615
// stdout: -3 -2 -3 2 3 4
// native: the strtol of zig's libc leaves other ends than the standard says
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void parse(const char *text, int base)
{
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    int first = errno;
    errno = 0;
    unsigned long u = strtoul(text, NULL, base);
    printf("%ld %d [%s] %lu %d\n", l, first == ERANGE, end, u, errno == ERANGE);
}

int main(void)
{
    parse("0", 10);
    parse("  +123abc", 10);
    parse("-123", 10);
    parse("0x1fz", 16);
    parse("0x1fz", 0);
    parse("0755", 0);
    parse("089", 0);
    parse("zz", 36);
    parse("1012", 2);
    parse("9223372036854775807", 10);
    parse("9223372036854775808", 10);
    parse("-9223372036854775808", 10);
    parse("-9223372036854775809", 10);
    parse("18446744073709551615", 10);
    parse("18446744073709551616", 10);
    parse("99999999999999999999999", 10);
    parse("", 10);
    parse("-", 10);
    parse("0x", 16);
    parse("0xg", 0);
    printf("%d %ld %lld\n", atoi("42x"), atol("-7"), atoll("123456789012"));
    printf("%" PRId64 " %" PRIu64 "\n", (int64_t)strtoimax("-5", NULL, 10), (uint64_t)strtoumax("5", NULL, 10));
    printf("%lld %llu\n", strtoll("7fffffffffffffff", NULL, 16), strtoull("ffffffffffffffff", NULL, 16));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    printf("%d %d %ld %ld %d %ld\n", d.quot, d.rem, l.quot, l.rem, abs(-3), labs(-4l));
    return 0;
}
