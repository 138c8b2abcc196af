// Four bytes of standard input are a float.
// run: explore --sym-stdin 4
// witness: stdin "\x00\x00\x20\x3e"
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[4];
    float f;
    if (fread(bytes, 1, 4, stdin) != 4) return 1;
    memcpy(&f, bytes, 4);
    if (f == 0.15625f)
        klee_assert(0); // expect: assertion-failure
    return 0;
}
