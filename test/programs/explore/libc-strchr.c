// A key and its value around an equals sign.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "ab=zz"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[6] = "";
    if (read(0, line, 5) != 5)
        return 1;
    char *equals = strchr(line, '=');
    if (!equals || equals == line)
        return 2;
#ifdef FIXED
    if (equals - line == 2)
        return 3;
#endif
    if (equals - line == 2 && strchr("xyz", equals[1]) && equals[1] == 'z')
        abort(); // expect: abort
    return 0;
}
