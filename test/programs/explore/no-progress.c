// A scanner that does not advance on one of the letters: a path without end is cut and counted.
// run: explore --sym-stdin 2 --max-instructions-per-path 200000
// twin: -DFIXED
// loses: limit
// witness: stdin "a\\"
#include <unistd.h>

static int scan(const char *text) // expect-function: no-progress
{
    int at = 0, escapes = 0;
    while (at < 2) {
        if (text[at] == '\\') {
            escapes++;
#ifdef FIXED
            at++;
#endif
            continue;
        }
        at++;
    }
    return escapes;
}

int main(void)
{
    char text[2];
    if (read(0, text, 2) != 2)
        return 1;
    return scan(text);
}
