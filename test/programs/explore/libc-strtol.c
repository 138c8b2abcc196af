// A number with sign and base prefix, read by strtol.
// run: explore --sym-stdin 6
// twin: -DFIXED
// witness: stdin "-0x1f "
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[7] = "", *end;
    if (read(0, text, 6) != 6)
        return 1;
    long value = strtol(text, &end, 0);
#ifdef FIXED
    if (text[0] == '-')
        return 2;
#endif
    if (value == -31 && end == text + 5 && text[2] == 'x')
        abort(); // expect: abort
    return 0;
}
