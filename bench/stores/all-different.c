// Six numbers below 16: all different, and in the right places.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[6];
    int seen[16] = {0}, twice = 0, weight = 0;
    if (read(0, in, 6) != 6)
        return 1;
    for (int i = 0; i < 6; i++) {
        twice |= seen[in[i] & 15];
        seen[in[i] & 15] = 1;
        weight += (in[i] & 15) * (i + 1);
    }
    assert(twice || weight != 280);
    return 0;
}
