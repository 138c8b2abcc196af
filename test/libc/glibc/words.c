/* What glibc says: errors, signals, null pointers, times, the locale. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

int main(void) {
    char text[80];
    for (int k = -1; k < 140; k++) printf("%d %s %s\n", k, strerror(k), strerrorname_np(k) ? strerrorname_np(k) : "-");
    for (int k = 0; k < 66; k++) printf("%d %s %s\n", k, strsignal(k), sigabbrev_np(k) ? sigabbrev_np(k) : "-");
    printf("[%.3s] [%.7s] [%8p] [%-8p] [%p] [%s]\n", (char *)0, (char *)0, (void *)0, (void *)0, (void *)255, (char *)0);
    errno = ENOENT;
    printf("%m [%30m] %d%%\n", 5);
    printf("%s\n", strerror_r(EPERM, text, sizeof text));
    const char *kept = strerror(1729576);
    errno = -5;
    printf("%m\n");
    fflush(stdout);
    perror("unknown");
    error(0, -6, "unknown");
    printf("%s\n", kept);
    fflush(stdout);
    errno = EACCES;
    perror("words");
    errno = EACCES;
    warn("with %d", 1);
    warnx("without %s", "error");
    error(0, EEXIST, "error %d", 2);
    error(0, 0, "plain");
    error_at_line(0, 0, "file.c", 7, "at line");
    psignal(SIGINT, "signal");
    time_t when = 951786123;
    struct tm *t = gmtime(&when);
    static const char *const formats[] = {"%c", "%x %X %p %P", "%-d %_d %e %k %l %I", "%^a %^B %#Z %#p", "%5Y|%_5Y|%-y", "%F %T %R %r %D",
                                          "%j %U %W %V %G %g %u %w", "%s %z %:z %n%t%%", "%10A|%010d", "%h %C %y", "%Ey %Od %Q", "%+4Y"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        size_t length = strftime(text, sizeof text, formats[k], t);
        printf("%s -> %zu [%s]\n", formats[k], length, length ? text : "");
    }
    printf("%s %s %s\n", setlocale(LC_ALL, 0), nl_langinfo(CODESET), nl_langinfo(D_T_FMT));
    printf("%d %d\n", mblen("\xe9", 1), (int)MB_CUR_MAX);
    static const nl_item items[] = {RADIXCHAR, THOUSEP, YESEXPR, NOEXPR, D_FMT, T_FMT, T_FMT_AMPM, AM_STR, PM_STR, ERA, ERA_D_T_FMT,
                                    ERA_D_FMT, ERA_T_FMT, ALT_DIGITS, _DATE_FMT, 0x50002, 0x50003};
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) printf("%x [%s]\n", items[k], nl_langinfo(items[k]));
    for (int k = 0; k < 12; k++) printf("%s %s %s\n", nl_langinfo(MON_1 + k), nl_langinfo(ALTMON_1 + k), nl_langinfo(_NL_ABALTMON_1 + k));
    printf("%s\n", setlocale(LC_CTYPE, "C.UTF-8"));
    printf("%s\n", setlocale(LC_ALL, 0));
    printf("%s %d %d\n", nl_langinfo(CODESET), mblen("\xc3\xa9", 2), (int)MB_CUR_MAX);
    printf("%d\n", setlocale(LC_ALL, "xx_XX.UTF-8") == 0);
    error(3, ENOTDIR, "the end");
}
