// Far more paths than anybody can wait for: limits end the exploration, and what was found stays.
// run: explore --join-branches no --sym-stdin 16 --max-paths 200
// run: explore --join-branches no --sym-stdin 16 --max-time 2
// run: explore --join-branches no --sym-stdin 16 --max-paths 200 --max-memory 200
// run: explore --join-branches no --sym-stdin 16 --max-paths 200 --max-depth 5
// limited: yes
#include <unistd.h>

int main(void)
{
    unsigned char in[16];
    unsigned ones = 0;
    if (read(0, in, 16) != 16)
        return 1;
    for (int i = 0; i < 16; i++)
        for (int bit = 0; bit < 8; bit++)
            if (in[i] >> bit & 1)
                ones++;
    return ones == 77;
}
