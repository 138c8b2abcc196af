// The error path releases what is still held.
// args: 5
// stdout: -1
#include <stdio.h>
#include <stdlib.h>

static int process(int size)
{
    int result = -1;
    int *first = malloc(size * sizeof(int)), *second = NULL;
    for (int i = 0; i < size; i++)
        first[i] = i;
    int sum = 0;
    for (int i = 0; i < size; i++)
        sum += first[i];
    free(first);
    first = NULL;
    if (sum % 2 == 0)
        goto out;
    second = calloc(sum, 1);
    result = sum;
out:
    free(first);
    free(second);
    return result;
}

int main(int argc, char **argv)
{
    printf("%d\n", process(argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
