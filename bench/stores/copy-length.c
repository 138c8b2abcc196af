// A record with its length before it is copied into a buffer that held another.
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[65], record[64];
    if (read(0, in, 65) != 65 || in[0] > 64)
        return 1;
    memset(record, '.', 64);
    memcpy(record, in + 1, in[0]);
    assert(!(record[40] == 'Z' && record[41] == '.' && record[3] == '.'));
    assert(!(record[20] == 'Y' && in[0] == 33));
    return 0;
}
