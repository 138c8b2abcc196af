// A store at a symbolic index changes one element, whichever it is.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x02\x02"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    int cells[5] = {10, 11, 12, 13, 14};
    if (read(0, in, 2) != 2 || in[0] > 4 || in[1] > 4)
        return 1;
    cells[in[0]] = 99;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += cells[i];
    assert(sum == 60 + 99 - 10 - in[0]);
#ifdef FIXED
    assert(cells[in[1]] == (in[0] == in[1] ? 99 : 10 + in[1]));
#else
    assert(cells[in[1]] != 99 || in[0] != 2); // expect: assertion-failure
#endif
    return 0;
}
