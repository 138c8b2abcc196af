// Calendar functions: gmtime, timegm, mktime in UTC, strftime, difftime, leap years, and clocks that do not run back.
// stdout: 1970-01-01 00:00:00 Thu Jan 001 00 0
// stdout: 2000-02-29 00:00:00 Tue Feb 060 09 951782400
// stdout: 2023-11-14 22:13:20 Tue Nov 318 46 1700000000
// stdout: 1969-12-31 23:59:59 Wed Dec 365 52 -1
// stdout: 2099-12-31 23:59:59 Thu Dec 365 52 4102444799
// stdout: 949712400 1 5 6
// stdout: Sun Sep  9 01:46:40 2001
// stdout: 60
// stdout: 1 1
// stdout: 1
// stdout: 0 1
// stdout: 1
// stdout: 0
// stdout: 121 2 7  tail
// stdout: 17:13 EST
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static void show(time_t t)
{
    char text[64];
    struct tm *tm = gmtime(&t);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U", tm);
    printf("%s %lld\n", text, (long long)timegm(tm));
}

int main(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    show(0);
    show(951782400);
    show(1700000000);
    show(-1);
    show(4102444799);
    struct tm tm = { .tm_year = 99, .tm_mon = 12, .tm_mday = 35, .tm_hour = 25 };
    time_t t = mktime(&tm);
    printf("%lld %d %d %d\n", (long long)t, tm.tm_mon, tm.tm_mday, tm.tm_wday);
    printf("%s", asctime(gmtime(&(time_t){ 1000000000 })));
    printf("%.0f\n", difftime(100, 40));
    time_t now = time(NULL), later;
    time(&later);
    printf("%d %d\n", now > 1000000000, later >= now);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (volatile int i = 0; i < 1000; i++)
        ;
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    struct timeval tv;
    printf("%d %d\n", gettimeofday(&tv, NULL), tv.tv_usec >= 0 && tv.tv_usec < 1000000);
    printf("%d\n", clock() != (clock_t)-1);
    struct timespec nap = { 0, 1000000 };
    printf("%d\n", nanosleep(&nap, NULL));
    struct tm parsed = { 0 };
    char *rest = strptime("2021-03-04 05:06:07 tail", "%Y-%m-%d %H:%M:%S", &parsed);
    printf("%d %d %d %s\n", parsed.tm_year, parsed.tm_mon, parsed.tm_sec, rest);
    setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
    tzset();
    char local[64];
    strftime(local, sizeof local, "%H:%M %Z", localtime(&(time_t){ 1700000000 }));
    printf("%s\n", local);
    return 0;
}
