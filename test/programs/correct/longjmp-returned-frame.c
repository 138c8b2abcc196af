// An error handler jumps to a frame that is still active.
// native: none (glibc notices only in fortified builds)
// stdout: recovered
// exit: 1
#include <setjmp.h>
#include <stdio.h>

static jmp_buf recovery;

static int risky(int n)
{
    if (n > 2)
        longjmp(recovery, n);
    return n;
}

int main(void)
{
    int sum = 0;
    if (setjmp(recovery) != 0) {
        printf("recovered\n");
        return 1;
    }
    for (int i = 0; i < 5; i++)
        sum += risky(i);
    printf("%d\n", sum);
    return 0;
}
