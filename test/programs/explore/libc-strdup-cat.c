// Strings built on the heap from parts of the input; the sum of their lengths forgets the terminator.
// run: explore --sym-stdin 4
// twin: -DFIXED
// witness: stdin "ab,c"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FIXED
#define EXTRA 1
#else
#define EXTRA 0
#endif

int main(void)
{
    char in[5] = "";
    if (read(0, in, 4) != 4)
        return 1;
    char *comma = strchr(in, ',');
    if (!comma)
        return 2;
    *comma = 0;
    char *left = strdup(in);
    char *both = malloc(strlen(left) + strlen(comma + 1) + EXTRA);
    strcpy(both, left); // expect: heap-buffer-overflow write
    strcat(both, comma + 1); // expect: heap-buffer-overflow write
    int result = both[0] == 'x';
    free(left);
    free(both);
    return result;
}
