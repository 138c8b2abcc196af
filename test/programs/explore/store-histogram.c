// Letters are counted in a table: whichever they are, one path is enough to know all counts.
// run: explore --sym-stdin 6
// twin: -DFIXED
// covers: all
// witness: stdin "abbabb"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[6], count[26] = {0};
    if (read(0, in, 6) != 6)
        return 1; // never
    for (int i = 0; i < 6; i++) {
        unsigned letter = (unsigned)in[i] - 'a';
        if (letter >= 26)
            return 2;
        count[letter]++;
    }
#ifdef FIXED
    assert(count[0] + count[1] <= 6);
#else
    assert(count[0] != 2 || count[1] != 4); // expect: assertion-failure
#endif
    return 0;
}
