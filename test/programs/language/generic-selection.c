// _Generic, typeof, statement expressions, static assertions, alignment operators, choose_expr, constant folding.
// stdout: int unsigned int char float
// stdout: string constant string pointer other
// stdout: 1
// stdout: 1
// stdout: 2.5 1.5
// stdout: 32 32 64
// stdout: 0
// stdout: 1 7
// stdout: 1
// stdout: 9
// stdout: cleanup 10
// stdout: cleanup 11
// stdout: cleanup 1
// stdout: 1
// stdout: cleanup 20
// stdout: cleanup 2
// stdout: 20
// stdout: 3 3
// stdout: main
// stdout: 12
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", double: "double", float: "float", \
    char: "char", char *: "string", const char *: "constant string", void *: "pointer", default: "other")
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __typeof__(a) t_ = a; a = b; b = t_; } while (0)

_Static_assert(sizeof(long) == 8, "LP64");
struct aligned { char c; _Alignas(32) int value; };

static int calls;
static int count(void) { return ++calls; }

static void cleanup(int *p) { printf("cleanup %d\n", *p); }
static int scoped(int n)
{
    __attribute__((cleanup(cleanup))) int first = n;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(cleanup))) int second = n * 10 + i;
        if (n > 1)
            return second;
    }
    return first;
}

int main(void)
{
    char text[] = "x";
    printf("%s %s %s %s %s\n", KIND(1), KIND(1u), KIND('a'), KIND((char)1), KIND(1.0f));
    printf("%s %s %s %s\n", KIND(text), KIND((const char *)text), KIND((void *)0), KIND((short)1));
    printf("%d\n", MAX(count(), 0));
    printf("%d\n", calls);
    double a = 1.5, b = 2.5;
    SWAP(a, b);
    printf("%g %g\n", a, b);
    printf("%zu %zu %zu\n", alignof(struct aligned), offsetof(struct aligned, value), sizeof(struct aligned));
    alignas(64) char area[3];
    printf("%d\n", (int)((uintptr_t)area % 64));
    printf("%d %d\n", __builtin_constant_p(5), __builtin_choose_expr(1, 7, "x"));
    printf("%d\n", __builtin_types_compatible_p(int, signed));
    printf("%d\n", 0 ? : 9);
    printf("%d\n", scoped(1));
    printf("%d\n", scoped(2));
    int array[] = { 1, 2, 3 };
    printf("%zu %d\n", sizeof array / sizeof *array, 2[array]);
    printf("%s\n", __func__);
    printf("%d\n", (calls++, calls += 10, calls));
    return 0;
}
