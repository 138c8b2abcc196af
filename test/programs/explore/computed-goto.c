// Labels chosen by the input: every label is reached, and so is the value that is none.
// run: explore --sym-stdin 2
// twin: -DCORRECT
// paths: 4
// covers: all
// native: none (natively the processor goes on in the middle of some instruction)
#include <stdio.h>

int main(void)
{
    static const void *const table[] = {&&add, &&twice, &&stop};
    int c = getchar();
    const char *target = table[c < 0 ? 2 : c % 3];
#ifndef CORRECT
    if (getchar() == 'x')
        target += 0x100;
#endif
    goto *target; // expect: wild-jump
add:
    puts("add");
    return 0;
twice:
    puts("double");
    return 0;
stop:
    puts("stop");
    return 0;
}
