// Duff's device, a switch into a loop, a coroutine made of a switch, and case labels in blocks.
// stdout: t
// stdout: the quic
// stdout: the quick brown
// stdout: the quick brown fox ju
// stdout: the quick brown fox jumps ove
// stdout: the quick brown fox jumps over the l
// stdout: the quick brown fox jumps over the lazy dog
// stdout: 0 1 4 9 100 -1 0 
// stdout: 0 31 20 28
#include <stdio.h>

static void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

static int generator(void)
{
    static int state, i;
    switch (state) {
    case 0:
        for (i = 0; i < 4; i++) {
            state = 1;
            return i * i;
    case 1:;
        }
        state = 2;
        return 100;
    case 2:
        state = 0;
    }
    return -1;
}

static int inside(int n)
{
    int r = 0;
    switch (n) {
        while (r < 10) {
    case 1: r += 3;
            if (r > 7) {
    case 2: r += 20;
            } else {
    case 3: r += 1;
            }
        }
    }
    return r;
}

int main(void)
{
    const char *source = "the quick brown fox jumps over the lazy dog";
    for (int n = 1; n < 44; n += 7) {
        char text[64] = { 0 };
        duff(text, source, n);
        printf("%s\n", text);
    }
    for (int i = 0; i < 7; i++)
        printf("%d ", generator());
    printf("\n%d %d %d %d\n", inside(0), inside(1), inside(2), inside(3));
    return 0;
}
