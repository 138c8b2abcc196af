// Two assumptions that exclude each other on one path: an error of the program, as in KLEE. An input that violates one which others
// satisfy is none.
// run: explore
// run: explore --mode eager
// twin: -DFIXED
// native: none (natively nobody looks for other inputs)
// paths: 2
#include <klee/klee.h>

int main(void)
{
    int age, weight;
    klee_make_symbolic(&age, sizeof age, "age");
    klee_make_symbolic(&weight, sizeof weight, "weight");
    klee_assume(age > 50);
    if (weight > 42) {
#ifdef FIXED
        klee_assume(age < 60);
#else
        klee_assume(age < 20); // expect: reported-error
#endif
        return 1;
    }
    return 0;
}
