/* Threads without a second stack. A thread does not begin when it is made but when another one has to wait: for the
   thread itself (join), for a lock, a condition, a time. It then runs on the stack of the one that waits, to its end,
   and that one looks again whether it has what it waits for. That is one of the schedules that a system may choose. What
   it cannot do is to let a thread go on that has begun and waits further down the stack; where only that would help,
   the run ends and says so (src/vm/guest-threads.ts).
   A thread has its own descriptor, errno and signal mask; thread-local variables change places (thread-locals.c).
   Takes the place of musl's pthread_create.c and pthread_cancel.c. */
#define _GNU_SOURCE
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tangent/machine.h>
#include <unistd.h>

#include "threads.h"

volatile int __thread_list_lock;

/* Nobody is ever interrupted: these lists need no locks. */
void __tl_lock(void) {
}
void __tl_unlock(void) {
}
void __tl_sync(pthread_t thread) {
}

static void nothing(void) {
}
weak_alias(nothing, __pthread_tsd_run_dtors);
/* pthread_key_create.c has the real ones. */
static volatile size_t no_keys;
weak_alias(no_keys, __pthread_tsd_size);
static void *no_values[1];
weak_alias(no_values, __pthread_tsd_main);

/* A thread that waits while others run above it on the stack. The host reads the list. */
struct wait {
    struct wait *below;
    /* It can go on when there is something else here; null: it can at any time. */
    volatile int *address;
    long value;
};

static struct thread *not_begun;
/* The last one that was made. Threads that nobody joins are no leaks: they are found from here. */
static struct thread *last_made;
static long not_begun_count;
static struct wait *waits;
static int last_tid = TANGENT_PROCESS_ID;
/* The process that all this is true of. */
static int process;

static void preempt(int unused) {
    __tangent_begin_thread();
}

/* A thread that computes for long, maybe until another one does something, is interrupted by `preempt`. */
static void tell_host(void) {
    __syscall(TANGENT_CALL_THREADS, __pthread_self()->tid, waits, not_begun_count, preempt);
}

/* The child of a fork has one thread, the one that forked. */
static void forget_other_process(void) {
    int now = getpid();
    if (process == now) return;
    process = now;
    not_begun = 0;
    not_begun_count = 0;
    waits = 0;
}

static void swap_masks(struct thread *thread) {
    unsigned long own = thread->mask;
    __syscall(SYS_rt_sigprocmask, SIG_SETMASK, &own, &thread->mask, _NSIG / 8);
}

/* Functions with this prefix are not shown in stacks. */
static void *__tangent_thread_result(struct thread *thread) {
    if (!thread->is_c11) return thread->entry(thread->argument);
    return (void *)(intptr_t)((int (*)(void *))thread->entry)(thread->argument);
}

/* From its beginning to its end, on top of the thread that waits. */
static void __tangent_thread_run(struct thread *thread) {
    thread->before = __tangent_thread;
    thread->process = process;
    thread->descriptor.stack = (void *)(uintptr_t)__tangent_stack_pointer();
    swap_masks(thread);
    if (thread->kept) __tangent_thread_locals_begin(thread->kept);
    __tangent_thread = &thread->descriptor;
    tell_host();
    for (int signal = 1; signal < _NSIG; signal++)
        if (thread->pending >> (signal - 1) & 1) __syscall(SYS_tkill, thread->descriptor.tid, signal);
    if (!setjmp(thread->end)) __pthread_exit(__tangent_thread_result(thread));
    thread = (struct thread *)__tangent_thread;
    if (thread->kept) __tangent_thread_locals_end(thread->kept);
    swap_masks(thread);
    __tangent_thread = thread->before;
    if (thread->descriptor.detach_state >= DT_DETACHED) __tangent_release(&thread->descriptor);
}

static int __tangent_thread_begin(struct thread *thread, volatile int *address, int value) {
    forget_other_process();
    struct thread **place = &not_begun;
    while (*place && *place != thread) place = &(*place)->later;
    if (!*place) return 0;
    *place = thread->later;
    not_begun_count--;
    struct wait wait = {waits, address, value};
    waits = &wait;
    __tangent_thread_run(thread);
    waits = wait.below;
    tell_host();
    return 1;
}

void __tangent_wait(volatile int *address, int value, int timed) {
    while (*address == value && !is_cancelled(__pthread_self())) {
        if (not_begun && __tangent_thread_begin(not_begun, address, value)) continue;
        __syscall(TANGENT_CALL_THREAD_WAITS, timed ? TANGENT_WAITS_FOR_A_TIME : TANGENT_WAITS_FOR_ANOTHER);
        return;
    }
}

int __tangent_begin_thread(void) {
    return not_begun && __tangent_thread_begin(not_begun, 0, 0);
}

void __tangent_begin(struct pthread *thread) {
    if (not_begun && thread != &__tangent_first_thread)
        __tangent_thread_begin((struct thread *)thread, &thread->detach_state, thread->detach_state);
}

int __tangent_signal_later(struct pthread *thread, int signal) {
    struct thread *at = not_begun;
    while (at && &at->descriptor != thread) at = at->later;
    if (at) at->pending |= 1ul << (signal - 1);
    return at != 0;
}

/* exit() begins with this. */
void __tangent_leave(void) {
    for (struct thread *left = not_begun; left; left = left->later)
        __syscall(TANGENT_CALL_THREAD_WAITS, TANGENT_WAITS_NO_MORE);
}

void __tangent_release(struct pthread *descriptor) {
    if (descriptor == &__tangent_first_thread) return;
    struct thread *thread = (struct thread *)descriptor, **place = &last_made;
    while (*place && *place != thread) place = &(*place)->earlier;
    if (*place) *place = thread->earlier;
    free(thread->kept);
    free(thread);
}

char *__tangent_thread_name(struct pthread *thread) {
    static char first[THREAD_NAME];
    if (thread != &__tangent_first_thread) return ((struct thread *)thread)->name;
    if (!first[0]) strncpy(first, __progname, THREAD_NAME - 1);
    return first;
}

static void append(struct thread *thread) {
    struct thread **place = &not_begun;
    while (*place) place = &(*place)->later;
    *place = thread;
    thread->earlier = last_made;
    last_made = thread;
    not_begun_count++;
    struct pthread *self = __pthread_self(), *other = &thread->descriptor;
    other->next = self->next;
    other->prev = self;
    other->next->prev = other;
    self->next = other;
}

int __pthread_create(pthread_t *restrict result, const pthread_attr_t *restrict attributes, void *(*entry)(void *),
                     void *restrict argument) {
    int is_c11 = attributes == __ATTRP_C11_THREAD;
    size_t locals = __tangent_thread_locals_size();
    struct thread *thread = calloc(1, sizeof *thread + __pthread_tsd_size);
    if (!thread) return EAGAIN;
    if (locals && !(thread->kept = malloc(locals))) {
        free(thread);
        return EAGAIN;
    }
    forget_other_process();
    if (!__tangent_first_thread.tsd) __tangent_first_thread.tsd = (void **)__pthread_tsd_main;
    thread->entry = entry;
    thread->argument = argument;
    thread->is_c11 = is_c11;
    memcpy(thread->name, __tangent_thread_name(__pthread_self()), THREAD_NAME);
    __syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &thread->mask, _NSIG / 8);
    struct pthread *descriptor = &thread->descriptor;
    descriptor->self = descriptor;
    descriptor->tid = ++last_tid;
    descriptor->tsd = thread->specific;
    descriptor->locale = &libc.global_locale;
    descriptor->robust_list.head = &descriptor->robust_list.head;
    descriptor->detach_state = DT_JOINABLE;
    descriptor->stack_size = __default_stacksize;
    descriptor->guard_size = __default_guardsize;
    if (attributes && !is_c11) {
        descriptor->stack_size = attributes->_a_stacksize;
        descriptor->guard_size = attributes->_a_guardsize;
        if (attributes->_a_detach) descriptor->detach_state = DT_DETACHED;
    }
    append(thread);
    tell_host();
    *result = descriptor;
    return 0;
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

/* Mutexes of the robust kind that it holds have lost their owner. */
static void leave_mutexes(struct pthread *self) {
    volatile void *volatile *head;
    while ((head = self->robust_list.head) && head != &self->robust_list.head) {
        pthread_mutex_t *mutex = (void *)((char *)head - offsetof(pthread_mutex_t, _m_next));
        self->robust_list.head = *head;
        mutex->_m_lock = 0x40000000;
    }
}

/* The first thread waits for all others before the program ends. */
static _Noreturn void end_first(struct pthread *self) {
    static volatile int never;
    self->detach_state = DT_EXITED;
    while (not_begun && __tangent_thread_begin(not_begun, &never, 0)) {
    }
    exit(0);
}

_Noreturn void __pthread_exit(void *result) {
    pthread_t self = __pthread_self();
    self->canceldisable = 1;
    self->cancelasync = 0;
    self->result = result;
    while (self->cancelbuf) {
        struct __ptcb *handler = self->cancelbuf;
        self->cancelbuf = handler->__next;
        handler->__f(handler->__x);
    }
    __pthread_tsd_run_dtors();
    if (self == &__tangent_first_thread) end_first(self);
    struct thread *thread = (struct thread *)self;
    if (thread->process != getpid()) exit(0);
    leave_mutexes(self);
    self->tid = 0;
    self->next->prev = self->prev;
    self->prev->next = self->next;
    if (self->detach_state == DT_JOINABLE) self->detach_state = DT_EXITED;
    longjmp(thread->end, 1);
}
weak_alias(__pthread_exit, pthread_exit);

static long cancel(void) {
    pthread_t self = __pthread_self();
    if (self->canceldisable == PTHREAD_CANCEL_ENABLE || self->cancelasync) __pthread_exit(PTHREAD_CANCELED);
    self->canceldisable = PTHREAD_CANCEL_DISABLE;
    return -ECANCELED;
}

int pthread_cancel(pthread_t thread) {
    thread->cancel = 1;
    if (thread == __pthread_self() && thread->cancelasync && !thread->canceldisable) __pthread_exit(PTHREAD_CANCELED);
    return 0;
}

void __testcancel(void) {
    pthread_t self = __pthread_self();
    if (self->cancel && !self->canceldisable) cancel();
}

/* While descriptors are not ready, others may make them so. */
static void begin_until_ready(struct pollfd *descriptors, long count) {
    while (not_begun && __syscall(SYS_poll, descriptors, count, 0) == 0 && __tangent_begin_thread()) {
    }
}

static void let_others_run(long number, long a, long b, long c) {
    switch (number) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_select:
    case SYS_pselect6:
    case SYS_pause:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
        while (__tangent_begin_thread()) {
        }
        __syscall(TANGENT_CALL_THREAD_WAITS, TANGENT_WAITS_FOR_A_TIME);
        return;
    case SYS_poll:
        if (c == 0) return;
        begin_until_ready((struct pollfd *)a, b);
        __syscall(TANGENT_CALL_THREAD_WAITS, TANGENT_WAITS_FOR_A_TIME);
        return;
    case SYS_read:
    case SYS_readv: {
        struct pollfd one = {.fd = (int)a, .events = POLLIN};
        begin_until_ready(&one, 1);
    }
    }
}

/* musl's calls that may wait, and may therefore be the end of a thread that was cancelled, come here. */
long __syscall_cp_c(long number, long a, long b, long c, long d, long e, long f) {
    pthread_t self = __pthread_self();
    if (number == SYS_close) return __syscall(number, a, b, c, d, e, f);
    if (is_cancelled(self)) return cancel();
    if (not_begun || waits) let_others_run(number, a, b, c);
    long result = is_cancelled(self) ? -EINTR : __syscall(number, a, b, c, d, e, f);
    if (result == -EINTR && is_cancelled(self)) result = cancel();
    return result;
}
