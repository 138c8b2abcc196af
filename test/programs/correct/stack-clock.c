// Takes the time into a variable that holds seconds only.
// stdout: 0
#include <stdio.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    printf("%d\n", failed);
    return 0;
}
