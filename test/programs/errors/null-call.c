// Calls an optional hook that nobody installed.
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
        hooks->after(i); // expect: wild-call|null-dereference
    }
    return sum;
}

int main(void)
{
    struct hooks hooks = { .before = trace };
    printf("%d\n", run(&hooks, 2));
    return 0;
}
