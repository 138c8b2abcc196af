// Remembers the address of a loop's own variable and writes through it after the loop.
#include <stdio.h>

struct sample {
    int time, value;
};

static void advance(struct sample *s, int by)
{
    s->time += by;
    s->value = s->time * 3;
}

int main(void)
{
    struct sample *last = NULL;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        struct sample current = { i, 0 };
        advance(&current, i);
        sum += current.value;
        last = &current;
    }
    last->value = 0; // expect: stack-use-after-scope|stack-use-after-return write
    printf("%d\n", sum);
    return 0;
}
