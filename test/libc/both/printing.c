/* Formatted output: what programs made for either libc print is compared with what the host's libc prints. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    char buffer[64], *made;
    int count;
    printf("%d %5d|%-5d|%05d|%+d|% d|%'d\n", 42, 42, 42, 42, 42, 42, 1234567);
    printf("%x %#x %X %o %#o %u %c %% %s|%10s|%-10s|%.2s\n", 255, 255, 255, 8, 8, 4000000000u, 'x', "text", "right", "left",
           "cut");
    printf("%ld %lld %zu %jd %td %hd %hhd\n", 1L << 40, 1LL << 50, (size_t)7, (intmax_t)-9, (ptrdiff_t)3, 70000, 300);
    printf("%f %e %g %a %.3f %10.2f|%-10.2f|%G %E\n", 3.14159, 31415.9, 0.0001, 1.0, 2.0005, 1.5, 1.5, 1e-10, 12345.678);
    printf("%Lf %Lg %.20Lg\n", 1.25L, 1e100L, 0.1L);
    printf("%f %f %F %e\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, 0.0);
    printf("%*d|%-*d|%.*s|%*.*f\n", 6, 1, 6, 2, 3, "abcdef", 8, 2, 2.71828);
    printf("%2$s %1$s\n", "world", "hello");
    printf("%ls %lc\n", L"wide", (wint_t)L'w');
    count = snprintf(buffer, 8, "%s", "a longer text");
    printf("%d %s\n", count, buffer);
    count = asprintf(&made, "%s-%d", "made", 5);
    printf("%d %s\n", count, made);
    free(made);
    printf("abc%n\n", &count);
    printf("%d\n", count);
    errno = 0;
    count = snprintf(0, 0, "%d%s", 12345, "xyz");
    printf("%d\n", count);
    fprintf(stderr, "to the other stream %d\n", 1);
    return 0;
}
