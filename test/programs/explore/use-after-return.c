// The shorter of two names is kept in a buffer of the function that chose it.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "ba"
#include <unistd.h>

#ifdef FIXED
#define LOCAL static
#else
#define LOCAL
#endif

static char first_default = 'd';

static char *choose(char a, char b)
{
    LOCAL char kept[4];
    char *result = &first_default;
    kept[0] = a;
    kept[1] = b;
    if (a > b)
        result = kept;
    return result;
}

int main(void)
{
    char pair[2];
    if (read(0, pair, 2) != 2)
        return 1;
    char *chosen = choose(pair[0], pair[1]);
    return *chosen == 'q'; // expect: stack-use-after-return read
}
