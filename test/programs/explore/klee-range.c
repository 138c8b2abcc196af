// klee_range: the first value is in the range, the end is not.
// run: explore
// paths: 4
// output: 3\n
// output: 4\n
// output: 5\n
// output: 6\n
#include <klee/klee.h>
#include <stdio.h>

int main(void)
{
    int day = klee_range(3, 7, "day");
    klee_assert(day >= 3 && day < 7);
    switch (day) {
    case 3: puts("3"); break;
    case 4: puts("4"); break;
    case 5: puts("5"); break;
    case 6: puts("6"); break;
    case 7: puts("7"); break; // never
    }
    return 0;
}
