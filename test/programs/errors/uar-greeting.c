// Returns the address of a local array hidden in a structure.
#include <stdio.h>

struct slice {
    const char *start;
    int length;
};

static struct slice greeting(int hour)
{
    char text[16];
    int n = snprintf(text, sizeof text, "good %s", hour < 12 ? "morning" : "evening");
    struct slice s = { text, n };
    return s;
}

int main(void)
{
    struct slice s = greeting(9);
    int sum = 0;
    for (int i = 0; i < s.length; i++)
        sum += s.start[i]; // expect: stack-use-after-return read
    printf("%d %d\n", s.length, sum);
    return 0;
}
