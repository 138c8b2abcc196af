// Of the many inputs for a path, the preferred one becomes the test.
// run: explore
// paths: 2
// test: object letter "q"
#include <klee/klee.h>

int main(void)
{
    unsigned char letter;
    klee_make_symbolic(&letter, sizeof letter, "letter");
    klee_prefer_cex(&letter, letter == 'q');
    if (letter > 'a')
        return 1;
    return 0;
}
