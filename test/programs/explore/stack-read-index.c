// The name of a month by its number, which is never checked.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "\x0c"
#include <stdio.h>

int main(void)
{
    char months[12][4] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
    unsigned month = (unsigned)getchar() & 15;
#ifdef FIXED
    if (month >= 12)
        return 1;
#endif
    return months[month][0] == 'x'; // expect: stack-buffer-overflow read
}
