// One error on many paths is one finding.
// run: explore --sym-stdin 4
// twin: -DFIXED
// findings: 1
// witness: stdin "abcd"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char in[4];
    int upper = 0;
    if (read(0, in, 4) != 4)
        return 1;
    for (int i = 0; i < 4; i++)
        if (in[i] >= 'A' && in[i] <= 'Z')
            upper++;
#ifdef FIXED
    assert(upper <= 4);
#else
    assert(upper == 4); // expect: assertion-failure
#endif
    return 0;
}
