/* The three standard streams are variables that a program may set; what is printed without naming a stream goes there. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "glibc.h"
#include "stdio_impl.h"

#undef stdin
#undef stdout
#undef stderr
FILE *glibc_stdin = &__stdin_FILE, *glibc_stdout = &__stdout_FILE, *glibc_stderr = &__stderr_FILE;

int glibc_puts(const char *text) {
    if (glibc_stdout == &__stdout_FILE) return puts(text);
    return fputs(text, glibc_stdout) < 0 || putc('\n', glibc_stdout) < 0 ? EOF : 1;
}
int glibc_putchar(int c) {
    return putc(c, glibc_stdout);
}
int glibc_putchar_unlocked(int c) {
    return putc_unlocked(c, glibc_stdout);
}
int glibc_getchar(void) {
    return getc(glibc_stdin);
}
int glibc_getchar_unlocked(void) {
    return getc_unlocked(glibc_stdin);
}

int glibc_vscanf(const char *format, va_list arguments) {
    return vfscanf(glibc_stdin, format, arguments);
}
int glibc_scanf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = vfscanf(glibc_stdin, format, arguments);
    va_end(arguments);
    return result;
}
int glibc_vprintf(const char *format, va_list arguments) {
    return glibc_vfprintf(glibc_stdout, format, arguments);
}
int glibc_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = glibc_vfprintf(glibc_stdout, format, arguments);
    va_end(arguments);
    return result;
}
