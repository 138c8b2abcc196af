// Structures of integers of every size from 1 to 24 bytes, passed, returned, nested and through pointers.
// stdout: 33 2210 105261 4402116
// stdout: 171774905 2124642662 1011898821 936051080
// stdout: 428432721 3191067690 870714973 2435318092
// stdout: 1427397865 3015809262 661797109 3286936336
// stdout: 1594724993 883130068 1546383397 3571645592
// stdout: b -2 42 -1099511627776
// stdout: 2y 1x Q
// stdout: 1933
// stdout: 30
#include <stdio.h>
#include <string.h>

#define STRUCTURE(n)                                                                                                   \
    struct s##n { unsigned char b[n]; };                                                                               \
    static struct s##n make##n(int seed)                                                                               \
    {                                                                                                                  \
        struct s##n s;                                                                                                 \
        for (int i = 0; i < n; i++)                                                                                    \
            s.b[i] = (unsigned char)(seed + i * 7);                                                                    \
        return s;                                                                                                      \
    }                                                                                                                  \
    static struct s##n next##n(struct s##n s, int before, struct s##n t)                                               \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            s.b[i] += t.b[n - 1 - i] + before;                                                                         \
        return s;                                                                                                      \
    }                                                                                                                  \
    static unsigned test##n(void)                                                                                      \
    {                                                                                                                  \
        struct s##n (*volatile f)(struct s##n, int, struct s##n) = next##n;                                            \
        struct s##n s = f(make##n(3), 5, make##n(250));                                                                \
        unsigned h = n;                                                                                                \
        for (int i = 0; i < n; i++)                                                                                    \
            h = h * 31 + s.b[i];                                                                                       \
        return h;                                                                                                      \
    }
STRUCTURE(1) STRUCTURE(2) STRUCTURE(3) STRUCTURE(4) STRUCTURE(5) STRUCTURE(6) STRUCTURE(7) STRUCTURE(8)
STRUCTURE(9) STRUCTURE(10) STRUCTURE(11) STRUCTURE(12) STRUCTURE(13) STRUCTURE(14) STRUCTURE(15) STRUCTURE(16)
STRUCTURE(17) STRUCTURE(20) STRUCTURE(23) STRUCTURE(24)

struct mixed { char c; short s; int i; long l; };
struct inner { short a; char b; };
struct outer { struct inner i[2]; char tail; };

static struct mixed bump(struct mixed m) { m.c++; m.s--; m.i *= 2; m.l = -m.l; return m; }
static struct outer swap(struct outer o) { struct inner t = o.i[0]; o.i[0] = o.i[1]; o.i[1] = t; o.tail ^= 32; return o; }
static long many(struct s3 a, struct s8 b, int c, struct s16 d, long e, struct s5 f, struct s24 g, char h)
{
    return a.b[0] + b.b[1] * 2 + c * 3 + d.b[15] * 4 + e * 5 + f.b[4] * 6 + g.b[23] * 7 + h * 8;
}

int main(void)
{
    printf("%u %u %u %u\n", test1(), test2(), test3(), test4());
    printf("%u %u %u %u\n", test5(), test6(), test7(), test8());
    printf("%u %u %u %u\n", test9(), test10(), test11(), test12());
    printf("%u %u %u %u\n", test13(), test14(), test15(), test16());
    printf("%u %u %u %u\n", test17(), test20(), test23(), test24());
    struct mixed m = bump((struct mixed){ 'a', -1, 21, 1l << 40 });
    printf("%c %d %d %ld\n", m.c, m.s, m.i, m.l);
    struct outer o = swap((struct outer){ { { 1, 'x' }, { 2, 'y' } }, 'q' });
    printf("%d%c %d%c %c\n", o.i[0].a, o.i[0].b, o.i[1].a, o.i[1].b, o.tail);
    printf("%ld\n", many(make3(1), make8(2), 3, make16(4), 5, make5(6), make24(7), 8));
    printf("%d\n", make16(9).b[3]);
    return 0;
}
