// A path that ends silently is no test.
// run: explore
// paths: 2
#include <klee/klee.h>

int main(void)
{
    unsigned char choice;
    klee_make_symbolic(&choice, sizeof choice, "choice");
    if (choice < 10)
        return 1;
    if (choice < 20)
        klee_silent_exit(0);
    return 0;
}
