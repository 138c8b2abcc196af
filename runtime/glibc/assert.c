/* A failed assertion says what glibc says, then is a finding; where it is not to be one, the host returns and it aborts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tangent/machine.h>

#include "glibc.h"

_Noreturn void glibc___assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", __progname, *__progname ? ": " : "", file, line,
            function ? function : "", function ? ": " : "", expression);
    fflush(stderr);
    __tangent_host_fault(TANGENT_FAULT_ASSERTION, (unsigned)(uintptr_t)expression, 0, 0);
    abort();
}

_Noreturn void glibc___assert(const char *expression, const char *file, int line) {
    glibc___assert_fail(expression, file, (unsigned)line, 0);
}

_Noreturn void glibc___assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s%s%s:%u: %s%sUnexpected error: %s.\n", __progname, *__progname ? ": " : "", file, line,
            function ? function : "", function ? ": " : "", glibc_strerror_r(number, (char[UNKNOWN_ERROR]){0}, UNKNOWN_ERROR));
    abort();
}
