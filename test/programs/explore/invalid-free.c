// A pointer that was moved over leading spaces is freed instead of the block.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin " x"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *line = malloc(3), *text = line;
    if (read(0, line, 2) != 2)
        return 1;
    line[2] = 0;
    while (*text == ' ')
        text++;
    int result = *text;
#ifdef FIXED
    free(line);
#else
    free(text); // expect: invalid-free
#endif
    return result == 'q';
}
