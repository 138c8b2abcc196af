/* Conditions, barriers and spin locks for threads of which one runs at a time, the others waiting below it on the stack.
   Only the topmost one that waits can go on next, so a condition wakes the one that came last, as it may; musl's wakes
   the first, and the others through it. Takes the place of musl's files of the same functions. */
#include <errno.h>

#include "pthread_impl.h"

/* On the stack of the one that waits; the last that came is the first in the list. */
struct waiter {
    struct waiter *next;
    volatile int is_asleep;
};

static void leave(pthread_cond_t *condition, struct waiter *waiter) {
    struct waiter **place = (struct waiter **)&condition->_c_head;
    while (*place && *place != waiter) place = &(*place)->next;
    if (*place) *place = waiter->next;
}

int __pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                             const struct timespec *restrict end) {
    struct waiter waiter = {condition->_c_head, 1};
    int result, cancellable;
    if ((mutex->_m_type & 15) && (mutex->_m_lock & INT_MAX) != __pthread_self()->tid) return EPERM;
    if (end && end->tv_nsec >= 1000000000UL) return EINVAL;
    __pthread_testcancel();
    condition->_c_head = &waiter;
    __pthread_mutex_unlock(mutex);
    /* If it is cancelled, it has the mutex again when its handlers run. */
    __pthread_setcancelstate(PTHREAD_CANCEL_MASKED, &cancellable);
    if (cancellable == PTHREAD_CANCEL_DISABLE) __pthread_setcancelstate(cancellable, 0);
    do result = __timedwait_cp(&waiter.is_asleep, 1, condition->_c_clock, end, 1);
    while (waiter.is_asleep && (!result || result == EINTR));
    if (!waiter.is_asleep || result == EINTR) result = 0;
    leave(condition, &waiter);
    int locked = pthread_mutex_lock(mutex);
    __pthread_setcancelstate(cancellable, 0);
    if (locked) return locked;
    if (result == ECANCELED) {
        __pthread_testcancel();
        __pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    }
    return result;
}
weak_alias(__pthread_cond_timedwait, pthread_cond_timedwait);

int __private_cond_signal(pthread_cond_t *condition, int count) {
    for (; count && condition->_c_head; count--) {
        struct waiter *waiter = condition->_c_head;
        condition->_c_head = waiter->next;
        waiter->is_asleep = 0;
    }
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    return __private_cond_signal(condition, 1);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    return __private_cond_signal(condition, -1);
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    return 0;
}

/* _b_limit is one less than the number of threads; _b_lock counts the meetings. */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    int meeting = barrier->_b_lock;
    if (++barrier->_b_count > (barrier->_b_limit & INT_MAX)) {
        barrier->_b_count = 0;
        barrier->_b_lock = (int)((unsigned)meeting + 1);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    while (barrier->_b_lock == meeting) __wait(&barrier->_b_lock, 0, meeting, 1);
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    while (a_cas(lock, 0, EBUSY)) __wait(lock, 0, EBUSY, 1);
    return 0;
}
