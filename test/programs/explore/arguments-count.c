// None, one or two arguments: the number of them is explored as well.
// run: explore --sym-args 0 2 1
// twin: -DFIXED
// witness: arg "x"; arg "y"
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc == 1)
        return 1;
    if (argc == 2)
        return argv[1][0] == 'q' ? 2 : 3;
#ifdef FIXED
    if (argv[2][0] != 'x')
        return 4;
#endif
    if (argv[1][0] == 'x' && argv[2][0] == 'y')
        abort(); // expect: abort
    return 0;
}
