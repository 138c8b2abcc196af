// atexit handlers run in reverse, may register more, and output is flushed at exit but not by _exit.
// stdout: second
// stdout: late
// stdout: first
// stdout: last
// exit: 7
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void late(void) { printf("late\n"); }
static void second(void) { printf("second\n"); atexit(late); }
static void first(void) { printf("first\n"); }
static void last(void)
{
    printf("last\n");
    fflush(stdout);
    printf("never seen\n");
    _exit(7);
}

static void leave(int depth)
{
    if (depth == 0)
        exit(3);
    leave(depth - 1);
}

int main(void)
{
    atexit(last);
    atexit(first);
    atexit(second);
    setvbuf(stdout, NULL, _IOFBF, 4096);
    leave(10);
    return 1;
}
