// A search that reads aligned words past the end of a block, as gnulib's rawmemchr does, is no error.
// native: unsanitized (AddressSanitizer knows no word-at-a-time searches)
// stdout: 1 5 12
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    for (; (uintptr_t)p % sizeof(uint64_t) != 0; p++)
        if (*p == (unsigned char)c)
            return (void *)p;
    const uint64_t *word = (const uint64_t *)p;
    uint64_t ones = UINT64_MAX / 255, pattern = ones * (unsigned char)c;
    for (;; word++) {
        uint64_t x = *word ^ pattern;
        if ((x - ones) & ~x & ones << 7)
            break;
    }
    for (p = (const unsigned char *)word; *p != (unsigned char)c; p++)
        continue;
    return (void *)p;
}

static long find(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
    long at = (char *)rawmemchr(copy, '\n') - copy;
    free(copy);
    return at;
}

int main(void)
{
    printf("%ld %ld %ld\n", find("(\n"), find("hello\n"), find("twelve bytes\n"));
    return 0;
}
