// gnulib's replacement of fcntl reads its optional argument before it knows whether there is one.
#include <fcntl.h>
#include <stdarg.h>

int rpl_fcntl(int descriptor, int action, ...) {
    va_list rest;
    va_start(rest, action);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fcntl(descriptor, action, argument);
}

int main(void) { return rpl_fcntl(1, F_GETFD) < 0; }
