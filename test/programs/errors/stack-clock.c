// Takes the time into a variable that holds seconds only.
#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t seconds = 0;
    int failed = clock_gettime(CLOCK_REALTIME, (struct timespec *)&seconds); // expect: stack-buffer-overflow write
    printf("%d\n", failed);
    return 0;
}
