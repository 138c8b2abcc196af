// A set of characters as bits in bytes, as scanners and regular expressions have it.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[6], set[32] = {0};
    if (read(0, in, 6) != 6)
        return 1;
    for (int i = 0; i < 6; i++)
        set[in[i] / 8] |= (unsigned char)(1 << in[i] % 8);
    int vowels = 0;
    for (const char *p = "aeiouy"; *p; p++)
        vowels += set[*p / 8] >> *p % 8 & 1;
    assert(vowels != 6);
    return 0;
}
