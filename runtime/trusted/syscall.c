/* The one way to the host's system calls: number and arguments in the control block, then the result from there. */
#include "state.h"

long __tangent_syscall(long number, long a, long b, long c, long d, long e, long f) {
    volatile long *slot = (long *)(uintptr_t)TANGENT_CONTROL_SYSCALL;
    slot[0] = number;
    slot[1] = a;
    slot[2] = b;
    slot[3] = c;
    slot[4] = d;
    slot[5] = e;
    slot[6] = f;
    __tangent_host_syscall();
    return slot[7];
}
