// A program that kills itself with a signal ends with that signal, and what it flushed is seen.
// stdout: before
// signal: 15
#include <signal.h>
#include <stdio.h>

int main(void)
{
    printf("before\n");
    fflush(stdout);
    raise(SIGTERM);
    printf("after\n");
    return 0;
}
