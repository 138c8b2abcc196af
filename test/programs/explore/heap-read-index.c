// An index of two digits is not compared with the size of the block.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "25"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int tens = getchar(), ones = getchar();
    if (tens < '0' || tens > '3' || ones < '0' || ones > '9')
        return 1;
    int index = (tens - '0') * 10 + ones - '0';
    int *scores = calloc(24, sizeof *scores);
#ifdef FIXED
    if (index >= 24)
        index = 23;
#endif
    int score = scores[index]; // expect: heap-buffer-overflow read
    free(scores);
    return score;
}
