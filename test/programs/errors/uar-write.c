// A scratch area outlives the function whose frame it lies in.
#include <stdio.h>

struct scratch {
    long *words;
    int count;
};

static void scratch_init(struct scratch *s)
{
    long area[32] = { 0 };
    s->words = area;
    s->count = 32;
}

static void fill(struct scratch *s, long seed)
{
    for (int i = 0; i < s->count; i++)
        s->words[i] = seed += i; // expect: stack-use-after-return write
}

int main(void)
{
    struct scratch s;
    scratch_init(&s);
    fill(&s, 3);
    printf("%ld\n", s.words[31]);
    return 0;
}
