// The first program of every tutorial: three paths, one for each sign.
// run: explore
// paths: 3
// covers: all
// output: negative\n
// output: positive\n
// output: zero\n
#include <klee/klee.h>
#include <stdio.h>

int main(void)
{
    int number;
    klee_make_symbolic(&number, sizeof number, "number");
    if (number == 0)
        puts("zero");
    else if (number < 0)
        puts("negative");
    else
        puts("positive");
    return 0;
}
