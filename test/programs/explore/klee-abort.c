// klee_abort is an abort.
// run: explore
// twin: -DFIXED
// witness: object code "\xfe\x01"
#include <klee/klee.h>

int main(void)
{
    unsigned char code[2];
    klee_make_symbolic(code, sizeof code, "code");
    if ((code[0] ^ code[1]) == 0xff && code[1] == 1) {
#ifdef FIXED
        return 1;
#else
        klee_abort(); // expect: abort
#endif
    }
    return 0;
}
