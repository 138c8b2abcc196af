// The key schedule of RC4 over 16 values: which key begins its permutation with 5, 7?
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char key[4], s[16], j = 0;
    if (read(0, key, 4) != 4)
        return 1;
    for (int i = 0; i < 16; i++)
        s[i] = (unsigned char)i;
    for (int i = 0; i < 4; i++) {
        j = (j + s[i] + key[i]) & 15;
        unsigned char t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
    assert(!(s[0] == 5 && s[1] == 7 && s[2] == 1 && s[15] == 3));
    return 0;
}
