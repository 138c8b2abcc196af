// Searches a table that is sorted by another order than the comparator's.
// environment: TANGENT_DETECTORS=comparators
// native: none (no sanitizer looks at comparators)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"alpha", "Beta", "Gamma", "delta"};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

int main(void)
{
    const char *const *found = bsearch("Charlie", words, 4, sizeof *words, compare); // expect: inconsistent-comparator
    printf("%s\n", found ? *found : "none");
    return 0;
}
