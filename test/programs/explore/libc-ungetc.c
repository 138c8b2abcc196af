// A tokenizer that looks one character ahead and puts it back.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "<=<"
#include <stdio.h>
#include <stdlib.h>

enum token { LESS, LESS_OR_EQUAL, OTHER, END };

static enum token next(void)
{
    int c = getchar();
    if (c == EOF)
        return END;
    if (c != '<')
        return OTHER;
    int ahead = getchar();
    if (ahead == '=')
        return LESS_OR_EQUAL;
    if (ahead != EOF)
        ungetc(ahead, stdin);
    return LESS;
}

int main(void)
{
    enum token a = next(), b = next(), c = next();
#ifdef FIXED
    if (a == LESS_OR_EQUAL)
        return 1;
#endif
    if (a == LESS_OR_EQUAL && b == LESS && c == END)
        abort(); // expect: abort
    return 0;
}
