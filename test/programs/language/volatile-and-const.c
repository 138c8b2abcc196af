// Volatile objects, const objects reached through several types, restrict, and register variables.
// stdout: 5
// stdout: 45
// stdout: 81 4 5
// stdout: 1 4
// stdout: restricted
// stdout: ab
// stdout: 0
#include <stdio.h>

static volatile int ticks;
static const int limits[] = { 3, 1, 4 };
struct device { volatile unsigned status; volatile unsigned char data[4]; };

static int wait(volatile int *flag, int most)
{
    int spins = 0;
    while (*flag == 0 && spins < most) {
        spins++;
        if (spins == 5)
            *flag = 1;
    }
    return spins;
}

static void copy(char *restrict to, const char *restrict from)
{
    while ((*to++ = *from++))
        ;
}

int main(void)
{
    volatile int flag = 0;
    printf("%d\n", wait(&flag, 100));
    for (register int i = 0; i < 10; i++)
        ticks = ticks + i;
    printf("%d\n", ticks);
    struct device d = { 0x80, { 1, 2, 3, 4 } };
    d.status |= 1;
    d.data[2]++;
    d.data[3] = d.data[0] + d.data[2];
    struct device e = d;
    printf("%x %d %d\n", e.status, e.data[2], e.data[3]);
    const int *p = limits;
    const void *v = p + 1;
    printf("%d %d\n", *(const int *)v, *(p + *(const int *)v + 1));
    char text[16];
    copy(text, "restricted");
    puts(text);
    const char *const words[] = { "a", "b" };
    const char *const *w = words;
    printf("%s%s\n", w[0], *(w + 1));
    volatile double x = 0.1, y = 0.2;
    printf("%d\n", x + y == 0.3);
    return 0;
}
