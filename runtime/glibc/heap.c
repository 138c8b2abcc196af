/* glibc's realloc gives a block back if its new size is 0, and returns null; musl's makes a block of no bytes. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "glibc.h"

void *glibc_realloc(void *block, size_t size) {
    if (block && size == 0) {
        free(block);
        return 0;
    }
    return realloc(block, size);
}

void *glibc_reallocarray(void *block, size_t count, size_t each) {
    if (block && (count == 0 || each == 0)) return glibc_realloc(block, 0);
    return reallocarray(block, count, each);
}
