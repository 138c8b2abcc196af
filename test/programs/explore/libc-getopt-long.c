// Long options: one of them takes a value, and a certain value is fatal.
// run: explore --sym-arg 8 --sym-arg 2
// twin: -DFIXED
// witness: arg "--size=7"; arg "-v"
#include <getopt.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"size", required_argument, NULL, 's'}, {"verbose", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0}};
    int size = 0, verbose = 0, option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "s:v", options, NULL)) != -1)
        switch (option) {
        case 's': size = atoi(optarg); break;
        case 'v': verbose = 1; break;
        default: return 1;
        }
#ifdef FIXED
    size = 0;
#endif
    if (size == 7 && verbose)
        abort(); // expect: abort
    return 0;
}
