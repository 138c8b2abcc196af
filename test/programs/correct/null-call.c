// Calls an optional hook if somebody installed it.
// stdout: step 0
// stdout: step 1
// stdout: 1
#include <stdio.h>

struct hooks {
    void (*before)(int);
    void (*after)(int);
};

static void trace(int n)
{
    printf("step %d\n", n);
}

static int run(const struct hooks *hooks, int steps)
{
    int sum = 0;
    for (int i = 0; i < steps; i++) {
        hooks->before(i);
        sum += i;
        if (hooks->after)
            hooks->after(i);
    }
    return sum;
}

int main(void)
{
    struct hooks hooks = { .before = trace };
    printf("%d\n", run(&hooks, 2));
    return 0;
}
