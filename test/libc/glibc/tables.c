/* Options by tables: argp. */
#define _GNU_SOURCE
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "tables 1.0";
const char *argp_program_bug_address = "<bugs@example.org>";

static const struct argp_option OPTIONS[] = {
    {"verbose", 'v', 0, 0, "Say more"},
    {"quiet", 'q', 0, 0, "Say nothing at all"},
    {"silent", 's', 0, OPTION_ALIAS},
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output, which is a rather long explanation"},
    {"level", 'l', "N", OPTION_ARG_OPTIONAL, "Level"},
    {"only-long", 300, 0, 0, "Has no letter"},
    {0}};

static error_t parse(int key, char *value, struct argp_state *s) {
    switch (key) {
    case 'v': case 'q': case 's': case 'o': case 'l': case 300:
        printf(" %d=%s", key, value ? value : "-");
        return 0;
    case ARGP_KEY_ARG:
        printf(" arg %u %s", s->arg_num, value);
        return 0;
    case ARGP_KEY_INIT: case ARGP_KEY_END: case ARGP_KEY_NO_ARGS: case ARGP_KEY_SUCCESS: case ARGP_KEY_FINI:
        printf(" key %x", key);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
static const struct argp ARGP = {OPTIONS, parse, "ARG1 ARG2", "Shows things -- with words\vMore words after."};

int main(void) {
    static const char *const lines[] = {"x", "-v a -o f b", "--output=z a", "--only-long -l5 -l a", "", "--bogus", "-z", "a -- -v",
                                        "-s --quiet a", "-o", "--verb a", "--help", "--usage", "--version"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char copy[100], *words[20] = {"prog"}, *save;
        int count = 1;
        strcpy(copy, lines[k]);
        for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(0, " ", &save)) words[count++] = word;
        printf("[%s]", lines[k]);
        int error = argp_parse(&ARGP, count, words, ARGP_NO_EXIT, 0, 0);
        printf(" ; %d\n", error);
        fflush(stdout);
    }
    return 0;
}
