// A combination lock of four digits behind distractions: every searcher opens it, whatever its order.
// run: explore --join-branches no --sym-stdin 4 --search dfs
// run: explore --join-branches no --sym-stdin 4 --search bfs
// run: explore --join-branches no --sym-stdin 4 --search random-path
// run: explore --join-branches no --sym-stdin 4 --search depth-biased
// run: explore --join-branches no --sym-stdin 4 --search random
// run: explore --join-branches no --sym-stdin 4 --search covnew
// run: explore --join-branches no --sym-stdin 4 --search random-path,covnew
// run: explore --join-branches no --sym-stdin 4 --mode eager --search dfs
// run: explore --join-branches no --sym-stdin 4 --mode eager --search random-path
// run: explore --join-branches no --sym-stdin 4 --checks relaxed
// run: explore --join-branches no --sym-stdin 4 --checks off
// twin: -DFIXED
// paths: 24
// witness: stdin "1945"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    static const char code[4] = "1945";
    char in[4];
    int right = 0, odd = 0;
    if (read(0, in, 4) != 4)
        return 9;
    for (int i = 0; i < 4; i++)
        if (in[i] == code[i])
            right++;
    if (in[0] & 1)
        odd = 1;
#ifdef FIXED
    right -= odd;
#endif
    if (right == 4)
        abort(); // expect: abort
    return odd;
}
