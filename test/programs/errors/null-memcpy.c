// Copies into the result of a failed allocation.
// native: none (AddressSanitizer aborts on the huge allocation itself)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *grow(const char *old, size_t used, size_t wanted)
{
    char *fresh = malloc(wanted);
    memcpy(fresh, old, used); // expect: null-dereference write
    return fresh;
}

int main(void)
{
    volatile size_t huge = (size_t)PTRDIFF_MAX;
    char *p = grow("seed", 5, 64);
    puts(p);
    char *q = grow(p, 5, huge);
    puts(q ? q : "out of memory");
    free(p);
    free(q);
    return 0;
}
