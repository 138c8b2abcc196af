// A graph of 16 nodes as a matrix: two edges from the input make a circle.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[4], edge[16][16] = {{0}};
    if (read(0, in, 4) != 4)
        return 1;
    for (int i = 0; i < 4; i++)
        in[i] &= 15;
    edge[in[0]][in[1]] = 1;
    edge[in[2]][in[3]] = 1;
    assert(!(edge[3][11] && edge[11][3] && in[2] == 3));
    return 0;
}
