// Eight bytes are counted in 64 cells; two counts are asked for.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[8], count[64] = {0};
    if (read(0, in, 8) != 8)
        return 1;
    for (int i = 0; i < 8; i++)
        count[in[i] & 63]++;
    assert(count[7] != 3 || count[9] != 4);
    return 0;
}
