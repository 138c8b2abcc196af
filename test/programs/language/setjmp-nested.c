// Nested setjmp: each longjmp unwinds to its own frame, with its own value, through frames of other functions.
// stdout: outer 0 after 0
// stdout: inner -100
// stdout: inner -2
// stdout: inner -3
// stdout: inner -4
// stdout: inner -5
// stdout: outer 6 after 6
// stdout: outer 7 after 7
// stdout: outer 8 after 8
// stdout: outer 1 after 9
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

static int dive(int depth, int code)
{
    char frame[100];
    frame[depth % 100] = (char)code;
    if (depth == 0)
        longjmp(code > 5 ? outer : inner, code);
    return dive(depth - 1, code) + frame[depth % 100];
}

static int attempt(int code)
{
    switch (setjmp(inner)) {
    case 0:
        return dive(20, code);
    case 1:
        return -100;
    default:
        return -code;
    }
}

int main(void)
{
    volatile int tries = 0;
    int code = setjmp(outer);
    printf("outer %d after %d\n", code, tries);
    while (tries < 8) {
        tries++;
        printf("inner %d\n", attempt(tries));
    }
    if (tries == 8) {
        tries = 9;
        longjmp(outer, 0);
    }
    return 0;
}
