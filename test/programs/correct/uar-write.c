// A scratch area lies in the caller's frame.
// stdout: 499
#include <stdio.h>

struct scratch {
    long *words;
    int count;
};

static void scratch_init(struct scratch *s, long *area)
{
    s->words = area;
    s->count = 32;
}

static void fill(struct scratch *s, long seed)
{
    for (int i = 0; i < s->count; i++)
        s->words[i] = seed += i;
}

int main(void)
{
    struct scratch s;
    long area[32];
    scratch_init(&s, area);
    fill(&s, 3);
    printf("%ld\n", s.words[31]);
    return 0;
}
