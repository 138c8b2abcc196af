// A number that is one digit longer than its buffer.
// run: explore --stop-at-first
// witness: object n i8 100
#include <klee/klee.h>
#include <stdio.h>

int main(void)
{
    unsigned char n;
    char text[5];
    klee_make_symbolic(&n, sizeof n, "n");
    if (n > 120) return 0;
    sprintf(text, "%.1f", n + 0.5); // expect: stack-buffer-overflow write
    return text[0];
}
