/* All the work is done in a signal handler, which raises the signal again. */
#include <signal.h>

static volatile unsigned long count;

static void handle(int signal) {
    for (int i = 0; i < 1000; i++) count++;
    (void)signal;
}

int main(void) {
    signal(SIGUSR1, handle);
    for (;;) raise(SIGUSR1);
}
