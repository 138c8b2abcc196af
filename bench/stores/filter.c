// What is kept of the input goes to the next free place: the place depends on all bytes before.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[12], kept[12] = {0};
    unsigned n = 0;
    if (read(0, in, 12) != 12)
        return 1;
    for (int i = 0; i < 12; i++) {
        kept[n] = in[i];
        n += in[i] >= 'a';
    }
    assert(!(n == 5 && kept[0] == 'h' && kept[1] == 'e' && kept[2] == 'l' && kept[3] == 'l' && kept[4] == 'o'));
    return 0;
}
