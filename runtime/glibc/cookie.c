/* Streams whose reading and writing the program does itself. Our libc also writes nothing, which a program may not expect. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "glibc.h"

struct kept {
    void *cookie;
    cookie_io_functions_t functions;
};

static ssize_t read_some(void *cookie, char *buffer, size_t size) {
    struct kept *k = cookie;
    return k->functions.read ? k->functions.read(k->cookie, buffer, size) : 0;
}

static ssize_t write_some(void *cookie, const char *buffer, size_t size) {
    struct kept *k = cookie;
    if (size == 0) return 0;
    return k->functions.write ? k->functions.write(k->cookie, buffer, size) : (ssize_t)size;
}

static int seek(void *cookie, off_t *offset, int whence) {
    struct kept *k = cookie;
    return k->functions.seek ? k->functions.seek(k->cookie, offset, whence) : -1;
}

static int close_it(void *cookie) {
    struct kept *k = cookie;
    int result = k->functions.close ? k->functions.close(k->cookie) : 0;
    free(k);
    return result;
}

FILE *glibc_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
    static const cookie_io_functions_t ours = {read_some, write_some, seek, close_it};
    struct kept *k = malloc(sizeof *k);
    if (!k) return 0;
    *k = (struct kept){cookie, functions};
    FILE *stream = fopencookie(k, mode, ours);
    if (!stream) free(k);
    return stream;
}
