// Input that was overwritten decides nothing any more: one path.
// run: explore --sym-stdin 4
// paths: 1
#include <string.h>
#include <unistd.h>

int main(void)
{
    char in[4];
    if (read(0, in, 4) != 4)
        return 1;
    memset(in, 7, 2);
    in[2] = 1;
    memcpy(in + 3, in, 1);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (in[i] > 3)
            sum++;
    return sum != 3;
}
