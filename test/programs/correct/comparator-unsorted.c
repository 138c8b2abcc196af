// Searches a table that is sorted as the comparator wants it.
// stdout: none
// environment: TANGENT_DETECTORS=comparators
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"Beta", "Gamma", "alpha", "delta"};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

int main(void)
{
    const char *const *found = bsearch("Charlie", words, 4, sizeof *words, compare);
    printf("%s\n", found ? *found : "none");
    return 0;
}
