/* Timers that raise signals, and times of what is no file. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile int rung[65];
static void ring(int signal) {
    rung[signal]++;
}

int main(void) {
    timer_t once, often, silent;
    struct sigevent event;
    struct itimerspec when, left;
    memset(&event, 0, sizeof event);
    memset(&when, 0, sizeof when);
    signal(SIGUSR1, ring);
    signal(SIGUSR2, ring);
    signal(SIGALRM, ring);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    printf("%d", timer_create(CLOCK_MONOTONIC, &event, &once));
    event.sigev_signo = SIGUSR2;
    printf("%d", timer_create(CLOCK_REALTIME, &event, &often));
    event.sigev_notify = SIGEV_NONE;
    printf("%d", timer_create(CLOCK_REALTIME, &event, &silent));
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = 99;
    printf(" %d", timer_create(CLOCK_REALTIME, &event, &silent) == -1 && errno == EINVAL);
    printf(" %d\n", timer_create(77, 0, &silent) == -1 && errno == EINVAL);

    when.it_value.tv_nsec = 20000000;
    timer_settime(once, 0, &when, &left);
    printf("%ld %ld\n", (long)left.it_value.tv_sec, left.it_value.tv_nsec);
    timer_gettime(once, &left);
    printf("%d %d\n", left.it_value.tv_nsec > 0, left.it_value.tv_nsec <= 20000000);
    pause();
    timer_gettime(once, &left);
    printf("%d, left %ld\n", rung[SIGUSR1], left.it_value.tv_nsec);

    when.it_interval.tv_nsec = 5000000;
    timer_settime(often, 0, &when, 0);
    while (rung[SIGUSR2] < 3) pause();
    printf("often\n");
    printf("%d", timer_delete(often));
    printf("%d\n", timer_delete(often) != 0);

    /* Both kinds beside each other, the later one first. */
    memset(&when, 0, sizeof when);
    alarm(1);
    when.it_value.tv_nsec = 1000000;
    timer_settime(once, 0, &when, 0);
    pause();
    printf("%d %d\n", rung[SIGUSR1], rung[SIGALRM]);
    /* A moment of the past. */
    when.it_value.tv_sec = 1;
    timer_settime(once, TIMER_ABSTIME, &when, 0);
    while (rung[SIGUSR1] < 3) usleep(1000);
    while (rung[SIGALRM] < 1) pause();
    printf("%d %d\n", rung[SIGUSR1], rung[SIGALRM]);

    int ends[2];
    printf("%d", pipe(ends));
    printf("%d %d\n", futimens(ends[1], 0), fchmod(ends[0], 0600));
    return 0;
}
