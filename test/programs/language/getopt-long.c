// getopt and getopt_long: clustered options, optional arguments, abbreviations, permutation, errors, the double dash.
// args: -ab value --output=file.txt plain --verb --level 3 -c7 -- -notoption
// stdout: a -
// stdout: b value
// stdout: o file.txt
// stdout: l -
// stdout: c 7
// stdout: verbose 1
// stdout: rest plain
// stdout: rest 3
// stdout: rest -notoption
// stdout: x -
// stdout: y z
// stdout: 3
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int verbose = 0, c, index = -1;
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' }, { "level", optional_argument, NULL, 'l' }, { "verbose", no_argument, NULL, 'v' },
        { 0 },
    };
    while ((c = getopt_long(argc, argv, "ab:c::o:", options, &index)) != -1) {
        switch (c) {
        case 'v': verbose++; break;
        case '?': printf("unknown\n"); break;
        default: printf("%c %s\n", c, optarg ? optarg : "-");
        }
    }
    printf("verbose %d\n", verbose);
    for (int i = optind; i < argc; i++)
        printf("rest %s\n", argv[i]);
    char *second[] = { "prog", "-x", "-yz", "q", "-w", NULL };
    optind = 0;
    opterr = 0;
    while ((c = getopt(5, second, "+xy:")) != -1)
        printf("%c %s\n", c == '?' ? '!' : c, optarg ? optarg : "-");
    printf("%d\n", optind);
    return 0;
}
