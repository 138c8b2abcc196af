/* Copying memory and strings. A string's copy is its length and one bulk copy if the whole destination may be written;
   otherwise it is done byte by byte, so that everything up to the first bad byte is written and the error is at that byte,
   as it would be natively. */
#define _GNU_SOURCE
#include <tangent/machine.h>
#include <tangent/peek.h>

#include <string.h>
#include <strings.h>
#include <unistd.h>

void *memcpy(void *restrict destination, const void *restrict source, size_t size) {
    __tangent_memcpy((uint64_t)destination, (uint64_t)source, size);
    return destination;
}

void *mempcpy(void *restrict destination, const void *restrict source, size_t size) {
    __tangent_memcpy((uint64_t)destination, (uint64_t)source, size);
    return (char *)destination + size;
}

void *memmove(void *destination, const void *source, size_t size) {
    __tangent_memmove((uint64_t)destination, (uint64_t)source, size);
    return destination;
}

void *memset(void *destination, int byte, size_t size) {
    __tangent_memset((uint64_t)destination, byte, size);
    return destination;
}

void bcopy(const void *source, void *destination, size_t size) {
    __tangent_memmove((uint64_t)destination, (uint64_t)source, size);
}

void bzero(void *destination, size_t size) {
    __tangent_memset((uint64_t)destination, 0, size);
}

void explicit_bzero(void *destination, size_t size) {
    __tangent_memset((uint64_t)destination, 0, size);
}

static void copy_string(char *destination, const char *source, size_t size) {
    volatile char *to = destination;
    if (__tangent_try_copy((uint64_t)destination, (uint64_t)source, size)) return;
    for (; size; size--) *to++ = *source++;
}

static void fill_string(char *destination, size_t size) {
    volatile char *to = destination;
    if (__tangent_try_fill((uint64_t)destination, 0, size)) return;
    for (; size; size--) *to++ = 0;
}

char *stpcpy(char *restrict destination, const char *restrict source) {
    size_t length = strlen(source);
    copy_string(destination, source, length + 1);
    return destination + length;
}

char *__stpcpy(char *restrict destination, const char *restrict source) {
    return stpcpy(destination, source);
}

char *strcpy(char *restrict destination, const char *restrict source) {
    copy_string(destination, source, strlen(source) + 1);
    return destination;
}

char *stpncpy(char *restrict destination, const char *restrict source, size_t size) {
    size_t length = strnlen(source, size);
    copy_string(destination, source, length);
    fill_string(destination + length, size - length);
    return destination + length;
}

char *__stpncpy(char *restrict destination, const char *restrict source, size_t size) {
    return stpncpy(destination, source, size);
}

char *strncpy(char *restrict destination, const char *restrict source, size_t size) {
    stpncpy(destination, source, size);
    return destination;
}

char *strcat(char *restrict destination, const char *restrict source) {
    strcpy(destination + strlen(destination), source);
    return destination;
}

char *strncat(char *restrict destination, const char *restrict source, size_t limit) {
    char *end = destination + strlen(destination);
    size_t length = strnlen(source, limit);
    copy_string(end, source, length);
    end[length] = 0;
    return destination;
}

size_t strlcpy(char *destination, const char *source, size_t size) {
    size_t length = strlen(source);
    if (size) {
        size_t copied = length < size ? length : size - 1;
        copy_string(destination, source, copied);
        destination[copied] = 0;
    }
    return length;
}

size_t strlcat(char *destination, const char *source, size_t size) {
    size_t length = strnlen(destination, size);
    if (length == size) return length + strlen(source);
    return length + strlcpy(destination + length, source, size - length);
}

void *memccpy(void *restrict destination, const void *restrict source, int c, size_t size) {
    const char *found = memchr(source, c, size);
    size_t copied = found ? (size_t)(found - (const char *)source) + 1 : size;
    copy_string(destination, source, copied);
    return found ? (char *)destination + copied : 0;
}

void swab(const void *restrict source, void *restrict destination, ssize_t size) {
    const char *from = source;
    char *to = destination;
    for (; size > 1; size -= 2, from += 2, to += 2) {
        char first = from[0];
        to[0] = from[1];
        to[1] = first;
    }
}
