/* What the files of threads share; threads.c tells the idea. */
#ifndef TANGENT_THREADS_H
#define TANGENT_THREADS_H

#include <setjmp.h>

#include "pthread_impl.h"

#define THREAD_NAME 16

/* A thread that was made; the first one is a bare descriptor (start.c). */
struct thread {
    struct pthread descriptor;
    void *(*entry)(void *);
    void *argument;
    int is_c11;
    /* The next one that has not begun, and the one that was made before and is not released. */
    struct thread *later, *earlier;
    /* It runs again when this one has ended. */
    struct pthread *before;
    /* The signals that it blocks; while it runs, those that the one before does. */
    unsigned long mask;
    /* Signals that were sent to it before it began. */
    unsigned long pending;
    /* The thread-local variables of the one before; null if the program has none. */
    void *kept;
    char name[THREAD_NAME];
    /* After a fork there may be another one, in which this thread is the only one. */
    int process;
    jmp_buf end;
    void *specific[];
};

extern struct pthread __tangent_first_thread;

/* Whether the thread has to end where it waits, or waits next. */
static inline int is_cancelled(struct pthread *thread) {
    return thread->cancel && thread->canceldisable != PTHREAD_CANCEL_DISABLE;
}

/* Runs threads that have not begun until *address is not `value`, none is left, or the caller is cancelled. If a thread
   that has begun would have to go on first, the run ends here, unless the wait is `timed`. */
void __tangent_wait(volatile int *address, int value, int timed);
/* Runs the next thread that has not begun; false if there is none. */
int __tangent_begin_thread(void);
/* Runs this thread if it has not begun. */
void __tangent_begin(struct pthread *thread);
/* The signal comes when it begins; false if it has. */
int __tangent_signal_later(struct pthread *thread, int signal);
/* Where its name is. */
char *__tangent_thread_name(struct pthread *thread);
/* It has ended, and nobody will ask for it any more. */
void __tangent_release(struct pthread *thread);

#endif
