// Makes a plural in an allocation with room for it.
// stdout: granules
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *plural(const char *word)
{
    size_t n = strlen(word);
    char *result = malloc(n + 2);
    memcpy(result, word, n);
    result[n] = 's';
    result[n + 1] = 0;
    return result;
}

int main(void)
{
    char *p = plural("granule");
    puts(p);
    free(p);
    return 0;
}
