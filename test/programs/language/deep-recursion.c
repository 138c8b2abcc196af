// Recursion to a depth a real stack of 8 MiB carries: plain, mutual, through pointers, with arrays in the frames.
// stdout: 20000
// stdout: 524
// stdout: 603
// stdout: 5976
// stdout: 49995000
// stdout: 10001
#include <stdio.h>
#include <stdlib.h>

static unsigned depth(unsigned n) { return n == 0 ? 0 : 1 + depth(n - 1); }

static unsigned collatz(unsigned long n, unsigned steps)
{
    return n == 1 ? steps : collatz(n % 2 ? 3 * n + 1 : n / 2, steps + 1);
}

static unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int framed(int n)
{
    int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = n + i;
    if (n > 0)
        local[n % 16] += framed(n - 1) % 1000;
    return local[n % 16];
}

struct node { struct node *next; int value; };
static long sum(const struct node *n) { return n ? n->value + sum(n->next) : 0; }

typedef int step(int, void *);
static int ping(int n, void *other) { return n == 0 ? 1 : ((step *)other)(n - 1, (void *)ping) + 1; }
static int pong(int n, void *other) { return n == 0 ? 2 : ((step *)other)(n - 1, (void *)pong) + 1; }

int main(void)
{
    printf("%u\n", depth(20000));
    printf("%u\n", collatz(837799, 0));
    printf("%u\n", ackermann(2, 300));
    printf("%d\n", framed(5000));
    struct node *nodes = malloc(10000 * sizeof *nodes);
    for (int i = 0; i < 10000; i++)
        nodes[i] = (struct node){ i + 1 < 10000 ? &nodes[i + 1] : NULL, i };
    printf("%ld\n", sum(nodes));
    free(nodes);
    printf("%d\n", ping(9999, (void *)pong));
    return 0;
}
