// A recursive-descent parser of sums in parentheses; one value is forbidden.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "(4+5)"
#include <stdlib.h>
#include <unistd.h>

static const char *at;

static int sum(void);

static int term(void)
{
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at != ')')
            _exit(1);
        at++;
        return value;
    }
    if (*at < '0' || *at > '9')
        _exit(2);
    return *at++ - '0';
}

static int sum(void)
{
    int value = term();
    while (*at == '+') {
        at++;
        value += term();
    }
    return value;
}

int main(void)
{
    char text[6] = "";
    if (read(0, text, 5) != 5)
        return 3;
    at = text;
    int value = sum();
#ifdef FIXED
    value *= 2;
#endif
    if (*at == 0 && value == 9 && text[0] == '(')
        abort(); // expect: abort
    return 0;
}
