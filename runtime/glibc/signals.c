/* What glibc says of signals. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

#include "glibc.h"

struct row {
    const char *name, *text;
};

#define ROW(signal, words) [SIG##signal] = {#signal, words},
static const struct row rows[] = {
    ROW(HUP, "Hangup")
    ROW(INT, "Interrupt")
    ROW(QUIT, "Quit")
    ROW(ILL, "Illegal instruction")
    ROW(TRAP, "Trace/breakpoint trap")
    ROW(ABRT, "Aborted")
    ROW(BUS, "Bus error")
    ROW(FPE, "Floating point exception")
    ROW(KILL, "Killed")
    ROW(USR1, "User defined signal 1")
    ROW(SEGV, "Segmentation fault")
    ROW(USR2, "User defined signal 2")
    ROW(PIPE, "Broken pipe")
    ROW(ALRM, "Alarm clock")
    ROW(TERM, "Terminated")
    ROW(STKFLT, "Stack fault")
    ROW(CHLD, "Child exited")
    ROW(CONT, "Continued")
    ROW(STOP, "Stopped (signal)")
    ROW(TSTP, "Stopped")
    ROW(TTIN, "Stopped (tty input)")
    ROW(TTOU, "Stopped (tty output)")
    ROW(URG, "Urgent I/O condition")
    ROW(XCPU, "CPU time limit exceeded")
    ROW(XFSZ, "File size limit exceeded")
    ROW(VTALRM, "Virtual timer expired")
    ROW(PROF, "Profiling timer expired")
    ROW(WINCH, "Window changed")
    ROW(POLL, "I/O possible")
    ROW(PWR, "Power failure")
    ROW(SYS, "Bad system call")
};
#define FIRST_REAL_TIME 34
#define LAST_REAL_TIME 64

static const struct row *find(int number) {
    if (number < 0 || number >= (int)(sizeof rows / sizeof *rows) || !rows[number].name) return 0;
    return rows + number;
}

const char *glibc_sigdescr_np(int number) {
    const struct row *row = find(number);
    return row ? row->text : 0;
}

const char *glibc_sigabbrev_np(int number) {
    const struct row *row = find(number);
    return row ? row->name : 0;
}

char *glibc_strsignal(int number) {
    static char other[40];
    const struct row *row = find(number);
    if (row) return (char *)row->text;
    if (number >= FIRST_REAL_TIME && number <= LAST_REAL_TIME)
        snprintf(other, sizeof other, "Real-time signal %d", number - FIRST_REAL_TIME);
    else
        snprintf(other, sizeof other, "Unknown signal %d", number);
    return other;
}

void glibc_psignal(int number, const char *prefix) {
    if (prefix && *prefix)
        fprintf(glibc_stderr, "%s: %s\n", prefix, glibc_strsignal(number));
    else
        fprintf(glibc_stderr, "%s\n", glibc_strsignal(number));
}
