// A pipe has two ends; here is room for one.
// stdout: 0
#include <stdio.h>
#include <unistd.h>

#define ENDS 2

static int make(int *ends)
{
    return pipe(ends);
}

int main(void)
{
    int ends[ENDS];
    printf("%d\n", make(ends));
    return 0;
}
