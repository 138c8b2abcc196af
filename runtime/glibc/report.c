/* Messages in the program's name: error, and the BSD functions, which say what glibc says of errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "glibc.h"

void (*glibc_error_print_progname)(void);
unsigned glibc_error_message_count;
int glibc_error_one_per_line;

static void finish(int status, int number, const char *format, va_list arguments) {
    glibc_vfprintf(glibc_stderr, format, arguments);
    glibc_error_message_count++;
    char unknown[UNKNOWN_ERROR];
    if (number) fprintf(glibc_stderr, ": %s", glibc_strerror_r(number, unknown, sizeof unknown));
    putc('\n', glibc_stderr);
    fflush(glibc_stderr);
    if (status) exit(status);
}

static void begin(void) {
    fflush(glibc_stdout);
    if (glibc_error_print_progname)
        glibc_error_print_progname();
    else
        fprintf(glibc_stderr, "%s", __progname_full);
}

void glibc_error(int status, int number, const char *format, ...) {
    va_list arguments;
    int named = glibc_error_print_progname != 0;
    va_start(arguments, format);
    begin();
    if (!named) fputs(": ", glibc_stderr);
    finish(status, number, format, arguments);
    va_end(arguments);
}

void glibc_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    static const char *old_file;
    static unsigned old_line;
    va_list arguments;
    if (glibc_error_one_per_line) {
        const char *a = file, *b = old_file;
        if (line == old_line && (a == b || (a && b))) {
            while (a && b && *a && *a == *b) a++, b++;
            if (a == b || (a && b && *a == *b)) return;
        }
        old_file = file;
        old_line = line;
    }
    int named = glibc_error_print_progname != 0;
    va_start(arguments, format);
    begin();
    if (!named) putc(':', glibc_stderr);
    if (file)
        fprintf(glibc_stderr, "%s:%u: ", file, line);
    else
        putc(' ', glibc_stderr);
    finish(status, number, format, arguments);
    va_end(arguments);
}

static void warn_with(int with_error, const char *format, va_list arguments) {
    int number = errno;
    fprintf(glibc_stderr, "%s: ", __progname);
    if (format) {
        glibc_vfprintf(glibc_stderr, format, arguments);
        if (with_error) fputs(": ", glibc_stderr);
    }
    char unknown[UNKNOWN_ERROR];
    if (with_error) fputs(glibc_strerror_r(number, unknown, sizeof unknown), glibc_stderr);
    putc('\n', glibc_stderr);
}

void glibc_vwarn(const char *format, va_list arguments) {
    warn_with(1, format, arguments);
}
void glibc_vwarnx(const char *format, va_list arguments) {
    warn_with(0, format, arguments);
}
_Noreturn void glibc_verr(int status, const char *format, va_list arguments) {
    warn_with(1, format, arguments);
    exit(status);
}
_Noreturn void glibc_verrx(int status, const char *format, va_list arguments) {
    warn_with(0, format, arguments);
    exit(status);
}

#define WITH_ARGUMENTS(...)            \
    va_list arguments;                 \
    va_start(arguments, format);       \
    __VA_ARGS__;                       \
    va_end(arguments)

void glibc_warn(const char *format, ...) {
    WITH_ARGUMENTS(warn_with(1, format, arguments));
}
void glibc_warnx(const char *format, ...) {
    WITH_ARGUMENTS(warn_with(0, format, arguments));
}
_Noreturn void glibc_err(int status, const char *format, ...) {
    WITH_ARGUMENTS(warn_with(1, format, arguments));
    exit(status);
}
_Noreturn void glibc_errx(int status, const char *format, ...) {
    WITH_ARGUMENTS(warn_with(0, format, arguments));
    exit(status);
}
