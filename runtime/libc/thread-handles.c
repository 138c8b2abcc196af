/* What a thread does with another one by its handle: wait for its end, let it go, signal it, name it. Takes the place of
   musl's files of the same functions, which know threads by their maps and by the kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <tangent/machine.h>
#include <time.h>

#include "threads.h"

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *end) {
    int state;
    if (thread == __pthread_self()) return EDEADLK;
    __pthread_testcancel();
    if (thread->detach_state >= DT_DETACHED) return EINVAL;
    __tangent_begin(thread);
    while ((state = thread->detach_state)) {
        int trouble = __timedwait_cp(&thread->detach_state, state, CLOCK_REALTIME, end, 1);
        if (trouble == ETIMEDOUT || trouble == EINVAL) return trouble;
    }
    if (result) *result = thread->result;
    __tangent_release(thread);
    return 0;
}

int __pthread_join(pthread_t thread, void **result) {
    return pthread_timedjoin_np(thread, result, 0);
}
weak_alias(__pthread_join, pthread_join);

int pthread_tryjoin_np(pthread_t thread, void **result) {
    if (thread != __pthread_self()) __tangent_begin(thread);
    return thread->detach_state == DT_EXITED ? __pthread_join(thread, result) : EBUSY;
}

static int detach(pthread_t thread) {
    if (thread->detach_state >= DT_DETACHED) return EINVAL;
    if (thread->detach_state == DT_EXITED) __tangent_release(thread);
    else thread->detach_state = DT_DETACHED;
    return 0;
}
weak_alias(detach, pthread_detach);
weak_alias(detach, thrd_detach);

int pthread_kill(pthread_t thread, int signal) {
    if (signal < 0 || signal >= _NSIG) return EINVAL;
    /* It has ended. */
    if (!thread->tid || !signal) return 0;
    if (__tangent_signal_later(thread, signal)) return 0;
    if (thread != __pthread_self()) __syscall(TANGENT_CALL_THREAD_WAITS, TANGENT_SIGNALS_ANOTHER);
    return -__syscall(SYS_tkill, thread->tid, signal);
}

int pthread_setname_np(pthread_t thread, const char *name) {
    if (strnlen(name, THREAD_NAME) == THREAD_NAME) return ERANGE;
    strcpy(__tangent_thread_name(thread), name);
    return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    if (size < THREAD_NAME) return ERANGE;
    strcpy(name, __tangent_thread_name(thread));
    return 0;
}
