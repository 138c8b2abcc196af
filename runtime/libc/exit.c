/* The end of the program. musl's own exit.c finds its helpers through weak symbols and a linker's way of taking whole
   members out of archives; here the streams are always flushed, and only the list of atexit is left to a weak symbol. */
#include <stdlib.h>

#include "libc.h"

void __stdio_exit(void);

static void nothing(void) {
}
weak_alias(nothing, __funcs_on_exit);

_Noreturn void exit(int code) {
    __funcs_on_exit();
    __libc_exit_fini();
    __stdio_exit();
    _Exit(code);
}
