/* What the sources of this folder share. Programs that were made with glibc's headers get the functions of this folder
   under their names without the prefix glibc_ (src/frontend/glibc-names.ts); everything else is our own libc, which these
   sources call by its plain names. */
#ifndef TANGENT_GLIBC_H
#define TANGENT_GLIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

extern FILE *glibc_stdin, *glibc_stdout, *glibc_stderr;
/* Room for the words of an error that nobody knows. The buffer of strerror is the program's: none of ours is kept there. */
#define UNKNOWN_ERROR 32
char *glibc_strerror_r(int number, char *buffer, size_t size);
char *glibc_realpath(const char *restrict path, char *restrict buffer);
int glibc_vfprintf(FILE *stream, const char *format, va_list arguments);
int glibc_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int glibc_vasprintf(char **result, const char *format, va_list arguments);
_Noreturn void glibc___chk_fail(void);

extern char *__progname, *__progname_full;

/* The body of a function that ends in `const char *format, ...`. */
#define WITH_ARGUMENTS(call)           \
    va_list arguments;                 \
    va_start(arguments, format);       \
    int returned = call;               \
    va_end(arguments);                 \
    return returned

#endif
