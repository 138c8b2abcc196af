/* One thread: no second one can be created, and the only one's exit ends the program. Takes the place of musl's
   pthread_create.c and pthread_cancel.c; locks and conditions are musl's and never have to wait. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "libc.h"
#include "pthread_impl.h"

volatile int __thread_list_lock;

void __tl_lock(void) {
}
void __tl_unlock(void) {
}
void __tl_sync(pthread_t thread) {
}

int __pthread_create(pthread_t *restrict result, const pthread_attr_t *restrict attributes, void *(*entry)(void *),
                     void *restrict argument) {
    /* The machine refuses it, and counts that it did: what a program does then, it does nowhere else. */
    __syscall(SYS_clone, 0, 0, 0, 0, 0);
    return EAGAIN;
}
weak_alias(__pthread_create, pthread_create);

void __do_cleanup_push(struct __ptcb *handler) {
    pthread_t self = __pthread_self();
    handler->__next = self->cancelbuf;
    self->cancelbuf = handler;
}

void __do_cleanup_pop(struct __ptcb *handler) {
    __pthread_self()->cancelbuf = handler->__next;
}

static void nothing(void) {
}
weak_alias(nothing, __pthread_tsd_run_dtors);

_Noreturn void __pthread_exit(void *result) {
    pthread_t self = __pthread_self();
    self->canceldisable = 1;
    self->result = result;
    while (self->cancelbuf) {
        struct __ptcb *handler = self->cancelbuf;
        self->cancelbuf = handler->__next;
        handler->__f(handler->__x);
    }
    __pthread_tsd_run_dtors();
    exit(0);
}
weak_alias(__pthread_exit, pthread_exit);

int pthread_cancel(pthread_t thread) {
    thread->cancel = 1;
    if (thread == __pthread_self() && thread->cancelasync && !thread->canceldisable) __pthread_exit(PTHREAD_CANCELED);
    return 0;
}

void __testcancel(void) {
    pthread_t self = __pthread_self();
    if (self->cancel && !self->canceldisable) __pthread_exit(PTHREAD_CANCELED);
}
