/* getopt, getopt_long and getopt_long_only: order, abbreviations and words. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int flag;
static const struct option LONG[] = {
    {"alpha", no_argument, 0, 'a'},   {"beta", required_argument, 0, 'b'}, {"gamma", optional_argument, 0, 'g'},
    {"again", no_argument, 0, 'A'},   {"flag", no_argument, &flag, 9},     {"betray", no_argument, 0, 'B'},
    {0, 0, 0, 0},
};

static void try(const char *letters, int kind, const char *line) {
    char copy[200], *words[20] = {"prog"}, *save;
    int count = 1, index = -1, c;
    strcpy(copy, line);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(0, " ", &save)) words[count++] = word;
    printf("%s [%s] %d:", letters, line, kind);
    optind = 0;
    flag = 0;
    for (;;) {
        fflush(stdout);
        c = kind == 0   ? getopt(count, words, letters)
            : kind == 1 ? getopt_long(count, words, letters, LONG, &index)
                        : getopt_long_only(count, words, letters, LONG, &index);
        if (c == -1) break;
        printf(" %c(%d)", c < 32 ? '0' + c : c, c);
        if (optarg) printf("=%s", optarg);
        if (c == '?' || c == ':') printf(" opt %d", optopt);
    }
    printf(" ; %d flag %d", optind, flag);
    for (int k = 1; k < count; k++) printf(" %s", words[k]);
    putchar('\n');
}

int main(void) {
    static const char *const lines[] = {"-a x -b y z",  "-ab value",      "x y -a -- -b",     "-b",          "-q -a",
                                        "-gopt -g opt", "--alpha --beta=1 rest", "--be 2",    "--bet 3",     "--al --ag",
                                        "--alpha=no",   "--beta",         "--unknown -a",     "--gamma=x --gamma y", "- -a -",
                                        "-alpha -beta 5", "-q1 -flag",    "--flag x",         "--a",         "a b -a c -b d e"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        for (int kind = 0; kind < 3; kind++) {
            try("ab:g::", kind, lines[k]);
            try("+ab:g::", kind, lines[k]);
            try("-ab:g::", kind, lines[k]);
            try(":ab:g::", kind, lines[k]);
        }
    }
    return 0;
}
