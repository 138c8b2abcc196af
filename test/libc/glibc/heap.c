/* A block that shall have no bytes any more is no block any more. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*volatile through_pointer)(void *, size_t) = realloc;

int main(void) {
    char *text = malloc(10);
    errno = 0;
    text = realloc(text, 0);
    printf("%d %d\n", text == 0, errno);
    text = realloc(text, 0);
    printf("%d\n", text == 0);
    free(text);
    text = strdup("some words");
    text = realloc(text, 4000);
    text = through_pointer(text, 5);
    printf("%.5s %d\n", text, malloc_usable_size(text) >= 5);
    printf("%d\n", through_pointer(text, 0) == 0);
    printf("%d %d\n", reallocarray(malloc(3), 0, 7) == 0, reallocarray(malloc(3), 7, 0) == 0);
    text = reallocarray(0, 3, 0);
    printf("%d\n", text == 0);
    free(text);
    text = malloc(1);
    errno = 0;
    printf("%d", reallocarray(text, (size_t)-1, 2) == 0);
    printf(" %d\n", errno == ENOMEM);
    free(text);
    return 0;
}
