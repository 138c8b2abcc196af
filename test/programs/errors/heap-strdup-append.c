// Makes a plural by writing behind the end of a strdup'ed word.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *plural(const char *word)
{
    size_t n = strlen(word);
    char *result = strdup(word);
    result[n] = 's';
    result[n + 1] = 0; // expect: heap-buffer-overflow write
    return result;
}

int main(void)
{
    char *p = plural("granule");
    puts(p);
    free(p);
    return 0;
}
