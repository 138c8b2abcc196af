// A command language of three letters: allocate, free, use.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "afu."
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char commands[4];
    int *value = NULL, live = 0, sum = 0;
    if (read(0, commands, sizeof commands) != sizeof commands)
        return 1;
    for (int i = 0; i < 4; i++)
        switch (commands[i]) {
        case 'a':
            if (!live)
                value = calloc(1, sizeof *value);
            live = 1;
            break;
        case 'f':
            if (live)
                free(value);
            live = 0;
#ifdef FIXED
            value = NULL;
#endif
            break;
        case 'u':
            if (value)
                sum += *value; // expect: heap-use-after-free read
            break;
        default:
            return sum;
        }
    return sum;
}
