// Sorts by differences of small numbers.
// environment: TANGENT_DETECTORS=comparators
// stdout: 1
#include <stdio.h>
#include <stdlib.h>

static int by_difference(const void *left, const void *right)
{
    return (int)(*(const unsigned char *)left - *(const unsigned char *)right);
}

int main(void)
{
    unsigned char numbers[100];
    for (int i = 0; i < 100; i++)
        numbers[i] = (unsigned char)(7 * i % 101 + 1);
    qsort(numbers, 100, 1, by_difference);
    printf("%d\n", numbers[0]);
    return 0;
}
