// Function pointers in tables, structures, arguments and results; comparison of their addresses.
// stdout: 2.5 81
// stdout: 16 9
// stdout: 7
// stdout: dog on 4 legs
// stdout: dog on 4 legs
// stdout: 1 1 1
// stdout: 1
// stdout: 2.25
#include <stdio.h>
#include <stdint.h>

typedef double unary(double);
typedef int binary(int, int);

static double half(double x) { return x / 2; }
static double square(double x) { return x * x; }
static int add(int a, int b) { return a + b; }
static int maximum(int a, int b) { return a > b ? a : b; }
static void nothing(void) {}

struct animal {
    const struct animal_class *class;
    int legs;
};
struct animal_class {
    const char *name;
    int (*count)(const struct animal *);
    void (*speak)(const struct animal *, int);
};

static int legs(const struct animal *a) { return a->legs; }
static void bark(const struct animal *a, int n)
{
    while (n-- > 0)
        printf("%s on %d legs\n", a->class->name, a->class->count(a));
}

static unary *choose(int which) { return which ? square : half; }
static double twice(unary *f, double x) { return f(f(x)); }

static int fold(binary *f, const int *values, int count)
{
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = (*f)(result, values[i]);
    return result;
}

static int (*(*selector(void))[2])(int, int)
{
    static binary *table[2] = { add, maximum };
    return &table;
}

int main(void)
{
    static const int values[] = { 3, 9, 4 };
    static const struct animal_class dog = { "dog", legs, bark };
    struct animal rex = { &dog, 4 };
    printf("%g %g\n", twice(choose(0), 10), twice(choose(1), 3));
    printf("%d %d\n", fold(add, values, 3), fold(maximum, values, 3));
    printf("%d\n", (*selector())[1](5, 7));
    rex.class->speak(&rex, 2);
    void (*f)(void) = nothing;
    f();
    (***f)();
    printf("%d %d %d\n", f == nothing, (void *)f != (void *)bark, f != 0);
    unsigned char bytes[sizeof f];
    for (size_t i = 0; i < sizeof f; i++)
        bytes[i] = ((unsigned char *)&f)[i];
    void (*g)(void) = *(void (**)(void))(void *)bytes == nothing ? f : 0;
    printf("%d\n", g == nothing);
    uintptr_t number = (uintptr_t)square;
    printf("%g\n", ((unary *)number)(1.5));
    return 0;
}
