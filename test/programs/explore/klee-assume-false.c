// An assumption that is false whatever the input is: with --silent-assume that only ends the path, and the user is told so.
// run: explore --silent-assume
// paths: 0
// says: assum
#include <klee/klee.h>

static int version = 3;

int main(void)
{
    char letter;
    klee_make_symbolic(&letter, sizeof letter, "letter");
    if (letter == 'a')
        version = 3;
    klee_assume(version == 4);
    return 0; // never
}
