/* The descriptor of the thread that runs is an ordinary block or variable (runtime/libc/start.c, threads.c). */
struct __pthread;
extern struct __pthread *__tangent_thread;

static inline uintptr_t __get_tp(void) {
    return (uintptr_t)__tangent_thread;
}

#define MC_PC gregs[REG_RIP]
