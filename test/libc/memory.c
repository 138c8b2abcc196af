// The allocator: alignment, contents, sizes, refusals.
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct block { unsigned char *bytes; size_t size; unsigned char mark; };

static size_t any_size(void)
{
    switch (random_number() % 6) {
    case 0: return random_number() % 16;
    case 1: return random_number() % 9000;
    case 2: return random_number() % 20 ? random_number() % 100 : random_number() % 500000;
    default: return random_number() % 200;
    }
}
static void fill(struct block *b)
{
    memset(b->bytes, b->mark, b->size);
}
static void verify(const struct block *b, size_t size)
{
    for (size_t i = 0; i < size; i += 1 + i / 64) CHECK(b->bytes[i] == b->mark);
    if (size) CHECK(b->bytes[size - 1] == b->mark);
}

int main(void)
{
    static struct block blocks[300];
    for (int round = 0; round < 20000; round++) {
        struct block *b = &blocks[random_number() % 300];
        size_t size = any_size();
        if (!b->bytes) {
            size_t alignment = 16;
            switch (random_number() % 4) {
            case 0:
                b->bytes = calloc(size, 1);
                for (size_t i = 0; i < size; i++) CHECK(b->bytes[i] == 0);
                break;
            case 1:
                alignment = 16u << random_number() % 9;
                b->bytes = aligned_alloc(alignment, size);
                break;
            default:
                b->bytes = malloc(size);
            }
            CHECK(b->bytes && (uintptr_t)b->bytes % alignment == 0 && malloc_usable_size(b->bytes) >= size);
        } else {
            verify(b, b->size);
            if (random_number() % 3) {
                free(b->bytes);
                b->bytes = NULL;
                continue;
            }
            b->bytes = realloc(b->bytes, size);
            CHECK(b->bytes != NULL);
            verify(b, size < b->size ? size : b->size);
        }
        b->size = size;
        b->mark = (unsigned char)round;
        fill(b);
    }
    for (int i = 0; i < 300; i++)
        if (blocks[i].bytes) verify(&blocks[i], blocks[i].size), free(blocks[i].bytes);

    volatile size_t huge = SIZE_MAX - 100;
    errno = 0;
    CHECK(malloc(huge) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(calloc(huge / 2, 3) == NULL && errno == ENOMEM);
    char *kept = strdup("kept");
    CHECK(realloc(kept, huge) == NULL && strcmp(kept, "kept") == 0 && reallocarray(kept, huge, 2) == NULL);
    free(kept);
    void *aligned = &huge;
    CHECK(posix_memalign(&aligned, 3, 10) == EINVAL && posix_memalign(&aligned, 64, 10) == 0 && (uintptr_t)aligned % 64 == 0);
    free(aligned);
    free(NULL);
    void *first = malloc(0), *second = malloc(0);
    CHECK(first && second && first != second);
    free(first);
    free(second);
    first = realloc(NULL, 10);
    CHECK(first != NULL);
    free(first);
    /* What is freed is used again: this is more than memory has room for. */
    for (int i = 0; i < 400; i++) {
        char *large = malloc(30000000);
        CHECK(large != NULL);
        large[i] = 1;
        free(large);
    }
    return failures != 0;
}
