// Remembers the address of a variable that outlives the loop.
// stdout: 36
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
    struct sample current;
    for (int i = 0; i < 4; i++) {
        current = (struct sample){ i, 0 };
        advance(&current, i);
        sum += current.value;
        last = &current;
    }
    last->value = 0;
    printf("%d\n", sum);
    return 0;
}
