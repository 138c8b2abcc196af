// A timer's callback marks its timer, and the loop frees it.
// stdout: 21
#include <stdio.h>
#include <stdlib.h>

struct timer {
    int due, period, done;
    void (*fire)(struct timer *);
};

static int fired;

static void once(struct timer *t)
{
    fired++;
    t->done = 1;
}

static void every(struct timer *t)
{
    (void)t;
    fired += 10;
}

static struct timer *start(int period, void (*fire)(struct timer *))
{
    struct timer *t = malloc(sizeof *t);
    *t = (struct timer){ period, period, 0, fire };
    return t;
}

int main(void)
{
    struct timer *timers[2] = { start(3, every), start(5, once) };
    for (int time = 0; time < 8; time++)
        for (int i = 0; i < 2; i++) {
            struct timer *t = timers[i];
            if (!t || t->due > time)
                continue;
            t->fire(t);
            t->due = time + t->period;
            if (t->done) {
                free(t);
                timers[i] = NULL;
            }
        }
    printf("%d\n", fired);
    free(timers[0]);
    return 0;
}
