// Variable arguments that are doubles and structures of all classes, mixed with integers.
// stdout: 1.5 2 3.25 4 5
// stdout: {ok} {3 2.5} {1.5 2.5 -3.5} {10 14} {-5 twelve chars}
// stdout: 0 1 2 3 4 5 6 7 8 9 {3 2.5} 42
// stdout: 1 2 3 4 5 6 7 {10 14} {ok} -0.125
#include <stdarg.h>
#include <stdio.h>

struct small { char a, b; };
struct pair { int x; double y; };
struct floats { float a, b, c; };
struct big { long words[5]; };
struct empty_tail { short s; char text[13]; };

static void show(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    for (; *format; format++) {
        switch (*format) {
        case 'd': printf("%g", va_arg(ap, double)); break;
        case 'i': printf("%d", va_arg(ap, int)); break;
        case 's': { struct small s = va_arg(ap, struct small); printf("{%c%c}", s.a, s.b); break; }
        case 'p': { struct pair p = va_arg(ap, struct pair); printf("{%d %g}", p.x, p.y); break; }
        case 'f': { struct floats f = va_arg(ap, struct floats); printf("{%g %g %g}", f.a, f.b, f.c); break; }
        case 'b': { struct big b = va_arg(ap, struct big); printf("{%ld %ld}", b.words[0], b.words[4]); break; }
        case 'e': { struct empty_tail e = va_arg(ap, struct empty_tail); printf("{%d %s}", e.s, e.text); break; }
        }
        putchar(format[1] ? ' ' : '\n');
    }
    va_end(ap);
}

int main(void)
{
    struct small s = { 'o', 'k' };
    struct pair p = { 3, 2.5 };
    struct floats f = { 1.5f, 2.5f, -3.5f };
    struct big b = { { 10, 11, 12, 13, 14 } };
    struct empty_tail e = { -5, "twelve chars" };
    show("didid", 1.5, 2, 3.25, 4, 5.0);
    show("spfbe", s, p, f, b, e);
    show("ddddddddddpi", 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, p, 42);
    show("iiiiiiibsd", 1, 2, 3, 4, 5, 6, 7, b, s, -0.125);
    return 0;
}
