// Signals raised by the program itself: handlers, masks, ignoring, one-shot handlers, information, waiting.
// stdout: 1
// stdout: 10
// stdout: 1010
// stdout: 1
// stdout: 3
// stdout: 0 1
// stdout: 10
// stdout: 1015 1
// stdout: 8
// stdout: -1 1
// stdout: 0
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen, nested;
static sigjmp_buf back;

static void handler(int number) { seen = seen * 100 + number; }
static void again(int number)
{
    nested++;
    if (nested < 3)
        raise(number);
}
static void jumper(int number) { siglongjmp(back, number); }
static void informed(int number, siginfo_t *info, void *context)
{
    (void)context;
    seen = number + (info->si_signo == number) * 1000;
}

int main(void)
{
    printf("%d\n", signal(SIGUSR1, handler) == SIG_DFL);
    raise(SIGUSR1);
    printf("%d\n", seen);
    kill(getpid(), SIGUSR1);
    printf("%d\n", seen);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == handler);
    raise(SIGUSR1);
    struct sigaction action = { .sa_handler = again, .sa_flags = SA_NODEFER }, old;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR2, &action, &old);
    raise(SIGUSR2);
    printf("%d\n", nested);
    sigset_t set, previous, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handler);
    seen = 0;
    sigprocmask(SIG_BLOCK, &set, &previous);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("%d %d\n", seen, sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_SETMASK, &previous, NULL);
    printf("%d\n", seen);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = informed;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGTERM, &action, NULL);
    raise(SIGTERM);
    sigaction(SIGTERM, NULL, &old);
    printf("%d %d\n", seen, old.sa_handler == SIG_DFL);
    signal(SIGFPE, jumper);
    int code = sigsetjmp(back, 1);
    if (code == 0)
        raise(SIGFPE);
    printf("%d\n", code);
    printf("%d ", sigaction(SIGKILL, &action, NULL));
    printf("%d\n", errno == EINVAL);
    printf("%d\n", raise(0));
    fflush(stdout);
    return 0;
}
