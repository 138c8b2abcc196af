/* From the host's start vector to main and out again. The host has put at ARGUMENTS_BASE what the kernel puts on a new
   process's stack: the number of arguments, the arguments, the environment and the auxiliary vector. What musl's own
   start code adds (relocation, thread-local storage, the stack protector) does not exist here.
   The first thread's descriptor, which errno lives in, is an ordinary variable. */
#include <elf.h>
#include <stdlib.h>
#include <tangent/machine.h>

#include "libc.h"
#include "pthread_impl.h"

struct pthread __tangent_first_thread;
/* The thread that runs. */
struct pthread *__tangent_thread = &__tangent_first_thread;

extern char **__environ;
int main(int, char **, char **);
void __stdio_exit(void);

static void set_name(char *name) {
    __progname = __progname_full = name;
    for (; *name; name++)
        if (*name == '/') __progname = name + 1;
}

static void read_auxiliary(size_t *entry) {
    libc.auxv = entry;
    libc.page_size = 4096;
    for (; entry[0] != AT_NULL; entry += 2) {
        if (entry[0] == AT_PAGESZ) libc.page_size = entry[1];
        if (entry[0] == AT_HWCAP) __hwcap = entry[1];
        if (entry[0] == AT_SECURE) libc.secure = entry[1] != 0;
    }
}

static void start_thread(void) {
    struct pthread *thread = &__tangent_first_thread;
    thread->self = thread->next = thread->prev = thread;
    thread->detach_state = DT_JOINABLE;
    thread->tid = TANGENT_PROCESS_ID;
    thread->locale = &libc.global_locale;
    thread->robust_list.head = &thread->robust_list.head;
}

/* Everything up to main; a run that starts at another function begins with this. */
void __tangent_initialise(void) {
    long *vector = (long *)(uintptr_t)TANGENT_ARGUMENTS_BASE;
    int argc = (int)vector[0];
    char **argv = (char **)(vector + 1), **environment = argv + argc + 1, **after = environment;
    while (*after) after++;
    __environ = environment;
    read_auxiliary((size_t *)(after + 1));
    set_name(argc > 0 ? argv[0] : "");
    start_thread();
    __tangent_run_constructors();
}

void __tangent_start(void) {
    long *vector = (long *)(uintptr_t)TANGENT_ARGUMENTS_BASE;
    __tangent_initialise();
    exit(main((int)vector[0], (char **)(vector + 1), __environ));
}

/* exit() calls this between the handlers of atexit and the flushing of the streams. */
void __libc_exit_fini(void) {
    __tangent_run_destructors();
}
