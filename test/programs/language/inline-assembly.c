// Inline assembly that is empty: compiler barriers and value launderers, as benchmarks and libraries write them.
// stdout: 40
// stdout: 7
// stdout: 1.5
// stdout: 3
// stdout: text
#include <stdio.h>

#define barrier() __asm__ __volatile__("" ::: "memory")
#define launder(x) __asm__ __volatile__("" : "+r"(x))

static int global;

static int opaque(int x)
{
    int result;
    __asm__("" : "=r"(result) : "0"(x));
    return result;
}

int main(void)
{
    int x = 20;
    launder(x);
    global = x;
    barrier();
    printf("%d\n", global + x);
    printf("%d\n", opaque(7));
    double d = 1.5;
    __asm__ volatile("" : : "r"(&d) : "memory");
    printf("%g\n", d);
    long a = 1, b = 2;
    __asm__ volatile("" : "+r"(a), "+r"(b));
    printf("%ld\n", a + b);
    const char *p = "text";
    __asm__("" : "+r"(p));
    puts(p);
    return 0;
}
