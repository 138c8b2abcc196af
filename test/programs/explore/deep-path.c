// A loop of thousands of symbolic branches on one path: long paths work.
// run: explore --sym-stdin 2 --max-paths 3
// limited: yes
// divergences: 0
#include <unistd.h>

int main(void)
{
    unsigned char in[2];
    unsigned state = 1, hits = 0;
    if (read(0, in, 2) != 2)
        return 1;
    for (int i = 0; i < 3000; i++) {
        state = state * 1103515245 + 12345;
        if ((in[i & 1] ^ (state >> 16 & 0xff)) > 128)
            hits++;
    }
    return hits == 1234;
}
