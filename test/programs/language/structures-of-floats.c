// Structures of floats, doubles and mixtures, each class of the calling convention, more than the registers hold.
// stdout: 3
// stdout: 2 1
// stdout: 1.5 2 6
// stdout: 1 5 3 3
// stdout: 5 5 5
// stdout: 2.5
// stdout: 0.75 -0.25
// stdout: 0.75
// stdout: 3.5 4 3.5 4 3.5 4
// stdout: 14
// stdout: b 1.5
// stdout: 4.5
// stdout: 3.5
// stdout: 298.25
#include <stdio.h>

struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct f5 { float v[5]; };
struct d1 { double a; };
struct d2 { double a, b; };
struct d3 { double a, b, c; };
struct fi { float f; int i; };
struct di { double d; int i; };
struct id { int i; double d; };
struct ffi { float a, b; int c; };
struct cf { char c; float f; };
struct ld { long double l; };
struct uf { union { float f; int i; } u; float g; };

static struct f1 f1(struct f1 s) { s.a *= 2; return s; }
static struct f2 f2(struct f2 s) { float t = s.a; s.a = s.b; s.b = t; return s; }
static struct f3 f3(struct f3 s) { s.c += s.a * s.b; return s; }
static struct f4 f4(struct f4 s) { s.d -= s.a; s.b += s.c; return s; }
static struct f5 f5(struct f5 s) { for (int i = 0; i < 5; i++) s.v[i] += i; return s; }
static struct d1 d1(struct d1 s) { s.a /= 4; return s; }
static struct d2 d2(struct d2 s) { s.a += s.b; s.b = -s.b; return s; }
static struct d3 d3(struct d3 s) { s.c = s.a + s.b; return s; }
static struct fi fi(struct fi s) { s.f += s.i; s.i++; return s; }
static struct di di(struct di s) { s.d += s.i; s.i++; return s; }
static struct id id(struct id s) { s.d += s.i; s.i++; return s; }
static struct ffi ffi(struct ffi s) { s.c += (int)(s.a + s.b); return s; }
static struct cf cf(struct cf s) { s.c++; s.f *= 3; return s; }
static struct ld ld(struct ld s) { s.l *= 1.5L; return s; }
static struct uf uf(struct uf s) { s.u.f += s.g; return s; }

static double many(struct d2 a, struct d2 b, struct fi c, struct d2 d, float e, struct f3 f, double g, struct d2 h,
                   struct id i, struct d3 j)
{
    return a.a + b.b * 2 + c.f * 3 + c.i * 4 + d.a * 5 + e * 6 + f.c * 7 + g * 8 + h.b * 9 + i.d * 10 + j.c * 11;
}

int main(void)
{
    printf("%g\n", f1((struct f1){ 1.5f }).a);
    struct f2 b = f2((struct f2){ 1, 2 });
    printf("%g %g\n", b.a, b.b);
    struct f3 c = f3((struct f3){ 1.5f, 2, 3 });
    printf("%g %g %g\n", c.a, c.b, c.c);
    struct f4 d = f4((struct f4){ 1, 2, 3, 4 });
    printf("%g %g %g %g\n", d.a, d.b, d.c, d.d);
    struct f5 e = f5((struct f5){ { 5, 4, 3, 2, 1 } });
    printf("%g %g %g\n", e.v[0], e.v[2], e.v[4]);
    printf("%g\n", d1((struct d1){ 10 }).a);
    struct d2 f = d2((struct d2){ 0.5, 0.25 });
    printf("%g %g\n", f.a, f.b);
    printf("%g\n", d3((struct d3){ 0.5, 0.25, 0 }).c);
    struct fi g = fi((struct fi){ 0.5f, 3 });
    struct di h = di((struct di){ 0.5, 3 });
    struct id i = id((struct id){ 3, 0.5 });
    printf("%g %d %g %d %g %d\n", g.f, g.i, h.d, h.i, i.d, i.i);
    printf("%d\n", ffi((struct ffi){ 1.5f, 2.5f, 10 }).c);
    struct cf j = cf((struct cf){ 'a', 0.5f });
    printf("%c %g\n", j.c, j.f);
    printf("%Lg\n", ld((struct ld){ 3 }).l);
    printf("%g\n", uf((struct uf){ { 1.5f }, 2 }).u.f);
    printf("%g\n", many((struct d2){ 1, 2 }, (struct d2){ 3, 4 }, g, f, 1.5f, c, 2.5, (struct d2){ 5, 6 }, i,
                        (struct d3){ 7, 8, 9 }));
    return 0;
}
