// An error handler jumps to a frame that has returned.
// native: none (glibc notices only in fortified builds)
#include <setjmp.h>
#include <stdio.h>

static jmp_buf recovery;

static int arm(void)
{
    return setjmp(recovery);
}

static int risky(int n)
{
    if (n > 2)
        longjmp(recovery, n); // expect: invalid-longjmp
    return n;
}

int main(void)
{
    int sum = 0;
    if (arm() != 0) {
        printf("recovered\n");
        return 1;
    }
    for (int i = 0; i < 5; i++)
        sum += risky(i);
    printf("%d\n", sum);
    return 0;
}
