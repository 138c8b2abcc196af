/* The end of the program. musl's own exit.c finds its helpers through weak symbols and a linker's way of taking whole
   members out of archives; here the streams are always flushed, and only what not every program has is left to weak symbols. */
#include <stdlib.h>

#include "libc.h"

void __stdio_exit(void);

static void nothing(void) {
}
weak_alias(nothing, __funcs_on_exit);
/* Threads that have not begun (threads.c). */
weak_alias(nothing, __tangent_leave);
void __tangent_leave(void);

_Noreturn void exit(int code) {
    __tangent_leave();
    __funcs_on_exit();
    __libc_exit_fini();
    __stdio_exit();
    _Exit(code);
}
