/* Waiting for a word in memory to change, as locks and all their like do in the end. Who waits lets threads run that
   have not begun (threads.c, if the program makes any). Takes the place of musl's __wait.c and __timedwait.c. */
#include <errno.h>
#include <sched.h>
#include <threads.h>
#include <time.h>

#include "pthread_impl.h"

static void no_others(volatile int *address, int value, int timed) {
}
weak_alias(no_others, __tangent_wait);
static int no_other(void) {
    return 0;
}
weak_alias(no_other, __tangent_begin_thread);
void __tangent_wait(volatile int *address, int value, int timed);
int __tangent_begin_thread(void);

static volatile int no;
weak_alias(no, __eintr_valid_flag);

void __wait(volatile int *address, volatile int *waiters, int value, int private) {
    if (*address != value) return;
    if (waiters) ++*waiters;
    __tangent_wait(address, value, 0);
    /* Nobody can change it: the host says how the run ends. */
    while (*address == value) __syscall(SYS_futex, address, FUTEX_WAIT | FUTEX_PRIVATE, value, 0);
    if (waiters) --*waiters;
}

/* How long it is until `end`; false if it has passed. */
static int time_left(const struct timespec *end, const struct timespec *now, struct timespec *left) {
    left->tv_sec = end->tv_sec - now->tv_sec;
    left->tv_nsec = end->tv_nsec - now->tv_nsec;
    if (left->tv_nsec < 0) {
        left->tv_sec--;
        left->tv_nsec += 1000000000;
    }
    return left->tv_sec >= 0;
}

int __timedwait_cp(volatile int *address, int value, clockid_t clock, const struct timespec *end, int private) {
    struct timespec now, left;
    if (end && end->tv_nsec >= 1000000000UL) return EINVAL;
    if (end && __clock_gettime(clock, &now)) return EINVAL;
    __tangent_wait(address, value, end != 0);
    if (end && *address == value) {
        __clock_gettime(clock, &now);
        if (!time_left(end, &now, &left)) return ETIMEDOUT;
    }
    int result = -__syscall_cp(SYS_futex, address, FUTEX_WAIT | FUTEX_PRIVATE, value, end ? &left : 0);
    if (result == EINTR && !__eintr_valid_flag) return 0;
    return result == EINTR || result == ETIMEDOUT || result == ECANCELED ? result : 0;
}

int __timedwait(volatile int *address, int value, clockid_t clock, const struct timespec *end, int private) {
    int before;
    __pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    int result = __timedwait_cp(address, value, clock, end, private);
    __pthread_setcancelstate(before, 0);
    return result;
}

int sched_yield(void) {
    if (!__tangent_begin_thread()) {
        int never = 0;
        __tangent_wait(&never, 0, 1);
    }
    return 0;
}

void thrd_yield(void) {
    sched_yield();
}
