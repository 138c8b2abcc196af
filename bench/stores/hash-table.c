// Three keys in a table of 64 by their hashes; the last one is another key in the place of the first.
#include <assert.h>
#include <string.h>
#include <unistd.h>

static unsigned hash(unsigned key)
{
    return (key * 40503u >> 7) & 63;
}

int main(void)
{
    unsigned short key[3], table[64] = {0};
    if (read(0, key, 6) != 6)
        return 1;
    for (int i = 0; i < 3; i++)
        table[hash(key[i])] = key[i];
    assert(!(hash(key[0]) == 5 && table[5] == key[2] && key[2] != key[0] && key[2] > 60000));
    return 0;
}
