// Structures of doubles by value.
// run: explore
// witness: object p "\x00\x00\x00\x00\x00\x00\x08\x40\x00\x00\x00\x00\x00\x00\x10\x40"
#include <klee/klee.h>

struct point {
    double x, y;
};

static struct point moved(struct point p, double by)
{
    struct point q = {p.x + by, p.y - by};
    return q;
}

int main(void)
{
    struct point p;
    klee_make_symbolic(&p, sizeof p, "p");
    struct point q = moved(p, 0.5);
    if (q.x == 3.5 && q.y == 3.5)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
