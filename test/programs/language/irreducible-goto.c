// Control flow that no nesting of loops can express: jumps into loops, loops with two entries, crossing gotos.
// stdout: 1 10 100
// stdout: 11 11 201
// stdout: 12 21 303
// stdout: 22 22 406
// stdout: 23 32 510
// stdout: 75155
// stdout: 21386
// stdout: 73121
// stdout: 97594
// stdout: 81408
// stdout: 54908
// stdout: 82017
// stdout: 100
#include <stdio.h>

static int two_entries(int start, int n)
{
    int steps = 0;
    if (start)
        goto second;
first:
    steps += 1;
    if (--n <= 0)
        return steps;
second:
    steps += 10;
    if (--n <= 0)
        return steps;
    goto first;
}

static int into_loop(int n)
{
    int i = 0, sum = 0;
    if (n & 1)
        goto middle;
    for (i = 0; i < n; i++) {
        sum += i;
middle:
        sum += 100;
        if (sum > 2000)
            goto out;
    }
out:
    return sum;
}

static int crossing(unsigned seed)
{
    int trace = 0, left = 30;
a:
    if (left-- == 0) return trace;
    seed = seed * 1103515245u + 12345u;
    trace = trace * 3 % 100003 + 1;
    if (seed >> 30 & 1) goto c;
b:
    if (left-- == 0) return trace;
    seed = seed * 1103515245u + 12345u;
    trace = trace * 5 % 100003 + 2;
    if (seed >> 29 & 1) goto a;
    if (seed >> 28 & 1) goto d;
c:
    if (left-- == 0) return trace;
    seed = seed * 1103515245u + 12345u;
    trace = trace * 7 % 100003 + 3;
    if (seed >> 27 & 1) goto b;
d:
    if (left-- == 0) return trace;
    seed = seed * 1103515245u + 12345u;
    trace = trace * 11 % 100003 + 4;
    switch (seed >> 30) {
    case 0: goto a;
    case 1: goto b;
    case 2: goto c;
    default: goto d;
    }
}

static int nested(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
    inner:
        count++;
        if (++k < i) {
            if (count % 5 == 0)
                continue;
            goto inner;
        }
        do {
            if (count % 7 == 3)
                goto next;
            count += 2;
        } while (count % 4);
    next:;
    }
    return count;
}

int main(void)
{
    for (int n = 1; n < 6; n++)
        printf("%d %d %d\n", two_entries(0, n), two_entries(1, n), into_loop(n));
    for (unsigned seed = 1; seed < 8; seed++)
        printf("%d\n", crossing(seed));
    printf("%d\n", nested(20));
    return 0;
}
