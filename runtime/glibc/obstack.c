/* Stacks of objects in large chunks. Most of it is macros in <obstack.h>, which know the structure. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

struct chunk {
    char *limit;
    struct chunk *previous;
    char contents[];
};

struct obstack {
    long chunk_size;
    struct chunk *chunk;
    char *object_base, *next_free, *chunk_limit;
    union {
        long number;
        void *pointer;
    } temporary;
    int alignment_mask;
    struct chunk *(*get)(void *, long);
    void (*put)(void *, struct chunk *);
    void *extra;
    unsigned use_extra : 1, maybe_empty : 1, failed : 1;
};

#define DEFAULT_ALIGNMENT 16
#define DEFAULT_SIZE 4064

int glibc_obstack_exit_failure = EXIT_FAILURE;

static void no_memory(void) {
    fprintf(glibc_stderr, "%s\n", "memory exhausted");
    exit(glibc_obstack_exit_failure);
}
void (*glibc_obstack_alloc_failed_handler)(void) = no_memory;

static struct chunk *get_chunk(struct obstack *h, long size) {
    struct chunk *chunk;
    if (h->use_extra)
        chunk = h->get(h->extra, size);
    else
        chunk = ((struct chunk * (*)(long)) h->get)(size);
    if (!chunk) glibc_obstack_alloc_failed_handler();
    chunk->limit = (char *)chunk + size;
    return chunk;
}

static void put_chunk(struct obstack *h, struct chunk *chunk) {
    if (h->use_extra)
        h->put(h->extra, chunk);
    else
        ((void (*)(struct chunk *))h->put)(chunk);
}

static char *align(const struct obstack *h, char *at) {
    uintptr_t mask = (uintptr_t)h->alignment_mask;
    return (char *)(((uintptr_t)at + mask) & ~mask);
}

static int begin(struct obstack *h, long size, int alignment) {
    h->alignment_mask = (alignment ? alignment : DEFAULT_ALIGNMENT) - 1;
    h->chunk_size = size ? size : DEFAULT_SIZE;
    h->chunk = get_chunk(h, h->chunk_size);
    h->chunk->previous = 0;
    h->next_free = h->object_base = align(h, h->chunk->contents);
    h->chunk_limit = h->chunk->limit;
    h->maybe_empty = h->failed = 0;
    return 1;
}

int glibc__obstack_begin(struct obstack *h, int size, int alignment, void *(*get)(long), void (*put)(void *)) {
    h->get = (struct chunk * (*)(void *, long)) get;
    h->put = (void (*)(void *, struct chunk *))put;
    h->use_extra = 0;
    return begin(h, size, alignment);
}

int glibc__obstack_begin_1(struct obstack *h, int size, int alignment, void *(*get)(void *, long),
                           void (*put)(void *, void *), void *extra) {
    h->get = (struct chunk * (*)(void *, long)) get;
    h->put = (void (*)(void *, struct chunk *))put;
    h->extra = extra;
    h->use_extra = 1;
    return begin(h, size, alignment);
}

/* The object that is growing moves to a chunk with room for `more`. */
void glibc__obstack_newchunk(struct obstack *h, int more) {
    struct chunk *old = h->chunk;
    long size = h->next_free - h->object_base, wanted = size + more + h->alignment_mask + (size >> 3) + 100;
    struct chunk *new = get_chunk(h, wanted < h->chunk_size ? h->chunk_size : wanted);
    h->chunk = new;
    new->previous = old;
    h->chunk_limit = new->limit;
    char *base = align(h, new->contents);
    memcpy(base, h->object_base, (size_t)size);
    /* If nothing else was in the old chunk, it goes. */
    if (!h->maybe_empty && h->object_base == align(h, old->contents)) {
        new->previous = old->previous;
        put_chunk(h, old);
    }
    h->object_base = base;
    h->next_free = base + size;
    h->maybe_empty = 0;
}

static int is_inside(const struct chunk *chunk, const void *object) {
    return (const char *)chunk < (const char *)object && (const char *)object <= chunk->limit;
}

int glibc__obstack_allocated_p(struct obstack *h, void *object) {
    struct chunk *chunk = h->chunk;
    while (chunk && !is_inside(chunk, object)) chunk = chunk->previous;
    return chunk != 0;
}

/* Frees the object and all that came after it; everything if it is null. */
void glibc_obstack_free(struct obstack *h, void *object) {
    struct chunk *chunk = h->chunk;
    while (chunk && !is_inside(chunk, object)) {
        struct chunk *previous = chunk->previous;
        put_chunk(h, chunk);
        chunk = previous;
        h->maybe_empty = 1;
    }
    if (chunk) {
        h->object_base = h->next_free = object;
        h->chunk_limit = chunk->limit;
        h->chunk = chunk;
    } else if (object) {
        abort();
    }
}
void glibc__obstack_free(struct obstack *h, void *object) {
    glibc_obstack_free(h, object);
}

int glibc__obstack_memory_used(struct obstack *h) {
    int bytes = 0;
    for (struct chunk *chunk = h->chunk; chunk; chunk = chunk->previous) bytes += (int)(chunk->limit - (char *)chunk);
    return bytes;
}

int glibc_obstack_vprintf(struct obstack *h, const char *format, va_list arguments) {
    char *text;
    int length = glibc_vasprintf(&text, format, arguments);
    if (length < 0) return -1;
    if (h->chunk_limit - h->next_free < length) glibc__obstack_newchunk(h, length);
    memcpy(h->next_free, text, (size_t)length);
    h->next_free += length;
    free(text);
    return length;
}

int glibc_obstack_printf(struct obstack *h, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = glibc_obstack_vprintf(h, format, arguments);
    va_end(arguments);
    return length;
}
