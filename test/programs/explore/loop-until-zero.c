// A loop that runs until a shifted number is gone: one path for each length.
// run: explore
// paths: 17
#include <klee/klee.h>

int main(void)
{
    unsigned short number;
    klee_make_symbolic(&number, sizeof number, "number");
    int length = 0;
    while (number) {
        number >>= 1;
        length++;
    }
    klee_assert(length <= 16);
    return 0;
}
