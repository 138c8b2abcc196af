// What depends on the input is symbolic; constants, overwritten bytes and what cancels out are not. Only one path.
// run: explore
// paths: 1
// native: none (nothing is symbolic natively)
#include <klee/klee.h>
#include <string.h>

int main(void)
{
    int x, copy, plain = 7;
    char text[8] = "fixed";
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assert(klee_is_symbolic(x));
    klee_assert(klee_is_symbolic((uintptr_t)x + plain));
    klee_assert(klee_is_symbolic(x & 0xff));
    klee_assert(!klee_is_symbolic(plain));
    klee_assert(!klee_is_symbolic(text[0]));
    memcpy(&copy, &x, sizeof copy);
    klee_assert(klee_is_symbolic(copy));
    memcpy(text + 1, &x, 2);
    klee_assert(!klee_is_symbolic(text[0]) && klee_is_symbolic(text[1]) && klee_is_symbolic(text[2]));
    klee_assert(!klee_is_symbolic(text[3]));
    x = plain;
    klee_assert(!klee_is_symbolic(x));
    klee_assert(klee_is_symbolic(copy));
    klee_assert(!klee_is_replay());
    return 0;
}
