// An index read by atoi and compared with the wrong limit.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "7\n"
#include <stdio.h>
#include <stdlib.h>

static const char *const days[7] = {"mo", "tu", "we", "th", "fr", "sa", "su"};

int main(void)
{
    char line[4];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int day = atoi(line);
#ifdef FIXED
    if (day > 6 || day < 0)
        return 2;
#else
    if (day > 7 || day < 0)
        return 2;
#endif
    return days[day][0] == 'x'; // expect: global-buffer-overflow read
}
