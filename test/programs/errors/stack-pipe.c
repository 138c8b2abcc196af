// A pipe has two ends; here is room for one.
// native: none (the sanitizers do not look at pipe)
#include <stdio.h>
#include <unistd.h>

#define ENDS 1

static int make(int *ends)
{
    return pipe(ends); // expect: stack-buffer-overflow write
}

int main(void)
{
    int ends[ENDS];
    printf("%d\n", make(ends));
    return 0;
}
