// The signal mask and jumps: siglongjmp sets the one again that sigsetjmp(env, 1) kept, whatever was blocked between; without one the
// mask stays, also a handler's that leaves by a jump.
// stdout: 0 0
// stdout: kept 1: 0 1
// stdout: not kept 2: 1 1
// stdout: plain 3: 1 0
// stdout: handler 10: 0 0 0
// stdout: handler without 10: 1 0 0
// stdout: pending 5: 1
// stdout: blocked 6: 1
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf env;
static jmp_buf plain;
static volatile sig_atomic_t seen, way;

static int blocked(int number)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, number);
}

static void change(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(how, &set, NULL);
}

static void jumper(int number)
{
    siglongjmp(env, number);
}

static void counter(int number)
{
    (void)number;
    seen++;
}

int main(void)
{
    struct sigaction action = { .sa_handler = jumper };
    int came;
    printf("%d %d\n", blocked(SIGUSR1), blocked(SIGUSR2));

    change(SIG_BLOCK, SIGUSR2);
    way = 1;
    if ((came = sigsetjmp(env, way)) == 0) {
        change(SIG_BLOCK, SIGUSR1);
        change(SIG_UNBLOCK, SIGUSR2);
        siglongjmp(env, 1);
    }
    printf("kept %d: %d %d\n", came, blocked(SIGUSR1), blocked(SIGUSR2));

    if ((came = sigsetjmp(env, 0)) == 0) {
        change(SIG_BLOCK, SIGUSR1);
        siglongjmp(env, 2);
    }
    printf("not kept %d: %d %d\n", came, blocked(SIGUSR1), blocked(SIGUSR2));

    if ((came = setjmp(plain)) == 0) {
        change(SIG_UNBLOCK, SIGUSR2);
        longjmp(plain, 3);
    }
    printf("plain %d: %d %d\n", came, blocked(SIGUSR1), blocked(SIGUSR2));
    change(SIG_UNBLOCK, SIGUSR1);

    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &action, NULL);
    if ((came = sigsetjmp(env, 1)) == 0) raise(SIGUSR1);
    printf("handler %d: %d %d %d\n", came, blocked(SIGUSR1), blocked(SIGUSR2), blocked(SIGALRM));
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    if ((came = sigsetjmp(env, 0)) == 0) raise(SIGUSR1);
    printf("handler without %d: %d %d %d\n", came, blocked(SIGUSR1), blocked(SIGUSR2), blocked(SIGALRM));
    change(SIG_UNBLOCK, SIGUSR1);

    /* What is pending arrives when the mask that was kept is set again. */
    signal(SIGUSR2, counter);
    if ((came = sigsetjmp(env, 1)) == 0) {
        change(SIG_BLOCK, SIGUSR2);
        raise(SIGUSR2);
        siglongjmp(env, seen == 0 ? 5 : 50);
    }
    printf("pending %d: %d\n", came, seen);

    change(SIG_BLOCK, SIGUSR2);
    if ((came = sigsetjmp(env, 1)) == 0) {
        change(SIG_UNBLOCK, SIGUSR2);
        siglongjmp(env, 6);
    }
    printf("blocked %d: %d\n", came, blocked(SIGUSR2));
    return 0;
}
