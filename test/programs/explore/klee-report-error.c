// The program finds its own error and says so.
// run: explore
// twin: -DFIXED
// witness: object pair "\x05\x0a"
#include <klee/klee.h>

int main(void)
{
    unsigned char pair[2];
    klee_make_symbolic(pair, sizeof pair, "pair");
#ifdef FIXED
    klee_assume(pair[0] > pair[1]);
#endif
    if (pair[0] * 2 == pair[1] && pair[0] == 5)
        klee_report_error(__FILE__, __LINE__, "the pair is a double", "double.err"); // expect: reported-error
    return 0;
}
