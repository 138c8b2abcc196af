// What the program prints depends on the input; each test's output is its own.
// run: explore --sym-stdin 1
// output: even 0\n
// output: even 2\n
// output: odd 1\n
// output: odd 3\n
#include <stdio.h>

int main(void)
{
    int c = getchar() & 3;
    switch (c) {
    case 0: c = 0; break;
    case 1: c = 1; break;
    case 2: c = 2; break;
    case 3: c = 3; break;
    }
    printf("%s %d\n", c % 2 ? "odd" : "even", c);
    return 0;
}
