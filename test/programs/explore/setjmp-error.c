// Errors travel by longjmp with a code from the input; each handler is reached.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "e2"
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

static jmp_buf handler;

static void parse(const char *text)
{
    if (text[0] == 'e')
        longjmp(handler, text[1] == '2' ? 2 : 1);
}

int main(void)
{
    char text[2];
    if (read(0, text, 2) != 2)
        return 9;
    switch (setjmp(handler)) {
    case 0:
        parse(text);
        return 0;
    case 1:
        return 1;
    default:
#ifdef FIXED
        return 2;
#else
        abort(); // expect: abort
#endif
    }
}
