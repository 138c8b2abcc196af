/* A failed assertion says what musl says, then is a finding; where it is not to be one, the host returns and it aborts. */
#include <stdio.h>
#include <stdlib.h>
#include <tangent/machine.h>

_Noreturn void __assert_fail(const char *expression, const char *file, int line, const char *function) {
    fprintf(stderr, "Assertion failed: %s (%s: %s: %d)\n", expression, file, function, line);
    fflush(stderr);
    __tangent_host_fault(TANGENT_FAULT_ASSERTION, (unsigned)(uintptr_t)expression, 0, 0);
}
