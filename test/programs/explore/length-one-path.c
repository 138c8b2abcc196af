// A copy and a fill of lengths that the input says: what they leave is known for all lengths on one path.
// run: explore --sym-stdin 2
// twin: -DFIXED
// paths: 6
// witness: stdin "\x07\x05"
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    char text[24] = "#######################";
    if (read(0, in, 2) != 2)
        return 1; // never
    if (in[0] > 20)
        return 2;
    if (in[1] > 20)
        return 3;
    memcpy(text, "abcdefghijklmnopqrstu", in[0]);
    memset(text, '-', in[1]);
#ifdef FIXED
    assert(text[in[1]] == (in[0] > in[1] ? 'a' + in[1] : '#'));
#else
    assert(!(text[4] == '-' && text[6] == 'g' && text[7] == '#')); // expect: assertion-failure
#endif
    return 0;
}
