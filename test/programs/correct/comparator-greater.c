// Sorts by a comparator that says which is greater, and searches what was sorted.
// environment: TANGENT_DETECTORS=comparators
// stdout: 1 found
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    int numbers[] = {3, 1, 2, 5, 1, 3}, wanted = 5;
    qsort(numbers, 6, sizeof *numbers, compare);
    printf("%d %s\n", numbers[0], bsearch(&wanted, numbers, 6, sizeof *numbers, compare) ? "found" : "missing");
    return 0;
}
