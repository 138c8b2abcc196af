// A jump back into a function that has returned, on one path.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "j"
// native: none (it happens to work natively)
#include <setjmp.h>
#include <stdio.h>

static jmp_buf point;

static int mark(void)
{
    return setjmp(point);
}

int main(void)
{
    int c = getchar();
#ifdef FIXED
    if (setjmp(point))
        return 3;
#else
    if (mark())
        return 3;
#endif
    if (c == 'j')
        longjmp(point, 1); // expect: invalid-longjmp
    return 0;
}
