// Sorts by a comparator that only says whether the first is greater.
// environment: TANGENT_DETECTORS=comparators
// native: none (no sanitizer looks at comparators)
#include <stdio.h>
#include <stdlib.h>

static int greater(const void *left, const void *right)
{
    return *(const int *)left > *(const int *)right;
}

int main(void)
{
    int numbers[] = {3, 1, 2, 5};
    qsort(numbers, 4, sizeof *numbers, greater); // expect: inconsistent-comparator
    printf("%d\n", numbers[0]);
    return 0;
}
