// A threaded interpreter looks the address of each label up; two labels are at one place.
// stdout: 10
#include <stdio.h>

static int run(const unsigned char *code)
{
    static void *const labels[] = { &&increment, &&twice, &&stop, &&end };
    int value = 1;
    char *next = labels[*code];
    for (;;) {
        goto *next;
    increment:
        value++;
        next = labels[*++code];
        continue;
    twice:
        value *= 2;
        next = labels[*++code];
        continue;
    stop:
    end:
        return value;
    }
}

int main(void)
{
    static const unsigned char program[] = { 1, 1, 0, 1, 3 };
    printf("%d\n", run(program));
    return 0;
}
