/* Threads as glibc's headers see them. pthread_cleanup_push is a place to jump to; mutexes that are recursive from their
   initialiser have their kind elsewhere; a variable says whether there was ever a second thread; waits by any clock. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <setjmp.h>
#include <string.h>
#include <time.h>

#include "pthread_impl.h"

/* __pthread_unwind_buf_t: a jump buffer that setjmp has filled, then four words that are ours. */
struct unwind_buffer {
    long jump[8];
    long mask_was_saved;
    struct __ptcb handler;
};

static void jump(void *buffer) {
    longjmp((struct __jmp_buf_tag *)buffer, 1);
}

void glibc___pthread_register_cancel(struct unwind_buffer *buffer) {
    buffer->handler.__f = jump;
    buffer->handler.__x = buffer;
    __do_cleanup_push(&buffer->handler);
}

void glibc___pthread_unregister_cancel(struct unwind_buffer *buffer) {
    __do_cleanup_pop(&buffer->handler);
}

/* A handler has run: the thread goes on ending. */
_Noreturn void glibc___pthread_unwind_next(struct unwind_buffer *buffer) {
    pthread_exit(__pthread_self()->result);
}

extern char glibc___libc_single_threaded;

int glibc_pthread_create(pthread_t *result, const pthread_attr_t *attributes, void *(*entry)(void *), void *argument) {
    glibc___libc_single_threaded = 0;
    return pthread_create(result, attributes, entry, argument);
}

/* Where PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP and its like put the kind; musl's mutex has nothing there. */
#define INITIAL_KIND __u.__i[4]

static void take_kind(pthread_mutex_t *mutex) {
    int kind = mutex->INITIAL_KIND;
    mutex->INITIAL_KIND = 0;
    if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK) mutex->_m_type = kind;
}

int glibc_pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (mutex->INITIAL_KIND) take_kind(mutex);
    return pthread_mutex_lock(mutex);
}

int glibc_pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (mutex->INITIAL_KIND) take_kind(mutex);
    return pthread_mutex_trylock(mutex);
}

int glibc_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end) {
    if (mutex->INITIAL_KIND) take_kind(mutex);
    return pthread_mutex_timedlock(mutex, end);
}

/* A moment of one clock as the moment of CLOCK_REALTIME that is as far away. */
static int on_wall_clock(clockid_t clock, const struct timespec *end, struct timespec *result) {
    struct timespec theirs, ours;
    if (clock_gettime(clock, &theirs) || clock_gettime(CLOCK_REALTIME, &ours)) return EINVAL;
    result->tv_sec = end->tv_sec - theirs.tv_sec + ours.tv_sec;
    result->tv_nsec = end->tv_nsec - theirs.tv_nsec + ours.tv_nsec;
    for (; result->tv_nsec < 0; result->tv_nsec += 1000000000) result->tv_sec--;
    for (; result->tv_nsec >= 1000000000; result->tv_nsec -= 1000000000) result->tv_sec++;
    return 0;
}

int glibc_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
    struct timespec at;
    return on_wall_clock(clock, end, &at) ? EINVAL : glibc_pthread_mutex_timedlock(mutex, &at);
}

int glibc_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                 const struct timespec *end) {
    int usual = condition->_c_clock;
    condition->_c_clock = clock;
    int result = pthread_cond_timedwait(condition, mutex, end);
    condition->_c_clock = usual;
    return result;
}

int glibc_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end) {
    struct timespec at;
    if (!on_wall_clock(clock, end, &at)) return sem_timedwait(semaphore, &at);
    errno = EINVAL;
    return -1;
}

/* Writers before readers or not: who waits first goes on last here anyway. */
int glibc_pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
    return kind < 0 || kind > 2 ? EINVAL : 0;
}
