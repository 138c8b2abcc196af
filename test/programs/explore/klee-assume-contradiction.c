// Two assumptions that exclude each other: there is no path, and the user is told so.
// run: explore
// paths: 0
// says: assum
#include <klee/klee.h>

int main(void)
{
    int age;
    klee_make_symbolic(&age, sizeof age, "age");
    klee_assume(age > 50);
    klee_assume(age < 20);
    return age == 30; // never
}
