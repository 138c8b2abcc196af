// Sorts by differences, which overflow for numbers far apart: each two are in order, three of them are not.
// environment: TANGENT_DETECTORS=comparators
// native: none (no sanitizer looks at comparators)
#include <stdio.h>
#include <stdlib.h>

static int by_difference(const void *left, const void *right)
{
    return (int)(*(const unsigned *)left - *(const unsigned *)right);
}

int main(void)
{
    unsigned numbers[] = {0, 0x60000000, 0xc0000000};
    qsort(numbers, 3, sizeof *numbers, by_difference); // expect: inconsistent-comparator
    printf("%u\n", numbers[0]);
    return 0;
}
