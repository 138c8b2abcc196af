// The malloc family: zero sizes, alignment, growth with contents kept, calloc's zeros and overflow, many blocks.
// native: the calloc of zig's libc does not set errno
// stdout: contents
// stdout: conte
// stdout: 0
// stdout: 1 1
// stdout: 0 0 0
// stdout: 0 0 0
// stdout: 0 0 0
// stdout: 0 0 0
// stdout: 0 0 0
// stdout: 1184469
// stdout: 3
// stdout: 1 0
// stdout: 0
// stdout: 3
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    void *empty = malloc(0);
    free(empty);
    free(NULL);
    char *p = realloc(NULL, 10);
    strcpy(p, "contents");
    for (size_t size = 16; size < 100000; size *= 3)
        p = realloc(p, size);
    printf("%s\n", p);
    p = realloc(p, 5);
    printf("%.5s\n", p);
    free(p);
    int *zeros = calloc(1000, sizeof(int)), sum = 0;
    for (int i = 0; i < 1000; i++)
        sum |= zeros[i];
    printf("%d\n", sum);
    free(zeros);
    volatile size_t half = SIZE_MAX / 2;
    errno = 0;
    void *volatile none = calloc(half, 4);
    printf("%d %d\n", none == NULL, errno == ENOMEM);
    for (size_t alignment = 16; alignment <= 4096; alignment *= 4) {
        void *a = aligned_alloc(alignment, alignment * 3), *b;
        int r = posix_memalign(&b, alignment, 100);
        printf("%d %d %d\n", (int)((uintptr_t)a % alignment), r, (int)((uintptr_t)b % alignment));
        free(a);
        free(b);
    }
    static void *blocks[2000];
    unsigned seed = 1;
    long total = 0;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1103515245 + 12345;
        int slot = (seed >> 8) % 2000;
        if (blocks[slot]) {
            total += *(unsigned char *)blocks[slot];
            free(blocks[slot]);
            blocks[slot] = NULL;
        } else {
            size_t size = 1 + (seed >> 20) % 500;
            blocks[slot] = malloc(size);
            memset(blocks[slot], slot & 255, size);
        }
    }
    for (int i = 0; i < 2000; i++)
        free(blocks[i]);
    printf("%ld\n", total);
    int *r = reallocarray(NULL, 10, sizeof(int));
    r[9] = 3;
    printf("%d\n", r[9]);
    free(r);
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d\n", page != MAP_FAILED, page[8191]);
    page[8191] = 7;
    printf("%d\n", munmap(page, 8192));
    char *big = malloc(50000000);
    big[0] = 1;
    big[49999999] = 2;
    printf("%d\n", big[0] + big[49999999]);
    free(big);
    return 0;
}
